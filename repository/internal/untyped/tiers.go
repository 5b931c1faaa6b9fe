package untyped

import (
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
)

// Tiers say in which container the documents of a tenant are, in a type whose tenants
// share a container and may have one of their own.
type Tiers struct {
	DB        *azcosmos.DatabaseClient
	Directory tenancy.Directory
	Shared    string // the id of the container that tenants share
}

// NewTiered returns the documents of a type whose tenants live where a directory says.
func NewTiered(tiers Tiers, t Types, given Settings) *Documents {
	d := New(nil, t, given)
	switch {
	case given.Wrong != nil:
		d.Store.Unusable = given.Wrong
	case tiers.DB == nil:
		d.Store.Unusable = errors.New("the database of the repository is nil: make the repository with an *azcosmos.DatabaseClient")
	case tiers.Directory == nil:
		d.Store.Unusable = errors.New("the directory of the repository is nil: make the repository with a *TenantDirectory")
	default:
		d.Store.Unusable = errors.New("the tenants of this version have no residence yet")
	}
	return d
}
