package documents

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// always repeats each write.
func always(string) bool { return true }

// TestWritesTwice has a proxy that repeats each write: the first request takes effect, and
// the second answer comes back. A write is acknowledged, or its error matches ErrUnclear.
func TestWritesTwice(t *testing.T) {
	ctx := context.Background()
	type notes = Collection[note, noteKey]
	for _, test := range []struct {
		name  string
		model func() *generated.Model[note, noteKey]
		there bool // the document is there before
		run   func(c *notes, n *note) error
		want  error // that the error matches besides ErrUnclear; nil is success
		reads int
	}{
		{"Create", plainNotes, false, func(c *notes, n *note) error { return c.Create(ctx, n) }, failure.ErrAlreadyExists, 1},
		{"Create of keys that collide", collidingNotes, false, func(c *notes, n *note) error { return c.Create(ctx, n) }, failure.ErrAlreadyExists, 1},
		{"Create with a random suffix", randomNotes, false, func(c *notes, n *note) error { return c.Create(ctx, n) }, nil, 1},
		{"CreateAll", plainNotes, false, func(c *notes, n *note) error {
			_, err := c.CreateAll(Items(n)).Collect(ctx)
			return err
		}, failure.ErrAlreadyExists, 1},
		{"CreateAll in batches", plainNotes, false, func(c *notes, n *note) error {
			other := *n
			other.ID = "2"
			_, err := c.CreateAll(Items(n, &other), InBatches()).Collect(ctx)
			return err
		}, failure.ErrAlreadyExists, 2},
		{"Upsert", plainNotes, false, func(c *notes, n *note) error { return c.Upsert(ctx, n) }, nil, 0},
		{"Upsert of keys that collide", collidingNotes, false, func(c *notes, n *note) error { return c.Upsert(ctx, n) }, nil, 2},
		{"Upsert over one of keys that collide", collidingNotes, true, func(c *notes, n *note) error { return c.Upsert(ctx, n) }, nil, 2},
		{"Replace", plainNotes, true, func(c *notes, n *note) error { n.ETag = ""; return c.Replace(ctx, n) }, nil, 0},
		{"Replace of keys that collide", collidingNotes, true, func(c *notes, n *note) error { n.ETag = ""; return c.Replace(ctx, n) }, nil, 2},
		{"Replace of a version", plainNotes, true, func(c *notes, n *note) error { return c.Replace(ctx, n) }, failure.ErrPreconditionFailed, 1},
		{"Replace of a version of keys that collide", collidingNotes, true, func(c *notes, n *note) error { return c.Replace(ctx, n) }, failure.ErrPreconditionFailed, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMemory()
				c := collectionOf(test.model(), &batching{memory: m})
				c.spec.Twice = true
				n := &note{ID: "1", Topic: "a", Title: "b-c", Text: "first"}
				if test.there {
					if err := c.Create(ctx, n); err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Hour)
				}
				n.Text = "second"
				m.twice, m.reads, m.applied = always, 0, nil
				err := test.run(c, n)
				if test.want == nil && err != nil || test.want != nil && (!errors.Is(err, test.want) || !errors.Is(err, failure.ErrUnclear)) {
					t.Errorf("got %v, want %v", err, test.want)
				}
				if len(m.applied) == 0 || m.reads != test.reads {
					t.Errorf("%d effects, %d reads", len(m.applied), m.reads)
				}
				for at, stored := range m.docs {
					if stored.Doc.Text != "second" {
						t.Errorf("%v: stored %+v", at, stored.Doc)
					}
				}
				if at := (api.Place{Partition: n.Stored, ID: n.ID}); err == nil && m.docs[at].Version != n.ETag {
					t.Errorf("the document has version %q, and %q is stored", n.ETag, m.docs[at].Version)
				}
			})
		})
	}
}

// TestRefusalsStayDefinite has writes that are refused for reasons of their own. They cost
// one read, or none if no proxy can repeat requests.
func TestRefusalsStayDefinite(t *testing.T) {
	ctx := context.Background()
	at := api.Place{Partition: "a", ID: "1"}
	doc := func(text, version string) *note { return &note{ID: "1", Topic: "a", Text: text, ETag: version} }
	for _, twice := range []bool{true, false} {
		for name, test := range map[string]struct {
			there, sent *note
			want        error
			wait        time.Duration
		}{
			"Create over another":         {doc("mine", ""), doc("yours", ""), failure.ErrAlreadyExists, 0},
			"Create over an equal one":    {doc("mine", ""), doc("mine", ""), failure.ErrAlreadyExists, time.Minute},
			"Replace of another":          {doc("mine", ""), doc("yours", "v0"), failure.ErrPreconditionFailed, 0},
			"Replace of an equal one":     {doc("mine", ""), doc("mine", "v0"), failure.ErrPreconditionFailed, time.Minute},
			"Replace of one that is gone": {nil, doc("mine", "v0"), failure.ErrNotFound, 0},
		} {
			t.Run(fmt.Sprint(name, " ", twice), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := newMemory()
					c := collectionOf(plainNotes(), m)
					c.spec.Twice = twice
					if test.there != nil {
						m.put(at, *test.there)
					}
					time.Sleep(test.wait)
					write := c.Replace
					if test.sent.ETag == "" {
						write = c.Create
					}
					want := 0
					if twice && test.there != nil {
						want = 1
					}
					if err := write(ctx, test.sent); !errors.Is(err, test.want) || errors.Is(err, failure.ErrUnclear) || m.reads != want {
						t.Errorf("%v after %d reads", err, m.reads)
					}
				})
			})
		}
	}
}

// TestRefusalsThatCannotBeSettled has refused writes whose read does not tell.
func TestRefusalsThatCannotBeSettled(t *testing.T) {
	ctx := context.Background()
	at := api.Place{Partition: "a", ID: "1"}
	for name, prepare := range map[string]func(m *memory){
		"the read fails":            func(m *memory) { m.fault = failing("read", 100, false, lost) },
		"the read is refused":       func(m *memory) { m.fault = failing("read", 100, false, failure.Answer{Code: "403"}) },
		"it was removed in between": func(m *memory) { m.between = removing(at) },
		"written just before":       func(m *memory) { m.put(at, note{ID: "1", Topic: "a", Text: "x"}); time.Sleep(4 * time.Second) },
		"the read takes a minute":   func(m *memory) { m.fault = busyFor("read", time.Minute) },
		"an earlier answer was a 429": func(m *memory) {
			m.fault = failing("insert", 1, false, failure.Answer{Unsent: true, After: 20 * time.Second})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMemory()
				c := collectionOf(plainNotes(), m)
				c.spec.Twice = true
				m.twice = always
				prepare(m)
				err := c.Create(ctx, &note{ID: "1", Topic: "a", Text: "x"})
				if !errors.Is(err, failure.ErrAlreadyExists) || !errors.Is(err, failure.ErrUnclear) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// removing removes the document of a place before the second request.
func removing(at api.Place) func(*memory, api.Place) {
	n := 0
	return func(m *memory, _ api.Place) {
		if n++; n == 2 {
			delete(m.docs, at)
		}
	}
}

// busyFor makes requests of an operation take a time.
func busyFor(op string, pause time.Duration) func(string, api.Place) (*failure.Answer, *failure.Answer) {
	return func(asked string, _ api.Place) (*failure.Answer, *failure.Answer) {
		if asked == op {
			time.Sleep(pause)
		}
		return nil, nil
	}
}
