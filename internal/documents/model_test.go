package documents

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestWritesUnderFaults runs random writes while requests fail before and after their
// effect and others write at the same places. An error that is clear had no effect; without
// an error there was one; and no write hits the document of other fields.
func TestWritesUnderFaults(t *testing.T) {
	models := map[string]func() *generated.Model[note, noteKey]{
		"colliding": collidingNotes, "plain": plainNotes, "random": randomNotes,
	}
	for name, model := range models {
		for seed := range uint64(40) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { underFaults(t, model(), seed) })
			})
		}
	}
}

func underFaults(t *testing.T, model *generated.Model[note, noteKey], seed uint64) {
	random := rand.New(rand.NewPCG(seed, 17))
	m := newMemory()
	c := collectionOf(model, m)
	ctx := context.Background()
	some := func() *note {
		n := &note{ID: "1", Topic: "a", Title: "b-c", Text: fmt.Sprint(random.IntN(4))}
		if model.Ambiguous && random.IntN(2) == 0 {
			n.Topic, n.Title = "a-b", "c"
		}
		if model.Random != nil && random.IntN(3) > 0 {
			n.Stored = "a.7"
		}
		return n
	}
	if seed%2 == 1 {
		m.between = func(m *memory, at Place) {
			switch random.IntN(8) {
			case 0:
				delete(m.docs, at)
			case 1:
				m.put(at, *some())
			}
		}
	}
	often := []float64{0, 0.2, 0.5, 0.8}[seed%4]
	m.fault = faults(random, often)
	var read *note // with a version
	for i := range 300 {
		doc := some()
		if read != nil && random.IntN(2) == 0 {
			copied := *read
			copied.Text = doc.Text
			doc = &copied
		}
		key := model.Key(doc)
		m.applied, m.sent = nil, 0
		m.hit = func(found note, op string) {
			if model.Same != nil && !model.Same(model.Key(&found), key) {
				t.Errorf("%d: %s hits another document", i, op)
			}
		}
		var err error
		unconditional := false
		op := []string{"create", "upsert", "replace", "delete", "delete if match", "get"}[random.IntN(6)]
		version := doc.ETag
		switch op {
		case "create":
			err = c.Create(ctx, doc)
		case "upsert":
			err = c.Upsert(ctx, doc)
		case "replace":
			err = c.Replace(ctx, doc)
			unconditional = version == "" && !model.Ambiguous
		case "delete":
			err = c.Delete(ctx, key)
			unconditional = !model.Ambiguous
		case "delete if match":
			err = c.DeleteIfMatch(ctx, doc)
		case "get":
			read, err = c.Get(ctx, key)
			if err == nil && (read.ETag == "" || read.Stored != model.Text(key) || read.ID != "1") {
				t.Fatalf("got %+v", read)
			}
		}
		check(t, m, fmt.Sprintf("%d: %s", i, op), err, often == 0)
		if op == "get" {
			continue
		}
		took := len(m.applied) > 0
		unclear := errors.Is(err, failure.ErrUnclear)
		switch {
		case err != nil && !unclear && took:
			t.Fatalf("%d: %s took effect, and its error is clear: %v", i, op, err)
		case err == nil && !took && op != "create" && !strings.HasPrefix(op, "delete"):
			t.Fatalf("%d: %s had no effect and no error", i, op)
		case err == nil && !took && often == 0 && (op != "create" || model.Random == nil):
			t.Fatalf("%d: %s had no effect and no error", i, op)
		case err == nil && strings.HasPrefix(op, "delete") && m.between == nil && m.has(Place{model.Text(key), key.ID}):
			t.Fatalf("%d: %s left the document", i, op)
		case unclear && often == 0:
			t.Fatalf("%d: %s: %v", i, op, err)
		case len(m.applied) > 1 && !unconditional && op != "upsert" && m.between == nil:
			t.Fatalf("%d: %s took effect %d times", i, op, len(m.applied))
		}
		if err == nil && !strings.HasPrefix(op, "delete") {
			if doc.ETag == "" || doc.Stored != model.Text(model.Key(doc)) {
				t.Fatalf("%d: %s left %+v", i, op, doc)
			}
			stored, there := m.docs[Place{doc.Stored, doc.ID}]
			if m.between == nil && (!there || stored.Version != doc.ETag || stored.Doc.Text != doc.Text) {
				t.Fatalf("%d: %s stored %+v of %+v", i, op, stored, doc)
			}
			read = doc
		}
	}
}

func (m *memory) has(at Place) bool {
	_, there := m.docs[at]
	return there
}

// check asserts what holds of every error and of the number of requests.
func check(t *testing.T, m *memory, what string, err error, sure bool) {
	t.Helper()
	if m.sent > 200 || sure && m.between == nil && m.sent > 3 {
		t.Fatalf("%s: %d requests", what, m.sent)
	}
	if err == nil {
		return
	}
	var own *failure.Error
	if strings.Contains(err.Error(), "secret") || !errors.As(err, &own) || own.Op == "" || own.Type != "note" {
		t.Fatalf("%s: %v", what, err)
	}
}
