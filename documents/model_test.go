package documents

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cosmos-pkgen/pkgen/internal/api"
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
		for seed := range uint64(60) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { underFaults(t, model(), seed) })
			})
		}
	}
}

// faulty is one run of random writes.
type faulty struct {
	*testing.T
	*Collection[note, noteKey]
	memory *memory
	random *rand.Rand
	often  float64 // how many requests fail
	read   *note   // that was read or written last
}

func underFaults(t *testing.T, model *generated.Model[note, noteKey], seed uint64) {
	m := newMemory()
	f := &faulty{
		T: t, Collection: collectionOf(model, m), memory: m,
		random: rand.New(rand.NewPCG(seed, 17)), often: []float64{0, 0.2, 0.5, 0.8}[seed%4],
	}
	if seed%2 == 1 {
		m.between = func(m *memory, at api.Place) {
			switch f.random.IntN(8) {
			case 0:
				delete(m.docs, at)
			case 1:
				m.put(at, *f.some())
			}
		}
	}
	m.fault = faults(f.random, f.often)
	if seed >= 40 {
		f.spec.Twice = true
		m.twice = func(string) bool { return f.random.IntN(3) == 0 }
	}
	for i := range 300 {
		f.step(i)
	}
}

// some returns a document, with another text than others, and perhaps of other components or
// with a suffix.
func (f *faulty) some() *note {
	n := &note{ID: "1", Topic: "a", Title: "b-c", Text: fmt.Sprint(f.random.IntN(4))}
	if f.spec.Model.Ambiguous && f.random.IntN(2) == 0 {
		n.Topic, n.Title = "a-b", "c"
	}
	if f.spec.Model.Random != nil && f.random.IntN(3) > 0 {
		n.Stored = "a.7"
	}
	return n
}

// step does one operation and asserts what its error says.
func (f *faulty) step(i int) {
	ctx := context.Background()
	doc := f.some()
	if f.read != nil && f.random.IntN(2) == 0 {
		copied := *f.read
		copied.Text = doc.Text
		doc = &copied
	}
	key := f.spec.Model.Key(doc)
	f.memory.applied, f.memory.sent = nil, 0
	f.memory.hit = func(found note, op string) {
		if f.spec.Model.Same != nil && !f.spec.Model.Same(f.spec.Model.Key(&found), key) {
			f.Errorf("%d: %s hits another document", i, op)
		}
	}
	version := doc.ETag
	op := []string{"create", "upsert", "replace", "delete", "delete if match", "get"}[f.random.IntN(6)]
	what := fmt.Sprintf("%d: %s", i, op)
	var err error
	switch op {
	case "create":
		err = f.Create(ctx, doc)
	case "upsert":
		err = f.Upsert(ctx, doc)
	case "replace":
		err = f.Replace(ctx, doc)
	case "delete":
		err = f.Delete(ctx, key)
	case "delete if match":
		err = DeleteIfMatch(ctx, f.Collection, doc)
	case "get":
		f.read, err = f.Get(ctx, key)
		if err == nil && (f.read.ETag == "" || f.read.Stored != f.spec.Model.Text(key) || f.read.ID != "1") {
			f.Fatalf("%s: got %+v", what, f.read)
		}
	}
	check(f.T, f.memory, what, err, f.often == 0)
	switch {
	case op == "get":
		return
	case err == nil && strings.HasPrefix(op, "delete"):
		f.gone(what, key)
	case err == nil:
		f.stored(what, doc)
	default:
		f.failed(what, op, err)
	}
	f.effects(what, op, version, err)
}

// effects asserts how often an operation took effect.
func (f *faulty) effects(what, op, version string, err error) {
	many := op == "upsert" || f.spec.Twice || // a repeated request stores the same again
		!f.spec.Model.Ambiguous && (op == "delete" || op == "replace" && version == "")
	if len(f.memory.applied) > 1 && !many && f.memory.between == nil {
		f.Fatalf("%s took effect %d times", what, len(f.memory.applied))
	}
	othersMay := f.spec.Model.Ambiguous && f.memory.between != nil && (f.spec.Twice || op == "upsert") // store the same
	if len(f.memory.applied) == 0 && err == nil && !othersMay && (!strings.HasPrefix(op, "delete") || f.often == 0) && (op != "create" || f.spec.Model.Random == nil && f.often == 0) {
		f.Fatalf("%s had no effect and no error", what)
	}
}

// gone asserts what holds after a document was removed.
func (f *faulty) gone(what string, key noteKey) {
	if f.memory.between == nil && f.memory.has(api.Place{Partition: f.spec.Model.Text(key), ID: key.ID}) {
		f.Fatalf("%s left the document", what)
	}
}

// stored asserts what holds after a document was stored.
func (f *faulty) stored(what string, doc *note) {
	if doc.ETag == "" || doc.Stored != f.spec.Model.Text(f.spec.Model.Key(doc)) {
		f.Fatalf("%s left %+v", what, doc)
	}
	there := f.memory.docs[api.Place{Partition: doc.Stored, ID: doc.ID}]
	if f.memory.between == nil && (there.Doc == nil || there.Version != doc.ETag || there.Doc.Text != doc.Text) {
		f.Fatalf("%s stored %+v of %+v", what, there, doc)
	}
	f.read = doc
}

// failed asserts what holds after an error.
func (f *faulty) failed(what, op string, err error) {
	switch unclear := errors.Is(err, failure.ErrUnclear); {
	case f.spec.Twice && strings.HasPrefix(op, "delete") && errors.Is(err, failure.ErrNotFound):
		// The first of two requests may have removed it.
	case !unclear && len(f.memory.applied) > 0 && (!f.spec.Twice || f.memory.between == nil):
		f.Fatalf("%s took effect, and its error is clear: %v", what, err)
	case unclear && f.often == 0 && !f.spec.Twice:
		f.Fatalf("%s: %v", what, err)
	}
}

func (m *memory) has(at api.Place) bool {
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
	var own *Error
	if strings.Contains(err.Error(), "secret") || !errors.As(err, &own) || own.Op == "" || own.Type != "note" {
		t.Fatalf("%s: %v", what, err)
	}
}
