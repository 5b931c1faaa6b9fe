package kit

import (
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// NewSteps returns a repository of documents whose key has four levels and ends in the id.
func NewSteps(t testing.TB) (*harness.Account, *azcosmos.ContainerClient, *fixtures.StepRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.StepContainer(), repository.Configure(nil))
	return server, container, fixtures.NewStepRepository(container)
}

// ManySteps are 4 tenants × 3 users × 3 sessions × 5 steps.
func ManySteps() (all []*fixtures.Step) {
	for n := range 180 {
		all = append(all, &fixtures.Step{ID: fmt.Sprint("s", n%5), Tenant: fmt.Sprint("t", n/45), User: fmt.Sprint("u", n/15%3), Session: n / 5 % 3, Value: n})
	}
	return all
}
