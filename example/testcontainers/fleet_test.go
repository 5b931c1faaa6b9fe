package testcontainers_test

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestFleet stores and reads an event in a container.
func TestFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an image")
	}
	if !docker(t) {
		return
	}
	storesAndReads(t, startEmulator(t))
}

// startEmulator builds the image from the tree, starts a container of it, which ends with the
// test, and returns the connection string. A program of another repository builds the image
// once, and names it by Image in the place of FromDockerfile.
func startEmulator(t *testing.T) string {
	t.Helper()
	c, err := testcontainers.GenericContainer(t.Context(), testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			FromDockerfile: testcontainers.FromDockerfile{Context: "../..", Dockerfile: "emulator/Containerfile"},
			ExposedPorts:   []string{"8081/tcp"},
			Cmd:            []string{"-http", "-partitions", "5"},
			WaitingFor:     wait.ForLog("COSMOS_CONNECTION_STRING="), // a container without a shell cannot be asked for its ports
		},
		Started: true,
	})
	testcontainers.CleanupContainer(t, c)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := c.PortEndpoint(t.Context(), "8081/tcp", "http") // a port of this machine
	if err != nil {
		t.Fatal(err)
	}
	return "AccountEndpoint=" + endpoint + "/;AccountKey=" + server.WellKnownKey + ";"
}

// storesAndReads is the test itself, which is the same for every account.
func storesAndReads(t *testing.T, connection string) {
	t.Helper()
	client, err := azcosmos.NewClientFromConnectionString(connection, repository.Configure(nil))
	if err != nil {
		t.Fatal(err)
	}
	db, err := repository.EnsureDatabase(t.Context(), client, "fleet")
	if err != nil {
		t.Fatal(err)
	}
	container, err := fleet.EnsureVehicleEventContainer(t.Context(), db, admin.Autoscale(4000))
	if err != nil {
		t.Fatal(err)
	}
	events := fleet.NewVehicleEventRepository(container)
	event := fleet.VehicleEvent{ID: "e1", Date: "2018-08-09", VIN: "V1", Speed: 50}
	if err := events.Create(t.Context(), &event); err != nil {
		t.Fatal(err)
	}
	stored, err := events.ByDate("2018-08-09").Collect(t.Context())
	if err != nil || len(stored) != 1 || stored[0].Speed != 50 {
		t.Errorf("got %v, %v", stored, err)
	}
}
