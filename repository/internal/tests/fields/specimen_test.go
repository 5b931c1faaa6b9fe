package fields

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var errNegative = errors.New("a negative grade")

// mixed marshals as another type for each value.
type mixed int

func (m mixed) MarshalJSON() ([]byte, error) {
	return []byte([]string{"0", `"one"`, "null"}[m]), nil
}

// specimen has a field of each kind, written always and left out when zero: in
// the document, in a struct, and in a struct that a pointer leads to.
type specimen struct {
	ID  string `json:"id"`
	Key string `json:"key"`

	Int      level           `json:"order"`
	IntZero  int             `json:"größe [x].y,omitempty"`
	Float    float32         `json:"a/b~c,omitzero"`
	Pointer  *int            `json:"pointer"`
	MaybeInt *int            `json:"maybe,omitempty"`
	Text     name            `json:"value"`
	TextZero string          `json:"textZero,omitempty"`
	MaybeTxt *string         `json:"maybeText,omitempty"`
	Flag     flag            `json:"select"`
	FlagZero bool            `json:"flagZero,omitempty"`
	At       repository.Time `json:"at"`
	AtZero   repository.Time `json:"atZero,omitzero"`
	Tags     []string        `json:"tags"`
	Numbers  []int           `json:"numbers,omitempty"`
	Counts   map[string]int  `json:"counts,omitempty"`
	Part     part            `json:"part"`
	PartZero part            `json:"partZero,omitzero"`
	PartPtr  *part           `json:"partPtr"`
	PartMay  *part           `json:"partMay,omitempty"`
}

type part struct {
	N     int    `json:"n"`
	NZero int    `json:"nZero,omitempty"`
	S     string `json:"s,omitempty"`
	Deep  deep   `json:"deep,omitzero"`
}

type deep struct {
	N float64 `json:"n"`
}

var specimenModel = generated.Model[specimen, kit.SpecimenKey]{
	Type: "specimen",
	Path: "/key",
	Key:  func(s *specimen) kit.SpecimenKey { return kit.SpecimenKey{ID: s.ID, Key: s.Key} },
	ID:   func(k kit.SpecimenKey) string { return k.ID },
	Text: func(k kit.SpecimenKey) string { return k.Key },
}

// newSpecimens stores docs in a new container and returns the query for them.
func newSpecimens(t *testing.T, docs []*specimen) repository.Query[specimen] {
	t.Helper()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("specimens", "/key"), repository.Configure(nil))

	documents := repository.New(container, &specimenModel)
	for _, d := range docs {
		if err := documents.Create(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	return repository.NewQuery(documents, generated.Partition("k"))
}

// pick returns one of few values, so that documents and predicates meet often.
func pick[V any](r *rand.Rand, values []V) V { return values[r.IntN(len(values))] }

func maybe[V any](r *rand.Rand, v V) *V {
	if r.IntN(3) == 0 {
		return nil
	}
	return &v
}

func some[V any](r *rand.Rand, values []V) []V {
	switch n := r.IntN(4); n {
	case 0:
		return nil
	default:
		list := []V{}
		for range n - 1 {
			list = append(list, pick(r, values))
		}
		return list
	}
}

func randomPart(r *rand.Rand) part {
	if r.IntN(3) == 0 {
		return part{}
	}
	return part{N: pick(r, numbers), NZero: pick(r, numbers), S: pick(r, texts), Deep: deep{float64(pick(r, numbers))}}
}

func randomSpecimen(r *rand.Rand, id string) *specimen {
	s := &specimen{
		ID: id, Key: "k",
		Int: level(pick(r, numbers)), IntZero: pick(r, numbers), Float: pick(r, floats),
		Pointer: maybe(r, pick(r, numbers)), MaybeInt: maybe(r, pick(r, numbers)),
		Text: name(pick(r, texts)), TextZero: pick(r, texts), MaybeTxt: maybe(r, pick(r, texts)),
		Flag: flag(r.IntN(2) == 0), FlagZero: r.IntN(2) == 0,
		At: pick(r, times), AtZero: pick(r, times),
		Tags: some(r, texts), Numbers: some(r, numbers),
		Part: randomPart(r), PartZero: randomPart(r),
		PartPtr: maybe(r, randomPart(r)), PartMay: maybe(r, randomPart(r)),
	}
	for range r.IntN(3) {
		if s.Counts == nil {
			s.Counts = map[string]int{}
		}
		s.Counts[pick(r, texts)] = pick(r, numbers)
	}
	return s
}

// stored returns the value at a path of a document as it is in the container.
func stored(s *specimen, names ...string) (any, bool) {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		panic(err)
	}
	for _, name := range names {
		object, _ := v.(map[string]any)
		inner, ok := object[name]
		if !ok {
			return nil, false
		}
		v = inner
	}
	return v, true
}
