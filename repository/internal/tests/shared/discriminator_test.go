package shared

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestDiscriminator has three types in one container, each of which sees its own.
func TestDiscriminator(t *testing.T) {
	c := kit.NewCustomers(t)
	ctx := context.Background()
	if got, err := repository.Sum(ctx, c.Orders.Scan(), documents.Number[fixtures.Purchase, int]("/total")); err != nil || got != 7 {
		t.Errorf("the orders add up to %v, %v", got, err)
	}
	if got, err := c.Payments.Scan().Collect(ctx); err != nil || len(got) != 1 || got[0].Kind != "payment" {
		t.Errorf("the payments are %v, %v", got, err)
	}
	inPartition := c.Memos.ByCustomer("ann")
	if got, err := inPartition.Collect(ctx); err != nil || len(got) != 1 || got[0].Text != "hello" {
		t.Errorf("the memos are %v, %v", got, err)
	}
	if n, err := c.Memos.Scan().Count(ctx); err != nil || n != 1 {
		t.Errorf("there are %d memos, %v", n, err)
	}

	for name, get := range map[string]func() error{
		"order": func() error { _, err := c.Orders.Get(ctx, fixtures.PurchaseKey{ID: "p1", Customer: "ann"}); return err },
		"memo":  func() error { _, err := c.Memos.Get(ctx, fixtures.MemoKey{ID: "p1", Customer: "ann"}); return err },
		"nobody": func() error {
			_, err := c.Payments.Get(ctx, fixtures.PaymentKey{ID: "p2", Customer: "ann"})
			return err
		},
	} {
		err := get()
		if !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		if told := strings.Contains(err.Error(), `of another type: its property type says so`); told != (name != "nobody") {
			t.Errorf("%s: %v", name, err)
		}
	}
	keys := []fixtures.PurchaseKey{{ID: "o1", Customer: "ann"}, {ID: "p1", Customer: "ann"}, {ID: "n1", Customer: "ann"}, {ID: "o2", Customer: "bob"}}
	docs, err := c.Orders.GetMany(ctx, keys)
	if err != nil || docs[0] == nil || docs[1] != nil || docs[2] != nil || docs[3] == nil {
		t.Errorf("GetMany gave %v, %v", docs, err)
	}
}

// TestDiscriminatorIsWritten checks the stored documents, and fields that hold
// the property.
func TestDiscriminatorIsWritten(t *testing.T) {
	c := kit.NewCustomers(t)
	ctx := context.Background()
	for id, want := range map[string]any{"o1": "order", "p1": "payment", "n1": nil} {
		response, err := c.Container.ReadItem(ctx, azcosmos.NewPartitionKeyString("ann"), id, nil)
		if err != nil {
			t.Fatal(err)
		}
		var stored map[string]any
		if err := json.Unmarshal(response.Value, &stored); err != nil || stored["type"] != want {
			t.Errorf("%s is stored as %v, %v", id, stored, err)
		}
	}
	err := c.Payments.Upsert(ctx, &fixtures.Payment{ID: "p2", Customer: "ann", Kind: "order"})
	if err == nil || !strings.Contains(err.Error(), `property type has a value of its own, and has to be "payment"`) {
		t.Errorf("a payment that says it is an order: %v", err)
	}
	if err := c.Payments.Upsert(ctx, &fixtures.Payment{ID: "p1", Customer: "ann", Kind: "payment", Total: "four"}); err != nil {
		t.Errorf("a payment that says so: %v", err)
	}
	if err := c.Orders.Create(ctx, &fixtures.Purchase{ID: "p1", Customer: "ann"}); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("the id of another type's document: %v", err)
	}
}
