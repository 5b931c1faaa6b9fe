package repository_test

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

type merging struct {
	ID string  `json:"id"`
	PK string  `json:"pk"`
	N  float64 `json:"n"`
}

type mergingKey struct{ ID, PK string }

func (k mergingKey) Validate() error { return nil }

// mergings is a container of documents, and what it reads them by.
type mergings struct {
	*repository.Documents[merging, mergingKey]
	*store.Store
}

// newMergings returns the documents of a container under these levels.
//
// By hand: the tests reach the store of the documents, and need any levels.
func newMergings(container *azcosmos.ContainerClient, paths ...string) mergings {
	docs := repository.New(container, &generated.Model[merging, mergingKey]{
		Type: "Doc", Paths: paths,
		Key:    func(x *merging) mergingKey { return mergingKey{x.ID, x.PK} },
		ID:     func(k mergingKey) string { return k.ID },
		Values: func(k mergingKey) []any { return []any{k.PK} },
	})
	return mergings{docs, untyped.Of(docs).Store}
}

func (m mergings) query(keys generated.Keys) repository.Query[merging] {
	return repository.NewQuery(m.Documents, keys)
}

var plain = harness.Properties("c", "/pk")

// newAccount makes an account with a container, and returns both.
func newAccount(t *testing.T, o emulator.Options) (*harness.Account, mergings) {
	t.Helper()
	account, container := harness.NewContainer(t, o, plain, repository.Configure(nil))
	return account, newMergings(container, "/pk")
}
