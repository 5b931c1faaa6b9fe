package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Orders, payments and memos share a container. Memos are older than the others,
// and have no discriminator.
type (
	purchase struct {
		ID       string `json:"id"`
		Customer string `json:"customer"`
		Total    int    `json:"total"`
	}
	payment struct {
		ID       string `json:"id"`
		Customer string `json:"customer"`
		Kind     string `json:"type"` // holds the discriminator
		Total    string `json:"total"`
	}
	memo struct {
		ID       string `json:"id"`
		Customer string `json:"customer"`
		Text     string `json:"text"`
	}
	customerKey struct{ ID, Customer string }
)

func (customerKey) Validate() error { return nil }

func customerModel[T any](name string, key func(*T) customerKey, d generated.Discriminator) *generated.Model[T, customerKey] {
	d.Property = "type"
	return &generated.Model[T, customerKey]{
		Type: name, Path: "/customer", Discriminator: &d, Key: key,
		ID:   func(k customerKey) string { return k.ID },
		Text: func(k customerKey) string { return k.Customer },
	}
}

var (
	purchaseModel = customerModel("order", func(o *purchase) customerKey { return customerKey{o.ID, o.Customer} }, generated.Discriminator{Value: "order"})
	paymentModel  = customerModel("payment", func(p *payment) customerKey { return customerKey{p.ID, p.Customer} }, generated.Discriminator{Value: "payment"})
	memoModel     = customerModel("memo", func(n *memo) customerKey { return customerKey{n.ID, n.Customer} }, generated.Discriminator{Others: []string{"order", "payment"}})
)

// customers is the container of them all.
type customers struct {
	server    *harness.Account
	container *azcosmos.ContainerClient
	orders    *repository.Documents[purchase, customerKey]
	payments  *repository.Documents[payment, customerKey]
	memos     *repository.Documents[memo, customerKey]
}

func newCustomers(t *testing.T) customers {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("customers", "/customer"), repository.Configure(nil))

	c := customers{
		server, container,
		repository.New(container, purchaseModel), repository.New(container, paymentModel), repository.New(container, memoModel),
	}
	ctx := context.Background()
	err := errors.Join(
		c.orders.Create(ctx, &purchase{ID: "o1", Customer: "ann", Total: 3}),
		c.orders.Create(ctx, &purchase{ID: "o2", Customer: "bob", Total: 4}),
		c.payments.Create(ctx, &payment{ID: "p1", Customer: "ann", Total: "three"}),
		c.memos.Create(ctx, &memo{ID: "n1", Customer: "ann", Text: "hello"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDiscriminator has three types in one container, each of which sees its own.
func TestDiscriminator(t *testing.T) {
	c := newCustomers(t)
	ctx := context.Background()
	if got, err := repository.Sum(ctx, c.orders.Scan(), repository.Number[purchase, int]("/total")); err != nil || got != 7 {
		t.Errorf("the orders add up to %v, %v", got, err)
	}
	if got, err := c.payments.Scan().Collect(ctx); err != nil || len(got) != 1 || got[0].Kind != "payment" {
		t.Errorf("the payments are %v, %v", got, err)
	}
	inPartition := repository.NewQuery(c.memos, generated.Partition("ann"))
	if got, err := inPartition.Collect(ctx); err != nil || len(got) != 1 || got[0].Text != "hello" {
		t.Errorf("the memos are %v, %v", got, err)
	}
	if n, err := c.memos.Scan().Count(ctx); err != nil || n != 1 {
		t.Errorf("there are %d memos, %v", n, err)
	}

	key := customerKey{"p1", "ann"}
	for name, get := range map[string]func() error{
		"order":  func() error { _, err := c.orders.Get(ctx, key); return err },
		"memo":   func() error { _, err := c.memos.Get(ctx, key); return err },
		"nobody": func() error { _, err := c.payments.Get(ctx, customerKey{"p2", "ann"}); return err },
	} {
		err := get()
		if !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		if told := strings.Contains(err.Error(), `of another type: its property type says so`); told != (name != "nobody") {
			t.Errorf("%s: %v", name, err)
		}
	}
	keys := []customerKey{{"o1", "ann"}, {"p1", "ann"}, {"n1", "ann"}, {"o2", "bob"}}
	docs, err := c.orders.GetMany(ctx, keys)
	if err != nil || docs[0] == nil || docs[1] != nil || docs[2] != nil || docs[3] == nil {
		t.Errorf("GetMany gave %v, %v", docs, err)
	}
}

// TestDiscriminatorIsWritten checks the stored documents, and fields that hold
// the property.
func TestDiscriminatorIsWritten(t *testing.T) {
	c := newCustomers(t)
	ctx := context.Background()
	for id, want := range map[string]any{"o1": "order", "p1": "payment", "n1": nil} {
		response, err := c.container.ReadItem(ctx, azcosmos.NewPartitionKeyString("ann"), id, nil)
		if err != nil {
			t.Fatal(err)
		}
		var stored map[string]any
		if err := json.Unmarshal(response.Value, &stored); err != nil || stored["type"] != want {
			t.Errorf("%s is stored as %v, %v", id, stored, err)
		}
	}
	err := c.payments.Upsert(ctx, &payment{ID: "p2", Customer: "ann", Kind: "order"})
	if err == nil || !strings.Contains(err.Error(), `property type has a value of its own, and has to be "payment"`) {
		t.Errorf("a payment that says it is an order: %v", err)
	}
	if err := c.payments.Upsert(ctx, &payment{ID: "p1", Customer: "ann", Kind: "payment", Total: "four"}); err != nil {
		t.Errorf("a payment that says so: %v", err)
	}
	if err := c.orders.Create(ctx, &purchase{ID: "p1", Customer: "ann"}); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("the id of another type's document: %v", err)
	}
}
