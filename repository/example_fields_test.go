package repository_test

import (
	"context"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// Trip is a document with fields of several kinds.
type Trip struct {
	ID       string          `json:"id"`
	VIN      string          `json:"vin"`
	Distance float64         `json:"distance"`          // km
	Stops    int             `json:"stops,omitempty"`   // zero is left out
	Ended    repository.Time `json:"ended,omitzero"`    // the zero time is left out
	Tags     []string        `json:"tags"`              // nil is null
	Errors   map[string]int  `json:"errors,omitempty"`  // by code
	Driver   *Driver         `json:"driver,omitempty"`  // nil is left out
	Order    string          `json:"order"`             // a reserved word of SQL
	Uploaded time.Time       `json:"uploaded,omitzero"` // not comparable as text
}

// Driver is who drove.
type Driver struct {
	Age int `json:"age,omitempty"`
}

// TripFields names the properties of a Trip.
var TripFields = struct {
	VIN       documents.String[Trip, string]
	Distance  documents.Number[Trip, float64]
	Stops     documents.Number[Trip, int]
	Ended     documents.Instant[Trip]
	Tags      documents.List[Trip, string]
	Errors    documents.Map[Trip, documents.Number[Trip, int]]
	Driver    documents.Object[Trip]
	DriverAge documents.Number[Trip, int]
	Order     documents.String[Trip, string]
	Uploaded  documents.Opaque[Trip]
}{
	VIN:       "/vin",
	Distance:  "/distance",
	Stops:     "?/stops",
	Ended:     "?/ended",
	Tags:      "/tags",
	Errors:    "?/errors",
	Driver:    "/driver",
	DriverAge: "?1/driver/age",
	Order:     "/order",
	Uploaded:  "?/uploaded",
}

// speedOf and vinOf are fields of fleet's events.
const (
	speedOf documents.Number[fleet.VehicleEvent, int]    = "/speed"
	vinOf   documents.String[fleet.VehicleEvent, string] = "/vin"
)

func ExampleQuery_Where() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()

	// Each Where returns a changed copy: fast stays as it is.
	fast := events.ByDate("2018-08-09").Where(speedOf.Ge(120))
	ours := fast.Where(vinOf.In("1HGCM82633A000121", "1HGCM82633A000001"))
	for _, q := range []repository.Query[fleet.VehicleEvent]{fast, ours} {
		found, err := q.Collect(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(found))
	}
	// Output:
	// 20
	// 1
}

func ExamplePredicate() {
	f := TripFields
	for _, p := range []repository.Predicate[Trip]{
		f.Distance.Between(10, 50.5),
		f.VIN.StartsWith("1HG"),
		f.Order.Eq("return"),
		f.Tags.Contains("night"),
		f.Errors.Key("P0300").Gt(3),
		repository.IsDefined(f.Driver),
	} {
		fmt.Println(p)
	}
	// Output:
	// distance between 10 and 50.5
	// vin starts with "1HG"
	// order = "return"
	// tags has the element "night"
	// errors.P0300 > 3
	// driver is defined
}

// An absent property counts as zero where Go leaves a zero out.
func ExamplePredicate_omitted() {
	f := TripFields
	fmt.Println(f.Stops.Lt(3))
	fmt.Println(f.Stops.Gt(3))
	fmt.Println(f.DriverAge.Eq(0)) // of a driver whose age is not known
	// Output:
	// stops < 3 or absent
	// stops > 3
	// driver.age = 0 or absent
}

func ExampleAnd() {
	f := TripFields
	long := repository.And(f.Distance.Gt(400), f.Stops.Ge(2))
	fmt.Println(long)
	// Output: (distance > 400) AND (stops >= 2)
}

func ExampleOr() {
	var codes []repository.Predicate[Trip]
	for _, code := range []string{"P0300", "P0420"} {
		codes = append(codes, repository.IsDefined(TripFields.Errors.Key(code)))
	}
	fmt.Println(repository.Or(codes...))
	fmt.Println(repository.Or[Trip]()) // one of nothing
	// Output:
	// (errors.P0300 is defined) OR (errors.P0420 is defined)
	// false
}

// Ne asks for another value, Not for everything else.
func ExampleNot() {
	f := TripFields
	fmt.Println(f.VIN.Ne("1HGCM82633A004352"))
	fmt.Println(repository.Not(f.VIN.Eq("1HGCM82633A004352")))
	// Output:
	// vin != "1HGCM82633A004352"
	// NOT (vin = "1HGCM82633A004352")
}

func ExampleNewTime() {
	paris := time.FixedZone("CEST", 2*3600)
	at := repository.NewTime(time.Date(2018, 8, 9, 8, 5, 4, 120_000_000, paris))
	fmt.Println(at)
	fmt.Println(TripFields.Ended.Gt(at.Time()))
	// Output:
	// 2018-08-09T06:05:04.1200000Z
	// ended > 2018-08-09T06:05:04.12Z
}

func ExampleOrder() {
	for _, o := range []repository.Order[Trip]{TripFields.Ended.Desc(), TripFields.VIN.Asc()} {
		fmt.Println(o)
	}
	// Output:
	// ended DESC
	// vin ASC
}

// eventsOfADay starts an emulator with 140 events, of speeds from 0 to 139.
func eventsOfADay() (events *fleet.VehicleEventRepository, stop func()) {
	server, err := emulator.Start(emulator.Options{Partitions: 5})
	must(err)
	ctx := context.Background()
	client := server.Client(repository.Configure(nil))
	_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil)
	must(err)
	db, err := client.NewDatabase("db")
	must(err)
	properties := fleet.VehicleEventContainer()
	_, err = db.CreateContainer(ctx, properties, nil)
	must(err)
	container, err := db.NewContainer(properties.ID)
	must(err)
	events = fleet.NewVehicleEventRepository(container)
	for n := range 140 {
		must(events.Create(ctx, kit.Event(n)))
	}
	return events, server.Close
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
