package documents_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

func ExampleBulk_Collect() {
	server, err := emulator.Start(emulator.Options{})
	if err != nil {
		log.Panic(err)
	}
	defer server.Close()
	ctx := context.Background()
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "fleet"}, nil); err != nil {
		log.Panic(err)
	}
	db, err := client.NewDatabase("fleet")
	if err != nil {
		log.Panic(err)
	}
	container, err := fleet.EnsureVehicleEventContainer(ctx, db, admin.Autoscale(4000))
	if err != nil {
		log.Panic(err)
	}
	events := fleet.NewVehicleEventRepository(container)
	list := []*fleet.VehicleEvent{
		{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"},
		{ID: "2", Date: "2018-08-09", VIN: "1HGCM82633A004352"},
		{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"}, // is there then
	}

	summary, err := events.CreateAll(documents.Items(list...)).Collect(ctx)
	fmt.Println(summary.Items, summary.AlreadyExists, errors.Is(err, documents.ErrAlreadyExists))
	// Output: 3 1 true
}

// A condition is a value, which several queries may use.
func ExamplePredicate() {
	f := fleet.VehicleEventFields
	fast := documents.And(f.Speed.Gt(120), documents.Not(f.VIN.StartsWith("1HG")))
	fmt.Println(fast)
	fmt.Println(f.Speed.Desc())
	// Output:
	// (speed > 120) AND (NOT (vin starts with "1HG"))
	// speed DESC
}
