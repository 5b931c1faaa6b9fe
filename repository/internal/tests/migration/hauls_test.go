package migration

import (
	"context"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

type (
	movedHaulKey struct{ ID, Truck, Route string }
)

func (k movedHaulKey) keys() (fixtures.OldHaulKey, fixtures.HaulKey) {
	return fixtures.OldHaulKey{ID: k.ID, Truck: k.Truck}, fixtures.HaulKey{ID: k.ID, Route: k.Route}
}

func movedKey(h *fixtures.Haul) movedHaulKey { return movedHaulKey{h.ID, h.Truck, h.Route} }

type haulMigration = repository.Migration[fixtures.Haul, movedHaulKey]

// hauls are the two containers of hauls.
type hauls struct {
	server   *harness.Account
	old, new *azcosmos.ContainerClient
}

func newHauls(t testing.TB, expires int32) hauls {
	t.Helper()
	of := func(id, path string) azcosmos.ContainerProperties {
		p := harness.Properties(id, path)
		if expires != 0 {
			p.DefaultTimeToLive = &expires
		}
		return p
	}
	server, old := harness.NewContainer(t, emulator.Options{Partitions: 5}, of("hauls", "/old"), repository.Configure(nil))
	return hauls{server: server, old: old, new: server.Create(of("hauls-2", "/key"))}
}

// by returns the containers as another client sees them.
func (h hauls) by(t testing.TB, options *azcosmos.ClientOptions) hauls {
	t.Helper()
	db := h.server.Database(options)
	old, err := db.NewContainer("hauls")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := db.NewContainer("hauls-2")
	if err != nil {
		t.Fatal(err)
	}
	return hauls{h.server, old, fresh}
}

func (h hauls) in(phase repository.Phase) *haulMigration {
	return repository.NewMigration(repository.New(h.old, fixtures.OldHaulModel), repository.New(h.new, fixtures.HaulModel), phase,
		func(h *fixtures.Haul) *fixtures.OldHaul { return (*fixtures.OldHaul)(h) }, func(h *fixtures.OldHaul) *fixtures.Haul { return (*fixtures.Haul)(h) }, movedHaulKey.keys)
}

// scan is the query of all hauls.
func (h hauls) scan(m *haulMigration) repository.MigrationQuery[fixtures.Haul] {
	return repository.InBoth(m, repository.New(h.old, fixtures.OldHaulModel).Scan(), repository.New(h.new, fixtures.HaulModel).Scan())
}

// stored are the texts of all that the containers have, whatever its state.
func (h hauls) stored(t testing.TB) (old, fresh []string) {
	t.Helper()
	of := func(c *azcosmos.ContainerClient) (all []string) {
		raw, err := harness.Stored[*rawHaul](context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range raw {
			all = append(all, strings.TrimSpace(r.ID+" "+r.Log+" "+r.Move.State))
		}
		return all
	}
	return of(h.old), of(h.new)
}

// rawHaul is what containers have of a haul, with marks.
type rawHaul struct {
	ID   string `json:"id"`
	Log  string `json:"log"`
	Move struct {
		State string `json:"state"`
	} `json:"_move"`
}
