package placing

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

var (
	months  = Template{{Text: "telemetry-"}, {Field: "At", Layout: "2006-01"}}
	tenants = Template{{Text: "orders-"}, {Field: "TenantID"}}
	regions = Template{{Field: "Region"}, {Text: "-"}, {Field: "At", Layout: "2006"}}
	hours   = Template{{Text: "h"}, {Field: "At", Layout: "2006010215"}}
)

func TestReadingNames(t *testing.T) {
	at := func(year int, month time.Month, day, hour int) time.Time {
		return time.Date(year, month, day, hour, 0, 0, 0, time.UTC)
	}
	for _, test := range []struct {
		template   Template
		name       string
		ok         bool
		components map[string]string
		start, end time.Time
	}{
		{months, "telemetry-2024-12", true, map[string]string{"At": "2024-12"}, at(2024, 12, 1, 0), at(2025, 1, 1, 0)},
		{months, "telemetry-2024-13", false, nil, time.Time{}, time.Time{}},
		{months, "telemetry-2024-1", false, nil, time.Time{}, time.Time{}},
		{months, "telemetry-2024-01-05", false, nil, time.Time{}, time.Time{}},
		{months, "telemetry-", false, nil, time.Time{}, time.Time{}},
		{months, "Telemetry-2024-01", false, nil, time.Time{}, time.Time{}},
		{tenants, "orders-contoso-eu_2e", true, map[string]string{"TenantID": "contoso-eu_2e"}, time.Time{}, time.Time{}},
		{tenants, "orders-my_archive", false, nil, time.Time{}, time.Time{}},
		{tenants, "orders-a_61", false, nil, time.Time{}, time.Time{}},
		{tenants, "orders-a_2E", false, nil, time.Time{}, time.Time{}},
		{tenants, "orders-a_2", false, nil, time.Time{}, time.Time{}},
		{tenants, "orders-", false, nil, time.Time{}, time.Time{}},
		{tenants, "orders-Contoso", false, nil, time.Time{}, time.Time{}},
		{regions, "eu-2024", true, map[string]string{"Region": "eu", "At": "2024"}, at(2024, 1, 1, 0), at(2025, 1, 1, 0)},
		{regions, "2024-2025", true, map[string]string{"Region": "2024", "At": "2025"}, at(2025, 1, 1, 0), at(2026, 1, 1, 0)},
		{regions, "eu-west-2024", false, nil, time.Time{}, time.Time{}},
		{hours, "h2024022923", true, map[string]string{"At": "2024022923"}, at(2024, 2, 29, 23), at(2024, 3, 1, 0)},
		{hours, "h2023022923", false, nil, time.Time{}, time.Time{}},
	} {
		n, ok := test.template.Read(test.name)
		if ok != test.ok || ok && (!reflect.DeepEqual(n.components, test.components) || !n.Start.Equal(test.start) || !n.End.Equal(test.end)) {
			t.Errorf("%s: %+v, %t", test.name, n, ok)
		}
	}
}

func TestContainersOfKeys(t *testing.T) {
	month := func(m time.Month) time.Time { return time.Date(2024, m, 15, 0, 0, 0, 0, time.UTC) }
	database := []string{"orders-b", "telemetry-2024-03", "telemetry-2023-12", "eu-2024", "us-2024", "eu-2023", "orders-a", "telemetry-2024-01", "other"}
	for _, test := range []struct {
		name     string
		template Template
		keys     generated.Keys
		lists    bool
		want     []string
	}{
		{"all windows", months, generated.Keys{}, true, []string{"telemetry-2023-12", "telemetry-2024-01", "telemetry-2024-03"}},
		{"a few windows", months, generated.Keys{}.Between(month(1), month(3)), false, []string{"telemetry-2024-01", "telemetry-2024-02", "telemetry-2024-03"}},
		{"many windows", months, generated.Keys{}.Between(month(1).AddDate(-10, 0, 0), month(2)), true, []string{"telemetry-2023-12", "telemetry-2024-01"}},
		{"a tenant", tenants, generated.Keys{}.In("orders-c"), false, []string{"orders-c"}},
		{"all tenants", tenants, generated.Keys{}, true, []string{"orders-a", "orders-b"}},
		{"a region", regions, generated.Keys{}.Named("Region", "eu"), true, []string{"eu-2023", "eu-2024"}},
		{"regions of a year", regions, generated.Keys{}.Between(month(1), month(2)), true, []string{"eu-2024", "us-2024"}},
		{"a region and a year", regions, generated.Keys{}.Named("Region", "us").Between(month(1), month(2)), false, []string{"us-2024"}},
	} {
		listed := false
		names, err := test.template.Of(test.keys, "T", 1000, func() ([]string, error) { listed = true; return database, nil })
		got := make([]string, len(names))
		for i, n := range names {
			got[i] = n.Text
			if read, ok := test.template.Read(n.Text); !ok || !read.Start.Equal(n.Start) || !read.End.Equal(n.End) {
				t.Errorf("%s: the period of %s is from %v to %v", test.name, n.Text, n.Start, n.End)
			}
		}
		if err != nil || !slices.Equal(got, test.want) || listed != test.lists {
			t.Errorf("%s: %v, %v, listed %t", test.name, got, err, listed)
		}
	}
	failed := errors.New("no")
	if _, err := months.Of(generated.Keys{}, "T", 10, func() ([]string, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("a list that fails: %v", err)
	}
	if _, err := months.Of(generated.Keys{}.Between(month(1), month(12)), "T", 11, nil); err == nil {
		t.Error("more windows than the limit are not refused")
	}
	if _, err := months.Of(generated.Keys{}.In("elsewhere"), "T", 11, nil); err == nil {
		t.Error("a name that the template does not make is not refused")
	}
}
