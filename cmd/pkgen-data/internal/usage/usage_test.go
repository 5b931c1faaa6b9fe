package usage

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
)

var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// hour is a record of an hour, with tenants.
func hour(n int, tenants ...tenant) record {
	r := record{From: start.Add(time.Duration(n) * time.Hour), To: start.Add(time.Duration(n+1) * time.Hour), Tenants: tenants}
	for _, t := range tenants {
		r.RequestUnits += t.RequestUnits
	}
	return r
}

// of is a tenant with a rate for an hour, and that of its busiest minute.
func of(name, container string, rate, peak float64) tenant {
	return tenant{Tenant: name, Container: container, RequestUnits: 3600 * rate, Requests: int64(rate), Peak: peak}
}

// findings writes findings as name and tenant.
func findings(u *analyze.Used) string {
	var all []string
	for _, f := range u.Findings {
		all = append(all, f.Name+" "+strings.Fields(f.Message)[1])
	}
	return strings.Join(all, ", ")
}

// TestJudge has tenants on both sides of each threshold.
func TestJudge(t *testing.T) {
	throttled := of("c", "shared", 10, 20)
	throttled.Throttled = 3
	uncertain := of("a", "shared", 30, 200)
	uncertain.Error = uncertain.RequestUnits
	many := []tenant{of("large", "shared", 120, 500)}
	for i := range 50 {
		many = append(many, of(fmt.Sprint("t", i), "shared", 20, 50))
	}
	for _, test := range []struct {
		name    string
		records []record
		want    string
	}{
		{"none is much", []record{hour(0, of("a", "shared", 30, 99), of("b", "shared", 10, 20), of("c", "shared", 10, 20))}, ""},
		{"noisy by share", []record{hour(0, of("a", "shared", 30, 100), of("b", "shared", 10, 20), of("c", "shared", 10, 20))}, "noisy-tenant a"},
		{"two alone are no neighborhood", []record{hour(0, of("a", "shared", 30, 300), of("b", "shared", 10, 20))}, ""},
		{"noisy, since others are throttled", []record{hour(0, of("a", "shared", 5, 100), of("b", "shared", 25, 20), throttled)}, "noisy-tenant a"},
		{"what is uncertain is no share", []record{hour(0, uncertain, of("b", "shared", 10, 20), throttled)}, ""},
		{"large", []record{hour(0, many...)}, "large-tenant large"},
		{"own containers", []record{hour(0, of("a", "own-a", 900, 3000), of("b", "own-b", 1, 9.9), of("c", "shared", 1, 1), of("d", "shared", 1, 2))}, "idle-container b"},
		{"the only tenant", []record{hour(0, of("a", "shared", 1, 2))}, ""},
		{"moved meanwhile", []record{
			hour(0, of("a", "shared", 900, 3000), of("b", "shared", 1, 2), of("c", "shared", 1, 2)),
			hour(1, of("a", "own-a", 900, 3000), of("b", "shared", 1, 2), of("c", "shared", 1, 2)),
		}, ""},
		{"moved back", []record{
			hour(0, of("a", "own-a", 1, 2), of("b", "shared", 1, 2), of("c", "shared", 1, 2)),
			hour(1, of("a", "shared", 1, 2), of("b", "shared", 1, 2), of("c", "shared", 1, 2)),
		}, ""},
	} {
		if got := findings(report(test.records)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestSums adds up the records of two programs over two hours.
func TestSums(t *testing.T) {
	first := hour(0, of("a", "shared", 2, 30), of("b", "shared", 1, 5))
	first.Unscoped, first.Forgotten = 7, 1
	var text strings.Builder
	for _, r := range []record{first, hour(0, of("a", "shared", 4, 40)), hour(1, of("a", "shared", 6, 60))} {
		if err := json.NewEncoder(&text).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	u, err := Read(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	a, b := u.Tenants[0], u.Tenants[1]
	if u.Records != 3 || !u.From.Equal(start) || !u.To.Equal(start.Add(2*time.Hour)) || u.RequestUnits != 13*3600 || u.Unscoped != 7 || u.Forgotten != 1 || u.Known != 2 {
		t.Errorf("%+v", u)
	}
	if a.RUs != 6 || a.PeakRUs != 70 || a.Neighbors != 1 || math.Abs(a.Share-12./13) > 1e-9 || b.RUs != 0.5 || b.PeakRUs != 5 {
		t.Errorf("%+v, %+v", a, b)
	}
}

// TestList lists those with most request units, and those with findings.
func TestList(t *testing.T) {
	var all []tenant
	for i := range 300 {
		all = append(all, of(fmt.Sprint("t", i), "shared", float64(300-i), 1))
	}
	u := report([]record{hour(0, append(all, of("idle", "own", 0.5, 1))...)})
	if u.Known != 301 || len(u.Tenants) != 101 || u.Tenants[0].Tenant != "t0" || u.Tenants[100].Tenant != "idle" || findings(u) != "idle-container idle" {
		t.Errorf("%d tenants of %d, %s", len(u.Tenants), u.Known, findings(u))
	}
}

func TestRefused(t *testing.T) {
	const whole = `{"from":"2026-03-01T00:00:00Z","to":"2026-03-01T01:00:00Z","requestUnits":1,"tenants":[]}`
	if _, err := Read(strings.NewReader(whole + "\n" + whole)); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"":                  "is empty",
		"  \n":              "is empty",
		"{":                 "object 1 was not written",
		"[" + whole + "]":   "object 1 was not written",
		whole + `{}`:        "object 2 was not written by a tenancy.Meter: it has no times",
		whole + "\nlogged ": "object 2 was not written",
		strings.Replace(whole, "01:00:00Z", "00:00:00-05:00", 1):                         "",
		strings.Replace(whole, "2026-03-01T01", "2025-03-01T01", 1):                      "ends before it begins",
		strings.Replace(whole, `,"tenants":[]`, "", 1):                                   "no tenants",
		strings.Replace(whole, `:1,`, ":-1,", 1):                                         "not an amount",
		strings.Replace(whole, `[]`, `[{"tenant":""}]`, 1):                               "tenant 1 has no name",
		strings.Replace(whole, `[]`, `[{"tenant":"a"},{"tenant":"b","requests":-1}]`, 1): "tenant 2 is not an amount",
		strings.Replace(whole, `[]`, `[{"tenant":"a","requestUnits":1e300}]`, 1):         "tenant 1 is not an amount",
	} {
		_, err := Read(strings.NewReader(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
