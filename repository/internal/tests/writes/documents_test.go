package writes

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestCreateGetDelete(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	e := &fleet.VehicleEvent{ID: "e1", Date: kit.Day, VIN: "1HGCM82633A004352", Speed: 88}
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	if e.ETag == "" {
		t.Error("Create did not set the ETag")
	}
	got, err := events.Get(ctx, fleet.VehicleEventKey{ID: "e1", Date: kit.Day, VIN: "1HGCM82633A004352"})
	if err != nil {
		t.Fatal(err)
	}
	if *got != *e {
		t.Errorf("got %+v, want %+v", got, e)
	}
	if err := events.Create(ctx, e); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("second Create: %v", err)
	}
	if err := events.Delete(ctx, e.Key()); err != nil {
		t.Fatal(err)
	}
	if err := events.Delete(ctx, e.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("second Delete: %v", err)
	}
	_, err = events.Get(ctx, e.Key())
	if !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("Get of a deleted document: %v", err)
	}
	var response *azcore.ResponseError
	if !errors.As(err, &response) || response.StatusCode != 404 {
		t.Errorf("the SDK's error is not within: %v", err)
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpReadItem && r.PartitionKey != `["2018-08-09.126"]` {
			t.Errorf("a read went to partition %s", r.PartitionKey)
		}
	}
	if n := server.Documents()[emulator.OpReadItem]; n != 3 {
		t.Errorf("2 Gets and a Create of an id that is taken sent %d reads", n)
	}
}

func TestSyntheticKeyIsWritten(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), nil)
	events := fleet.NewVehicleEventRepository(container)
	e := kit.Event(7)
	if err := events.Create(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	q := events.Scan().WhereRaw(`c.partitionKey = "` + e.PartitionKey() + `"`)
	got, err := q.Collect(context.Background())
	if err != nil || len(got) != 1 || got[0].ID != e.ID {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestReplaceSendsTheETag(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 1)
	first, err := events.Get(ctx, kit.Event(0).Key())
	if err != nil {
		t.Fatal(err)
	}
	second, err := events.Get(ctx, kit.Event(0).Key())
	if err != nil {
		t.Fatal(err)
	}
	first.Speed = 1
	if err := events.Replace(ctx, first); err != nil {
		t.Fatal(err)
	}
	second.Speed = 2
	if err := events.Replace(ctx, second); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("Replace of a stale document: %v", err)
	}
	first.Speed = 3
	if err := events.Replace(ctx, first); err != nil {
		t.Errorf("Replace with the ETag of the write before: %v", err)
	}
	second.ETag = ""
	if err := events.Replace(ctx, second); err != nil {
		t.Errorf("Replace without an ETag: %v", err)
	}
	second.ETag = "stale"
	if err := events.Upsert(ctx, second); err != nil {
		t.Errorf("Upsert is unconditional: %v", err)
	}
	if err := events.Replace(ctx, kit.Event(1)); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("Replace of nothing: %v", err)
	}
}

func TestUpsert(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(0)
	for speed := range 2 {
		e.Speed = speed
		if err := events.Upsert(ctx, e); err != nil {
			t.Fatal(err)
		}
		got, err := events.Get(ctx, e.Key())
		if err != nil || *got != *e {
			t.Fatalf("got %+v, %v, want %+v", got, err, e)
		}
	}
}

func TestBadKeysSendNothing(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	for _, test := range []struct {
		name, field string
		event       fleet.VehicleEvent
	}{
		{"no date", "Date", fleet.VehicleEvent{ID: "1", VIN: "v"}},
		{"no VIN", "VIN", fleet.VehicleEvent{ID: "1", Date: kit.Day}},
		{"no id", "ID", fleet.VehicleEvent{Date: kit.Day, VIN: "v"}},
		{"control character", "Date", fleet.VehicleEvent{ID: "1", Date: "a\x00", VIN: "v"}},
		{"emoji", "Date", fleet.VehicleEvent{ID: "1", Date: "😀", VIN: "v"}},
		{"slash in the id", "ID", fleet.VehicleEvent{ID: "a/b", Date: kit.Day, VIN: "v"}},
		{"too long", "", fleet.VehicleEvent{ID: "1", Date: strings.Repeat("x", 2046), VIN: "v"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server.ResetRequests()
			e := test.event
			calls := map[string]error{
				"Create":  events.Create(ctx, &e),
				"Upsert":  events.Upsert(ctx, &e),
				"Replace": events.Replace(ctx, &e),
				"Delete":  events.Delete(ctx, e.Key()),
			}
			_, calls["Get"] = events.Get(ctx, e.Key())
			if test.field != "ID" {
				_, calls["ByDateAndVIN"] = events.ByDateAndVIN(e.Date, e.VIN).Collect(ctx)
			}
			for call, err := range calls {
				var keyError *partition.KeyError
				if !errors.As(err, &keyError) || keyError.Field != test.field || keyError.Type != "VehicleEvent" {
					t.Errorf("%s: got %v, want a KeyError of field %q", call, err, test.field)
				}
			}
			if n := server.Documents(); len(n) != 0 {
				t.Errorf("requests were sent: %v", n)
			}
			if e != test.event {
				t.Errorf("the document was changed to %+v", e)
			}
		})
	}
	if err := events.Create(ctx, nil); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("Create(nil): %v", err)
	}
}

func TestMissingContainerIsNotAMissingDocument(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), nil)
	if _, err := container.Delete(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	events := fleet.NewVehicleEventRepository(container)
	_, err := events.Get(context.Background(), kit.Event(0).Key())
	if err == nil || errors.Is(err, repository.ErrNotFound) || !strings.Contains(err.Error(), "container") {
		t.Errorf("got %v", err)
	}
}

// TestGetLooksWhoseDocumentItIs has two vehicles of one bucket, and an id of only
// one of them.
func TestGetLooksWhoseDocumentItIs(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(0)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	other := kit.Event(1)
	for n := 1; other.PartitionKey() != e.PartitionKey(); n++ {
		other = kit.Event(n)
	}
	other.ID = e.ID
	if got, err := events.Get(ctx, other.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("vehicle %s got %+v, %v", other.VIN, got, err)
	}
	if err := events.Create(ctx, other); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("Create: %v", err)
	}
}
