package windows

import (
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

func template(t *testing.T, layout, after string) Template {
	t.Helper()
	tmpl, err := NewTemplate([]generated.ContainerPart{{Text: "telemetry-"}, {Field: "Region"}, {Text: "-"}, {Field: "At", Layout: layout}, {Text: after}}, map[string]string{"Region": "eu"})
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

func date(year int, month time.Month, day, hour int) time.Time {
	return time.Date(year, month, day, hour, 0, 0, 0, time.UTC)
}

func TestPeriodsOfWindows(t *testing.T) {
	for _, test := range []struct {
		layout     string
		start, end time.Time
		name       string
	}{
		{"2006", date(2024, 1, 1, 0), date(2025, 1, 1, 0), "telemetry-eu-2024"},
		{"2006-01", date(2024, 2, 1, 0), date(2024, 3, 1, 0), "telemetry-eu-2024-02"},
		{"200601", date(2024, 12, 1, 0), date(2025, 1, 1, 0), "telemetry-eu-202412"},
		{"2006-01-02", date(2024, 2, 29, 0), date(2024, 3, 1, 0), "telemetry-eu-2024-02-29"},
		{"2006-01-02-15", date(2024, 12, 31, 23), date(2025, 1, 1, 0), "telemetry-eu-2024-12-31-23"},
	} {
		for _, after := range []string{"", "-x"} {
			tmpl := template(t, test.layout, after)
			want := Window{test.name + after, test.start, test.end}
			if got := tmpl.at(test.start); got != want {
				t.Errorf("%s: got %v, want %v", test.layout, got, want)
			}
			if got, ok := tmpl.Named(want.Name); !ok || got != want {
				t.Errorf("%s: got %v, %t, want %v", want.Name, got, ok, want)
			}
		}
	}
}

// TestNamesThatAreNoWindows has names that look much like those of windows.
func TestNamesThatAreNoWindows(t *testing.T) {
	tmpl := template(t, "2006-01", "")
	for _, name := range []string{
		"", "telemetry-eu-", "telemetry-eu-2024", "telemetry-eu-2024-2", "telemetry-eu-2024-13", "telemetry-eu-2024-02-01", "telemetry-eu-2024-02x",
		"telemetry-us-2024-02", "xtelemetry-eu-2024-02", "Telemetry-eu-2024-02", "telemetry-eu-2024-02 ", "telemetry-eu-02024-02", "telemetry-eu2024-02",
	} {
		if w, ok := tmpl.Named(name); ok {
			t.Errorf("%q is %v", name, w)
		}
	}
}

func TestTemplatesThatMakeNoWindows(t *testing.T) {
	for name, parts := range map[string][]generated.ContainerPart{
		"no time":  {{Text: "orders-"}, {Field: "Region"}},
		"no text":  {{Field: "Other"}, {Field: "At", Layout: "2006"}},
		"no parts": nil,
		"too long": {{Text: strings.Repeat("x", 252)}, {Field: "At", Layout: "2006"}},
	} {
		if _, err := NewTemplate(parts, map[string]string{"Region": "eu"}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRangesOfWindows(t *testing.T) {
	tmpl := template(t, "2006-01-02", "")
	for _, test := range []struct {
		from, to time.Time
		n        int // 0 is an error
	}{
		{date(2024, 1, 1, 0), date(2024, 1, 2, 0), 1},
		{date(2024, 1, 1, 0), date(2024, 1, 2, 1), 2},
		{date(2024, 1, 1, 23), date(2024, 1, 2, 0), 1},
		{date(2024, 1, 1, 0), date(2025, 1, 1, 0), 366},
		{date(2024, 1, 1, 0), date(2025, 5, 15, 0), 500},
		{date(2024, 1, 1, 0), date(2025, 5, 16, 0), 0},
		{date(2024, 1, 1, 0), date(2024, 1, 1, 0), 0},
		{date(2024, 1, 2, 0), date(2024, 1, 1, 0), 0},
		{time.Time{}, date(2024, 1, 1, 0), 0},
	} {
		list, err := tmpl.between(test.from, test.to)
		if len(list) != test.n || (err != nil) != (test.n == 0) {
			t.Errorf("%v to %v: %d windows, %v; want %d", test.from, test.to, len(list), err, test.n)
		}
	}
}
