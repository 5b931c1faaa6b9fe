package kit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// SaleModel and LineModel are those of types with ids of their own: the run time only looks
// whether there is a prefix.
var SaleModel, LineModel = func() (generated.Model[fixtures.Sale, fixtures.SaleKey], generated.Model[fixtures.Line, fixtures.LineKey]) {
	sale, line := *fixtures.SaleModel, *fixtures.LineModel
	sale.Prefix, line.Prefix = "*", "*"
	return sale, line
}()

var ShopContainer = harness.Properties("shop", "/customer")

// Shop is an empty container of sales and lines.
type Shop struct {
	Server    *harness.Account
	Container *azcosmos.ContainerClient
	Sales     *repository.Documents[fixtures.Sale, fixtures.SaleKey]
	Lines     *repository.Documents[fixtures.Line, fixtures.LineKey]
}

func NewShop(t testing.TB, perCall ...policy.Policy) Shop {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, ShopContainer, repository.Configure(harness.Impatient(perCall...)))
	return Shop{server, container, repository.New(container, &SaleModel), repository.New(container, &LineModel)}
}

// ByCustomer is the logical partition of a customer.
func ByCustomer(customer string) generated.Keys {
	return generated.Partition(customer, partition.Text("Customer", customer))
}

// Commit commits a transaction that add fills.
func Commit(ctx context.Context, add ...func(*repository.Transaction) error) error {
	tx := repository.NewTransaction()
	for _, add := range add {
		if err := add(tx); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// SaleContent is a logical partition: the text of each id's document, which is the
// total of a sale and the SKU of a line.
type SaleContent map[string]string

// Read returns what the customer has.
func (s Shop) Read(t testing.TB, customer string) SaleContent {
	t.Helper()
	all := SaleContent{}
	for p, err := range repository.NewQuery(s.Sales, ByCustomer(customer)).All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		all[p.ID] = fmt.Sprint("sale ", p.Total)
	}
	for l, err := range repository.NewQuery(s.Lines, ByCustomer(customer)).All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		all[l.ID] = "line " + l.SKU
	}
	return all
}

// SaleStep is a random operation of a transaction, and what it does to a content.
type SaleStep struct {
	Add   func(*repository.Transaction) error
	Apply func(SaleContent) error
}

// RandomStep is an operation on one of few documents. Tags are the ETags that
// sales were last seen with, of which some are old.
func (s Shop) RandomStep(random *rand.Rand, now SaleContent, tags map[string]string, n int) SaleStep {
	id := fmt.Sprint("p", random.IntN(4))
	p := &fixtures.Sale{ID: id, Customer: "c", Total: n}
	l := &fixtures.Line{ID: fmt.Sprint("l", random.IntN(4)), Customer: "c", SKU: fmt.Sprint(n)}
	value := fmt.Sprint("sale ", n)
	stands := func(c SaleContent, id string) error {
		if _, ok := c[id]; !ok {
			return repository.ErrNotFound
		}
		return nil
	}
	switch random.IntN(8) {
	case 0:
		return SaleStep{
			func(tx *repository.Transaction) error { return s.Sales.In(tx).Create(p) },
			func(c SaleContent) error {
				if stands(c, id) == nil {
					return repository.ErrAlreadyExists
				}
				c[id] = value
				return nil
			},
		}
	case 1, 2:
		return SaleStep{
			func(tx *repository.Transaction) error { return s.Lines.In(tx).Upsert(l) },
			func(c SaleContent) error { c[l.ID] = "line " + l.SKU; return nil },
		}
	case 3:
		return SaleStep{
			func(tx *repository.Transaction) error { return s.Sales.In(tx).Upsert(p) },
			func(c SaleContent) error { c[id] = value; return nil },
		}
	case 4:
		p.ETag = tags[id]
		before := now[id]
		return SaleStep{
			func(tx *repository.Transaction) error { return s.Sales.In(tx).Replace(p) },
			func(c SaleContent) error {
				if err := stands(c, id); err != nil {
					return err
				}
				if p.ETag != "" && c[id] != before { // totals are never the same again
					return repository.ErrPreconditionFailed
				}
				c[id] = value
				return nil
			},
		}
	case 5:
		return SaleStep{
			func(tx *repository.Transaction) error { return s.Sales.In(tx).Delete(p.Key()) },
			func(c SaleContent) error {
				err := stands(c, id)
				delete(c, id)
				return err
			},
		}
	case 6:
		return SaleStep{
			func(tx *repository.Transaction) error { return s.Lines.In(tx).Delete(l.Key()) },
			func(c SaleContent) error {
				err := stands(c, l.ID)
				delete(c, l.ID)
				return err
			},
		}
	default:
		return SaleStep{
			func(tx *repository.Transaction) error { _, err := s.Lines.In(tx).Get(l.Key()); return err },
			func(c SaleContent) error { return stands(c, l.ID) },
		}
	}
}
