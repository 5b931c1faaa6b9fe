package provision

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// byState is an index of shipments as it is wanted.
func byState() azcosmos.ContainerProperties { return fixtures.ShipmentByStateContainer() }

// indexed are the properties of the index.
var indexed = []string{"tenantId", "state", "weight"}

// newSource starts an emulator with the container of shipments.
func newSource(t *testing.T, o emulator.Options, client *azcosmos.ClientOptions) (*harness.Account, *azcosmos.DatabaseClient, *fixtures.ShipmentRepository) {
	t.Helper()
	server := harness.New(t, o, client)
	container, err := fixtures.EnsureShipmentContainer(t.Context(), server.DB, admin.Autoscale(1000))
	if err != nil {
		t.Fatal(err)
	}
	return server, server.DB, fixtures.NewShipmentRepository(container)
}

// ship stores n shipments in several states, whose ids are equal in different tenants.
func ship(t *testing.T, shipments *fixtures.ShipmentRepository, n int) {
	t.Helper()
	for i := range n {
		s := fixtures.Shipment{ID: fmt.Sprint(i / 2), TenantID: fmt.Sprintf("t%d", i%2), Carrier: "postal", State: fmt.Sprintf("s%d", i%3), Weight: float64(i), SentAt: time.Date(2018, 8, 9, 0, 0, i, 0, time.UTC)}
		if err := shipments.Create(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEnsureIndex makes an index of documents that exist, reads it, and compares it.
func TestEnsureIndex(t *testing.T) {
	server, db, shipments := newSource(t, emulator.Options{}, repository.Configure(nil))
	ship(t, shipments, 20)
	server.ResetRequests()
	index, err := fixtures.EnsureShipmentByStateContainer(t.Context(), db, admin.Autoscale(1000))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{emulator.OpReadContainer, emulator.OpReadContainer, emulator.OpCreateContainer, emulator.OpReadContainer}
	if got := ensureOperations(server); !slices.Equal(got, want) {
		t.Errorf("creation: %v, want %v", got, want)
	}
	found, err := fixtures.NewShipmentByStateRepository(index).ByState("s1").Collect(t.Context())
	if err != nil || len(found) != 7 {
		t.Fatalf("%d documents, %v", len(found), err)
	}
	for _, f := range found {
		if stored, err := f.Source(t.Context(), shipments); err != nil || stored.Weight != f.Weight || stored.State != "s1" {
			t.Errorf("%+v is %+v, %v", f, stored, err)
		}
	}
	if err := fixtures.NewShipmentRepository(index).Upsert(t.Context(), &fixtures.Shipment{ID: "x", TenantID: "t", Carrier: "c", State: "s1"}); err == nil {
		t.Error("the index was written")
	}
	for _, same := range [][]string{indexed, {"weight", "tenantId", "state"}} {
		ensure(t, db, byState(), admin.Autoscale(1000), admin.IndexOf("shipments", same...), admin.FixDifferences())
	}
	server.ResetRequests()
	ensure(t, db, byState(), admin.AnyThroughput(), admin.IndexOf("shipments", indexed...), admin.WaitForIndex())
	if got := ensureOperations(server); !slices.Equal(got, want[:1]) {
		t.Errorf("an index that is built: %v, want %v", got, want[:1])
	}
	all := byState()
	all.ID = "all-by-state"
	for range 2 {
		ensure(t, db, all, admin.Autoscale(1000), admin.IndexOf("shipments"))
	}
}

// TestEnsureIndexRefused names what Ensure refuses, and that it makes no container then.
func TestEnsureIndexRefused(t *testing.T) {
	server, db, _ := newSource(t, emulator.Options{}, repository.Configure(nil))
	ensure(t, db, byState(), admin.Autoscale(1000), admin.IndexOf("shipments", indexed...))
	other := byState()
	other.ID = "other"
	nested := other
	nested.PartitionKeyDefinition.Paths = []string{"/place/city"}
	plain := server.Container("shipments", nil)
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
		{"nested", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments", "place.city")}, `cannot have the property "place.city"`},
		{"quoted", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments", "a FROM c WHERE c")}, "letters, digits and underscores"},
		{"twice", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments", "state", "state")}, `"state" is listed twice`},
		{"without its key", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments", "weight")}, "the index lacks /state"},
		{"nested key", db, nested, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments")}, "/place/city of the index is nested"},
		{"manual", db, other, admin.Manual(400), []admin.EnsureOption{admin.IndexOf("shipments")}, "autoscale throughput, and not manual 400 RU/s"},
		{"shared", db, other, admin.SharedThroughput(), []admin.EnsureOption{admin.IndexOf("shipments")}, "autoscale throughput"},
		{"any", db, other, admin.AnyThroughput(), []admin.EnsureOption{admin.IndexOf("shipments")}, "want Autoscale, so that Ensure creates it"},
		{"source that is missing", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("none")}, `"none", which is to be indexed, does not exist: ensure it first`},
		{"database that is missing", empty, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments")}, `the database "none" does not exist`},
		{"of an index", db, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipment-by-state")}, `is itself an index, of "shipments"`},
		{"not configured", unconfigured, other, admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments")}, "creating an index takes a policy"},
		{"another source", db, byState(), admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("others", indexed...), admin.FixDifferences()}, `have an index of "shipments", SELECT c.tenantId, c.state, c.weight FROM c, want an index of "others"`},
		{"other properties", db, byState(), admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("shipments", "state")}, "it cannot be changed: create another index"},
		{"no index", db, fixtures.ShipmentContainer(), admin.Autoscale(1000), []admin.EnsureOption{admin.IndexOf("others", "tenantId")}, "have no index, want an index of"},
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
	server, db, shipments := newSource(t, emulator.Options{IndexLag: time.Hour}, repository.Configure(nil))
	ship(t, shipments, 5)
	of := admin.IndexOf("shipments")
	for range 2 {
		if _, err := admin.Ensure(t.Context(), db, byState(), admin.Autoscale(1000), of); !errors.Is(err, admin.ErrIndexBuilding) {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := admin.Ensure(ctx, db, byState(), admin.Autoscale(1000), of, admin.WaitForIndex()); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := admin.Ensure(t.Context(), db, byState(), admin.Autoscale(1000), of, admin.WaitForIndex())
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
			_, err := admin.Ensure(t.Context(), db, byState(), admin.Autoscale(1000), admin.IndexOf("shipments", indexed...))
			results <- err
		}()
	}
	for range 4 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	ensure(t, db, byState(), admin.Autoscale(1000), admin.IndexOf("shipments", indexed...))
}

// TestEnsureIndexOfMadeKey makes an index whose key the run time writes: not before each document
// has it, and not without its source.
func TestEnsureIndexOfMadeKey(t *testing.T) {
	server, db, shipments := newSource(t, emulator.Options{}, repository.Configure(nil))
	ship(t, shipments, 5)
	byCarrier := func() (*azcosmos.ContainerClient, error) {
		return fixtures.EnsureShipmentByCarrierContainer(t.Context(), db, admin.Autoscale(1000), admin.WaitForIndex())
	}
	before := `{"id":"old","tenantId":"t0","carrier":"postal","sentAt":"2018-08-09T10:00:00Z","state":"s0","weight":1}`
	if _, err := server.Container("shipments", nil).CreateItem(t.Context(), azcosmos.NewPartitionKeyString("t0"), []byte(before), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := byCarrier(); !errors.Is(err, repository.ErrNotIndexed) {
		t.Fatalf("a document lacks the property: %v", err)
	}
	if _, err := server.Container("shipment-by-carrier", nil).Read(t.Context(), nil); !isStatus(err, http.StatusNotFound) {
		t.Errorf("a container was made: %v", err)
	}
	if summary, err := admin.Upgrade(t.Context(), shipments.Documents, admin.Run{}); err != nil || summary.Changed != 1 {
		t.Fatalf("%+v, %v", summary, err)
	}
	index, err := byCarrier()
	if err != nil {
		t.Fatal(err)
	}
	found, err := fixtures.NewShipmentByCarrierRepository(index).ByCarrierAndSentAt("postal", time.Date(2018, 8, 1, 0, 0, 0, 0, time.UTC)).Collect(t.Context())
	if err != nil || len(found) != 6 {
		t.Errorf("%d documents, %v", len(found), err)
	}
	db = harness.New(t, emulator.Options{}, repository.Configure(nil)).DB
	if _, err := byCarrier(); err == nil || !strings.Contains(err.Error(), `"shipments", which is to be indexed, does not exist: ensure it first`) {
		t.Errorf("a source that is missing: %v", err)
	}
}
