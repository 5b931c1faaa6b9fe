package roundtrip

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"

	"example.com/service/registry"
)

func TestRegistry(t *testing.T) {
	db := database(t)
	uuid := func(b byte) registry.UUID { return registry.UUID{0x6b, 15: b} }
	tenant, other := registry.ObjectID{0x5f, 11: 1}, registry.ObjectID{0x5f, 11: 2}
	instant := repository.NewTime(at)
	t.Run("Device", func(t *testing.T) {
		r, c := in(t, db, registry.EnsureDeviceContainer, registry.NewDeviceRepository)
		f := registry.DeviceFields
		if err := r.Create(t.Context(), &registry.Device{ID: uuid(9), TenantID: other}); err != nil {
			t.Fatal(err)
		}
		if err := r.Create(t.Context(), &registry.Device{ID: uuid(8), TenantID: tenant}); err != nil {
			t.Fatal(err)
		}
		for name, q := range map[string]repository.Query[registry.Device]{
			"Eq":      r.Scan().Where(f.ID.Eq(uuid(9)), f.TenantID.Eq(other)),
			"In":      r.ByTenantID(other).Where(f.ID.In(uuid(1), uuid(9))),
			"Ne":      r.Scan().Where(f.TenantID.Ne(tenant)),
			"Eq zero": r.ByTenantID(other).Where(f.Owner.Eq(registry.UUID{})),
			"Ne zero": r.ByTenantID(other).Where(repository.Not(f.Owner.Ne(registry.UUID{}))),
		} {
			if docs, err := q.Collect(t.Context()); err != nil || len(docs) != 1 || docs[0].ID != uuid(9) {
				t.Errorf("%s: %v, %v", name, docs, err)
			}
		}
		owners, err := repository.Values(r.ByTenantID(tenant), f.TenantID).Distinct().Collect(t.Context())
		if err != nil || len(owners) != 1 || owners[0] != tenant {
			t.Errorf("the tenants are %v, %v", owners, err)
		}
		keys := []registry.DeviceKey{{ID: uuid(9), TenantID: other}, {ID: uuid(9), TenantID: tenant}, {ID: uuid(8), TenantID: tenant}}
		if docs, err := r.GetMany(t.Context(), keys); err != nil || docs[0] == nil || docs[1] != nil || docs[2] == nil {
			t.Errorf("GetMany: %v, %v", docs, err)
		}
		d := &registry.Device{ID: uuid(1), TenantID: tenant, Owner: uuid(2), Seen: instant}
		run(t, c, r, d.Key(), trip[registry.Device]{
			document: d, key: `["5f0000000000000000000001"]`, query: r.ByTenantID(tenant).Where(f.Owner.Eq(uuid(2))),
			changes: list(registry.DevicePatch.Owner.Set(uuid(3))),
			changed: func(d *registry.Device) { d.Owner = uuid(3) },
		})
		for field, d := range map[string]*registry.Device{"ID": {TenantID: tenant}, "TenantID": {ID: uuid(1)}} {
			var keyError *partition.KeyError
			if err := r.Create(t.Context(), d); !errors.As(err, &keyError) || keyError.Field != field || !strings.Contains(keyError.Reason, "zero value") {
				t.Errorf("without %s: %v", field, err)
			}
		}
	})
	t.Run("Report", func(t *testing.T) {
		r, c := in(t, db, registry.EnsureReportContainer, registry.NewReportRepository)
		d := &registry.Report{ID: uuid(1), DeviceID: uuid(2), At: instant}
		run(t, c, r, d.Key(), trip[registry.Report]{
			document: d, key: `["6b000000-0000-0000-0000-000000000002-2024-06"]`,
			query:   r.ByDeviceIDBetween(uuid(2), at, at.Add(time.Nanosecond)),
			changes: list(registry.ReportPatch.Level.Set(3)),
			changed: func(d *registry.Report) { d.Level = 3 },
		})
		if err := r.Create(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		for _, q := range []repository.Query[registry.Report]{
			r.ByDeviceIDBetween(uuid(2), at.Add(time.Nanosecond), at.Add(time.Hour)), r.ByDeviceIDBetween(uuid(2), at.Add(-time.Hour), at),
		} {
			if docs, err := q.Collect(t.Context()); err != nil || len(docs) != 0 {
				t.Errorf("a range without the instant of a report finds %v, %v", docs, err)
			}
		}
	})
	t.Run("Batch", func(t *testing.T) {
		r, c := in(t, db, registry.EnsureBatchContainer, registry.NewBatchRepository)
		d := &registry.Batch{ID: tenant}
		run(t, c, r, d.Key(), trip[registry.Batch]{
			document: d, key: `["5f0000000000000000000001"]`, query: r.Scan(),
			changes: list(registry.BatchPatch.Size.Set(2)),
			changed: func(d *registry.Batch) { d.Size = 2 },
		})
	})
	t.Run("Shift", func(t *testing.T) {
		r, c := in(t, db, registry.EnsureShiftContainer, registry.NewShiftRepository)
		d := &registry.Shift{ID: "s", TenantID: tenant, Site: uuid(4)}
		run(t, c, r, d.Key(), trip[registry.Shift]{
			document: d, key: `["5f0000000000000000000001","6b000000-0000-0000-0000-000000000004"]`, query: r.ByTenantID(tenant),
			changes: list(registry.ShiftPatch.Crew.Set(2)),
			changed: func(d *registry.Shift) { d.Crew = 2 },
		})
	})
	t.Run("Delivery", func(t *testing.T) {
		r, c := in(t, db, registry.EnsureDeliveryContainer, registry.NewDeliveryRepository)
		d := &registry.Delivery{
			ID: "d", TenantID: "t", To: registry.Address{Name: "Ann", Place: registry.Place{City: "Bern"}}, Street: registry.Street{Name: "Hauptgasse"},
		}
		run(t, c, r, d.Key(), trip[registry.Delivery]{
			document: d, key: `["t","Bern","hauptgasse"]`, query: r.ByTenantIDAndCity("t", "Bern"),
			changes: list(registry.DeliveryPatch.Weight.Set(2)),
			changed: func(d *registry.Delivery) { d.Weight = 2 },
		})
	})
	t.Run("Discount", func(t *testing.T) {
		r, c := in(t, db, registry.EnsureDiscountContainer, registry.NewDiscountRepository)
		d := &registry.Discount{ID: "d", CustomerID: "a:b", Date: instant}
		run(t, c, r, d.Key(), trip[registry.Discount]{
			document: d, key: `["a%3Ab:2024:6:1"]`, query: r.ByCustomerIDAndDate("a:b", at),
			changes: list(registry.DiscountPatch.Percent.Set(2)),
			changed: func(d *registry.Discount) { d.Percent = 2 },
		})
		key, err := registry.ParseDiscountPartitionKey(d.PartitionKey())
		if err != nil || key.PartitionKey() != d.PartitionKey() || key.CustomerID != "a:b" || key.Date != partition.Day(at) {
			t.Errorf("the key is parsed as %+v, %v", key, err)
		}
	})
	t.Run("Odd", func(t *testing.T) {
		r, c := in(t, db, registry.EnsureOddContainer, registry.NewOddRepository)
		d := &registry.Odd{ID: registry.Twofold{0xab}, Name: "n"}
		if err := r.Create(t.Context(), d); err == nil || !strings.Contains(err.Error(), "the property /id is not the text of its field") {
			t.Errorf("a document whose id is another one is stored: %v", err)
		}
		if _, err := c.ReadItem(t.Context(), partitionKey(t, `["n"]`), "AB00", nil); err == nil {
			t.Error("it is stored under its JSON")
		}
	})
}
