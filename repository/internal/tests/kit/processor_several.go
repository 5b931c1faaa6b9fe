package kit

import (
	"context"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// NewLeases makes a container for leases next to the windows.
func (r Readings) NewLeases(t testing.TB) *azcosmos.ContainerClient {
	t.Helper()
	leases, err := repository.EnsureLeases(context.Background(), r.Db, "leases", repository.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	return leases
}
