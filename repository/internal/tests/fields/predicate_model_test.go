package fields

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

var (
	numbers = []int{-2, -1, 0, 0, 1, 2, 1 << 53}
	floats  = []float32{-0.1, 0, 0, 0.1, 0.25, 3e38}
	texts   = []string{"", "", "a", "A", "ab", "ba", "a/b", `"'\`, "é", "日本", "<&>\u2028"}
	times   = []repository.Time{
		{},
		repository.NewTime(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)),
		repository.NewTime(time.Date(2018, 8, 9, 6, 5, 4, 0, time.UTC)),
		repository.NewTime(time.Date(2018, 8, 9, 6, 5, 4, 5e8, time.UTC)),
		repository.NewTime(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)),
	}
)

// rule is a predicate and what it means for a document in Go.
type rule struct {
	predicate repository.Predicate[values.Specimen]
	holds     func(*values.Specimen) bool
}

// get returns the value of a field in Go, and whether there is one: no pointer
// before it is nil.
type get[V any] func(*values.Specimen) (V, bool)

func direct[V any](f func(*values.Specimen) V) get[V] {
	return func(s *values.Specimen) (V, bool) { return f(s), true }
}

func pointer[V any](f func(*values.Specimen) *V) get[V] {
	return func(s *values.Specimen) (v V, ok bool) {
		if p := f(s); p != nil {
			return *p, true
		}
		return v, false
	}
}

func within[V any](f func(*values.Specimen) *values.Part, g func(*values.Part) V) get[V] {
	return func(s *values.Specimen) (v V, ok bool) {
		if p := f(s); p != nil {
			return g(p), true
		}
		return v, false
	}
}

// and returns that there is a value and test holds for it.
func (g get[V]) and(test func(V) bool) func(*values.Specimen) bool {
	return func(s *values.Specimen) bool {
		v, ok := g(s)
		return ok && test(v)
	}
}

type number = interface {
	~int | ~float32 | ~float64
}

// maker makes a random rule about one field.
type maker func(*rand.Rand) rule

func onNumber[V number](f documents.Number[values.Specimen, V], g get[V], values []V, path ...string) maker {
	return func(r *rand.Rand) rule {
		v, w := pick(r, values), pick(r, values)
		switch list := some(r, values); r.IntN(9) {
		case 0:
			return rule{f.Eq(v), g.and(func(x V) bool { return x == v })}
		case 1:
			return rule{f.Ne(v), g.and(func(x V) bool { return x != v })}
		case 2:
			return rule{f.Lt(v), g.and(func(x V) bool { return x < v })}
		case 3:
			return rule{f.Le(v), g.and(func(x V) bool { return x <= v })}
		case 4:
			return rule{f.Gt(v), g.and(func(x V) bool { return x > v })}
		case 5:
			return rule{f.Ge(v), g.and(func(x V) bool { return x >= v })}
		case 6:
			return rule{f.Between(v, w), g.and(func(x V) bool { return v <= x && x <= w })}
		case 7:
			return rule{f.In(list...), g.and(func(x V) bool { return slices.Contains(list, x) })}
		default:
			return onPresence(f, path)(r)
		}
	}
}

func onText[V ~string](f documents.String[values.Specimen, V], g get[V], path ...string) maker {
	return func(r *rand.Rand) rule {
		text := pick(r, texts)
		v := V(text)
		w := V(pick(r, texts))
		switch r.IntN(13) {
		case 8:
			return rule{f.Lt(v), g.and(func(x V) bool { return x < v })}
		case 9:
			return rule{f.Le(v), g.and(func(x V) bool { return x <= v })}
		case 10:
			return rule{f.Gt(v), g.and(func(x V) bool { return x > v })}
		case 11:
			return rule{f.Ge(v), g.and(func(x V) bool { return x >= v })}
		case 12:
			return rule{f.Between(v, w), g.and(func(x V) bool { return v <= x && x <= w })}
		case 0:
			return rule{f.Eq(v), g.and(func(x V) bool { return x == v })}
		case 1:
			return rule{f.Ne(v), g.and(func(x V) bool { return x != v })}
		case 2:
			list := []V{v, V(pick(r, texts))}
			return rule{f.In(list...), g.and(func(x V) bool { return slices.Contains(list, x) })}
		case 3:
			return rule{f.EqualFold(v), g.and(func(x V) bool { return strings.EqualFold(string(x), text) })}
		case 4:
			return rule{f.StartsWith(text), g.and(func(x V) bool { return strings.HasPrefix(string(x), text) })}
		case 5:
			return rule{f.EndsWith(text), g.and(func(x V) bool { return strings.HasSuffix(string(x), text) })}
		case 6:
			return rule{f.Contains(text), g.and(func(x V) bool { return strings.Contains(string(x), text) })}
		default:
			return onPresence(f, path)(r)
		}
	}
}

func onBool[V ~bool](f documents.Bool[values.Specimen, V], g get[V], path ...string) maker {
	return func(r *rand.Rand) rule {
		v := V(r.IntN(2) == 0)
		switch r.IntN(3) {
		case 0:
			return rule{f.Eq(v), g.and(func(x V) bool { return x == v })}
		case 1:
			return rule{f.Ne(v), g.and(func(x V) bool { return x != v })}
		default:
			return onPresence(f, path)(r)
		}
	}
}

func onTime(f documents.Instant[values.Specimen], g get[repository.Time], path ...string) maker {
	type T = repository.Time
	finer := func(r *rand.Rand) time.Time { // than what is stored, half the time
		return pick(r, times).Time().Add(time.Duration(r.IntN(2) * r.IntN(100)))
	}
	return func(r *rand.Rand) rule {
		v, w := finer(r), finer(r)
		order := func(test func(int) bool) func(*values.Specimen) bool {
			return g.and(func(x T) bool { return test(x.Time().Compare(v)) })
		}
		switch r.IntN(9) {
		case 0:
			return rule{f.Eq(v), order(func(c int) bool { return c == 0 })}
		case 1:
			return rule{f.Ne(v), order(func(c int) bool { return c != 0 })}
		case 2:
			return rule{f.Lt(v), order(func(c int) bool { return c < 0 })}
		case 3:
			return rule{f.Le(v), order(func(c int) bool { return c <= 0 })}
		case 4:
			return rule{f.Gt(v), order(func(c int) bool { return c > 0 })}
		case 5:
			return rule{f.Ge(v), order(func(c int) bool { return c >= 0 })}
		case 6:
			return rule{f.Between(v, w), g.and(func(x T) bool { return !x.Time().Before(v) && !x.Time().After(w) })}
		case 7:
			return rule{f.In(v, w), g.and(func(x T) bool { return x.Time().Equal(v) || x.Time().Equal(w) })}
		default:
			return onPresence(f, path)(r)
		}
	}
}

func onList[V cmp.Ordered](f documents.List[values.Specimen, V], g func(*values.Specimen) []V, of []V, path ...string) maker {
	return func(r *rand.Rand) rule {
		v := pick(r, of)
		switch r.IntN(3) {
		case 0:
			return rule{f.Contains(v), func(s *values.Specimen) bool { return slices.Contains(g(s), v) }}
		case 1:
			return rule{f.IsEmpty(), func(s *values.Specimen) bool { return len(g(s)) == 0 }}
		default:
			return onPresence(f, path)(r)
		}
	}
}

func onPresence(f interface {
	documents.Field[values.Specimen]
	HasValue() repository.Predicate[values.Specimen]
}, path []string) maker {
	return func(r *rand.Rand) rule {
		switch r.IntN(3) {
		case 0:
			return rule{repository.IsDefined[values.Specimen](f), func(s *values.Specimen) bool { _, ok := stored(s, path...); return ok }}
		case 1:
			return rule{f.HasValue(), func(s *values.Specimen) bool { v, ok := stored(s, path...); return ok && v != nil }}
		}
		return rule{repository.IsNull[values.Specimen](f), func(s *values.Specimen) bool { v, ok := stored(s, path...); return ok && v == nil }}
	}
}

// onKey asks for a key of a map, which has a value only if it is in the map.
func onKey(r *rand.Rand) rule {
	key := pick(r, texts)
	field := documents.Map[values.Specimen, documents.Number[values.Specimen, int]]("?/counts").Key(key)
	value := func(s *values.Specimen) (int, bool) { n, ok := s.Counts[key]; return n, ok }
	return onNumber(field, value, numbers, "counts", key)(r)
}

var makers = []maker{
	onNumber[values.Level]("/order", direct(func(s *values.Specimen) values.Level { return s.Int }), []values.Level{-1, 0, 1}, "order"),
	onNumber[int]("?/größe [x].y", direct(func(s *values.Specimen) int { return s.IntZero }), numbers, "größe [x].y"),
	onNumber[float32]("?/a~1b~0c", direct(func(s *values.Specimen) float32 { return s.Float }), floats, "a/b~c"),
	onNumber[int]("/pointer", pointer(func(s *values.Specimen) *int { return s.Pointer }), numbers, "pointer"),
	onNumber[int]("/maybe", pointer(func(s *values.Specimen) *int { return s.MaybeInt }), numbers, "maybe"),
	onText[values.Name]("/value", direct(func(s *values.Specimen) values.Name { return s.Text }), "value"),
	onText[string]("?/textZero", direct(func(s *values.Specimen) string { return s.TextZero }), "textZero"),
	onText[string]("/maybeText", pointer(func(s *values.Specimen) *string { return s.MaybeTxt }), "maybeText"),
	onBool[values.Flag]("/select", direct(func(s *values.Specimen) values.Flag { return s.Flag }), "select"),
	onBool[bool]("?/flagZero", direct(func(s *values.Specimen) bool { return s.FlagZero }), "flagZero"),
	onTime("/at", direct(func(s *values.Specimen) repository.Time { return s.At }), "at"),
	onTime("?/atZero", direct(func(s *values.Specimen) repository.Time { return s.AtZero }), "atZero"),
	onList[string]("/tags", func(s *values.Specimen) []string { return s.Tags }, texts, "tags"),
	onList[int]("?/numbers", func(s *values.Specimen) []int { return s.Numbers }, numbers, "numbers"),
	onKey,

	// A struct that is always written, one that is left out when it is zero, and
	// two that pointers lead to. One of these is written as null.
	onNumber[int]("/part/n", direct(func(s *values.Specimen) int { return s.Part.N }), numbers, "part", "n"),
	onNumber[int]("?/part/nZero", direct(func(s *values.Specimen) int { return s.Part.NZero }), numbers, "part", "nZero"),
	onNumber[int]("?/partZero/n", direct(func(s *values.Specimen) int { return s.PartZero.N }), numbers, "partZero", "n"),
	onText[string]("?/partZero/s", direct(func(s *values.Specimen) string { return s.PartZero.S }), "partZero", "s"),
	onNumber[float64]("?/partZero/deep/n", direct(func(s *values.Specimen) float64 { return s.PartZero.Deep.N }), []float64{-1, 0, 1}, "partZero", "deep", "n"),
	onNumber[int]("/partPtr/n", within(func(s *values.Specimen) *values.Part { return s.PartPtr }, func(p *values.Part) int { return p.N }), numbers, "partPtr", "n"),
	onNumber[int]("?1/partPtr/nZero", within(func(s *values.Specimen) *values.Part { return s.PartPtr }, func(p *values.Part) int { return p.NZero }), numbers, "partPtr", "nZero"),
	onText[string]("?1/partMay/s", within(func(s *values.Specimen) *values.Part { return s.PartMay }, func(p *values.Part) string { return p.S }), "partMay", "s"),
	onNumber[float64]("?1/partMay/deep/n", within(func(s *values.Specimen) *values.Part { return s.PartMay }, func(p *values.Part) float64 { return p.Deep.N }), []float64{-1, 0, 1}, "partMay", "deep", "n"),
	onPresence(documents.Object[values.Specimen]("/partPtr"), []string{"partPtr"}),
	onPresence(documents.Map[values.Specimen, documents.Opaque[values.Specimen]]("?/counts"), []string{"counts"}),
}

// randomRule joins rules about fields with And, Or and Not, depth times at most.
func randomRule(r *rand.Rand, depth int) rule {
	if depth == 0 || r.IntN(3) == 0 {
		return pick(r, makers)(r)
	}
	if r.IntN(3) == 0 {
		x := randomRule(r, depth-1)
		return rule{repository.Not(x.predicate), func(s *values.Specimen) bool { return !x.holds(s) }}
	}
	rules := make([]rule, r.IntN(4))
	predicates := make([]repository.Predicate[values.Specimen], len(rules))
	for i := range rules {
		rules[i] = randomRule(r, depth-1)
		predicates[i] = rules[i].predicate
	}
	if r.IntN(2) == 0 {
		return rule{repository.And(predicates...), func(s *values.Specimen) bool {
			return !slices.ContainsFunc(rules, func(x rule) bool { return !x.holds(s) })
		}}
	}
	return rule{repository.Or(predicates...), func(s *values.Specimen) bool {
		return slices.ContainsFunc(rules, func(x rule) bool { return x.holds(s) })
	}}
}

// The service selects the documents for which the condition is true in Go, for
// random documents and conditions, over HTTP and with parameters.
func TestPredicatesMeanWhatGoMeans(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2018, 809))
	docs := make([]*values.Specimen, 100)
	for i := range docs {
		docs[i] = randomSpecimen(r, fmt.Sprintf("s%03d", i))
	}
	base := newSpecimens(t, docs)
	selective := 0
	rules := seeds.Rounds(600)
	for range rules {
		x := randomRule(r, 3)
		got, err := base.Where(x.predicate).Collect(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", x.predicate, err)
		}
		var ids, want []string
		for _, d := range got {
			ids = append(ids, d.ID)
		}
		for _, d := range docs {
			if x.holds(d) {
				want = append(want, d.ID)
			}
		}
		slices.Sort(ids)
		if !slices.Equal(ids, want) {
			t.Fatalf("%s\ngives %v\nwant %v", x.predicate, ids, want)
		}
		if 0 < len(want) && len(want) < len(docs) {
			selective++
		}
	}
	if selective < rules/2 {
		t.Errorf("only %d predicates told documents apart", selective)
	}
}

// Every comparison of every kind of field, alone and negated.
func TestComparisonsMeanWhatGoMeans(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(400, 126))
	docs := make([]*values.Specimen, 60)
	values := make([]server.Document, len(docs))
	for i := range docs {
		docs[i] = randomSpecimen(r, "s")
		values[i] = decode(t, docs[i])
	}
	for _, makeRule := range makers {
		for range seeds.Rounds(200) {
			x := makeRule(r)
			holds, not := condition(t, x.predicate), condition(t, repository.Not(x.predicate))
			for i, doc := range docs {
				if want := x.holds(doc); matches(t, holds, values[i]) != want || matches(t, not, values[i]) == want {
					t.Fatalf("%s\nis not %v of %s, or its negation is", x.predicate, want, marshal(t, doc))
				}
			}
		}
	}
}

// FuzzPredicate compares the text of random predicates, evaluated by the
// emulator's query language, with Go, and each with its negation.
func FuzzPredicate(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed, 3*seed)
	}
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := rand.New(rand.NewPCG(a, b))
		doc := randomSpecimen(r, "s")
		value := decode(t, doc)
		for range 10 {
			x := randomRule(r, 4)
			want := x.holds(doc)
			if matches(t, condition(t, x.predicate), value) != want {
				t.Fatalf("%s\nis not %v of %s", x.predicate, want, marshal(t, doc))
			}
			if not := repository.Not(x.predicate); matches(t, condition(t, not), value) == want {
				t.Fatalf("%s\nis %v of %s, as what it negates", not, want, marshal(t, doc))
			}
		}
	})
}

// condition is a predicate as the emulator reads it.
func condition(t *testing.T, p repository.Predicate[values.Specimen]) *server.Query {
	t.Helper()
	query, err := server.ParseQuery("SELECT * FROM c WHERE "+sqlOf(p), nil)
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	return query
}

// decode is a document as the emulator stores it.
func decode(t *testing.T, doc *values.Specimen) server.Document {
	t.Helper()
	value, err := server.DecodeDocument(marshal(t, doc))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func marshal(t *testing.T, doc *values.Specimen) []byte {
	t.Helper()
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// matches evaluates a condition, which nothing may keep from an answer.
func matches(t *testing.T, query *server.Query, doc server.Document) bool {
	t.Helper()
	ok, err := query.Match(doc)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}
