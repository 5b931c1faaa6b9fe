package documents

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

func encode64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// failing fails the first n requests of an operation after their effect, or before it.
func failing(op string, n int, after bool, a failure.Answer) func(string, api.Place) (*failure.Answer, *failure.Answer) {
	return func(asked string, _ api.Place) (*failure.Answer, *failure.Answer) {
		if asked != op || n == 0 {
			return nil, nil
		}
		n--
		if after {
			return nil, &a
		}
		return &a, nil
	}
}

var lost = failure.Answer{Unanswered: true, Err: io.ErrUnexpectedEOF}

func TestPromises(t *testing.T) {
	ctx := context.Background()
	doc := func() *note { return &note{ID: "1", Topic: "a", Title: "b-c", Text: "mine"} }
	other := note{ID: "1", Topic: "a", Title: "b-c", Text: "other"}
	at := api.Place{Partition: "a", ID: "1"}
	run := func(name string, f func(t *testing.T, m *memory, c *Collection[note, noteKey])) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMemory()
				f(t, m, collectionOf(plainNotes(), m))
			})
		})
	}
	is := func(t *testing.T, err error, kinds ...error) {
		t.Helper()
		if (err == nil) != (len(kinds) == 0) {
			t.Fatalf("got %v, want %v", err, kinds)
		}
		for _, kind := range []error{failure.ErrNotFound, failure.ErrAlreadyExists, failure.ErrPreconditionFailed, failure.ErrUnclear, failure.ErrThrottled} {
			want := false
			for _, k := range kinds {
				want = want || k == kind
			}
			if errors.Is(err, kind) != want {
				t.Errorf("got %v, want %v", err, kinds)
			}
		}
	}
	run("Create compares after an unclear attempt", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.fault = failing("insert", 1, true, lost)
		n := doc()
		is(t, c.Create(ctx, n))
		if n.ETag != m.docs[at].Version || m.sent != 3 {
			t.Errorf("%+v after %d requests", n, m.sent)
		}
	})
	run("Create meets another document after an unclear attempt", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.put(at, other)
		m.fault = failing("insert", 1, true, lost)
		is(t, c.Create(ctx, doc()), failure.ErrAlreadyExists, failure.ErrUnclear)
	})
	run("Create meets another document", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.put(at, *doc())
		is(t, c.Create(ctx, doc()), failure.ErrAlreadyExists)
	})
	run("no attempt is answered", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.fault = failing("insert", 100, false, lost)
		is(t, c.Create(ctx, doc()), failure.ErrUnclear)
		if m.sent != 4 {
			t.Errorf("%d requests", m.sent)
		}
	})
	run("throttled to the end", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.fault = failing("upsert", 100, false, failure.Answer{Unsent: true, Kind: failure.ErrThrottled, After: time.Second})
		var units meter.Meter
		begin := time.Now()
		is(t, c.Upsert(meter.With(ctx, &units), doc()), failure.ErrThrottled)
		if m.sent != 10 || time.Since(begin) != (10-1)*time.Second || units.Requests() != 10 || units.Retries() != 10-1 {
			t.Errorf("%d requests in %v; metered %d, %d", m.sent, time.Since(begin), units.Requests(), units.Retries())
		}
	})
	run("a service that asks to wait for long", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.fault = failing("upsert", 100, false, failure.Answer{Unsent: true, Kind: failure.ErrThrottled, After: time.Minute})
		is(t, c.Upsert(ctx, doc()), failure.ErrThrottled)
		if m.sent != 1 {
			t.Errorf("%d requests", m.sent)
		}
	})
	run("Replace of a version after an unclear attempt", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		n := doc()
		is(t, c.Create(ctx, n))
		m.fault = failing("replace", 1, true, lost)
		is(t, c.Replace(ctx, n), failure.ErrPreconditionFailed, failure.ErrUnclear)
	})
	run("Replace after an unclear attempt", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.put(at, other)
		m.fault = failing("replace", 2, true, lost)
		is(t, c.Replace(ctx, doc()))
	})
	run("Delete after an unclear attempt", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.put(at, other)
		m.fault = failing("remove", 1, true, lost)
		is(t, c.Delete(ctx, c.spec.Model.Key(doc())))
		is(t, c.Delete(ctx, c.spec.Model.Key(doc())), failure.ErrNotFound)
	})
	run("a context that ends during a write", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		ended, cancel := context.WithCancel(ctx)
		m.between = func(*memory, api.Place) { cancel() }
		m.fault = func(string, api.Place) (*failure.Answer, *failure.Answer) {
			return nil, &failure.Answer{Unanswered: true, Err: context.Canceled}
		}
		err := c.Upsert(ended, doc())
		is(t, err, failure.ErrUnclear)
		if !errors.Is(err, context.Canceled) || m.sent != 1 {
			t.Errorf("%v after %d requests", err, m.sent)
		}
		m.sent = 0
		if err = c.Upsert(ended, doc()); !errors.Is(err, context.Canceled) || errors.Is(err, failure.ErrUnclear) || m.sent != 0 {
			t.Errorf("%v after %d requests", err, m.sent)
		}
	})
	run("a context that ends in a pause", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		ended, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
		defer cancel()
		m.fault = failing("insert", 1, false, failure.Answer{Unsent: true, Kind: failure.ErrThrottled, After: time.Second})
		err := c.Create(ended, doc())
		is(t, err, failure.ErrThrottled)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
	run("a copy under another key", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		n := doc()
		is(t, c.Create(ctx, n))
		n.Topic = "z"
		for _, err := range []error{c.Upsert(ctx, n), c.Replace(ctx, n), DeleteIfMatch(ctx, c, n)} {
			if !errors.Is(err, failure.ErrKeyChanged) || !strings.Contains(err.Error(), `which is "a"`) {
				t.Errorf("got %v", err)
			}
		}
		is(t, c.Create(ctx, n))
		if n.Stored != "z" || len(m.docs) != 2 {
			t.Errorf("%+v of %d", n, len(m.docs))
		}
	})
	run("a document without a version", func(t *testing.T, _ *memory, c *Collection[note, noteKey]) {
		if err := DeleteIfMatch(ctx, c, doc()); err == nil || !strings.Contains(err.Error(), "no version") {
			t.Errorf("got %v", err)
		}
	})
	run("any version", func(t *testing.T, m *memory, c *Collection[note, noteKey]) {
		m.put(at, other)
		n := doc()
		n.ETag = "*"
		is(t, c.Replace(ctx, n))
	})
	run("no document", func(t *testing.T, _ *memory, c *Collection[note, noteKey]) {
		for _, err := range []error{c.Create(ctx, nil), c.Upsert(ctx, nil), c.Replace(ctx, nil), DeleteIfMatch(ctx, c, nil)} {
			if err == nil || !strings.Contains(err.Error(), "the document is nil") {
				t.Errorf("got %v", err)
			}
		}
	})
}

func TestRandomSuffixes(t *testing.T) {
	ctx := context.Background()
	m := newMemory()
	c := collectionOf(randomNotes(), m)
	n := &note{ID: "1", Topic: "a", Text: "x"}
	m.fault = failing("insert", 100, true, lost)
	if err := c.Create(ctx, n); !errors.Is(err, failure.ErrUnclear) {
		t.Fatal(err)
	}
	m.fault = nil
	first := n.Stored
	if err := c.Create(ctx, n); err != nil || n.Stored != first || len(m.docs) != 1 || n.ETag == "" {
		t.Errorf("%+v, %v, of %d", n, err, len(m.docs))
	}
	n.Text = "y"
	if err := c.Create(ctx, n); !errors.Is(err, failure.ErrAlreadyExists) || errors.Is(err, failure.ErrUnclear) || n.Stored != first {
		t.Errorf("got %v", err)
	}
	n.Topic = "b" // another text before the suffix: another document
	if err := c.Create(ctx, n); err != nil || !strings.HasPrefix(n.Stored, "b.") {
		t.Errorf("%+v, %v", n, err)
	}
	before := *n
	n.Topic = ""
	if err := c.Create(ctx, n); err == nil || n.Stored != before.Stored {
		t.Errorf("%+v, %v", n, err)
	}
	suffixes := map[string]bool{}
	for range 50 {
		n := &note{ID: "s", Topic: "c"}
		_ = c.Create(ctx, n)
		suffixes[n.Stored] = true
	}
	if len(suffixes) < 30 {
		t.Errorf("%d suffixes of 50 documents", len(suffixes))
	}
	c.spec.Model.Stored = func(*note) *string { return nil }
	if err := c.Create(ctx, &note{ID: "1", Topic: "a"}); err == nil || !strings.Contains(err.Error(), "set the pointer first") {
		t.Errorf("got %v", err)
	}
}

// TestErrorsHoldNoValues has drivers whose errors quote documents.
func TestErrorsHoldNoValues(t *testing.T) {
	ctx := context.Background()
	m := newMemory()
	c := collectionOf(plainNotes(), m)
	for text, err := range map[string]error{
		"the driver returned a *errors.errorString":    errors.New("«secret»"),
		"the connection ended before the answer did":   errors.Join(errors.New("«secret»"), io.ErrUnexpectedEOF),
		"dial tcp: connection refused":                 &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")},
		"the context has ended: context canceled":      errors.Join(errors.New("«secret»"), context.Canceled),
		"the property text has a value that cannot be": failure.Says("the property text has a value that cannot be"),
	} {
		m.fault = func(string, api.Place) (*failure.Answer, *failure.Answer) { return &failure.Answer{Err: err}, nil }
		_, get := c.Get(ctx, c.spec.Model.Key(noteOf(1)))
		for _, got := range []error{get, c.Create(ctx, noteOf(1)), c.Delete(ctx, c.spec.Model.Key(noteOf(1)))} {
			if !errors.Is(got, err) || !strings.Contains(got.Error(), text) || strings.Contains(got.Error(), "secret") || !strings.Contains(got.Error(), `note "n1" in partition "t1": `) {
				t.Errorf("got %v", got)
			}
		}
	}
}

// TestReusedStruct stores many documents by one struct: each gets a suffix of its own.
func TestReusedStruct(t *testing.T) {
	c := collectionOf(randomNotes(), newMemory())
	n := &note{Topic: "a"}
	suffixes := map[string]bool{}
	for i := range 50 {
		n.ID = strconv.Itoa(i)
		if err := c.Create(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		suffixes[n.Stored] = true
	}
	if len(suffixes) < 30 {
		t.Errorf("%d suffixes of 50 documents", len(suffixes))
	}
	last := n.Stored
	if err := c.Create(context.Background(), n); err != nil || n.Stored != last {
		t.Errorf("%+v, %v", n, err)
	}
}
