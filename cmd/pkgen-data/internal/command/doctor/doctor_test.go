package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/movetenant"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/doctor"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/testdata/shop"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestDoctorAgrees compares pkgen-data doctor with what Ensure says of the same containers.
func TestDoctorAgrees(t *testing.T) {
	t.Setenv("COSMOS_CONNECTION_STRING", harness.Listen(t, harness.Bare(t, server.Options{}), nil))
	a, err := target.OpenAccount()
	if err != nil {
		t.Fatal(err)
	}
	client, err := movetenant.OpenClient(a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []azcosmos.ContainerProperties{shop.OrderContainer(), shop.MemoContainer(), shop.TaskContainer(), shop.LineContainer()} {
		if _, err := admin.Ensure(t.Context(), db, want, admin.AnyThroughput()); err != nil {
			t.Fatal(err)
		}
	}
	if code, checks := doctorChecks(t); code != cli.Done {
		t.Errorf("exit code %d: %+v", code, checks)
	}
	const left = "a killed pkgen-data doctor -probe left it, or one is running; Azure bills its 11,400 RU/s"
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "pkgen-probe-7"}, nil); err != nil {
		t.Fatal(err)
	}
	if code, checks := doctorChecks(t); code != cli.Done || !has(checks, doctor.Note, "database pkgen-probe-7", left) {
		t.Errorf("exit code %d: %+v", code, checks)
	}
	for _, want := range []azcosmos.ContainerProperties{shop.OrderContainer(), shop.MemoContainer(), shop.TaskContainer(), shop.LineContainer()} {
		container, err := db.NewContainer(want.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := container.Delete(t.Context(), nil); err != nil && !strings.Contains(err.Error(), "404") {
			t.Fatal(err)
		}
		other := azcosmos.ContainerProperties{
			ID:                     want.ID,
			PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/other"}, Version: 2},
			IndexingPolicy:         &azcosmos.IndexingPolicy{Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent, ExcludedPaths: []azcosmos.ExcludedPath{{Path: "/*"}}},
		}
		ttl := int32(60)
		other.DefaultTimeToLive = &ttl
		if _, err := db.CreateContainer(t.Context(), other, nil); err != nil && !strings.Contains(err.Error(), "409") {
			t.Fatal(err)
		}
		_, err = admin.Ensure(t.Context(), db, want, admin.AnyThroughput())
		var differs *admin.ContainerError
		if !errors.As(err, &differs) {
			t.Fatal(err)
		}
		code, checks := doctorChecks(t)
		if code != cli.Found {
			t.Errorf("exit code %d", code)
		}
		for _, d := range differs.Differences {
			what := fmt.Sprintf("container %q of \"db\", %s", want.ID, d.Property)
			if found := fmt.Sprintf("have %s, want %s", d.Have, d.Want); !has(checks, doctor.Wrong, what, found) {
				t.Errorf("no check %s: %s in %+v", what, found, checks)
			}
		}
	}
}

func has(checks []doctor.Check, state doctor.State, what, found string) bool {
	for _, c := range checks {
		if c.State == state && c.What == what && c.Found == found {
			return true
		}
	}
	return false
}

// doctorChecks runs pkgen-data doctor on package shop.
func doctorChecks(t *testing.T) (code int, checks []doctor.Check) {
	t.Helper()
	var stdout, stderr strings.Builder
	code = run(t.Context(), []string{"doctor", "-format", "json", "../../../../pkgen/testdata/shop"}, &stdout, &stderr)
	var report doctor.Report
	if err := json.Unmarshal([]byte(stdout.String()), &report); err != nil || stderr.Len() > 0 {
		t.Fatalf("exit code %d, %v: %s\n%s", code, err, &stdout, &stderr)
	}
	return code, report.Checks
}
