package kit

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// NewDatabase makes a database on a new emulator, with its own throughput if one
// is given.
func NewDatabase(t testing.TB, o emulator.Options, throughput *azcosmos.ThroughputProperties) (*harness.Account, *azcosmos.DatabaseClient) {
	t.Helper()
	account := harness.NewShared(t, o, repository.Configure(nil), throughput)
	return account, account.DB
}
