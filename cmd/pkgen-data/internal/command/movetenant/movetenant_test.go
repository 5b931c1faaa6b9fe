package movetenant

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// tenantsLock has a type whose tenants move, and one whose tenants do not.
const tenantsLock = `version 2

container memos
	path /pk
	kind Hash
	version 2
	type Memo {tenant}
		component tenant text
		property /id string
		property /tenant string

container orders
	path /tenantId
	kind Hash
	version 2
	type Order {tenantId} own=orders-{tenantId}
		component tenantId text
		property /id string
		property /tenantId string

end
`

func newTenantsRig(t *testing.T) *rig.Rig {
	t.Helper()
	r := rig.New(t, Command())
	if err := os.WriteFile(lock.FileName, []byte(tenantsLock), 0o600); err != nil {
		t.Fatal(err)
	}
	container := func(id, path string) string {
		return fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":[%q],"kind":"Hash","version":2}}`, id, path)
	}
	r.Load("shop", container("orders", "/tenantId"), `{"id":"1","tenantId":"Contoso"}`, `{"id":"2","tenantId":"Contoso"}`, `{"id":"1","tenantId":"b"}`)
	r.Load("shop", container("orders-_43ontoso", "/tenantId"))
	r.Load("shop", container("tenants", "/id"), `{"id":"settings","ttlMilliseconds":10,"graceMilliseconds":10}`)
	return r
}

// TestMoveTenant moves a tenant into its own container, by the template in the lock, and
// back.
func TestMoveTenant(t *testing.T) {
	r := newTenantsRig(t)
	code, stdout, stderr := r.Run("move-tenant", "-tenant", "Contoso", "-dry-run")
	if code != cli.Done || stdout != "tenant Contoso: 2 documents would move from container orders to container orders-_43ontoso\n" {
		t.Fatalf("%d, %s%s", code, stdout, stderr)
	}
	begun := time.Now()
	code, stdout, stderr = r.Run("move-tenant", "-tenant", "Contoso", "-queries", "0s", "-budget", "100000")
	if waited := time.Since(begun); waited > 30*time.Second {
		t.Errorf("-queries 0s waited for %v", waited)
	}
	if code != cli.Done || !strings.HasPrefix(stdout, "tenant Contoso: 2 documents, ") || !strings.Contains(stdout, "writes were blocked for ") {
		t.Fatalf("%d, %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr = r.Run("move-tenant", "-tenant", "Contoso"); code != cli.Done || !strings.Contains(stdout, "lives in container orders-_43ontoso already") {
		t.Errorf("again: %d, %s%s", code, stdout, stderr)
	}
	code, stdout, stderr = r.Run("move-tenant", "-tenant", "Contoso", "-queries", "0s", "-shared", "orders", "-to", "orders", "-database", "shop", "-format", "json")
	var report moveTenantReport
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != cli.Done || report.Documents != 2 || report.Removed != 2 || report.To != "orders" || report.Step != "done" {
		t.Errorf("back: %d, %s%s, %v", code, stdout, stderr, err)
	}
}

// TestMoveTenantRefused says which flag is wrong.
func TestMoveTenantRefused(t *testing.T) {
	r := newTenantsRig(t)
	for _, tt := range []struct {
		args string
		want string
	}{
		{"", "name the tenant, by -tenant"},
		{"-tenant b -shared orders", "-shared needs -to"},
		{"-tenant b -shared orders -to x -type Order", "-shared excludes -type"},
		{"-tenant b -type Memo", "no type of the packages has own="},
		{"-tenant b -type Missing", `has a type "Missing"`},
		{"-tenant b", `there is no container "orders-b": create it first`},
		{"-tenant b -directory missing", `database "shop" has no container "missing" for the tenant directory`},
		{"-tenant b -to orders-_43ontoso -budget 5", "a budget of 5 request units a second is too small"},
		{"-tenant b -database other", "404"},
		{"-tenant b -queries -1s", "takes less than no time"},
	} {
		code, stdout, stderr := r.Run(append([]string{"move-tenant"}, strings.Fields(tt.args)...)...)
		if code != cli.Failed || !strings.Contains(stderr, tt.want) || stdout != "" {
			t.Errorf("%q: %d, %s%s, want %s", tt.args, code, stdout, stderr, tt.want)
		}
	}
	long := strings.Repeat("ä", 100)
	if code, _, stderr := r.Run("move-tenant", "-tenant", long); code != cli.Failed || !strings.Contains(stderr, "the id of the tenant's own container would have 607 characters") {
		t.Errorf("%d, %s", code, stderr)
	}
}

// TestMoveTenantBar: each step has a line of its own, which fits a terminal of 80 columns
// with the seconds that follow it.
func TestMoveTenantBar(t *testing.T) {
	for _, tt := range []struct {
		summary tenancy.MoveSummary
		want    string
	}{
		{tenancy.MoveSummary{}, "checking the containers"},
		{tenancy.MoveSummary{Step: "marked"}, "waiting until all programs have read that the tenant moves"},
		{tenancy.MoveSummary{Step: "copying", Total: 2_000_000, Documents: 1_000_000, RequestUnits: 12_000_000}, "50%, 1000000 documents, 12000000 RU"},
		{tenancy.MoveSummary{Step: "closing", Documents: 3}, "100%, 3 documents, 0 RU"},
		{tenancy.MoveSummary{Step: "switched"}, "moved; waiting until no program reads the old documents"},
		{tenancy.MoveSummary{Step: "switched", Removed: 100_000_000}, "moved; removing the old documents, 100000000 so far"},
	} {
		if got := moveTenantBar(tt.summary); !strings.Contains(got, tt.want) || len(got) > 72 {
			t.Errorf("%+v: %q, want %q in 72 characters", tt.summary, got, tt.want)
		}
	}
}
