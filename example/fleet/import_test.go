package fleet_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

func TestImportNamesTheLine(t *testing.T) {
	client := emulator.New(t, emulator.Options{}).Client(repository.Configure(nil))
	ctx := context.Background()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	container, err := fleet.EnsureVehicleEventContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	events := fleet.NewVehicleEventRepository(container)

	const good = `{"id":"e1","date":"2018-08-09","vin":"1HGCM82633A004352"}` + "\n"
	if spread, err := fleet.Import(ctx, events, strings.NewReader(good)); err != nil || spread["2018-08-09.126"] != 1 {
		t.Errorf("got %v, %v", spread, err)
	}
	_, err = fleet.Import(ctx, events, strings.NewReader(good+"{"))
	if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("of a broken line: %v", err)
	}
	_, err = fleet.Import(ctx, events, strings.NewReader(good+`{"id":"e2","date":"2018-08-09"}`))
	var keyError *partition.KeyError
	if !errors.As(err, &keyError) || keyError.Field != "VIN" || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("of an event without a VIN: %v", err)
	}
}
