package write

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A patch carries the stamps: it sets the time and increments the version. A patch that
// must not take effect twice has the condition that the document does not have its time yet,
// so that it counts once, however often its request arrives. Another program that writes the
// document in between takes that time away: so after an unclear failure, a patch that counts
// is sent again only on the ETag of a document that was not written since the call. By a
// clock of the caller, which may say one time twice, only what is sent again has the
// condition. Without a time in the documents, such a patch is not sent again.

// operations returns how many operations the stamps take in a patch.
func (s *Stamps) operations() int {
	n := 0
	if s != nil && s.Updated != "" {
		n++
	}
	if s != nil && s.Version != "" {
		n++
	}
	return n
}

// stamp adds the stamps to p, which is sent at a time in UTC in units of 100 nanoseconds.
func (p *Patch) stamp(s *Stamps, at time.Time) {
	if s.operations() == 0 {
		return
	}
	p.stamps, p.at = s, at
	p.Operations = p.Operations[:len(p.Operations):len(p.Operations)]
	if s.Updated != "" {
		p.Operations = append(p.Operations, PatchOperation{Op: PatchSet, Path: "/" + text.Escape(s.Updated), Value: p.time()})
	}
	if s.Version != "" {
		p.Operations = append(p.Operations, PatchOperation{Op: PatchIncrement, Path: "/" + text.Escape(s.Version), Value: json.RawMessage("1")})
		p.Once = p.Once || s.Updated == ""
	}
	if (p.Once || s.Version != "") && s.proves(false) {
		p.Once, p.guarded, p.counts = false, true, p.Once
	}
}

// MustNotOvertake reports whether p must not take effect again after another program has
// written the document.
func (p *Patch) MustNotOvertake() bool { return p.Once || p.counts || p.Increments() }

// time returns the JSON of the time that p writes.
func (p *Patch) time() json.RawMessage {
	return json.RawMessage(strconv.Quote(p.at.Format(stampLayout)))
}

// Increments reports whether p increments a version, so that it must not be sent again as
// it is, though its other operations may be repeated.
func (p *Patch) Increments() bool {
	return !p.Once && !p.guarded && p.stamps != nil && p.stamps.Version != ""
}

// unless returns the condition that a document does not have the time of p.
func (p Patch) unless() string {
	property := text.Property("/" + text.Escape(p.stamps.Updated))
	return "(NOT IS_DEFINED(" + property + ") OR " + property + " != " + string(p.time()) + ")"
}

// again returns p as it is sent a second time.
func (p Patch) again() Patch {
	if p.Condition == "" {
		p.Condition = "from c where " + p.unless()
	} else {
		p.Condition += " AND " + p.unless()
	}
	return p
}

// sentAgain completes the request for p: what is sent from the second time on.
func (p Patch) sentAgain(s *Writer, at wire.Place, c *wire.Content, w *Request) error {
	again, err := patching(s, at, p.again(), c)
	if err != nil {
		return err
	}
	first, sent := w.Send, false
	w.Send = func(ctx context.Context) (azcosmos.ItemResponse, error) {
		if sent {
			return again(ctx, "")
		}
		sent = true
		return first(ctx)
	}
	return nil
}

// judgePatch returns what the document in an answer tells of a patch.
func (r refusal) judgePatch(p Patch, answer azcosmos.ItemResponse) verdict {
	shown, compared := p.shows(answer.Value)
	switch {
	case !shown:
		return notStored
	case p.stamps.proves(false) || r.unclear && p.stamps.tells():
		return stored
	case compared && r.recent(answer):
		return untold
	}
	return notStored
}

// judgeRefused is judgePatch of a patch that was refused by its condition. A patch that counts may
// have taken effect if the document gives no reason: its request has arrived before, then, and
// others have written since.
func (r refusal) judgeRefused(s *Writer, p Patch, answer azcosmos.ItemResponse) verdict {
	v := r.judgePatch(p, answer)
	explained := p.asked != "" || !s.Shows(answer.Value) || s.Schema.IsOlder(answer.Value)
	if v == notStored && p.counts && !explained {
		return untold
	}
	return v
}

// shows reports whether a document has the values that p sets, its time among them, and
// whether p sets any. What an increment has made does not tell.
func (p Patch) shows(raw []byte) (shown, compared bool) {
	for i, o := range p.Operations {
		value := text.ValueAt(raw, text.Names(o.Path))
		sets := o.Op == PatchSet || o.Op == PatchAdd || o.Op == PatchReplace
		switch {
		case p.overwrites(i+1, o.Path):
		case o.tidies && value != nil, sets && p.lasts(i+1, o.Path) && !sameValue(value, o.Value):
			return false, false
		default:
			compared = compared || sets
		}
	}
	return true, compared
}

// isShown is shows as a function of verified.
func (p Patch) isShown(raw []byte) bool {
	shown, _ := p.shows(raw)
	return shown
}

// onlySets reports whether p has no condition and leaves the same document if it takes effect
// again, its version included.
func (p Patch) onlySets() bool {
	return !p.Once && !p.guarded && p.asked == "" && !p.Increments()
}

// isStored reports whether a document has all that p sets.
func (p Patch) isStored(raw []byte) bool {
	for i, o := range p.Operations {
		if !o.tidies && !p.overwrites(i+1, o.Path) && !p.lasts(i+1, o.Path) {
			return false // the document does not tell
		}
	}
	return p.isShown(raw)
}

// lasts reports whether the value at a path can be compared after the operations from the
// nth on: the path names no place in a list, and no operation is within it.
func (p Patch) lasts(n int, path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return name != "-" && strings.Trim(name, "0123456789") != "" &&
		!slices.ContainsFunc(p.Operations[n:], func(o PatchOperation) bool {
			return strings.HasPrefix(o.Path, path+"/") || strings.HasPrefix(path, o.Path+"/")
		})
}

// overwrites reports whether an operation from the nth on is about the same property: one
// that is removed by its former name is set before.
func (p Patch) overwrites(n int, path string) bool {
	return slices.ContainsFunc(p.Operations[n:], func(o PatchOperation) bool { return o.Path == path })
}

// sameValue reports whether two JSON values are equal.
func sameValue(a, b []byte) bool {
	wrap := func(value []byte) []byte { return bytes.Join([][]byte{[]byte(`{"v":`), value, []byte("}")}, nil) }
	return a != nil && sameDocument(wrap(a), wrap(b))
}
