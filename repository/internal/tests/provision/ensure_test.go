package provision

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// wanted describes a container of vehicle events, changed by edit.
func wanted(edit func(*azcosmos.ContainerProperties)) azcosmos.ContainerProperties {
	p := fleet.VehicleEventContainer()
	if edit != nil {
		edit(&p)
	}
	return p
}

// ensure fails the test unless the container is as wanted.
func ensure(t testing.TB, db *azcosmos.DatabaseClient, want azcosmos.ContainerProperties, throughput admin.Throughput, opts ...admin.EnsureOption) *azcosmos.ContainerClient {
	t.Helper()
	container, err := admin.Ensure(t.Context(), db, want, throughput, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return container
}

// ensureOperations are those of the journal, in order, without reads of the account.
func ensureOperations(server *harness.Account) []string {
	var list []string
	for _, r := range server.Requests() {
		if r.Operation != emulator.OpReadAccount {
			list = append(list, r.Operation)
		}
	}
	return list
}

func TestEnsureCreatesAndChecks(t *testing.T) {
	shared := azcosmos.NewAutoscaleThroughputProperties(4000)
	looks := []string{emulator.OpReadContainer, emulator.OpReadContainer, emulator.OpQueryOffers}
	looksAtOffer := append(slices.Clone(looks), emulator.OpReadOffer)
	creates := []string{emulator.OpReadContainer, emulator.OpCreateContainer}
	tests := []struct {
		name            string
		options         emulator.Options
		database        *azcosmos.ThroughputProperties
		throughput      admin.Throughput
		created, checks []string
	}{
		{"manual", emulator.Options{}, nil, admin.Manual(500), creates, looksAtOffer},
		{"autoscale", emulator.Options{}, nil, admin.Autoscale(2000), creates, looksAtOffer},
		{"own in a database with throughput", emulator.Options{}, &shared, admin.Manual(500), creates, looksAtOffer},
		{"any", emulator.Options{}, nil, admin.AnyThroughput(), creates, looks[:1]},
		{"shared", emulator.Options{}, &shared, admin.SharedThroughput(),
			[]string{emulator.OpReadContainer, emulator.OpReadDatabase, emulator.OpQueryOffers, emulator.OpReadOffer, emulator.OpCreateContainer}, looks},
		{"serverless", emulator.Options{Serverless: true}, nil, admin.Serverless(),
			[]string{emulator.OpReadContainer, emulator.OpReadDatabase, emulator.OpQueryOffers, emulator.OpCreateContainer}, looks},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server, db := kit.NewDatabase(t, test.options, test.database)
			server.ResetRequests()
			if c := ensure(t, db, wanted(nil), test.throughput); c.ID() != "vehicle-event" {
				t.Errorf("the container is %s", c.ID())
			}
			if got := ensureOperations(server); !slices.Equal(got, test.created) {
				t.Errorf("creation: %v, want %v", got, test.created)
			}
			server.ResetRequests()
			var meter repository.Meter
			container, err := admin.Ensure(repository.WithMeter(t.Context(), &meter), db, wanted(nil), test.throughput)
			if err != nil || meter.Requests() != 0 {
				t.Fatalf("%d requests were counted, %v", meter.Requests(), err)
			}
			if got := ensureOperations(server); !slices.Equal(got, test.checks) {
				t.Errorf("check: %v, want %v", got, test.checks)
			}
			events := fleet.NewVehicleEventRepository(container)
			if err := events.Create(t.Context(), kit.Event(1)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEnsureRefusesBeforeTheRequest(t *testing.T) {
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	server.ResetRequests()
	tests := []struct {
		edit       func(*azcosmos.ContainerProperties)
		throughput admin.Throughput
		want       string
	}{
		{nil, admin.Manual(399), `ensure container "vehicle-event": a throughput of manual 399 RU/s is not possible: use 400 or more, in steps of 100`},
		{nil, admin.Manual(450), "steps of 100"},
		{nil, admin.Manual(0), "use 400 or more"},
		{nil, admin.Autoscale(900), `ensure container "vehicle-event": a throughput of autoscale up to 900 RU/s is not possible: use 1000 or more, in steps of 1000`},
		{nil, admin.Autoscale(1500), "steps of 1000"},
		{nil, admin.Autoscale(-1000), "use 1000 or more"},
		{func(p *azcosmos.ContainerProperties) { p.ID = "" }, admin.Manual(400), "id is required"},
		{func(p *azcosmos.ContainerProperties) { p.PartitionKeyDefinition.Paths = nil }, admin.Manual(400), "no partition key"},
		{func(p *azcosmos.ContainerProperties) { p.PartitionKeyDefinition.Paths[0] = "pk" }, admin.Manual(400), `"pk" names no property: begin it with a slash`},
		{func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = ttl(0) }, admin.Manual(400), "time to live of 0 is not possible"},
		{func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = ttl(-2) }, admin.Manual(400), "use nil, -1 or a positive number"},
		{func(p *azcosmos.ContainerProperties) { p.IndexingPolicy = &azcosmos.IndexingPolicy{} }, admin.Manual(400), "indexes nothing by itself: set Automatic"},
	}
	for _, test := range tests {
		container, err := admin.Ensure(t.Context(), db, wanted(test.edit), test.throughput)
		if container != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
	if got := ensureOperations(server); len(got) != 0 {
		t.Errorf("requests were sent: %v", got)
	}
}

func ttl(seconds int32) *int32 { return &seconds }

func TestEnsureWhatIsMissing(t *testing.T) {
	empty, err := emulator.New(t, emulator.Options{}).Client(nil).NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	missing := `ensure container "vehicle-event": the database "db" does not exist: create it with azcosmos.Client.CreateDatabase or az cosmosdb sql database create (status 404/1003)`
	for _, throughput := range []admin.Throughput{
		admin.Manual(400), admin.Autoscale(1000), admin.AnyThroughput(), admin.SharedThroughput(), admin.Serverless(),
	} {
		_, err := admin.Ensure(t.Context(), empty, wanted(nil), throughput)
		var response *azcore.ResponseError
		if err == nil || strings.Replace(err.Error(), "404)", "404/1003)", 1) != missing || !errors.As(err, &response) || errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%v: got %v", throughput, err)
		}
	}
	_, db := kit.NewDatabase(t, emulator.Options{}, nil)
	for _, throughput := range []admin.Throughput{admin.SharedThroughput(), admin.Serverless()} {
		_, err := admin.Ensure(t.Context(), db, wanted(nil), throughput)
		if want := `ensure container "vehicle-event": the account is not serverless and the database "db" has no throughput to share: want Manual or Autoscale`; err == nil || err.Error() != want {
			t.Errorf("%v: got %v, want %s", throughput, err, want)
		}
	}
	serverless := harness.New(t, emulator.Options{Serverless: true}, nil)
	_, err = admin.Ensure(t.Context(), serverless.DB, wanted(nil), admin.Manual(400))
	if want := `ensure container "vehicle-event": the account is serverless and its containers have no throughput: want Serverless() (status 400)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestEnsureFromManyAtOnce(t *testing.T) {
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	before := goleak.IgnoreCurrent()
	start := make(chan struct{})
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			<-start
			if _, err := admin.Ensure(t.Context(), db, wanted(nil), admin.Manual(400)); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	made := 0
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpCreateContainer && r.Status == http.StatusCreated {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d containers were made", made)
	}
	harness.Settled(t, before)
}

func TestEnsureOfACancelledContext(t *testing.T) {
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := admin.Ensure(ctx, db, wanted(nil), admin.Manual(400)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if slices.Contains(ensureOperations(server), emulator.OpCreateContainer) {
		t.Error("a container was created")
	}
}
