package migrate

import (
	"flag"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

var howMany = flag.Int("documents", 3000, "how many documents a migration with a budget copies")

// TestBudget measures what a migration spends, in virtual time: neither the whole nor ten
// seconds of it are more than 5% above the budget, and the whole is not much below it.
func TestBudget(t *testing.T) {
	for _, test := range []struct {
		budget  float64
		workers int
		latency time.Duration
	}{{500, 16, 5 * time.Millisecond}, {2000, 4, 2 * time.Millisecond}} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, server.Options{Partitions: 2, Latency: test.latency}, toContainer, stateContainer)
			var all []string
			for i := range *howMany {
				all = append(all, fmt.Sprintf(`{"id":"%d","vin":"vin-%d","date":"2018-08-09"}`, i, i))
			}
			r.load(fromContainer, all...)
			a := r.connect(r.whole())
			o, err := r.options(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			o.Budget, o.Workers, o.pauses = test.budget, test.workers, usual
			began, before := time.Now(), a.Spent()
			first := len(r.server.Requests())
			m, err := New(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			spent, took := a.Spent()-before, time.Since(began).Seconds()
			if rate := spent / took / test.budget; rate > 1.05 || rate < 0.95 {
				t.Errorf("%.0f RU in %.1f s are %.3f of the budget", spent, took, rate)
			}
			windows := map[int]float64{}
			for _, q := range r.server.Requests()[first:] {
				windows[int(q.Start.Sub(began)/(10*time.Second))] += q.Charge
			}
			for i, units := range windows {
				if units > 10*test.budget*1.05 {
					t.Errorf("%.0f RU in the ten seconds from %d on, of %.0f", units, 10*i, 10*test.budget)
				}
			}
			t.Logf("budget %.0f RU/s: %.0f RU in %.1f s are %.3f of it", test.budget, spent, took, spent/took/test.budget)
		})
	}
}

// TestThrottled copies more at the same time than the containers have throughput for: it
// takes its time, and ends.
func TestThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, server.Options{Partitions: 1, Throughput: 400, Latency: time.Millisecond}, toContainer, stateContainer)
		r.load(fromContainer, events(1500)...)
		o, err := r.options(t.Context(), r.connect(r.whole()))
		if err != nil {
			t.Fatal(err)
		}
		o.Workers, o.pauses = 256, usual
		m, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		throttled := 0
		for _, q := range r.server.Requests() {
			if q.Status == 429 {
				throttled++
			}
		}
		if done := m.Done(); done.Documents != 1500 || throttled < 1000 {
			t.Errorf("%+v, %d requests throttled", done, throttled)
		}
	})
}
