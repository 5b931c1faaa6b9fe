package repository_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// This file holds the examples of docs/querying.md and docs/errors.md, which a
// test compares with it, so that they compile. They run in tests of their own.

func exampleAll(ctx context.Context, events *fleet.VehicleEventRepository) error {
	for event, err := range events.ByDate("2018-08-09").All(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(event.VIN)
	}
	return nil
}

func exampleBuilders(ctx context.Context, events *fleet.VehicleEventRepository) error {
	f := fleet.VehicleEventFields
	day := events.ByDate("2018-08-09")
	fast := day.Where(f.Speed.Gt(120))
	fastest := day.OrderBy(f.Speed.Desc()).Limit(10)

	q := day.WhereRaw("c.speed % @n = 0", azcosmos.QueryParameter{Name: "@n", Value: 10})
	for _, q := range []repository.Query[fleet.VehicleEvent]{fast, fastest, q} {
		if _, err := q.Collect(ctx); err != nil {
			return err
		}
	}
	return nil
}

func exampleAggregates(ctx context.Context, events *fleet.VehicleEventRepository) error {
	f := fleet.VehicleEventFields
	day := events.ByDate("2018-08-09")
	{
		n, err := day.Count(ctx)
		if err != nil {
			return err
		}
		sum, err := repository.Sum(ctx, day, f.Speed)
		if err != nil {
			return err
		}
		fastest, ok, err := repository.Max(ctx, day, f.Speed)
		fmt.Println(n, sum, fastest, ok)
		if err != nil {
			return err
		}
	}
	type sighting struct {
		VIN string    `json:"vin"`
		At  time.Time `json:"at"`
	}
	for s, err := range repository.Select[sighting](day).All(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(s.VIN, s.At)
	}
	vins, err := repository.Values(day, f.VIN).Distinct().Collect(ctx)
	fmt.Println(vins)
	return err
}

func exampleClient(connection string) (*azcosmos.Client, error) {
	client, err := azcosmos.NewClientFromConnectionString(connection, repository.Configure(nil))
	return client, err
}

func examplePlan(ctx context.Context, events *fleet.VehicleEventRepository) error {
	day := events.ByDate("2018-08-09")
	{
		plan, err := day.Plan(ctx)
		fmt.Println(plan) // scoped: 400 logical partitions, 5 requests, …
		if err != nil {
			return err
		}
	}
	var meter repository.Meter
	found, err := day.Collect(repository.WithMeter(ctx, &meter))
	log.Printf("%d documents, %d requests, %.1f RU", len(found), meter.Requests(), meter.RequestUnits())
	return err
}

func exampleAdvice(ctx context.Context, day repository.Query[fleet.VehicleEvent]) error {
	var metrics repository.IndexMetrics
	_, err := day.Page(repository.WithIndexMetrics(ctx, &metrics), "", 10)
	for _, text := range metrics.Texts() {
		log.Println(text)
	}
	for _, advice := range metrics.Advice() {
		log.Println(advice.Rule, advice.Message, advice.Link)
	}
	return err
}

func exampleErrors(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	event, err := events.Get(ctx, key)
	switch {
	case errors.Is(err, repository.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	fmt.Println(event.Speed)

	err = events.Create(ctx, event)
	if errors.Is(err, repository.ErrUnclear) {
		_, err = events.Get(ctx, event.Key()) // says whether it is there
	}
	var keyError *partition.KeyError
	if errors.As(err, &keyError) {
		fmt.Println(keyError.Field, keyError.Reason)
	}
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		fmt.Println(response.Error()) // the service's own message: for a person, not for a log that many read
	}
	return err
}

func exampleMany(ctx context.Context, events *fleet.VehicleEventRepository, keys []fleet.VehicleEventKey) error {
	found, err := events.GetMany(ctx, keys)
	fmt.Println(len(found))
	return err
}

func examplePage(ctx context.Context, events *fleet.VehicleEventRepository, cursor string) (string, error) {
	f := fleet.VehicleEventFields
	day := events.ByDate("2018-08-09")
	page, err := day.OrderBy(f.Speed.Desc()).Page(ctx, cursor, 50)
	if err != nil {
		return "", err
	}
	for _, event := range page.Items {
		fmt.Println(event.ID, event.Speed)
	}
	return page.Cursor, nil
}

func exampleCursorKey(ctx context.Context, container *azcosmos.ContainerClient, key, earlier []byte, cursor string) error {
	{
		events := fleet.NewVehicleEventRepository(container, repository.WithCursorKey(key))
		if _, err := events.Scan().Page(ctx, "", 50); err != nil {
			return err
		}
	}
	events := fleet.NewVehicleEventRepository(container, repository.WithCursorKey(key, earlier))
	q := events.Scan()
	page, err := q.Page(ctx, cursor, 50)
	if errors.Is(err, repository.ErrCursor) {
		page, err = q.Page(ctx, "", 50)
	}
	fmt.Println(len(page.Items))
	return err
}

func exampleSession(ctx context.Context, events *fleet.VehicleEventRepository, event *fleet.VehicleEvent) error {
	var session repository.Session // of one user, say
	ctx = repository.WithSession(ctx, &session)
	if err := events.Upsert(ctx, event); err != nil {
		return err
	}
	again, err := events.Get(ctx, event.Key()) // sees the write
	fmt.Println(again)
	return err
}

// trips is a repository of trips, as far as the examples need one.
type trips interface {
	ByVIN(vin string) repository.Query[Trip]
}

func exampleFields(trips trips, vin string, at time.Time) []any {
	f := TripFields
	q := trips.ByVIN(vin).Where(f.Distance.Gt(400), f.Stops.Ge(2), f.Tags.Contains("night"))

	fmt.Println(f.Errors.Key("P0300").Gt(3)) // errors.P0300 > 3

	long := repository.And(f.Distance.Gt(400), f.Stops.Ge(2))
	other := repository.Not(f.VIN.Eq("1HGCM82633A004352"))

	fmt.Println(f.Ended.Gt(at)) // ended > 2018-08-09T06:05:04.12Z

	return []any{q, long, other}
}
