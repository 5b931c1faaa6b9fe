package metering

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// ids returns the ids of the documents of a query, in its order.
func ids[T any](t *testing.T, q repository.Query[T], id func(*T) string) []string {
	t.Helper()
	var out []string
	for d, err := range q.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, id(d))
	}
	return out
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// queriesOfReadings asks for the readings of TestWindows, in windows and over them.
func queriesOfReadings(t *testing.T, db *azcosmos.DatabaseClient) {
	t.Helper()
	readings := NewReadingRepository(db)
	id := func(r *Reading) string { return r.ID + r.DeviceID }
	same(t, "a device", ids(t, readings.ByDeviceID("d"), id), "1d", "2d", "3d")
	same(t, "two months", ids(t, readings.ByDeviceIDBetweenMonths("d", month(time.July, 1), month(time.August, 30)), id), "1d", "2d")
	same(t, "a month of no window", ids(t, readings.ScanBetweenMonths(month(time.May, 1), month(time.June, 30)), id))
	same(t, "all", ids(t, readings.Scan().OrderBy(ReadingFields.Value.Desc()), id), "3d", "2e", "2d", "1d")
	if total, err := sum(t.Context(), db, "d", month(time.August, 1), month(time.September, 1)); err != nil || total != 10 {
		t.Errorf("the sum is %v, %v", total, err)
	}
}

// queriesOfOrders asks for the one order of a tenant, and for that of a tenant who can
// have none.
func queriesOfOrders(t *testing.T, orders *OrderRepository, tenant string) {
	t.Helper()
	id := func(o *Order) string { return o.TenantID }
	same(t, "a tenant", ids(t, orders.ByTenantID(tenant), id), tenant)
	same(t, "a customer of a tenant", ids(t, orders.ByTenantIDAndCustomerID(tenant, "c"), id), tenant)
	same(t, "another customer", ids(t, orders.ByTenantIDAndCustomerID(tenant, "d"), id))
	same(t, "a tenant without a container", ids(t, orders.ByTenantID("fabrikam"), id))
	var problem *partition.KeyError
	if _, err := orders.ByTenantID("\xff").Collect(t.Context()); !errors.As(err, &problem) || problem.Field != "TenantID" {
		t.Errorf("a query of a tenant who can have no container: %v", err)
	}
}

// queriesOfUsage asks for the documents of TestRegions, of two days in two years.
func queriesOfUsage(t *testing.T, usage *UsageRepository, limits *LimitRepository, first, second time.Time) {
	t.Helper()
	id := func(u *Usage) string { return u.ID + u.At.Time().Format("2006") }
	same(t, "a day", ids(t, usage.ByRegionAndAccountAndAt("us", -7, second), id), "usage-us2024")
	same(t, "a range", ids(t, usage.ByRegionAndAccountBetween("us", -7, first, second), id), "usage-us2023")
	same(t, "a region", ids(t, usage.ByRegion("eu-west"), id), "usage-eu-west2023", "usage-eu-west2024")
	same(t, "a year", ids(t, usage.ByRegionBetween("us", second, second.AddDate(1, 0, 0)), id), "usage-us2024")
	same(t, "all", ids(t, usage.Scan().Where(UsageFields.Region.Eq("us")), id), "usage-us2023", "usage-us2024")
	if n, err := limits.Scan().Count(t.Context()); err != nil || n != 4 {
		t.Errorf("%d limits, %v", n, err)
	}
}
