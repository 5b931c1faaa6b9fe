package generated

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// values are the keys of k, resolved.
func values(t *testing.T, k Keys) []any {
	t.Helper()
	k, err := k.Resolve("T", 100)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]any, k.Len())
	for i := range all {
		all[i] = k.At(i)
	}
	return all
}

func TestKeys(t *testing.T) {
	from := time.Date(2024, 2, 29, 23, 0, 0, 0, time.FixedZone("", -3600)) // the first of March
	to := time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)
	text := func(at time.Time) string { return at.Format("2/") }
	for _, test := range []struct {
		name string
		keys Keys
		want []any
	}{
		{"a text", Partition("a"), []any{"a"}},
		{"a number", Number(1.5), []any{1.5}},
		{"false", Bool(false), []any{false}},
		{"levels", Levels([]any{"a", 1.0, true}), []any{[]any{"a", 1.0, true}}},
		{"a prefix", Prefix([]any{"a"}), []any{[]any{"a"}}},
		{"buckets", Buckets(3, func(n int) string { return fmt.Sprint("b.", n) }), []any{"b.1", "b.2", "b.3"}},
		{"buckets of a prefix", Buckets(2, func(n int) []any { return []any{"a", fmt.Sprint(n)} }), []any{[]any{"a", "1"}, []any{"a", "2"}}},
		{"any of", AnyOf([]string{"b.1", "b.2", "b.1"}), []any{"b.1", "b.2"}},
		{"any of several levels", AnyOf([][]any{{"a", 1.0}, {"a", 2.0}, {"a", 1.0}}), []any{[]any{"a", 1.0}, []any{"a", 2.0}}},
		{"periods in any of", PeriodsAnyOf(from, to, "2006-01-02", 2, func(at time.Time) []string {
			return []string{text(at) + "1", text(at) + fmt.Sprint(at.Day())}
		}), []any{"1/1", "2/1", "2/2"}},
		{"periods in any of several levels", PeriodsAnyOf(from, to, "2006-01", 2, func(at time.Time) [][]any {
			return [][]any{{"a", at.Format("01")}, {"b", at.Format("01")}}
		}), []any{[]any{"a", "03"}, []any{"b", "03"}}},
		{"periods", Periods(from, to, "2006-01-02", text), []any{"1/", "2/"}},
		{"periods in buckets", PeriodBuckets(from, to, "2006-01-02", 2, func(at time.Time, n int) string { return text(at) + fmt.Sprint(n) }),
			[]any{"1/1", "1/2", "2/1", "2/2"}},
		{"periods of a level", Periods(from, to, "2006-01", func(at time.Time) []any { return []any{"a", at.Format("01")} }), []any{[]any{"a", "03"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.keys.All() {
				t.Error("the keys are the whole container")
			}
			if got := values(t, test.keys); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if all := (Keys{}).Where("/x", 1); !all.All() || len(values(t, all)) != 0 {
		t.Error("the zero Keys is not the whole container")
	}
}

func TestKeysThatAreTooLong(t *testing.T) {
	long := strings.Repeat("x", 1024)
	for name, keys := range map[string]Keys{
		"a text":           Partition(long + long + "y"),
		"levels together":  Levels([]any{long, 1.0, long + "y"}),
		"the last bucket":  Buckets(10, func(n int) string { return (long + long)[1:] + fmt.Sprint(n) }),
		"buckets on level": Buckets(10, func(n int) []any { return []any{long, long[1:] + fmt.Sprint(n)} }),
		"a period": Periods(time.Unix(0, 0), time.Unix(1, 0), "2006", func(at time.Time) string {
			return (long + long)[3:] + at.Format("2006")
		}),
	} {
		_, err := keys.Resolve("T", 100)
		var keyError *partition.KeyError
		if !errors.As(err, &keyError) || keyError.Type != "T" || !strings.Contains(keyError.Reason, "2049 bytes") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for name, keys := range map[string]Keys{
		"a text": Partition(long + long),
		"levels": Levels([]any{long, true, long}),
	} {
		if _, err := keys.Resolve("T", 1); err != nil {
			t.Errorf("%s of 2048 bytes: %v", name, err)
		}
	}
}

// TestFiltersBranch makes two queries from one base, neither of which sees the
// other's filter.
func TestFiltersBranch(t *testing.T) {
	base := Partition("a").Where("/a", 1).Where("/b", 2).Where("/c", 3)
	first, second := base.WhereFold("/d", "x"), base.Where("/d", "y")
	if f := first.Filters(); len(f) != 4 || f[3] != (Filter{Property: "/d", Compare: "=", Value: "x", Fold: true}) {
		t.Errorf("the first has %v", f)
	}
	if f := second.Filters(); len(f) != 4 || f[3] != (Filter{Property: "/d", Compare: "=", Value: "y"}) {
		t.Errorf("the second has %v", f)
	}
	if len(base.Filters()) != 3 {
		t.Errorf("the base has %v", base.Filters())
	}
}
