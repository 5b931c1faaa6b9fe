package repository_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Sales and lines share a container, and the logical partition of a customer.
type (
	sale struct {
		ID       string `json:"id"`
		Customer string `json:"customer"`
		Total    int    `json:"total"`
		ETag     string `json:"_etag,omitempty"`
	}
	line struct {
		ID       string `json:"id"`
		Customer string `json:"customer"`
		SKU      string `json:"sku"`
	}
	shopKey struct{ ID, Customer string }
)

func (o *sale) key() shopKey { return shopKey{o.ID, o.Customer} }
func (l *line) key() shopKey { return shopKey{l.ID, l.Customer} }

func (k shopKey) Validate() error {
	return partition.Check("sale", partition.ID(k.ID), partition.Text("Customer", k.Customer), partition.Key(k.Customer))
}

var saleModel = generated.Model[sale, shopKey]{
	Type: "sale", Path: "/customer",
	Key:           (*sale).key,
	ID:            func(k shopKey) string { return k.ID },
	Text:          func(k shopKey) string { return k.Customer },
	ETag:          func(o *sale) *string { return &o.ETag },
	Discriminator: &generated.Discriminator{Property: "type", Value: "sale"},
	Prefix:        apart,
}

// apart is the prefix of models whose types have ids of their own. The run time
// only asks whether there is a prefix.
const apart = "*"

var lineModel = generated.Model[line, shopKey]{
	Type: "line", Path: "/customer",
	Key:           (*line).key,
	ID:            func(k shopKey) string { return k.ID },
	Text:          func(k shopKey) string { return k.Customer },
	Discriminator: &generated.Discriminator{Property: "type", Value: "line"},
	Prefix:        apart,
}

var shopContainer = harness.Properties("shop", "/customer")

// saleTotal changes the total of a sale.
const saleTotal = repository.PatchNumber[sale, int]("/total")

// shop is an empty container of sales and lines.
type shop struct {
	server    *harness.Account
	container *azcosmos.ContainerClient
	sales     *repository.Documents[sale, shopKey]
	lines     *repository.Documents[line, shopKey]
}

func newShop(t testing.TB, perCall ...policy.Policy) shop {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, shopContainer, repository.Configure(harness.Impatient(perCall...)))
	return shop{server, container, repository.New(container, &saleModel), repository.New(container, &lineModel)}
}

// newLookingShop is a shop in which sales and lines share ids, so that writes
// look first.
func newLookingShop(t testing.TB, perCall ...policy.Policy) shop {
	t.Helper()
	s := newShop(t, perCall...)
	sales, lines := saleModel, lineModel
	sales.Prefix, lines.Prefix = "", ""
	s.sales, s.lines = repository.New(s.container, &sales), repository.New(s.container, &lines)
	return s
}

// byCustomer is the logical partition of a customer.
func byCustomer(customer string) generated.Keys {
	return generated.Partition(customer, partition.Text("Customer", customer))
}

// commit commits a transaction that add fills.
func commit(ctx context.Context, add ...func(*repository.Transaction) error) error {
	tx := repository.NewTransaction()
	for _, add := range add {
		if err := add(tx); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// altered is a policy that alters the answers to batches.
type altered struct {
	alter func(*http.Request, *http.Response)
}

func (a *altered) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil && a.alter != nil && r.Raw().Header.Get("x-ms-cosmos-is-batch-request") != "" {
		a.alter(r.Raw(), response)
	}
	return response, err
}

// setBody gives a response another body.
func setBody(response *http.Response, body string) {
	response.Body.Close()
	response.Body = io.NopCloser(strings.NewReader(body))
	response.ContentLength = int64(len(body))
}
