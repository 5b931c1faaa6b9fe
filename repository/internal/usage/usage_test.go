package usage

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// TestTotals compares totals with exact ones: of few tenants they are equal, and of many
// they are within their errors, and have every tenant that used much.
func TestTotals(t *testing.T) {
	for _, most := range []int{1, 10, 100, 2000} {
		random := rand.New(rand.NewPCG(1, uint64(most)))
		zipf := rand.NewZipf(random, 1.2, 1, 999)
		totals, exact, sum := New(most), map[string]float64{}, 0.0
		for range 20_000 {
			name, units := fmt.Sprint("t", zipf.Uint64()), float64(1+random.IntN(8))
			totals.Add(Key{name, "c"}, units, false, time.Unix(0, 0))
			exact[name] += units
			sum += units
		}
		list := totals.Tenants()
		if len(list) != min(most, len(exact)) || totals.Forgotten() > sum/float64(most) || most > len(exact) && totals.Forgotten() != 0 {
			t.Errorf("%d tenants: %d are known of %d, %v may be forgotten of %v", most, len(list), len(exact), totals.Forgotten(), sum)
		}
		known := map[string]bool{}
		for i, tenant := range list {
			known[tenant.Tenant] = true
			if used := exact[tenant.Tenant]; tenant.Units < used || tenant.Units-tenant.Error > used || most > len(exact) && tenant.Error > 0 {
				t.Errorf("%d tenants: %s used %v, and %+v says so", most, tenant.Tenant, used, tenant)
			}
			if i > 0 && tenant.Units > list[i-1].Units {
				t.Errorf("%d tenants: %s comes after one that used less", most, tenant.Tenant)
			}
		}
		for name, units := range exact {
			if !known[name] && units > totals.Forgotten() {
				t.Errorf("%d tenants: %s is forgotten with %v, more than %v", most, name, units, totals.Forgotten())
			}
		}
	}
}

// TestPeaks has requests over several minutes.
func TestPeaks(t *testing.T) {
	totals := New(3)
	at := func(seconds int64) time.Time { return time.Unix(600+seconds, 0) }
	for second := range int64(180) {
		totals.Add(Key{"steady", "a"}, 2, false, at(second))
	}
	totals.Add(Key{"sudden", "a"}, 300, false, at(59))
	totals.Add(Key{"sudden", "b"}, 120, true, at(60))
	totals.Add(Key{"sudden", "b"}, 240, false, at(119))
	list := totals.Tenants()
	if steady := list[0]; steady.Peak() != 2 || steady.Units != 360 {
		t.Errorf("%+v", steady)
	}
	if sudden := list[1]; sudden.Key != (Key{"sudden", "b"}) || sudden.Peak() != 6 || sudden.Throttled != 1 || sudden.Requests != 2 || sudden.Units != 360 {
		t.Errorf("%+v", sudden)
	}
	if other := list[2]; other.Key != (Key{"sudden", "a"}) || other.Peak() != 5 {
		t.Errorf("%+v", other)
	}
}

func BenchmarkAdd(b *testing.B) {
	totals, names := New(10_000), make([]string, 20_000)
	for i := range names {
		names[i] = fmt.Sprint("tenant", i)
	}
	now := time.Now()
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 1, uint64(len(names)-1))
	b.ReportAllocs()
	for b.Loop() {
		totals.Add(Key{names[zipf.Uint64()], "orders"}, 5, false, now)
	}
}
