package repository_test

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var _ stamped // its tags are an example

// A stamped document has the properties of docs/writing.md.
type stamped struct {
	ID string `json:"id" cosmos:"id,pk"`

	Created repository.Time `json:"created" cosmos:"created"`
	Updated repository.Time `json:"updated" cosmos:"updated"`
	Version int             `json:"version" cosmos:"version"`
}

// exampleClock is an example of docs/writing.md.
func exampleClock(container *azcosmos.ContainerClient, noon time.Time) *fleet.VehicleEventRepository {
	events := fleet.NewVehicleEventRepository(container, repository.WithClock(func() time.Time { return noon }))
	return events
}

// TestExampleClock stores a document by a repository with a clock, whose type has no stamps.
func TestExampleClock(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	if err := exampleClock(container, time.Date(2018, 8, 9, 12, 0, 0, 0, time.UTC)).Create(t.Context(), kit.Event(1)); err != nil {
		t.Error(err)
	}
}
