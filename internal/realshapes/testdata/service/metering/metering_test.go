package metering

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

func month(m time.Month, day int) time.Time { return time.Date(2024, m, day, 12, 30, 0, 0, time.UTC) }

func database(t *testing.T) *azcosmos.DatabaseClient {
	t.Helper()
	client := emulator.New(t, emulator.Options{Partitions: 3}).Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "metering"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("metering")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// TestBounds stores readings of now and of before now, in a window that began long ago.
func TestBounds(t *testing.T) {
	db := database(t)
	always := admin.WithEnsureContainer(func(string) admin.Throughput { return admin.AnyThroughput() })
	readings := NewReadingRepository(db, always, repository.WithWindowBounds(time.Hour, time.Hour))
	for later, want := range map[time.Duration]error{
		0: nil, -50 * time.Minute: nil, 50 * time.Minute: nil,
		-70 * time.Minute: repository.ErrOutOfBounds, 70 * time.Minute: repository.ErrOutOfBounds, -800 * time.Hour: repository.ErrOutOfBounds,
	} {
		reading := &Reading{ID: later.String(), DeviceID: "d", At: time.Now().Add(later)}
		if err := readings.Create(t.Context(), reading); !errors.Is(err, want) {
			t.Errorf("%v from now: %v, want %v", later, err, want)
		}
	}
}

// TestWindows stores readings of three months, of which one has no window at first.
func TestWindows(t *testing.T) {
	db := database(t)
	ctx := t.Context()
	for _, m := range []time.Month{time.July, time.August} {
		c, err := EnsureReadingContainer(ctx, db, month(m, 1), admin.Autoscale(1000))
		if err != nil {
			t.Fatal(err)
		}
		if want := (ReadingKey{At: month(m, 1)}).Container(); c.ID() != want || want != "telemetry-"+month(m, 1).Format("2006-01") {
			t.Errorf("container %q, want %q", c.ID(), want)
		}
	}
	readings := NewReadingRepository(db)
	all := []*Reading{
		{ID: "1", DeviceID: "d", At: month(time.July, 31), Value: 1},
		{ID: "2", DeviceID: "d", At: month(time.August, 1), Value: 2},
		{ID: "2", DeviceID: "e", At: month(time.August, 2), Value: 4},
		{ID: "3", DeviceID: "d", At: month(time.September, 1), Value: 8},
	}
	for _, r := range all[:3] {
		if err := readings.Create(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := readings.Create(ctx, all[3]); !errors.Is(err, repository.ErrNoContainer) || !strings.Contains(err.Error(), "EnsureReadingContainer") {
		t.Errorf("a month without a window: %v", err)
	}
	if _, err := readings.Get(ctx, all[3].Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("a read of a month without a window: %v", err)
	}
	if err := store(ctx, db, all[3]); err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		got, err := readings.Get(ctx, ReadingKey{ID: r.ID, DeviceID: r.DeviceID, At: r.At})
		if err != nil || got.Value != r.Value {
			t.Errorf("%s in %s: %+v, %v", r.ID, r.Key().Container(), got, err)
		}
	}
	if _, err := readings.Get(ctx, ReadingKey{ID: "1", DeviceID: "d", At: month(time.August, 1)}); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the document of another month: %v", err)
	}
	queriesOfReadings(t, db)
	if err := readings.Delete(ctx, all[0].Key()); err != nil {
		t.Error(err)
	}
	var problem *partition.KeyError
	if _, err := EnsureReadingContainer(ctx, db, time.Time{}, admin.Autoscale(1000)); !errors.As(err, &problem) || problem.Field != "At" {
		t.Errorf("the zero time: %v", err)
	}
	list, err := ReadingWindows(db).List(ctx)
	if err != nil || len(list) != 3 {
		t.Errorf("windows: %v, %v", list, err)
	}
}

// TestTenants stores orders of tenants whose names differ in case and signs alone, and
// refuses what makes no legal name before a request.
func TestTenants(t *testing.T) {
	db := database(t)
	ctx := t.Context()
	orders := NewOrderRepository(db)
	names := map[string]string{"contoso": "orders-contoso", "Contoso": "orders-_43ontoso", "contoso_": "orders-contoso_5f", "con/toso": "orders-con_2ftoso", "größe-1": "orders-gr_c3_b6_c3_9fe-1"}
	for tenant, want := range names {
		if id, err := admit(ctx, db, tenant); err != nil || id != want {
			t.Fatalf("%s: %s, %v", tenant, id, err)
		}
		if err := orders.Create(ctx, &Order{ID: "1", TenantID: tenant, CustomerID: "c", Total: len(tenant)}); err != nil {
			t.Fatal(err)
		}
	}
	for tenant := range names {
		queriesOfOrders(t, orders, tenant)
		if o, err := orders.Get(ctx, OrderKey{ID: "1", TenantID: tenant, CustomerID: "c"}); err != nil || o.TenantID != tenant {
			t.Errorf("%s: %+v, %v", tenant, o, err)
		}
	}
	for _, tenant := range []string{"", "a\x00b", "\xff", strings.Repeat("ä", 50), strings.Repeat("a", 249)} {
		var problem *partition.KeyError
		if err := orders.Create(ctx, &Order{ID: "1", TenantID: tenant, CustomerID: "c"}); !errors.As(err, &problem) || problem.Field != "TenantID" {
			t.Errorf("%.20q: %v", tenant, err)
		}
		if _, err := admit(ctx, db, tenant); !errors.As(err, &problem) || problem.Field != "TenantID" {
			t.Errorf("the container of %.20q: %v", tenant, err)
		}
	}
}

// TestTiers moves a tenant to a container of its own, up to the switch, and finds its
// bookings before and after.
func TestTiers(t *testing.T) {
	t.Parallel()
	db := database(t)
	ctx := t.Context()
	if _, err := EnsureBookingContainer(ctx, db, admin.AnyThroughput()); err != nil {
		t.Fatal(err)
	}
	directory, err := tenancy.EnsureTenantDirectory(ctx, db, "tenants", admin.AnyThroughput(),
		tenancy.WithResidenceTTL(time.Second), tenancy.WithResidenceGrace(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	bookings, err := openBookings(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	for i, tenant := range []string{"contoso", "contoso", "fabrikam"} {
		booking := &Booking{ID: strconv.Itoa(i), TenantID: tenant, Room: "12"}
		if err := bookings.For(tenant).Create(ctx, booking); err != nil {
			t.Fatal(err)
		}
	}
	count := func(when string) {
		t.Helper()
		for tenant, want := range map[string]int{"contoso": 2, "fabrikam": 1} {
			if n, err := bookingsOf(ctx, bookings, tenant, "12"); err != nil || n != want {
				t.Errorf("%s: %s has %d bookings, want %d, %v", when, tenant, n, want, err)
			}
		}
	}
	count("before")
	moving, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- moveOut(moving, db, directory, "contoso") }()
	for own := false; !own; {
		select {
		case err := <-done:
			t.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
		lives, err := directory.Refresh(ctx, BookingContainer().ID, "contoso")
		if err != nil {
			t.Fatal(err)
		}
		own = lives.Container == BookingKey{TenantID: "contoso"}.OwnContainer()
	}
	count("after the switch")
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a move that is stopped: %v", err)
	}
	count("after the move was stopped")
}

// TestRegions shares containers between two types.
func TestRegions(t *testing.T) {
	db := database(t)
	ctx := t.Context()
	usage, limits := NewUsageRepository(db), NewLimitRepository(db)
	at := func(year int) repository.Time {
		return repository.NewTime(time.Date(year, time.March, 1, 8, 0, 0, 0, time.UTC))
	}
	for _, region := range []string{"eu-west", "us"} {
		for _, year := range []int{2023, 2024} {
			if _, err := EnsureUsageContainer(ctx, db, region, at(year).Time(), admin.Manual(400)); err != nil {
				t.Fatal(err)
			}
			u := &Usage{ID: "usage-" + region, Region: region, Meter: Meter{Account: -7}, At: at(year)}
			if err := usage.Create(ctx, u); err != nil {
				t.Fatal(err)
			}
			if err := limits.Create(ctx, &Limit{ID: "limit-" + region, Region: region, Account: "-7", Since: at(year)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := (UsageKey{Region: "eu-west", At: at(2024).Time()}).Container(); got != "usage-eu_2dwest-2024" {
		t.Error(got)
	}
	queriesOfUsage(t, usage, limits, at(2023).Time(), at(2024).Time())
	if err := usage.Delete(ctx, UsageKey{ID: "usage-us", Region: "us", Account: -7, At: at(2024).Time()}); err != nil {
		t.Error(err)
	}
}
