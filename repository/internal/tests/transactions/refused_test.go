package transactions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestRefusedOperations has calls that add nothing. Commit then sends nothing.
func TestRefusedOperations(t *testing.T) {
	s := kit.NewShop(t)
	ctx := context.Background()
	first := fixtures.Sale{ID: "o1", Customer: "c"}
	client := s.Server.Client(nil)
	elsewhere, err := client.NewContainer("db", "other")
	if err != nil {
		t.Fatal(err)
	}
	namesake, err := client.NewContainer("another", "shop")
	if err != nil {
		t.Fatal(err)
	}
	big := strings.Repeat("x", 1<<20-300)
	for name, test := range map[string]struct {
		add  func(*repository.Transaction) error
		text string
	}{
		"another partition": {
			func(tx *repository.Transaction) error {
				return s.Lines.In(tx).Upsert(&fixtures.Line{ID: "l1", Customer: "d"})
			},
			`upsert Line "l1" in partition "d": the transaction is for partition "c", and can change only`,
		},
		"another container": {
			func(tx *repository.Transaction) error {
				return repository.New(elsewhere, &kit.LineModel).In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
			},
			`create Line "l1" in partition "c": its container is other and that of the transaction shop`,
		},
		"a container of another database": {
			func(tx *repository.Transaction) error {
				return repository.New(namesake, &kit.LineModel).In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
			},
			`have different clients for container shop: make both repositories with one *azcosmos.ContainerClient`,
		},
		"a nil document to create":  {func(tx *repository.Transaction) error { return s.Lines.In(tx).Create(nil) }, "create Line: the document is nil"},
		"a nil document to upsert":  {func(tx *repository.Transaction) error { return s.Lines.In(tx).Upsert(nil) }, "upsert Line: the document is nil"},
		"a nil document to replace": {func(tx *repository.Transaction) error { return s.Sales.In(tx).Replace(nil) }, "replace Sale: the document is nil"},
		"a nil document to delete":  {func(tx *repository.Transaction) error { return s.Sales.In(tx).DeleteIfMatch(nil) }, "delete Sale: the document is nil"},
		"no ETag":                   {func(tx *repository.Transaction) error { return s.Sales.In(tx).DeleteIfMatch(&first) }, "the document has no ETag: read it first"},
		"no etag field": {
			func(tx *repository.Transaction) error {
				return s.Lines.In(tx).DeleteIfMatch(&fixtures.Line{ID: "l1", Customer: "c"})
			}, "the type has no field for the ETag"},
		"a bad key to create": {func(tx *repository.Transaction) error {
			return s.Lines.In(tx).Create(&fixtures.Line{ID: "a/b", Customer: "c"})
		}, "ID: "},
		"a bad key to delete": {func(tx *repository.Transaction) error {
			return s.Lines.In(tx).Delete(fixtures.LineKey{ID: "", Customer: "c"})
		}, "ID: is empty"},
		"a bad key to get": {func(tx *repository.Transaction) error {
			_, err := s.Lines.In(tx).Get(fixtures.LineKey{ID: "", Customer: "c"})
			return err
		}, "ID: is empty"},
		"too many bytes": {
			func(tx *repository.Transaction) error {
				if err := s.Lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c", SKU: big}); err != nil {
					return err
				}
				return s.Lines.In(tx).Create(&fixtures.Line{ID: "l2", Customer: "c", SKU: big})
			},
			"bytes, and the limit is 2097152",
		},
		"too many operations": {
			func(tx *repository.Transaction) error {
				for i := range 99 {
					if err := s.Lines.In(tx).Create(&fixtures.Line{ID: fmt.Sprint(i), Customer: "c"}); err != nil {
						return err
					}
				}
				return s.Lines.In(tx).Create(&fixtures.Line{ID: "last", Customer: "c"})
			},
			"the transaction has 100 operations",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tx := repository.NewTransaction()
			if err := s.Sales.In(tx).Upsert(&first); err != nil {
				t.Fatal(err)
			}
			refusal := test.add(tx)
			if refusal == nil || !strings.Contains(refusal.Error(), test.text) {
				t.Errorf("got  %v\nwant %s", refusal, test.text)
			}
			var own *repository.Error
			var key *partition.KeyError
			if !errors.As(refusal, &own) && !errors.As(refusal, &key) {
				t.Errorf("the error is a %T", refusal)
			}
			n := tx.Len()
			if err := s.Lines.In(tx).Delete(fixtures.LineKey{ID: "l3", Customer: "c"}); n < 100 && (err != nil || tx.Len() != n+1) {
				t.Errorf("an operation after it: %v", err)
			}
			s.Server.ResetRequests()
			if err := tx.Commit(ctx); !errors.Is(err, refusal) || len(s.Server.Requests()) != 0 {
				t.Errorf("Commit: %v, and %d requests", err, len(s.Server.Requests()))
			}
		})
	}
}

func TestTransactionsAreUsedOnce(t *testing.T) {
	s := kit.NewShop(t)
	ctx := context.Background()
	tx := repository.NewTransaction()
	if err := tx.Commit(ctx); err == nil || !strings.Contains(err.Error(), "no operations") {
		t.Errorf("an empty one: %v", err)
	}
	if err := s.Sales.In(tx).Create(&fixtures.Sale{ID: "o1", Customer: "c"}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := s.Sales.In(tx).Create(&fixtures.Sale{ID: "o2", Customer: "c"}); err == nil || !strings.Contains(err.Error(), "committed already") {
		t.Errorf("an operation after Commit: %v", err)
	}
	s.Server.ResetRequests()
	if err := tx.Commit(ctx); err == nil || !strings.Contains(err.Error(), "committed already") || len(s.Server.Requests()) != 0 {
		t.Errorf("the second Commit: %v", err)
	}
}
