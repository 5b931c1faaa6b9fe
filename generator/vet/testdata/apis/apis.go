// Package apis uses documents of the Table API, the API for MongoDB and the Gremlin API.
package apis

import (
	"context"

	"example.com/m/apis/stock"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/table"
)

func entities(ctx context.Context, readings *stock.ReadingRepository, key stock.ReadingKey) error {
	r, err := readings.Get(ctx, key)
	if err != nil {
		return err
	}
	r.Value = 3
	r.Site = "z" // want `assigning to r.Site changes the key of the Reading that was read, and Replace looks for the document under the new key: store it by Create, and call Delete with the key that it was read under`
	if r.Value > 2 {
		r.At = r.At.AddDate(0, 0, 1) // want `assigning to r.At changes the key of the Reading`
	}
	if err := readings.Replace(ctx, r); err != nil {
		return err
	}
	for r, err := range readings.BySite("x").All(ctx) {
		if err != nil {
			return err
		}
		tx := table.NewTransaction()
		r.Device = "y" // want `assigning to r.Device changes the key`
		if err := readings.In(tx).Replace(r); err != nil {
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

func collections(ctx context.Context, parts *stock.PartRepository, key stock.PartKey) error {
	page, err := parts.ByTenant("t").Page(ctx, "", 10)
	if err != nil {
		return err
	}
	for _, p := range page.Items {
		p.Name = "x"
		p.Tenant = "x" // want `assigning to p.Tenant changes the key of the Part that was read, and Upsert refuses, or stores a second document and leaves the first: store it by Create, and call Delete with`
		if err := parts.Upsert(ctx, p); err != nil {
			return err
		}
	}
	p, err := parts.ByTenant("t").First(ctx)
	if err != nil {
		return err
	}
	p.ID = "2" // want `assigning to p.ID changes the key of the Part`
	return parts.Replace(ctx, p)
}

func vertices(ctx context.Context, devices *stock.DeviceRepository, keys []stock.DeviceKey) error {
	many, err := devices.GetMany(ctx, keys)
	if err != nil {
		return err
	}
	many[0].Region = "eu" // want `assigning to many\[0\].Region changes the key of the Device that was read, and Replace looks`
	return devices.Replace(ctx, many[0])
}

func neighbours(ctx context.Context, uses *stock.UsesRepository, devices *stock.DeviceRepository, key stock.DeviceKey) error {
	for d, err := range uses.Out(key).All(ctx) {
		if err != nil {
			return err
		}
		d.Region = "eu" // want `assigning to d.Region changes the key of the Device`
		if err := devices.Upsert(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func dropped(ctx context.Context, readings *stock.ReadingRepository, parts *stock.PartRepository, devices *stock.DeviceRepository, uses *stock.UsesRepository, key stock.DeviceKey) error {
	readings.CreateAll(documents.Items[*stock.Reading]()) // want `CreateAll sends nothing by itself: call Collect or All on its result`
	parts.Scan().All(ctx)                                 // want `All does nothing without a loop over its result: range over it`
	go devices.UpsertAll(nil)                             // want `UpsertAll sends nothing`
	uses.From(key).All(ctx)                               // want `All does nothing without a loop over its result: range over it`
	_ = uses.In(key).All(ctx)                             // want `All does nothing without a loop over its result: range over it`
	tx := table.NewTransaction()                          // want `this transaction is not committed`
	return readings.In(tx).Create(&stock.Reading{ID: "reading_1"})
}

func ignored(ctx context.Context, readings *stock.ReadingRepository) (n int) {
	q := readings.Scan()
	q.Limit(3)                  // want `Limit returns a changed copy of the query, and the copy is not used: write q = q.Limit\(…\)`
	for r := range q.All(ctx) { // want `this loop drops the error of All`
		n += len(r.ID)
	}
	return n
}

func prefixes(ctx context.Context, readings *stock.ReadingRepository, devices *stock.DeviceRepository, uses *stock.UsesRepository) {
	_ = readings.Create(ctx, &stock.Reading{ID: "1", Site: "x"})                                               // want `ids of type Reading begin with "reading_" and more text`
	_, _ = devices.Get(ctx, stock.DeviceKey{ID: "1"})                                                          // want `ids of type Device begin with "device-"`
	_ = uses.Create(ctx, stock.DeviceKey{ID: "device-1"}, stock.DeviceKey{ID: "2"}, &stock.Uses{ID: "uses-1"}) // want `ids of type Device begin with "device-"`
	_, _ = uses.Get(ctx, stock.DeviceKey{ID: "device-1"}, "2")
}

// The rest is as it should be, or not certain.

func moved(ctx context.Context, parts *stock.PartRepository, key stock.PartKey) error {
	p, err := parts.Get(ctx, key)
	if err != nil {
		return err
	}
	p.Tenant = "other"
	if err := parts.Create(ctx, p); err != nil {
		return err
	}
	if err := parts.Delete(ctx, key); err != nil {
		return err
	}
	p.Name = "x"
	return parts.Replace(ctx, p)
}

func movedByUpsert(ctx context.Context, devices *stock.DeviceRepository, key stock.DeviceKey) error {
	d, err := devices.Get(ctx, key)
	if err != nil {
		return err
	}
	d.Region = "other"
	if err := devices.Upsert(ctx, d); err != nil {
		return err
	}
	return devices.Delete(ctx, key)
}

func committed(ctx context.Context, readings *stock.ReadingRepository, r *stock.Reading) error {
	tx := table.NewTransaction()
	if err := readings.In(tx).Create(r); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func edges(ctx context.Context, uses *stock.UsesRepository, key stock.DeviceKey) (n int, err error) {
	e, err := uses.Get(ctx, key, "1")
	if err != nil {
		return 0, err
	}
	e.Edge.ID = "2" // an edge is created anew
	err = uses.Create(ctx, key, key, e.Edge)
	for _, edgeErr := range uses.From(key).All(ctx) {
		if edgeErr == nil {
			n++
		}
	}
	return n, err
}
