package indexes

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A sale is the source's document. Two indexes have properties of their own, which the run
// time writes: byCustomer of the shop and the customer, and byPlace of the city and the zip.
type sale struct {
	ID         string          `json:"id"`
	Shop       string          `json:"shop"`
	Customer   string          `json:"customer"`
	Address    place           `json:"address"`
	Cents      int             `json:"cents"`
	Mail       string          `json:"mail,omitempty"`
	Form       int             `json:"form,omitempty"`
	Gone       repository.Time `json:"gone,omitzero"`
	ByCustomer string          `json:"byCustomer,omitempty"`
	ByPlace    string          `json:"byPlace,omitempty"`
	Stored     string          `json:"pk,omitempty"`
	ETag       string          `json:"_etag,omitempty"`
}

type place struct {
	City string `json:"city"`
	Zip  int    `json:"zip"`
}

type saleKey struct{ ID, Shop string }

func (k saleKey) Validate() error {
	return partition.Check("sale", partition.ID(k.ID), partition.Text("Shop", k.Shop), partition.Key(k.Shop))
}

func (k saleKey) at(buckets int) string {
	return k.bucket(partition.Hash{}.Text(k.ID).Bucket(buckets))
}

func (k saleKey) bucket(n int) string { return k.Shop + "." + strconv.Itoa(n) }

// salePatch has the operations of patches.
const (
	patchCustomer   repository.PatchValue[sale, string] = "/customer"
	patchShop       repository.PatchValue[sale, string] = "/shop"
	patchAddress    repository.PatchValue[sale, place]  = "/address"
	patchCity       repository.PatchValue[sale, string] = "/address/city"
	patchZip        repository.PatchNumber[sale, int]   = "/address/zip"
	patchCents      repository.PatchNumber[sale, int]   = "/cents"
	patchByCustomer repository.PatchValue[sale, string] = "/byCustomer"
)

// features are those of a model of sales.
type features struct {
	shared, marked, unique, formed bool
	now                            int // buckets, if they grow
	was                            []int
	unindexed                      bool // of a release before the indexes
}

func (f features) model() *generated.Model[sale, saleKey] {
	// By hand: the same type has models with and without each feature.
	m := &generated.Model[sale, saleKey]{
		Type: "sale", Path: "/shop",
		Key:  func(s *sale) saleKey { return saleKey{s.ID, s.Shop} },
		ID:   func(k saleKey) string { return k.ID },
		Text: func(k saleKey) string { return k.Shop },
		ETag: func(s *sale) *string { return &s.ETag },
	}
	if !f.unindexed {
		m.Indexed = []generated.Indexed[sale, saleKey]{{
			Index: "ByCustomer", Property: "byCustomer", Components: []string{"/shop", "/customer"},
			Set: func(s *sale) error {
				if err := partition.Check("sale", partition.Text("Customer", s.Customer)); err != nil {
					return err
				}
				s.ByCustomer = s.Shop + "|" + s.Customer
				return nil
			},
			Text:  func(s *sale) string { return s.ByCustomer },
			Known: func(k saleKey) *sale { return &sale{ID: k.ID, Shop: k.Shop} },
		}, {
			Index: "ByPlace", Property: "byPlace", Components: []string{"/address/city", "/address/zip"},
			Set: func(s *sale) error {
				s.ByPlace = s.Address.City + "|" + strconv.Itoa(s.Address.Zip)
				return nil
			},
			Text: func(s *sale) string { return s.ByPlace },
		}}
	}
	if f.shared {
		m.Discriminator = &generated.Discriminator{Property: "type", Value: "sale"}
	}
	if f.marked {
		m.Deleted = &generated.Deleted[sale]{Property: "gone", Clear: func(s *sale) { s.Gone = repository.Time{} }}
	}
	if f.unique {
		m.Unique = []string{"mail"}
	}
	if f.formed {
		m.Schema = &generated.Schema[sale]{
			Property: "form", Number: 2, Set: func(s *sale) { s.Form = 2 },
			Upgrade: func(s *sale, _ int, stored json.RawMessage) error {
				var old struct{ Euros int }
				err := json.Unmarshal(stored, &old)
				s.Cents = 100 * old.Euros
				return err
			},
		}
	}
	if f.now > 0 {
		m.Path, m.Synthetic = "/pk", true
		m.Stored = func(s *sale) *string { return &s.Stored }
		m.Text = func(k saleKey) string { return k.at(f.now) }
	}
	if f.was != nil {
		m.Others = func(k saleKey) (all []any) {
			for _, n := range f.was {
				all = append(all, k.at(n))
			}
			return all
		}
	}
	return m
}

// An entry is what the index ByCustomer has of a sale.
type entry struct {
	SaleID, Shop, Customer string
	Cents                  int
	ETag                   string // of the sale as it was decoded
}

// Fields of entries.
const (
	entryCents    documents.Number[entry, int]    = "/cents"
	entryCustomer documents.String[entry, string] = "/customer"
	entrySale     documents.String[entry, string] = "/_id"
)

// index is what the generator writes for the index ByCustomer.
func (f features) index() *generated.Index[entry, sale, saleKey] {
	return &generated.Index[entry, sale, saleKey]{
		Type: "saleByCustomer", Source: f.model(), Path: "/byCustomer", Marks: f.was != nil,
		Entry: func(s *sale) *entry { return &entry{s.ID, s.Shop, s.Customer, s.Cents, s.ETag} },
		Key:   func(e *entry) saleKey { return saleKey{e.SaleID, e.Shop} },
	}
}

// sales are the sales of a release.
type sales struct {
	features
	*repository.Documents[sale, saleKey]
	server    *harness.Account
	container *azcosmos.ContainerClient
}

// newSales makes the container of sales.
func newSales(t *testing.T, f features, o emulator.Options) sales {
	t.Helper()
	path := "/shop"
	if f.now > 0 {
		path = "/pk"
	}
	server, container := harness.NewContainer(t, o, harness.Properties("sales", path), repository.Configure(nil))
	return sales{f, repository.New(container, f.model()), server, container}
}

// of are the sales of another release.
func (s sales) of(f features, opts ...repository.Option) sales {
	s.features, s.Documents = f, repository.New(s.container, f.model(), opts...)
	return s
}

// byCustomer is the index of sales by their customers.
type byCustomer struct {
	*repository.Index[entry]
	container *azcosmos.ContainerClient
}

// newIndex makes the index of the source, if it is not there.
func (s sales) newIndex(t *testing.T) byCustomer {
	t.Helper()
	container, err := admin.Ensure(t.Context(), s.server.DB, harness.Properties("sales-by-customer", "/byCustomer"), admin.Autoscale(1000),
		admin.IndexOf("sales"), admin.WaitForIndex())
	if err != nil {
		t.Fatal(err)
	}
	return byCustomer{repository.NewIndex(container, s.index()), container}
}

func (x byCustomer) of(shop, customer string) repository.Query[entry] {
	return repository.IndexQuery(x.Index, generated.Partition(shop+"|"+customer))
}

// fill creates n sales, with a city each, of two shops and two customers.
func (s sales) fill(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		if err := s.Create(t.Context(), saleOf(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// saleOf is the nth sale. Sales of two shops have one id.
func saleOf(n int) *sale {
	return &sale{
		ID: "s" + strconv.Itoa(n/2), Shop: []string{"A", "B"}[n%2], Customer: []string{"ann", "bob"}[n/2%2],
		Address: place{"Bonn", 53111}, Cents: n, Mail: "m" + strconv.Itoa(n),
	}
}

// put stores JSON as it is.
func (s sales) put(t *testing.T, key, body string) {
	t.Helper()
	if _, err := s.container.UpsertItem(context.Background(), azcosmos.NewPartitionKeyString(key), []byte(body), nil); err != nil {
		t.Fatal(err)
	}
}

// raw is what is stored of a sale.
func (s sales) raw(t *testing.T, key, id string) map[string]any {
	t.Helper()
	answer, err := s.container.ReadItem(context.Background(), azcosmos.NewPartitionKeyString(key), id, nil)
	var all map[string]any
	if err == nil {
		err = json.Unmarshal(answer.Value, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// names returns the shops and ids of entries.
func names(all []*entry) []string {
	var names []string
	for _, e := range all {
		names = append(names, strings.Join([]string{e.Shop, e.SaleID}, "/"))
	}
	return names
}
