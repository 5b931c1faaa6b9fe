package feed_test

import (
	"context"
	"fmt"
	"log"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

func ExampleChanges() {
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
	err = events.Create(ctx, &fleet.VehicleEvent{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352", Speed: 80})
	if err != nil {
		log.Panic(err)
	}

	for change, err := range feed.Changes(ctx, events.Documents, feed.FromBeginning(), feed.UntilCaughtUp()) {
		if err != nil {
			log.Panic(err)
		}
		fmt.Println(change.Doc.VIN, change.Doc.Speed)
	}
	// Output: 1HGCM82633A004352 80
}
