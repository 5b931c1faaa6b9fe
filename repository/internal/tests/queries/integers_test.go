package queries

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func newCounted(t *testing.T) *repository.Documents[values.Counted, values.CountedKey] {
	t.Helper()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("counted", "/key"), repository.Configure(nil))

	return repository.New(container, values.CountedModel)
}

// TestIntegers refuses an integer that Cosmos DB would round, before anything is
// sent. The error has the name of the property and not its value. All other
// numbers are stored unchanged.
func TestIntegers(t *testing.T) {
	all := newCounted(t)
	ctx := context.Background()
	const beyond = 1<<53 + 1
	pointed := int64(-beyond)
	for property, doc := range map[string]values.Counted{
		"plain":                {Plain: beyond},
		"large":                {Large: -beyond},
		"whole":                {Whole: math.MaxUint64},
		"shared":               {Shared: &pointed},
		"lines.amount":         {Lines: []values.CountedLine{{}, {Amount: beyond}}},
		"counts.*":             {Counts: map[string]int64{"secret": beyond}},
		"any":                  {Any: map[string]any{"secret": []any{1, int64(beyond)}}},
		"promoted":             {CountedPart: values.CountedPart{Promoted: 1152921504606847000}}, // its digits are those of a float64
		"self.self.self.large": {Self: &values.Counted{Self: &values.Counted{Self: &values.Counted{Large: math.MaxInt64}}}},
	} {
		doc.ID, doc.Key = "1", "k"
		for name, err := range map[string]error{"Create": all.Create(ctx, &doc), "Upsert": all.Upsert(ctx, &doc)} {
			var own *repository.Error
			if !errors.As(err, &own) || own.Status != 0 || !strings.Contains(err.Error(), `property "`+property+`": it has an integer beyond 2^53`) {
				t.Errorf("%s of %s: %v", name, property, err)
			}
			if err != nil && (strings.Contains(err.Error(), "9007199254740993") || strings.Contains(err.Error(), "secret")) {
				t.Errorf("%s of %s tells the value: %v", name, property, err)
			}
		}
	}
	most := int64(-1 << 53)
	fine := values.Counted{
		ID: "1", Key: "k", Plain: 1 << 53, Large: most, Whole: 1 << 53, Shared: &most, Ratio: 1e20, Quoted: math.MaxInt64,
		Note: "1,9007199254740993,\\\",9007199254740993]", Lines: []values.CountedLine{{Amount: -1, Known: beyond}}, Known: beyond,
		Any: []any{0.1234567890123456789, 1e20, "9007199254740993"},
	}
	if err := all.Create(ctx, &fine); err != nil {
		t.Fatal(err)
	}
	got, err := all.Get(ctx, values.CountedKey{ID: "1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Plain != fine.Plain || got.Large != most || *got.Shared != most || got.Ratio != 1e20 || got.Quoted != math.MaxInt64 || got.Note != fine.Note {
		t.Errorf("stored is %+v, want %+v", got, fine)
	}
}

// TestIntegersOfPatches is TestIntegers for the values of patches.
func TestIntegersOfPatches(t *testing.T) {
	all := newCounted(t)
	ctx := context.Background()
	key := values.CountedKey{ID: "1", Key: "k"}
	if err := all.Create(ctx, &values.Counted{ID: "1", Key: "k", Counts: map[string]int64{"a": 1}, Lines: []values.CountedLine{{}}}); err != nil {
		t.Fatal(err)
	}
	const beyond = 1<<53 + 1
	large := repository.PatchNumber[values.Counted, int64]("/large")
	known := repository.PatchNumber[values.Counted, int64]("/known")
	lines := repository.PatchList[values.Counted, values.CountedLine]("/lines")
	counts := repository.PatchMap[values.Counted, int64, repository.PatchNumber[values.Counted, int64]]("/counts")
	for name, change := range map[string]repository.PatchOperation[values.Counted]{
		"number":  large.Set(beyond),
		"added":   known.Increment(beyond),
		"list":    lines.Set([]values.CountedLine{{Amount: beyond}}),
		"element": lines.Append(values.CountedLine{Amount: beyond}),
		"map":     counts.Set(map[string]int64{"secret": beyond}),
		"key":     counts.Key("a").Set(beyond),
	} {
		if err := all.Patch(ctx, key, change); err == nil || !strings.Contains(err.Error(), "beyond 2^53") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := all.Patch(ctx, key, known.Set(beyond), lines.Append(values.CountedLine{Known: beyond}), large.Set(1<<53)); err != nil {
		t.Errorf("what is acknowledged: %v", err)
	}
}

// TestIntegersModel looks for integers in documents of random layout, and finds
// one if encoding/json and float64 say that there is one.
func TestIntegersModel(t *testing.T) {
	t.Parallel()
	all := newCounted(t)
	canceled, cancel := context.WithCancel(context.Background())
	cancel() // nothing is stored
	random := rand.New(rand.NewPCG(11, 53))
	integer := func() int64 {
		n := int64(random.Uint64() >> random.IntN(64))
		if random.IntN(2) == 0 {
			n = 1<<53 + random.Int64N(5) - 2
		}
		if random.IntN(2) == 0 {
			n = -n
		}
		return n
	}
	for range 20_000 {
		doc := values.Counted{ID: "1", Key: strings.Repeat("9", random.IntN(40)+1), Note: strings.Repeat(",12", random.IntN(9))}
		var set []int64
		for range random.IntN(3) {
			n := integer()
			set = append(set, n)
			switch random.IntN(5) {
			case 0:
				doc.Lines = append(doc.Lines, values.CountedLine{Amount: n})
			case 1:
				doc.Any = []any{doc.Note, doc.Lines, n}
				if strconv.FormatFloat(float64(n), 'f', -1, 64) == strconv.FormatInt(n, 10) {
					set = set[:len(set)-1] // its digits may be those of a float64
				}
			case 2:
				doc.Promoted = n
			case 3:
				doc.Plain = int(n)
			default:
				doc.Shared = &n
			}
		}
		want := false
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range set {
			digits, _ := json.Marshal(n)
			want = want || (n > 1<<53 || n < -1<<53) && bytes.Contains(text, digits)
		}
		err = all.Create(canceled, &doc)
		if got := strings.Contains(err.Error(), "beyond 2^53"); got != want {
			t.Fatalf("%s is refused: %t, want %t", text, got, want)
		}
	}
}

// TestAcknowledgedIntegers stores integers that may be rounded, and reads every one that
// it could store: the neighbour to which the service rounds the greatest ones is beyond
// their type, and would never be read.
func TestAcknowledgedIntegers(t *testing.T) {
	all := newCounted(t)
	ctx := context.Background()
	refused := map[string]bool{}
	try := func(name string, doc values.Counted) bool {
		t.Helper()
		doc.ID, doc.Key = "1", "k"
		err := all.Upsert(ctx, &doc)
		if err != nil {
			if !strings.Contains(err.Error(), `: it has an integer that Cosmos DB would round to a number beyond`) || !strings.Contains(err.Error(), "nown") {
				t.Errorf("%s: %v", name, err)
			}
			refused[name] = true
			return false
		}
		if _, err := all.Get(ctx, values.CountedKey{ID: "1", Key: "k"}); err != nil {
			t.Errorf("%s was stored, and cannot be read: %v", name, err)
		}
		return true
	}
	for name, doc := range map[string]values.Counted{
		"greatest": {Known: math.MaxInt64}, "rounded up": {Known: math.MaxInt64 - 511}, "least": {Known: math.MinInt64},
		"unsigned": {KnownWhole: math.MaxUint64}, "of a line": {Lines: []values.CountedLine{{Known: math.MaxInt64}}}, "of a map": {KnownCounts: map[string]int64{"a": math.MaxInt64}},
	} {
		if try(name, doc) {
			t.Errorf("%s is not refused", name)
		}
	}
	for name, doc := range map[string]values.Counted{
		"rounded down": {Known: math.MaxInt64 - 1025}, "of 64 bits": {KnownWhole: 1 << 63}, "negative": {Known: -math.MaxInt64 + 2000}, "any": {KnownAny: uint64(math.MaxUint64)},
	} {
		if !try(name, doc) {
			t.Errorf("%s is refused", name)
		}
	}
	random := rand.New(rand.NewPCG(7, 64))
	for range 300 {
		n := int64(math.MaxInt64) - random.Int64N(1<<random.IntN(20)+1)
		if random.IntN(2) == 0 {
			n = -n
		}
		try(strconv.FormatInt(n, 10), values.Counted{Known: n})
	}
	if err := all.Patch(ctx, values.CountedKey{ID: "1", Key: "k"}, repository.PatchNumber[values.Counted, int64]("/known").Set(math.MaxInt64)); err == nil {
		t.Error("a patch to an integer that cannot be read is stored")
	}
}
