package roundtrip

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"example.com/service/metering"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// tenants have names that try to be more than a value, and such as differ in case alone.
var tenants = []string{"contoso", "Contoso", "con", `x" OR "1"="1`, "a-b", "ü"}

// TestTenants compares what repositories of one tenant read of a shared container, and
// of a container each, with a model.
func TestTenants(t *testing.T) {
	db, ctx := database(t), t.Context()
	invoices, _ := in(t, db, metering.EnsureInvoiceContainer, metering.NewInvoiceRepository)
	statements := metering.NewStatementRepository(db)
	model := map[metering.InvoiceKey]int{}
	for n, tenant := range tenants {
		own := invoices.For(tenant)
		if _, err := metering.EnsureStatementContainer(ctx, db, tenant, admin.Manual(400)); err != nil {
			t.Fatal(err)
		}
		if err := statements.For(tenant).Create(ctx, &metering.Statement{ID: "1", TenantID: tenant, Month: "2024-06"}); err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			doc := &metering.Invoice{ID: fmt.Sprint(i), TenantID: tenant, CustomerID: fmt.Sprint("c", i%2), Total: 10*n + i}
			if err := own.Create(ctx, doc); err != nil {
				t.Fatal(err)
			}
			model[doc.Key()] = doc.Total
		}
	}
	for n, tenant := range tenants {
		own, of := invoices.For(tenant), statements.For(tenant)
		all, err := own.Scan().OrderBy(metering.InvoiceFields.Total.Asc()).Collect(ctx)
		if err != nil || len(all) != 4 || all[3].Total != 10*n+3 || all[0].TenantID != tenant {
			t.Errorf("%q: %v, %v", tenant, all, err)
		}
		if got, err := metering.Dearer(ctx, invoices, tenant, "c1", "1"); err != nil || got != 2 {
			t.Errorf("%q has %d invoices, %v", tenant, got, err)
		}
		for what, q := range map[string]repository.Query[metering.Statement]{"Scan": of.Scan(), "ByMonth": of.ByMonth("2024-06")} {
			if docs, err := q.Collect(ctx); err != nil || len(docs) != 1 || docs[0].TenantID != tenant {
				t.Errorf("%s of %q: %v, %v", what, tenant, docs, err)
			}
		}
		other := tenants[(n+1)%len(tenants)]
		key := metering.InvoiceKey{ID: "1", TenantID: other, CustomerID: "c1"}
		_, err = own.Get(ctx, key)
		_, elsewhere := of.Get(ctx, metering.StatementKey{ID: "1", TenantID: other, Month: "2024-06"})
		if !errors.Is(err, repository.ErrTenant) || !errors.Is(own.Delete(ctx, key), repository.ErrTenant) || !errors.Is(elsewhere, repository.ErrTenant) {
			t.Errorf("%q reads what is of %q: %v, %v", tenant, other, err, elsewhere)
		}
		if _, err := own.DeleteFound(own.ByCustomerID("c1")).Collect(ctx); err != nil {
			t.Error(err)
		}
		maps.DeleteFunc(model, func(k metering.InvoiceKey, _ int) bool { return k.TenantID == tenant && k.CustomerID == "c1" })
		left := map[metering.InvoiceKey]int{}
		for doc, err := range invoices.Scan().All(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			left[doc.Key()] = doc.Total
		}
		if !maps.Equal(left, model) {
			t.Errorf("after the deletions of %q: %v, want %v", tenant, left, model)
		}
	}
	if _, err := invoices.For("").Scan().Collect(ctx); err == nil {
		t.Error("the empty tenant is not refused")
	}
}
