package generated

import (
	"reflect"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

func TestContainersOfKeys(t *testing.T) {
	if k := Partition("a"); k.Container() != "" || k.ComponentTexts() != nil {
		t.Errorf("keys of a type with one container have %q and %v", k.Container(), k.ComponentTexts())
	}
	one := Partition("a").In("orders-contoso")
	if got := one.Container(); got != "orders-contoso" {
		t.Errorf("In: %q", got)
	}
	some := Keys{}.Named("Region", "eu")
	both := some.Named("TenantID", "7")
	if want := map[string]string{"Region": "eu", "TenantID": "7"}; !reflect.DeepEqual(both.ComponentTexts(), want) {
		t.Errorf("Named twice: %v", both.ComponentTexts())
	}
	if len(some.ComponentTexts()) != 1 || !some.All() {
		t.Errorf("Named has changed what it was called on: %v", some.ComponentTexts())
	}
	if _, err := (Keys{}).In("orders-", partition.Text("TenantID", "")).Resolve("T", 1); err == nil {
		t.Error("a component of a name is not checked")
	}
}

// TestWindowsOfKeys checks that each window is asked for its own periods, and that
// Within makes the end exclusive.
func TestWindowsOfKeys(t *testing.T) {
	day := func(month time.Month, day, hour int) time.Time {
		return time.Date(2024, month, day, hour, 0, 0, 0, time.UTC)
	}
	from, to := day(1, 30, 5), day(3, 1, 0)
	periods := Periods(from, to, "2006-01-02", func(at time.Time) string { return at.Format("01-02") }).Between(from, to)
	for _, test := range []struct {
		name       string
		keys       Keys
		start, end time.Time
		want       []any
	}{
		{"the first window", periods, day(1, 1, 0), day(2, 1, 0), []any{"01-30", "01-31"}},
		{"the last window", periods, day(3, 1, 0), day(4, 1, 0), []any{"03-01"}},
		{"a window shorter than the period", periods, day(2, 9, 4), day(2, 9, 5), []any{"02-09"}},
		{"no periods", Partition("a").Between(from, to), day(2, 1, 0), day(3, 1, 0), []any{"a"}},
		{"no windows", Periods(from, from, "2006-01-02", func(at time.Time) string { return at.Format("01-02") }), day(2, 1, 0), day(3, 1, 0), []any{"01-30"}},
	} {
		if got := values(t, test.keys.Clip(test.start, test.end)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	for name, k := range map[string]Keys{"of periods": periods, "of one partition": Partition("a").Between(from, to), "of the container": Keys{}.Between(from, to)} {
		resolved, err := k.Within("/at").Resolve("T", 100)
		if err != nil {
			t.Fatal(err)
		}
		low, high, bounded := resolved.Windows()
		if !bounded || !low.Equal(from) || !high.Before(to) || high.Month() != time.February {
			t.Errorf("%s: the windows from %v to %v", name, low, high)
		}
		want := []Filter{
			{Property: "/at", Compare: ">=", Value: "2024-01-30T05:00:00.0000000Z", Time: from},
			{Property: "/at", Compare: "<", Value: "2024-03-01T00:00:00.0000000Z", Time: to},
		}
		if got := resolved.Filters(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: filters %v, want %v", name, got, want)
		}
	}
	if _, _, bounded := (Keys{}).Windows(); bounded {
		t.Error("the whole of a type has a range")
	}
	if _, err := (Keys{}).Between(to, from).Resolve("T", 1); err == nil {
		t.Error("a range that ends before it begins is not refused")
	}
	if _, err := (Keys{}).Between(time.Time{}, to).Resolve("T", 1); err == nil {
		t.Error("a range from the zero time is not refused")
	}
}
