package repository_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

type voyageMigration = repository.Migration[fixtures.Voyage, rideKey]

// voyages are rides that move on to another container.
type voyages struct {
	rideReleases
	old, new *azcosmos.ContainerClient
}

func newVoyages(t *testing.T) voyages {
	t.Helper()
	r, old := newMovingRides(t, false)
	return voyages{rideReleases: r, old: old, new: r.server.Create(harness.Properties("voyages", "/vin"))}
}

// in returns the migration of rides of the last release to voyages.
func (v voyages) in(phase repository.Phase) *voyageMigration {
	return repository.NewMigration(repository.New(v.old, v.after.model()), repository.New(v.new, fixtures.VoyageModel), phase,
		func(d *fixtures.Voyage) *ride { return (*ride)(d) }, func(d *ride) *fixtures.Voyage { return (*fixtures.Voyage)(d) },
		func(k rideKey) (rideKey, fixtures.VoyageKey) { return k, fixtures.VoyageKey{ID: k.ID, VIN: k.VIN} })
}

// rekeyed returns the speeds of n rides that were created with 4 buckets and have moved
// to 12.
func (v voyages) rekeyed(t *testing.T, n int) map[string]int {
	t.Helper()
	ctx := context.Background()
	model := map[string]int{}
	for i := range n {
		doc := &ride{ID: fmt.Sprintf("e%d", i), Day: kit.Day, VIN: fmt.Sprintf("V%d", i), Speed: i}
		if err := v.before.Create(ctx, doc); err != nil {
			t.Fatal(err)
		}
		model[doc.ID] = i
	}
	for range 3 {
		done, err := admin.Rekey(ctx, v.second.Documents, admin.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if done.Done() {
			return model
		}
		v.server.Advance(grace)
	}
	t.Fatal("Rekey does not end")
	return nil
}

// speeds returns what documents a query of a migration gives, each once.
func (v voyages) speeds(t *testing.T, m *voyageMigration) map[string]int {
	t.Helper()
	all := map[string]int{}
	q := repository.InBoth(m, repository.New(v.old, v.after.model()).Scan(), repository.New(v.new, fixtures.VoyageModel).Scan())
	for doc, err := range q.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := all[doc.ID]; twice {
			t.Errorf("%s comes twice", doc.ID)
		}
		all[doc.ID] = doc.Speed
	}
	return all
}

// TestMigrationAfterRekey moves documents to more buckets, and then to another container:
// they still have the marks of the first move.
func TestMigrationAfterRekey(t *testing.T) {
	ctx := context.Background()
	v := newVoyages(t)
	model := v.rekeyed(t, 40)
	if n := countStored(t, v.old, `c._move.state = "final"`); n == 0 {
		t.Fatal("no document is marked")
	}
	for _, phase := range []repository.Phase{repository.PhaseOld, repository.PhaseBoth, repository.PhaseNew} {
		m := v.in(phase)
		if got := v.speeds(t, m); !maps.Equal(got, model) {
			t.Errorf("phase %d: Scan gives %d of %d documents", phase, len(got), len(model))
		}
		for id := range model {
			if _, err := m.Get(ctx, rideKey{id, kit.Day, "V" + id[1:]}); err != nil {
				t.Errorf("phase %d: %v", phase, err)
			}
		}
	}
	summary, err := admin.MoveAll(ctx, v.in(repository.PhaseNew), admin.Run{})
	if err != nil || !summary.Done || summary.Moved != len(model) {
		t.Errorf("%+v, %v", summary, err)
	}
	if got := v.speeds(t, v.in(repository.PhaseDone)); !maps.Equal(got, model) {
		t.Errorf("Scan gives %d of %d documents when all have moved", len(got), len(model))
	}
	if n := countStored(t, v.new, `IS_DEFINED(c._move)`) + countStored(t, v.old, "true"); n != 0 {
		t.Errorf("%d marks in the new container or documents in the old one", n)
	}
}

// TestConditionsOfMarks compares the conditions of marks in SQL with their methods.
func TestConditionsOfMarks(t *testing.T) {
	_, c := newMovingRides(t, false)
	long, short := strings.Repeat("T", marks.MigrationToken), strings.Repeat("T", marks.RekeyToken)
	all := map[string]*marks.Mark{"document": nil}
	for _, state := range []string{marks.Moved, marks.Removed, marks.Copied, marks.Final, marks.Gone, marks.Draft, "later"} {
		for _, token := range []string{short, long, ""} {
			all[state+"-"+token] = &marks.Mark{State: state, Token: token}
		}
	}
	want := map[string]int{}
	for id, m := range all {
		body, err := json.Marshal(struct {
			ID   string      `json:"id"`
			PK   string      `json:"pk"`
			Move *marks.Mark `json:"_move,omitempty"`
		}{id, "p", m})
		if err == nil {
			_, err = c.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("p"), body, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		var own marks.Mark
		if m != nil {
			own = *m
		}
		for condition, holds := range map[string]bool{
			marks.Documents:          !own.Hidden() && !own.Leaving(),
			marks.Shown:              !own.Hidden(),
			"NOT " + marks.Shown:     own.Hidden(),
			"NOT " + marks.Documents: own.Hidden() || own.Leaving(),
			marks.Leaving:            own.Leaving(),
			marks.Uncertain:          own.Uncertain(),
			marks.Unfinished:         own.State == marks.Draft || own.State == marks.Copied && own.Crosses(),
		} {
			if holds {
				want[condition]++
			}
		}
	}
	for condition, n := range want {
		if got := countStored(t, c, condition); got != n {
			t.Errorf("%s: %d, and by its method %d", condition, got, n)
		}
	}
	if got := countStored(t, c, marks.Deciding(`"moved-`+short+`"`, `"`+short+`"`)); got != 1 {
		t.Errorf("%d marks decide", got)
	}
}
