package analyze

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// TestAnalyzeUsage reads what a tenancy.Meter wrote, outside of any module.
func TestAnalyzeUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	meter := new(tenancy.Meter)
	for i := range 20 {
		meter.Observe(context.Background(), repository.Event{Tenant: fmt.Sprint("tenant-", i), Container: "orders", RequestUnits: 100})
	}
	meter.Observe(context.Background(), repository.Event{Tenant: "\x1b[31mred", Container: "orders", RequestUnits: 40_000})
	meter.Observe(context.Background(), repository.Event{RequestUnits: 2000})
	text, err := json.Marshal(meter.Take())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"usage.ndjson": string(text) + "\n", "bad.json": "{}"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, r := analyzedReport(t, "usage", "usage.ndjson", "-fail-on", analyze.NoisyTenant)
	if u := r.Usage; code != cli.Found || u == nil || u.RequestUnits != 44_000 || u.Unscoped != 2000 || u.Known != 21 || u.Tenants[0].RequestUnits != 40_000 || u.Tenants[0].Neighbors != 20 {
		t.Errorf("%d, %+v", code, r.Usage)
	}
	for format, wants := range map[string][]string{
		"text":   {"use by tenant: 21 tenants, 44000 RU", "warning noisy-tenant: tenant \\x1b[31mred used 95% of the request units of container orders", "belong to no tenant"},
		"github": {"::warning::use by tenant: noisy-tenant: tenant "},
	} {
		code, stdout, stderr := analyzed(t, "usage", "usage.ndjson", "-format", format, "-o", "page.html")
		flat := strings.Join(strings.Fields(stdout), " ")
		for _, want := range wants {
			if code != cli.Done || !strings.Contains(flat, want) || strings.Contains(stdout, "\x1b") {
				t.Errorf("%s: %d, %q, want %q, %s", format, code, stdout, want, stderr)
			}
		}
	}
	page, err := os.ReadFile("page.html")
	if err != nil || !strings.Contains(string(page), "Use by tenant") || !strings.Contains(string(page), "tenant-7") {
		t.Errorf("%v, %d bytes", err, len(page))
	}
	for args, want := range map[string]string{
		"usage bad.json":     "bad.json: object 1 was not written by a tenancy.Meter",
		"usage missing.json": "missing.json",
	} {
		if code, stdout, stderr := analyzed(t, strings.Fields(args)...); code != cli.Failed || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d, %s%s, want %s", args, code, stdout, stderr, want)
		}
	}
	if code, stdout, stderr := analyzed(t, "usage"); code != cli.Failed || stdout != "" || !strings.Contains(stderr, "pkgen-data usage FILE") {
		t.Errorf("%d, %s%s", code, stdout, stderr)
	}
}
