// Package keys uses what is generated for the other packages.
package keys

import (
	"testing"
	"time"

	"example.com/apis/ledger"
	"example.com/apis/shop"
	"example.com/apis/social"
)

var at = time.Date(2024, 6, 1, 2, 3, 4, 0, time.UTC)

// key is what every generated key has.
type key interface {
	PartitionKey() string
	Validate() error
}

func TestKeys(t *testing.T) {
	audit := &ledger.Audit{Entity: ledger.Entity{ID: "a_1", Created: at}, Tenant: "acme_eu"}
	if row := audit.Key().RowKey(); row != "2516850934159999999_a%5F1" {
		t.Errorf("row %s", row)
	}
	for _, test := range []struct {
		key  key
		want string
	}{
		{audit.Key(), "acme%5Feu_2024-06"},
		{(&ledger.Meter{ID: "m1", Hour: at, Customer: "c7"}).Key(), "2024-06-01T02.15"},
		{(&ledger.Setting{ID: "theme"}).Key(), "theme"},
		{(&ledger.Invoice{ID: "inv_1", Customer: -12}).Key(), "-12"},
		{(&shop.Order{Document: shop.Document{ID: "o1"}, Customer: "c7"}).Key(), "c7"},
		{(&shop.Review{ID: "r1", Product: "p9"}).Key(), "p9.31"},
		{(&shop.Visit{ID: "v1", Day: "2024-06-01", Stored: "2024-06-01.16"}).Key(), "2024-06-01.16"},
		{(&shop.Product{ID: "p9"}).Key(), "p9"},
		{(&social.Person{Node: social.Node{ID: "ann", Region: "eu"}}).Key(), "eu.6"},
		{(&social.Company{Node: social.Node{ID: "acme", Region: "eu"}}).Key(), "c-eu"},
	} {
		if err := test.key.Validate(); err != nil {
			t.Error(err)
		}
		if got := test.key.PartitionKey(); got != test.want {
			t.Errorf("%T: %s, want %s", test.key, got, test.want)
		}
	}
	if (ledger.InvoiceKey{ID: "1", Customer: 1}).Validate() == nil {
		t.Error("an id without its prefix")
	}
}

// TestRepositories makes the repositories, and a query of each kind that the types have.
// Nothing is sent.
func TestRepositories(t *testing.T) {
	audits := ledger.NewAuditRepository(nil)
	_ = audits.ByTenantAndCreated("acme", at).Where(ledger.AuditFields.Failed.Eq(true), ledger.AuditFields.Level.Ge(3)).Limit(10)
	orders := shop.NewOrderRepository
	people := social.NewPersonRepository
	works := social.NewWorksAtRepository
	if orders == nil || people == nil || works == nil {
		t.Error("a repository is missing")
	}
	_ = []any{shop.EnsureOrderCollection, shop.OrderFields.Ship.City, shop.OrderFields.Status.Eq("open"), social.PersonFields.Born.Lt(at), social.FollowedByFields.ID}
}
