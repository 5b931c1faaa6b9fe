package repository_test

import (
	cmdline "flag"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// rekeyDocuments is for the tests of the night.
var rekeyDocuments = cmdline.Int("documents", 3000, "how many documents Rekey moves with a budget")

const rideContainer = `{"id":"rides","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`

// newVirtualRides makes a container with n documents, as the release before stores them.
func newVirtualRides(t testing.TB, latency time.Duration, n int) *harness.Virtual {
	t.Helper()
	v := harness.NewVirtual(t, server.Options{Partitions: 4, Latency: latency})
	var all []string
	for i := range n {
		vin := fmt.Sprintf("V%d", i)
		all = append(all, fmt.Sprintf(`{"id":"e%d","day":"%s","vin":"%s","speed":%d,"pk":"%s"}`, i, kit.Day, vin, i%200, rideKey{VIN: vin, Day: kit.Day}.at(4)))
	}
	v.Load(rideContainer, all...)
	return v
}

// TestRekeyBudget measures what Rekey spends, in virtual time: neither the whole nor ten
// seconds of it are more than 5% above the budget, and the whole is not much below it, but
// for the second between two looks at the leases.
func TestRekeyBudget(t *testing.T) {
	harness.Unraced(t)
	t.Parallel()
	tests := []struct {
		budget      float64
		concurrency int
		latency     time.Duration
		leases      bool
	}{
		{1000, 16, 5 * time.Millisecond, true},
		{500, 16, 5 * time.Millisecond, false},
		{2000, 4, 2 * time.Millisecond, false},
	}
	for _, test := range tests[:seeds.Rows(t, len(tests), 1)] {
		synctest.Test(t, func(t *testing.T) {
			v := newVirtualRides(t, test.latency, *rekeyDocuments)
			at := repository.New(v.Container("rides", repository.Configure(nil)), release{now: 12, was: []int{4}}.model())
			run := admin.Run{Budget: test.budget, Concurrency: test.concurrency}
			if test.leases {
				v.Load(`{"id":"leases","partitionKey":{"paths":["/id"],"kind":"Hash","version":2},"defaultTtl":-1}`)
				run.Leases = v.Container("leases", repository.Configure(nil))
			}
			for _, what := range []string{"moves", "finds nothing"} {
				began := time.Now()
				v.Measure()
				s, err := admin.Rekey(t.Context(), at, run)
				if err != nil || s.Left != 0 {
					t.Fatalf("%+v, %v", s, err)
				}
				took := time.Since(began).Seconds()
				units := v.Units()
				rate := units / took / test.budget
				idle := 0.0
				if test.leases {
					idle = 1
				}
				if rate > 1.05 || units < 0.95*test.budget*(took-idle) {
					t.Errorf("%+v, %s: %.0f RU in %.1f s are %.3f of the budget", test, what, units, took, rate)
				}
				if told := s.RequestUnits / units; told > 1.001 || told < 0.999 {
					t.Errorf("%+v, %s: it tells %.0f RU of %.0f", test, what, s.RequestUnits, units)
				}
				for i, units := range v.Windows() {
					if units > 10*test.budget*1.05 {
						t.Errorf("%+v, %s: %.0f RU in the ten seconds from %d on", test, what, units, 10*i)
					}
				}
				t.Logf("%+v, %s: moved %d, %.0f RU in %.1f s are %.3f of it, %d requests", test, what, s.Changed, units, took, rate, v.Requests())
			}
		})
	}
}
