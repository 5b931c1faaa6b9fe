package querytest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestMain finds goroutines that tests left running.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
		goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"),
		goleak.IgnoreAnyFunction("net/http.(*conn).serve"),
		goleak.IgnoreAnyFunction("net/http.(*Server).Serve"))
}

const day = "2018-08-09"

// newContainer makes a container on a server.
func newContainer(t testing.TB, server *emulator.Server, properties azcosmos.ContainerProperties, options *azcosmos.ClientOptions) *azcosmos.ContainerClient {
	t.Helper()
	client := server.Client(options)
	ctx := context.Background()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(ctx, properties, nil); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(properties.ID)
	if err != nil {
		t.Fatal(err)
	}
	return container
}

// event is the nth event of a day, of a vehicle of its own.
func event(n int) *fleet.VehicleEvent {
	return &fleet.VehicleEvent{ID: fmt.Sprintf("e%04d", n), Date: day, VIN: fmt.Sprintf("1HGCM82633A%06d", n), Speed: n % 140}
}

// fill stores n events.
func fill(t testing.TB, events *fleet.VehicleEventRepository, n int) {
	t.Helper()
	errs := make([]error, n)
	var writers sync.WaitGroup
	slots := make(chan struct{}, 64)
	for i := range n {
		slots <- struct{}{}
		writers.Go(func() {
			defer func() { <-slots }()
			errs[i] = events.Create(context.Background(), event(i))
		})
	}
	writers.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// queries counts the requests for pages in the server's journal.
func queries(server *emulator.Server) int {
	n := 0
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpQueryItems {
			n++
		}
	}
	return n
}

// containerOf returns the container of vehicle events on a server.
func containerOf(t testing.TB, server *emulator.Server) *azcosmos.ContainerClient {
	t.Helper()
	db, err := server.Client(repository.Configure(nil)).NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(fleet.VehicleEventContainer().ID)
	if err != nil {
		t.Fatal(err)
	}
	return container
}
