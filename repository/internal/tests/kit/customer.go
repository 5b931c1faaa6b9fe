package kit

import (
	"context"
	"errors"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Customers is a container of orders, payments and memos, which are older than the others
// and have no discriminator.
type Customers struct {
	Server    *harness.Account
	Container *azcosmos.ContainerClient
	Orders    *fixtures.PurchaseRepository
	Payments  *fixtures.PaymentRepository
	Memos     *fixtures.MemoRepository
}

func NewCustomers(t *testing.T) Customers {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("customers", "/customer"), repository.Configure(nil))

	c := Customers{
		server, container,
		fixtures.NewPurchaseRepository(container), fixtures.NewPaymentRepository(container), fixtures.NewMemoRepository(container),
	}
	ctx := context.Background()
	err := errors.Join(
		c.Orders.Create(ctx, &fixtures.Purchase{ID: "o1", Customer: "ann", Total: 3}),
		c.Orders.Create(ctx, &fixtures.Purchase{ID: "o2", Customer: "bob", Total: 4}),
		c.Payments.Create(ctx, &fixtures.Payment{ID: "p1", Customer: "ann", Total: "three"}),
		c.Memos.Create(ctx, &fixtures.Memo{ID: "n1", Customer: "ann", Text: "hello"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
