package tenants

import (
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	residence "github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// lookUps counts the point reads of a directory.
func lookUps(server *harness.Account) int { return server.Documents()[emulator.OpReadItem] }

// lookUpOnce checks that many readers of one tenant send one request.
func lookUpOnce(t *testing.T, server *harness.Account, first *tenancy.TenantDirectory) {
	t.Helper()
	ctx := t.Context()
	before := lookUps(server)
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() {
			r, err := first.Residence(ctx, "orders", "contoso")
			if err != nil || r.Container != "" || r.State != tenancy.ResidenceSettled || r.Version != 0 || time.Until(r.Until) > time.Hour || time.Until(r.Until) < time.Minute {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
	readers.Wait()
	if n := lookUps(server) - before; n != 1 {
		t.Errorf("20 readers at once have sent %d lookups", n)
	}
}

// TestTenantDirectory looks up tenants, from memory and after changes by others.
func TestTenantDirectory(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	ctx := t.Context()
	first, err := tenancy.EnsureTenantDirectory(ctx, db, "directory", admin.Manual(400), tenancy.WithResidenceTTL(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tenancy.EnsureTenantDirectory(ctx, db, "directory", admin.Manual(400), tenancy.WithResidenceTTL(time.Minute)); err == nil {
		t.Error("the directory has another time, and says nothing")
	}
	container, err := db.NewContainer("directory")
	if err != nil {
		t.Fatal(err)
	}
	second := tenancy.NewTenantDirectory(container)
	for _, d := range []*tenancy.TenantDirectory{first, second} {
		if _, err := d.Residence(ctx, "orders", "x"); err != nil { // reads the times, too
			t.Fatal(err)
		}
	}
	lookUpOnce(t, server, first)

	records := residence.NewRecords(container)
	d, err := records.Read(ctx, "orders", "contoso")
	if err != nil {
		t.Fatal(err)
	}
	d.Container, d.State, d.Version, d.Switches = "orders-contoso", residence.Moving, 1, 1
	if d, err = records.Write(ctx, d); err != nil {
		t.Fatal(err)
	}
	stale := d
	stale.ETag = ""
	_, err = records.Write(ctx, stale)
	kit.WantError(t, "a document that somebody else has made", err, residence.ErrChanged)
	stale.ETag = "old"
	_, err = records.Write(ctx, stale)
	kit.WantError(t, "a document that somebody else has changed", err, residence.ErrChanged)

	if r, err := first.Residence(ctx, "orders", "contoso"); err != nil || r.Version != 0 {
		t.Errorf("from memory: %v, %v", r, err)
	}
	if r, err := first.Residence(ctx, "invoices", "contoso"); err != nil || r.Version != 0 {
		t.Errorf("in another shared container: %v, %v", r, err)
	}
	for range 2 {
		r, err := second.Residence(ctx, "orders", "contoso")
		if err != nil || r.Container != "orders-contoso" || r.State != tenancy.ResidenceMoving || r.Version != 1 || r.Switches != 1 {
			t.Errorf("looked up: %v, %v", r, err)
		}
	}
	if r, err := first.Refresh(ctx, "orders", "contoso"); err != nil || r.Version != 1 {
		t.Errorf("looked up anew: %v, %v", r, err)
	}
	if r, err := first.Residence(ctx, "orders", "contoso"); err != nil || r.Version != 1 {
		t.Errorf("from memory then: %v, %v", r, err)
	}
	for shared, want := range map[string]int{"": 1, "orders": 1, "invoices": 0} {
		all, err := second.Tenants(ctx, shared)
		if err != nil || len(all) != want || want == 1 && (all[0].Tenant != "contoso" || all[0].Container != "orders-contoso") {
			t.Errorf("tenants of %q: %v, %v", shared, all, err)
		}
	}
}

// TestTenantDirectoryFails has requests of a directory that fail, and readers that give up.
func TestTenantDirectoryFails(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	ctx := t.Context()
	d, err := tenancy.EnsureTenantDirectory(ctx, db, "directory", admin.Manual(400))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Residence(ctx, "orders", "x"); err != nil {
		t.Fatal(err)
	}
	server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: 403, Count: -1})
	b := kit.BidsOf(db, d)
	for name, read := range bidReads {
		if _, err := read(ctx, b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, write := range bidWrites {
		if err := write(ctx, b, "a"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	server.ClearFaults()
	if _, err := d.Residence(ctx, "bids", "t"); err != nil {
		t.Errorf("after the failure: %v", err)
	}
	for name, d := range map[string]*tenancy.TenantDirectory{"nil": tenancy.NewTenantDirectory(nil)} {
		if _, err := d.Residence(ctx, "orders", "x"); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := d.Tenants(ctx, ""); err == nil {
			t.Errorf("%s: no error of Tenants", name)
		}
	}
}
