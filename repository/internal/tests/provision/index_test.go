package provision

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// byVIN is an index of vehicle events as it is wanted.
func byVIN() azcosmos.ContainerProperties { return fixtures.EventOfVehicleContainer() }

// indexed are the properties of EventOfVehicle.
var indexed = []string{"vin", "date", "speed"}

// newSource starts an emulator with the container of vehicle events.
func newSource(t *testing.T, o emulator.Options, client *azcosmos.ClientOptions) (*harness.Account, *azcosmos.DatabaseClient, *fleet.VehicleEventRepository) {
	t.Helper()
	server := harness.New(t, o, client)
	return server, server.DB, fleet.NewVehicleEventRepository(ensure(t, server.DB, wanted(nil), admin.Autoscale(1000)))
}

// TestEnsureIndex makes an index of documents that exist, reads it, and compares it.
func TestEnsureIndex(t *testing.T) {
	server, db, events := newSource(t, emulator.Options{}, repository.Configure(nil))
	kit.Fill(t, events, 20)
	server.ResetRequests()
	index := ensure(t, db, byVIN(), admin.Autoscale(1000), admin.IndexOf("vehicle-event", indexed...))
	want := []string{emulator.OpReadContainer, emulator.OpReadContainer, emulator.OpCreateContainer, emulator.OpReadContainer}
	if got := ensureOperations(server); !slices.Equal(got, want) {
		t.Errorf("creation: %v, want %v", got, want)
	}
	event := kit.Event(3)
	found, err := fixtures.NewEventOfVehicleRepository(index).ByVIN(event.VIN).Collect(t.Context())
	if err != nil || len(found) == 0 {
		t.Fatalf("%d documents, %v", len(found), err)
	}
	for _, f := range found {
		if stored, err := events.Get(t.Context(), fleet.VehicleEventKey{ID: f.EventID, Date: f.Date, VIN: f.VIN}); err != nil || stored.Speed != f.Speed {
			t.Errorf("%+v is %+v, %v", f, stored, err)
		}
	}
	if err := fixtures.NewEventOfVehicleRepository(index).Upsert(t.Context(), found[0]); err == nil {
		t.Error("the index was written")
	}
	for _, same := range [][]string{indexed, {"speed", "vin", "date"}} {
		ensure(t, db, byVIN(), admin.Autoscale(1000), admin.IndexOf("vehicle-event", same...), admin.FixDifferences())
	}
	server.ResetRequests()
	ensure(t, db, byVIN(), admin.AnyThroughput(), admin.IndexOf("vehicle-event", indexed...), admin.WaitForIndex())
	if got := ensureOperations(server); !slices.Equal(got, want[:1]) {
		t.Errorf("an index that is built: %v, want %v", got, want[:1])
	}
	all := byVIN()
	all.ID = "all-by-vin"
	for range 2 {
		ensure(t, db, all, admin.Autoscale(1000), admin.IndexOf("vehicle-event"))
	}
}

// TestEnsureIndexRefused names what Ensure refuses, and that it makes no container then.
func TestEnsureIndexRefused(t *testing.T) {
	server, db, _ := newSource(t, emulator.Options{}, repository.Configure(nil))
	ensure(t, db, byVIN(), admin.Autoscale(1000), admin.IndexOf("vehicle-event", indexed...))
	other := byVIN()
	other.ID = "other"
	nested := other
	nested.PartitionKeyDefinition.Paths = []string{"/place/city"}
	plain := server.Container("vehicle-event", nil)
	unconfigured := server.Database(nil)
	empty, err := server.Client(repository.Configure(nil)).NewDatabase("none")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name       string
		db         *azcosmos.DatabaseClient
		want       azcosmos.ContainerProperties
		throughput admin.Throughput
		options    []admin.EnsureOption
		says       string
	}{
		{"no source", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("")}, "the index has no source"},
		{"of itself", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("other")}, "an index of itself"},
		{"nested", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event", "place.city")}, `cannot have the property "place.city"`},
		{"quoted", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event", "a FROM c WHERE c")}, "letters, digits and underscores"},
		{"twice", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event", "vin", "vin")}, `"vin" is there twice`},
		{"without its key", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event", "date")}, "the index lacks /vin"},
		{"nested key", db, nested, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event")}, "/place/city of the index is nested"},
		{"manual", db, other, admin.Manual(400), []admin.EnsureOption{admin.IndexOf("vehicle-event")}, "autoscale throughput, and not manual 400 RU/s"},
		{"shared", db, other, admin.SharedThroughput(), []admin.EnsureOption{admin.IndexOf("vehicle-event")}, "autoscale throughput"},
		{"any", db, other, admin.AnyThroughput(), []admin.EnsureOption{admin.IndexOf("vehicle-event")}, "want Autoscale, so that Ensure creates it"},
		{"source that is missing", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("none")}, `"none", which is to be indexed, does not exist: ensure it first`},
		{"database that is missing", empty, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event")}, `the database "none" does not exist`},
		{"of an index", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("events-by-vin")}, `is itself an index, of "vehicle-event"`},
		{"not configured", unconfigured, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event")}, "creating an index takes a policy"},
		{"another source", db, byVIN(), admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("others", indexed...), admin.FixDifferences()}, `have an index of "vehicle-event", SELECT c.vin, c.date, c.speed FROM c, want an index of "others"`},
		{"other properties", db, byVIN(), admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("vehicle-event", "vin")}, "it cannot be changed: make another index"},
		{"no index", db, wanted(nil), admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("events", "partitionKey")}, "have no index, want an index of"},
	} {
		container, err := admin.Ensure(t.Context(), test.db, test.want, test.throughput, test.options...)
		if container != nil || err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.says)
		}
	}
	if _, err := server.Container("other", nil).Read(t.Context(), nil); !isStatus(err, http.StatusNotFound) {
		t.Errorf("a container was made: %v", err)
	}
	if _, err := plain.Delete(t.Context(), nil); err == nil {
		t.Error("the source was removed before its index")
	}
}

// isStatus reports whether the service has answered with this status.
func isStatus(err error, status int) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.StatusCode == status
}

// TestEnsureIndexBuilding has Ensure meet an index that is being built.
func TestEnsureIndexBuilding(t *testing.T) {
	server, db, events := newSource(t, emulator.Options{IndexLag: time.Hour}, repository.Configure(nil))
	kit.Fill(t, events, 5)
	of := admin.IndexOf("vehicle-event")
	for range 2 {
		if _, err := admin.Ensure(t.Context(), db, byVIN(), admin.Autoscale(1000), of); !errors.Is(err, admin.ErrIndexBuilding) {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := admin.Ensure(ctx, db, byVIN(), admin.Autoscale(1000), of, admin.WaitForIndex()); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := admin.Ensure(t.Context(), db, byVIN(), admin.Autoscale(1000), of, admin.WaitForIndex())
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(150 * time.Millisecond):
	}
	server.Advance(3 * time.Hour)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestEnsureIndexUnclear loses requests that create an index and answers to them, while several
// programs want it: one is there in the end.
func TestEnsureIndexUnclear(t *testing.T) {
	server, db, _ := newSource(t, emulator.Options{}, repository.Configure(nil))
	for _, after := range []bool{false, true} {
		server.Inject(emulator.Fault{Operation: emulator.OpCreateContainer, Drop: true, After: after, Count: 2})
	}
	results := make(chan error)
	for range 4 {
		go func() {
			_, err := admin.Ensure(t.Context(), db, byVIN(), admin.Autoscale(1000), admin.IndexOf("vehicle-event", indexed...))
			results <- err
		}()
	}
	for range 4 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	ensure(t, db, byVIN(), admin.Autoscale(1000), admin.IndexOf("vehicle-event", indexed...))
}
