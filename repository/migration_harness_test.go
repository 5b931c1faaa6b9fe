package repository_test

import (
	"context"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A haul's key is {truck} at /old in the old container, and {route} at /key in the new
// one. Haul and oldHaul differ in nothing but their keys.
type haul struct {
	ID    string `json:"id"`
	Truck string `json:"truck"`
	Route string `json:"route"`
	Log   string `json:"log"`
	TTL   int    `json:"ttl,omitempty"`
	ETag  string `json:"_etag,omitempty"`
}

type oldHaul haul

type (
	haulKey      struct{ ID, Route string }
	oldHaulKey   struct{ ID, Truck string }
	movedHaulKey struct{ ID, Truck, Route string }
)

func (haulKey) Validate() error    { return nil }
func (oldHaulKey) Validate() error { return nil }

func (k movedHaulKey) keys() (oldHaulKey, haulKey) {
	return oldHaulKey{k.ID, k.Truck}, haulKey{k.ID, k.Route}
}

func (h *haul) key() movedHaulKey { return movedHaulKey{h.ID, h.Truck, h.Route} }

var haulModel = generated.Model[haul, haulKey]{
	Type: "haul", Path: "/key", Synthetic: true,
	Key:  func(h *haul) haulKey { return haulKey{h.ID, h.Route} },
	ID:   func(k haulKey) string { return k.ID },
	Text: func(k haulKey) string { return "new-" + k.Route },
	Same: func(a, b haulKey) bool { return a.Route == b.Route },
	ETag: func(h *haul) *string { return &h.ETag },
}

var oldHaulModel = generated.Model[oldHaul, oldHaulKey]{
	Type: "oldHaul", Path: "/old", Synthetic: true,
	Key:  func(h *oldHaul) oldHaulKey { return oldHaulKey{h.ID, h.Truck} },
	ID:   func(k oldHaulKey) string { return k.ID },
	Text: func(k oldHaulKey) string { return "old-" + k.Truck },
	Same: func(a, b oldHaulKey) bool { return a.Truck == b.Truck },
	ETag: func(h *oldHaul) *string { return &h.ETag },
}

type haulMigration = repository.Migration[haul, movedHaulKey]

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
	return repository.NewMigration(repository.New(h.old, &oldHaulModel), repository.New(h.new, &haulModel), phase,
		func(h *haul) *oldHaul { return (*oldHaul)(h) }, func(h *oldHaul) *haul { return (*haul)(h) }, movedHaulKey.keys)
}

// scan is the query of all hauls.
func (h hauls) scan(m *haulMigration) repository.MigrationQuery[haul] {
	return repository.InBoth(m, repository.New(h.old, &oldHaulModel).Scan(), repository.New(h.new, &haulModel).Scan())
}

// stored are the texts of all that the containers have, whatever its state.
func (h hauls) stored(t testing.TB) (old, fresh []string) {
	t.Helper()
	of := func(c *azcosmos.ContainerClient) (all []string) {
		raw, err := repository.New(c, &rawModel).Scan().Collect(context.Background())
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

type rawKey struct{ ID string }

func (rawKey) Validate() error { return nil }

var rawModel = generated.Model[rawHaul, rawKey]{
	Type: "rawHaul", Path: "/id", Key: func(r *rawHaul) rawKey { return rawKey{r.ID} },
	ID: func(k rawKey) string { return k.ID }, Text: func(k rawKey) string { return k.ID },
}
