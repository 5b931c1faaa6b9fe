package moves

import (
	"context"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// TestMoveThatOthersMakeToo has another program store the old note again unchanged, which
// gives it another ETag, and make the same move. That move uses the copy that this one is
// about to remove.
func TestMoveThatOthersMakeToo(t *testing.T) {
	r := newRace(t)
	background := context.Background()
	sent := 0
	c := &harness.Crash{At: -1, Counts: harness.IsOfDocuments, Each: func() {
		switch sent++; sent {
		case 2: // the copy is stored
			r.must(r.Update(background, r.from, func(*fixtures.Note) error { return nil }))
		case 4: // the deletion of the old note was refused, and it was there still
			n, err := r.Get(background, r.from)
			r.must(err)
			n.Topic = "new"
			r.must(r.Move(background, r.from, n))
		}
	}}
	ctx, end := c.Context(background)
	defer end()
	if err := r.ResumeMove(ctx, r.state); err != nil {
		t.Error(err)
	}
	if got := r.stored(); !slices.Equal(got, []string{"new: text"}) {
		t.Errorf("stored are %q", got)
	}
}
