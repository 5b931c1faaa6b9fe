package kit

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func NewVisits(t testing.TB) (*harness.Account, *azcosmos.ContainerClient, *fixtures.VisitRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.VisitContainer(), repository.Configure(nil))
	return server, container, fixtures.NewVisitRepository(container)
}
