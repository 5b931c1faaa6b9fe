package write

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A patch carries the stamps: it sets the time and increments the version. An increment
// must not take effect twice, and the time tells: a patch that is sent again has the
// condition that the document does not have its time yet. Without a time in the
// documents, such a patch is not sent again.

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
}

// time returns the JSON of the time that p writes.
func (p *Patch) time() json.RawMessage {
	return json.RawMessage(strconv.Quote(p.at.Format(stampLayout)))
}

// Increments reports whether p increments a version, so that it must not be sent again as
// it is, though its other operations may be repeated.
func (p *Patch) Increments() bool { return !p.Once && p.stamps != nil && p.stamps.Version != "" }

// again returns p as it is sent a second time.
func (p Patch) again() Patch {
	property := text.Property("/" + text.Escape(p.stamps.Updated))
	unless := "(NOT IS_DEFINED(" + property + ") OR " + property + " != " + string(p.time()) + ")"
	if p.Condition == "" {
		p.Condition = "from c where " + unless
	} else {
		p.Condition += " AND " + unless
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
	w.settle = p.settle(s, at)
	return nil
}

// settle says of a patch that was sent again and refused whether the first attempt took
// effect: the document has its time, and the values that it sets.
func (p Patch) settle(s *Writer, at wire.Place) func(context.Context, *wire.OperationError) (azcore.ETag, bool) {
	return func(ctx context.Context, failure *wire.OperationError) (azcore.ETag, bool) {
		if failure.Status != http.StatusPreconditionFailed {
			return "", false
		}
		_, response, err := s.Read(ctx, wire.OpPatch, at)
		if err != nil {
			return "", false
		}
		for i, o := range p.Operations {
			value := text.ValueAt(response.Value, text.Names(o.Path))
			switch {
			case p.overwrites(i+1, o.Path):
			case o.tidies && value != nil:
				return "", false
			case (o.Op == PatchSet || o.Op == PatchAdd || o.Op == PatchReplace) && !sameValue(value, o.Value):
				return "", false
			}
		}
		return response.ETag, true
	}
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
