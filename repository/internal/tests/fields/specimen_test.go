package fields

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

var errNegative = errors.New("a negative grade")

// mixed marshals as another type for each value.
type mixed int

func (m mixed) MarshalJSON() ([]byte, error) {
	return []byte([]string{"0", `"one"`, "null"}[m]), nil
}

// newSpecimens stores docs in a new container and returns the query for them.
func newSpecimens(t *testing.T, docs []*values.Specimen) repository.Query[values.Specimen] {
	t.Helper()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("specimens", "/key"), repository.Configure(nil))

	documents := repository.New(container, values.SpecimenModel)
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

func randomPart(r *rand.Rand) values.Part {
	if r.IntN(3) == 0 {
		return values.Part{}
	}
	return values.Part{N: pick(r, numbers), NZero: pick(r, numbers), S: pick(r, texts), Deep: values.Deep{N: float64(pick(r, numbers))}}
}

func randomSpecimen(r *rand.Rand, id string) *values.Specimen {
	s := &values.Specimen{
		ID: id, Key: "k",
		Int: values.Level(pick(r, numbers)), IntZero: pick(r, numbers), Float: pick(r, floats),
		Pointer: maybe(r, pick(r, numbers)), MaybeInt: maybe(r, pick(r, numbers)),
		Text: values.Name(pick(r, texts)), TextZero: pick(r, texts), MaybeTxt: maybe(r, pick(r, texts)),
		Flag: values.Flag(r.IntN(2) == 0), FlagZero: r.IntN(2) == 0,
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
func stored(s *values.Specimen, names ...string) (any, bool) {
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
