package migrate

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// TestEstimate compares what a dry run says of request units and of time with what the
// copy takes, in virtual time: tiny documents and large ones, in physical partitions of
// different sizes, with several budgets.
func TestEstimate(t *testing.T) {
	tests := []struct {
		documents, size int
		budget          float64
	}{{20, 200_000, 0}, {100, 1, 0}, {400, 10_000, 500}, {1000, 800, 0}, {2000, 1, 0}, {2000, 1, 200}, {3000, 1, 2000}}
	for _, test := range tests[:seeds.Rows(t, len(tests), 3)] {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, server.Options{Partitions: 2, Latency: 2 * time.Millisecond}, toContainer, stateContainer)
			var all []string
			for i := range test.documents {
				all = append(all, fmt.Sprintf(`{"id":"%d","vin":"vin-%d","date":"2018-08-09","x":"%s"}`, i, i, strings.Repeat("x", test.size)))
			}
			r.load(fromContainer, all...)
			if err := r.server.Split("fleet", "events", "0"); err != nil { // so that their sizes differ
				t.Fatal(err)
			}
			options := func() Options {
				o, err := r.options(t.Context(), r.connect(r.whole()))
				if err != nil {
					t.Fatal(err)
				}
				o.Budget, o.pauses = test.budget, usual
				return o
			}
			p, err := DryRun(t.Context(), options())
			if err != nil {
				t.Fatal(err)
			}
			o := options()
			began := time.Now()
			m, err := New(t.Context(), o)
			if err == nil {
				err = m.Run(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			spent, took := m.Done().Charge, time.Since(began).Seconds()
			told := p.Reading + p.Writing + p.State
			if math.Abs(told/spent-1) > 0.03 {
				t.Errorf("%+v: %.0f RU were told, and %.0f spent", test, told, spent)
			}
			if test.budget > 0 && math.Abs(p.Seconds/took-1) > 0.1 {
				t.Errorf("%+v: %.1f s were told, and it took %.1f s", test, p.Seconds, took)
			}
			t.Logf("%+v: %.0f RU were told (%.0f, %.0f, %.0f), and %.0f spent; %.1f s, and %.1f s", test, told, p.Reading, p.Writing, p.State, spent, p.Seconds, took)
		})
	}
}
