package fields

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func TestPatchIf(t *testing.T) {
	f := recordPatch
	ctx := context.Background()
	r := newRecords(t, repository.Configure(nil), `"count":1`)
	count := documents.Number[values.Record, int]("/count")
	mark := f.Name.Set("patched")
	for name, test := range map[string]struct {
		key       values.RecordKey
		condition repository.Predicate[values.Record]
		want      error
		says      string
	}{
		"true":                {one, count.Eq(1), nil, ""},
		"everywhere":          {one, repository.And[values.Record](), nil, ""},
		"false":               {one, count.Gt(1), repository.ErrPreconditionFailed, `: the condition does not hold: c["count"] > ? (status 412)`},
		"undefined":           {one, documents.Number[values.Record, int]("/no").Lt(1), repository.ErrPreconditionFailed, `c["no"] < ?`},
		"not undefined":       {one, repository.Not(documents.Number[values.Record, int]("/no").Lt(1)), nil, ""},
		"of an absent record": {values.RecordKey{ID: "2", Key: "k"}, count.Eq(1), repository.ErrNotFound, "document not found (status 404)"},
	} {
		t.Run(name, func(t *testing.T) {
			r.store(t, `"count":1`)
			err := r.PatchIf(ctx, test.key, test.condition, mark)
			if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v", err)
			}
			var response *azcore.ResponseError
			if errors.As(err, &response) != (test.want != nil) {
				t.Errorf("the SDK's error is gone: %v", err)
			}
			if test.want != nil {
				r.holds(t, `"count":1`)
			} else {
				r.holds(t, `"count":1,"name":"patched"`)
			}
		})
	}
	sent := r.patches()
	for _, condition := range []repository.Predicate[values.Record]{{}, documents.Number[values.Record, float64]("/x").Eq(math.NaN()), repository.And(count.Eq(1), repository.Not(documents.Number[values.Record, int]("x").Eq(1)))} {
		if err := r.PatchIf(ctx, one, condition, mark); err == nil || errors.Is(err, repository.ErrPreconditionFailed) {
			t.Errorf("%s: %v", condition, err)
		}
	}
	if r.patches() != sent {
		t.Error("a condition that is wrong was sent")
	}
}

// TestPatchConditionsMeanWhatGoMeans patches random documents on random
// conditions: exactly those change for which the condition is true in Go. The
// text of a condition passes through SQL and JSON, which both have escapes.
func TestPatchConditionsMeanWhatGoMeans(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, recordContainer, repository.Configure(nil))
	documents := repository.New(container, values.SpecimenModel)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(412, 2018))
	mark := repository.PatchValue[values.Specimen, bool]("/part/marked").Set(true)
	held := 0
	n := seeds.Rounds(400)
	for i := range n {
		doc := randomSpecimen(r, fmt.Sprint("s", i))
		if err := documents.Create(ctx, doc); err != nil {
			t.Fatal(err)
		}
		x := randomRule(r, 3)
		want := x.holds(doc)
		err := documents.PatchIf(ctx, values.SpecimenKey{ID: doc.ID, Key: doc.Key}, x.predicate, mark)
		if err != nil && !errors.Is(err, repository.ErrPreconditionFailed) || (err == nil) != want {
			t.Fatalf("%s\nis %v of %+v: %v", x.predicate, want, doc, err)
		}
		if want {
			held++
		}
	}
	if held < n/4 || held > n*3/4 {
		t.Errorf("%d of %d conditions held", held, n)
	}
}

// FuzzPatchCondition compares any text with itself and with others, by conditions
// that hold and that do not.
func FuzzPatchCondition(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	for _, text := range []string{
		`"`, `\`, `\"`, `\\"`, `'`, `","operations":[]}`, `\u0022`, `\n`, "\n\r\t\b\f\v\x00\x1f\x7f", "\u0085\u2028\u2029\ufeff",
		"\U0001F600", "\xff", "</script>", "@p", "$", "c.x = 1 OR true", `" OR true OR "" = "`, "-- ", "%s%%",
	} {
		f.Add(text)
	}
	r := newRecords(f, repository.Configure(nil), "")
	name := documents.String[values.Record, string]("/name")
	f.Fuzz(func(t *testing.T, text string) {
		ctx := context.Background()
		if err := r.Patch(ctx, one, recordPatch.Name.Set(text)); (err == nil) != utf8.ValidString(text) {
			t.Fatalf("%q: %v", text, err)
		} else if err != nil {
			return
		}
		key := recordPatch.Counts.Key(text)
		changes := []change{recordPatch.Counts.Set(map[string]int{}), key.Set(1)}
		inMap := documents.Map[values.Record, documents.Number[values.Record, int]]("/counts").Key(text)
		for i, step := range []struct {
			condition repository.Predicate[values.Record]
			holds     bool
		}{
			{name.Eq(text), true},
			{name.In("", text+"x", text), true},
			{name.Eq(text + "x"), false},
			{name.Ne(text), false},
			{repository.Not(name.EndsWith(text)), false},
			{repository.And(name.Contains(text), inMap.Eq(1)), true},
		} {
			err := r.PatchIf(ctx, one, step.condition, changes...)
			if step.holds && err != nil || !step.holds && !errors.Is(err, repository.ErrPreconditionFailed) {
				t.Fatalf("%d: %s: %v", i, step.condition, err)
			}
		}
		counts, _ := r.properties(t)["counts"].(map[string]any)
		if counts[text] != 1.0 || len(counts) != 1 {
			t.Errorf("stored is %q", counts)
		}
	})
}
