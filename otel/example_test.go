package cosmosotel_test

import (
	"context"
	"fmt"
	"log"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	cosmosotel "github.com/cosmos-pkgen/pkgen/otel"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

func ExampleOptions() {
	server, err := emulator.Start(emulator.Options{})
	if err != nil {
		log.Fatal(err)
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
	spans := tracetest.NewInMemoryExporter()
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))

	events := fleet.NewVehicleEventRepository(container, cosmosotel.Options(cosmosotel.TracerProvider(tracers))...)
	err = events.Create(ctx, &fleet.VehicleEvent{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"})
	fmt.Println(spans.GetSpans()[0].Name, err)
	// Output: create_item vehicle-event <nil>
}
