package transactions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestTransactionsShareASuffix creates clicks that have no suffix yet.
func TestTransactionsShareASuffix(t *testing.T) {
	_, clicks := kit.NewClicks(t)
	ctx := context.Background()
	all := make([]clickstream.Click, 10)
	tx := repository.NewTransaction()
	for i := range all {
		all[i] = clickstream.Click{ID: fmt.Sprint(i), Date: kit.Day}
		if err := clicks.In(tx).Create(&all[i]); err != nil {
			t.Fatal(err)
		}
		if all[i].Stored != all[0].Stored || all[i].Key().Suffix == 0 {
			t.Fatalf("click %d has %q, and the first has %q", i, all[i].Stored, all[0].Stored)
		}
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if got, err := clicks.Get(ctx, all[i].Key()); err != nil || *got != all[i] {
			t.Errorf("got %+v, %v, want %+v", got, err, all[i])
		}
	}
	for _, suffix := range []int{1, 400} { // the first and the last are as good as others
		next := clickstream.Click{ID: "next", Date: kit.Day}
		err := kit.Commit(ctx,
			func(tx *repository.Transaction) error {
				return clicks.In(tx).Upsert(&clickstream.Click{ID: "first", Date: kit.Day, Stored: fmt.Sprint(kit.Day, ".", suffix)})
			},
			func(tx *repository.Transaction) error { return clicks.In(tx).Create(&next) },
		)
		if err != nil || next.Key().Suffix != suffix {
			t.Errorf("%v, and the suffix is %d, want %d", err, next.Key().Suffix, suffix)
		}
	}
}

// TestTransactionsRefuseSuffixes has clicks of other logical partitions, which do
// not change.
func TestTransactionsRefuseSuffixes(t *testing.T) {
	t.Parallel()
	_, clicks := kit.NewClicks(t)
	tx := repository.NewTransaction()
	first := clickstream.Click{ID: "1", Date: kit.Day, Stored: kit.Day + ".7"}
	if err := clicks.In(tx).Create(&first); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		click clickstream.Click
		text  string
	}{
		"another base":   {clickstream.Click{ID: "2", Date: "2018-08-10"}, `the transaction is for partition "2018-08-09.7", and no suffix of this document gives that key, up to "2018-08-10.400"`},
		"another suffix": {clickstream.Click{ID: "2", Date: kit.Day, Stored: kit.Day + ".8"}, `in partition "2018-08-09.8": the transaction is for partition "2018-08-09.7"`},
		"too large":      {clickstream.Click{ID: "2", Date: kit.Day, Page: strings.Repeat("x", 2<<20)}, "are possible"},
		"no id":          {clickstream.Click{Date: kit.Day}, "ID: is empty"},
	} {
		before := test.click
		err := clicks.In(tx).Create(&test.click)
		if err == nil || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: got  %v\nwant %s", name, err, test.text)
		}
		if test.click != before || tx.Len() != 1 {
			t.Errorf("%s: the click has %q now, and the transaction %d operations", name, test.click.Stored, tx.Len())
		}
	}
	if err := clicks.In(tx).Upsert(&clickstream.Click{ID: "2", Date: kit.Day}); err == nil {
		t.Error("an upsert of a click without a suffix")
	}
	changed := clickstream.Click{ID: "2", Date: "2018-08-10", Stored: kit.Day + ".7"}
	if err := clicks.In(tx).Upsert(&changed); !errors.Is(err, repository.ErrKeyChanged) {
		t.Errorf("Upsert under another key: %v", err)
	}
	if err := clicks.In(tx).Replace(&changed); !errors.Is(err, repository.ErrKeyChanged) {
		t.Errorf("Replace under another key: %v", err)
	}
	other := repository.NewTransaction()
	if err := clicks.In(other).DeleteIfMatch(&changed); !errors.Is(err, repository.ErrKeyChanged) {
		t.Errorf("DeleteIfMatch under another key: %v", err)
	}
	if err := clicks.In(other).Create(&clickstream.Click{Date: kit.Day}); err == nil {
		t.Error("a first click without an id")
	}
	if err := other.Commit(t.Context()); !errors.Is(err, repository.ErrKeyChanged) {
		t.Errorf("committed: %v", err)
	}
}

// TestTransactionsMadeAnew repeats a transaction whose outcome stayed unclear.
func TestTransactionsMadeAnew(t *testing.T) {
	t.Parallel()
	server, clicks := kit.NewClicks(t)
	ctx := context.Background()
	one, two := clickstream.Click{ID: "1", Date: kit.Day}, clickstream.Click{ID: "2", Date: kit.Day, Page: "/"}
	both := func(tx *repository.Transaction) error {
		return errors.Join(clicks.In(tx).Create(&one), clicks.In(tx).Create(&two))
	}
	// The first request takes effect, and no answer comes.
	server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
	server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, Count: -1})
	if err := kit.Commit(ctx, both); !errors.Is(err, repository.ErrUnclear) || one.Stored == "" {
		t.Fatalf("got %v, and the click is %+v", err, one)
	}
	server.ClearFaults()
	if err := kit.Commit(ctx, both); err != nil {
		t.Fatal(err)
	}
	docs, err := clicks.ByDate(kit.Day).Collect(ctx)
	if err != nil || len(docs) != 2 {
		t.Errorf("there are %d documents, %v", len(docs), err)
	}
	two.Page = "/other"
	if err := kit.Commit(ctx, both); !errors.Is(err, repository.ErrAlreadyExists) || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
}
