package write

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// newToken returns a token that no other mark has. Its length says that the mark is one of a
// migration.
func newToken() string { return rand.Text()[:marks.MigrationToken] }

// Move moves the document to the new side, and reports whether it was on the old one.
// It costs four writes and three point reads. It returns an error that matches
// ErrAlreadyExists if another document has its place.
func (r *Relocation) Move(ctx context.Context) (bool, error) {
	for attempt := 1; ; attempt++ {
		f, err := r.Old.read(ctx, OpMove)
		if err != nil {
			return false, err
		}
		switch f.state {
		case draft:
			return false, f.remove(ctx, OpMove)
		case live, arrived:
			if err := r.vacant(ctx); err != nil {
				return false, err
			}
			err = r.mark(ctx, &f)
		case moved:
		default:
			return false, nil
		}
		if err == nil {
			return true, r.finish(ctx, OpMove, f)
		}
		if !isOvertaken(err) {
			return false, err
		}
		if err := r.pause(ctx, OpMove, attempt); err != nil {
			return false, err
		}
	}
}

// vacant returns an error if another document has the place on the new side.
func (r *Relocation) vacant(ctx context.Context) error {
	f, err := r.New.read(ctx, OpMove)
	if err == nil && f.state == foreign {
		err = f.occupied(OpMove)
	}
	return err
}

// mark makes a live document one that moves.
func (r *Relocation) mark(ctx context.Context, f *found) error {
	token := newToken()
	body, err := r.aged(ctx, f)
	if err == nil {
		body, err = stripped(body, SystemProperties...)
	}
	if err == nil {
		body, err = withMark(body, marks.Mark{State: marks.Moved, Token: token})
	}
	if err != nil {
		return f.Failure(OpMove, f.Place, err)
	}
	tag, err := swap(ctx, f.Side, OpMove, body, f.tag)
	if err != nil {
		return err
	}
	f.state, f.token, f.tag, f.raw = moved, token, tag, body
	return nil
}

// finish makes a document that moves live on the new side, and removes it from the old
// one. If another document has its place, it does not move, and is live again.
func (r *Relocation) finish(ctx context.Context, op string, f found) error {
	for attempt := 1; ; attempt++ {
		there, err := r.New.read(ctx, op)
		switch {
		case err != nil:
			return err
		case there.stays():
			return f.remove(ctx, op)
		case there.state == foreign:
			return r.revert(ctx, op, f)
		}
		over, err := r.enliven(ctx, op, f, there)
		switch {
		case over:
			return nil
		case err == nil:
			return f.remove(ctx, op)
		case !isOvertaken(err) && !errors.Is(err, wire.ErrAlreadyExists):
			return err
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return err
		}
	}
}

// enliven stores the copy of a document that moves, and makes it live. It reports
// whether the document does not move any more.
func (r *Relocation) enliven(ctx context.Context, op string, f, there found) (over bool, err error) {
	body, err := r.carried(ctx, &f)
	if err != nil {
		return false, f.Failure(op, f.Place, err)
	}
	if there.state != copied || there.token != f.token {
		if there.tag, err = r.copy(ctx, op, f, there, body); err != nil {
			return false, err
		}
	}
	// Only now: the copy was there before the mark was seen.
	now, err := r.Old.read(ctx, op)
	if err != nil || now.state != moved || now.token != f.token {
		return err == nil, err
	}
	_, err = swap(ctx, r.New, op, body, there.tag)
	return false, err
}

// copy stores the copy of a document that moves, in place of what is there.
func (r *Relocation) copy(ctx context.Context, op string, f, there found, body []byte) (azcore.ETag, error) {
	body, err := withMark(body, marks.Mark{State: marks.Copied, Token: f.token})
	if err != nil {
		return "", f.Failure(op, f.Place, err)
	}
	if there.state == nothing {
		return Create(ctx, r.New.Writer, Document{Place: r.New.Place, Body: body, Token: true}, false)
	}
	return swap(ctx, r.New, op, body, there.tag)
}

// revert makes a document that moves, or has arrived, live where it is.
func (r *Relocation) revert(ctx context.Context, op string, f found) error {
	body, err := stripped(f.raw, append(slices.Clone(SystemProperties), marks.Property)...)
	if err != nil {
		return f.Failure(op, f.Place, err)
	}
	_, err = swap(ctx, f.Side, op, body, f.tag)
	return ignored(err, isOvertaken)
}

// carried returns a document that moves as it will be stored on the new side: with
// properties that its type does not know, and under its key there.
func (r *Relocation) carried(ctx context.Context, f *found) ([]byte, error) {
	body, err := r.aged(ctx, f)
	if err != nil {
		return nil, err
	}
	leaving := append(slices.Clone(SystemProperties), marks.Property)
	for i, path := range r.Old.Paths {
		if r.Old.Synthetic || slices.Contains(r.Old.Made, i) {
			// A nested property is in an object that may have others.
			if names := text.Names(path); len(names) == 1 {
				leaving = append(leaving, names[0])
			}
		}
	}
	if body, err = stripped(body, leaving...); err != nil {
		return nil, err
	}
	return setKey(r.New.Writer, body, r.New.Place)
}

// aged returns a document with what is left of its time to live, since the service
// counts anew from each write. If the service has not said what time it is, all is left.
func (r *Relocation) aged(ctx context.Context, f *found) ([]byte, error) {
	var d struct {
		TTL *int64 `json:"ttl"`
		TS  *int64 `json:"_ts"`
	}
	err := json.Unmarshal(f.raw, &d)
	if d.TS == nil {
		return f.raw, err
	}
	left := int64(0)
	if r.Expiry != nil {
		expiry, err := r.Expiry(ctx)
		if err != nil {
			return nil, err
		}
		left = int64(expiry)
	}
	if d.TTL != nil && left != 0 { // else nothing expires, and ttl is a property like others
		left = *d.TTL
	}
	age := int64(f.date.Sub(time.Unix(*d.TS, 0)) / time.Second)
	if left <= 0 || age <= 0 {
		return f.raw, nil
	}
	return text.SetProperty(f.raw, []string{"ttl"}, strconv.AppendInt(nil, max(left-age, 1), 10))
}

// Tidy removes what a move or a creation that ended early has left on the new side, and
// reports whether it has. It costs a point read and a write, or two and one.
func (r *Relocation) Tidy(ctx context.Context) (bool, error) {
	f, err := r.New.read(ctx, OpMove)
	if err != nil || f.state != draft && f.state != copied {
		return false, err
	}
	if f.state == copied {
		old, err := r.Old.read(ctx, OpMove)
		if err != nil {
			return false, err
		}
		if old.state == moved {
			return false, r.finish(ctx, OpMove, old)
		}
	}
	_, err = Send(ctx, f.Writer, OpMove, f.Place, DeleteRequest(f.Writer, f.Place, f.tag))
	return err == nil, ignored(err, isOvertaken)
}
