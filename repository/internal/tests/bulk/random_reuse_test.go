package bulk

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// globalClick is a struct that no garbage collector looks after.
var globalClick clickstream.Click

// spreads complains unless the clicks of a day are 200 that have as many suffixes
// as 200 draws from 400 give: 157 on average.
func spreads(t *testing.T, clicks *clickstream.ClickRepository) {
	t.Helper()
	all, err := clicks.ByDate(kit.Day).Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	suffixes := map[int]bool{}
	for _, c := range all {
		suffixes[c.Key().Suffix] = true
	}
	if len(all) != 200 || len(suffixes) < 120 {
		t.Errorf("%d documents have %d suffixes", len(all), len(suffixes))
	}
}

// TestOneStructForManyDocuments creates all documents with one struct.
func TestOneStructForManyDocuments(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for name, c := range map[string]*clickstream.Click{"local": {}, "global": &globalClick, "in a slice": &make([]clickstream.Click, 3)[1]} {
		t.Run(name, func(t *testing.T) {
			_, clicks := kit.NewClicks(t)
			for i := range 200 {
				c.ID, c.Date = fmt.Sprint(i), kit.Day
				if err := clicks.Create(t.Context(), c); err != nil {
					t.Fatal(err)
				}
				got, err := clicks.Get(t.Context(), c.Key())
				if err != nil || *got != *c {
					t.Fatalf("got %+v, %v, want %+v", got, err, c)
				}
			}
			spreads(t, clicks)
		})
	}
	for name, way := range kit.BulkWays {
		t.Run("bulk "+name, func(t *testing.T) {
			_, clicks := kit.NewClicks(t)
			var c clickstream.Click
			summary, err := clicks.CreateAll(documents.Sequence(func(yield func(*clickstream.Click) bool) {
				for i := range 200 {
					c.ID, c.Date = fmt.Sprint(i), kit.Day
					if !yield(&c) {
						return
					}
				}
			}), way...).Collect(t.Context())

			if err != nil {
				t.Fatal(summary, err)
			}
			spreads(t, clicks)
		})
	}
	t.Run("transactions", func(t *testing.T) {
		_, clicks := kit.NewClicks(t)
		var c clickstream.Click
		for i := range 100 {
			tx := repository.NewTransaction()
			for _, half := range []string{"a", "b"} {
				c.ID, c.Date = fmt.Sprint(i, half), kit.Day
				if err := clicks.In(tx).Create(&c); err != nil {
					t.Fatal(err)
				}
			}
			if err := tx.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		suffixes := map[int]bool{}
		for c, err := range clicks.ByDate(kit.Day).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			suffixes[c.Key().Suffix] = true
		}
		if len(suffixes) < 60 { // 88 on average
			t.Errorf("100 transactions went to %d logical partitions", len(suffixes))
		}
	})
}

// TestAgainWithAUsedStruct loses the answers to a Create of a struct that was used
// before: another attempt meets the document of the first. A document that is known
// to be stored is not stored again either.
func TestAgainWithAUsedStruct(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, clickstream.ClickContainer(), repository.Configure(nil))
		clicks := clickstream.NewClickRepository(container)
		ctx := context.Background()
		var c clickstream.Click
		for i := range 4 {
			c.ID, c.Date, c.Page = fmt.Sprint(i), kit.Day, fmt.Sprint("/", i)
			server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Drop: true, After: true, Count: -1})
			if err := clicks.Create(ctx, &c); !errors.Is(err, repository.ErrUnclear) {
				t.Fatal(err)
			}
			chosen := c.Stored
			server.ClearFaults()
			again := clickstream.NewClickRepository(container) // another repository knows as much
			for range 2 {
				if err := again.Create(ctx, &c); err != nil || c.Stored != chosen {
					t.Fatalf("%v, and the suffix is %s after %s", err, c.Stored, chosen)
				}
			}
		}
		if n, err := clicks.Scan().Count(ctx); err != nil || n != 4 {
			t.Errorf("%d clicks are stored, %v", n, err)
		}
	})
}

// TestStructsThatKeepTheirSuffix are those that may be the document which is
// stored, and copies.
func TestStructsThatKeepTheirSuffix(t *testing.T) {
	_, clicks := kit.NewClicks(t)
	ctx := context.Background()
	c := &clickstream.Click{ID: "1", Date: kit.Day}
	if err := clicks.Create(ctx, c); err != nil {
		t.Fatal(err)
	}
	read, err := clicks.Get(ctx, c.Key())
	if err != nil {
		t.Fatal(err)
	}
	read.Page = "/changed"
	if err := clicks.Create(ctx, read); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("created again as it was read: %v", err)
	}
	twin := &clickstream.Click{ID: "2", Date: kit.Day, Stored: c.Stored} // is to share the logical partition
	if err := clicks.Create(ctx, twin); err != nil || twin.Stored != c.Stored {
		t.Errorf("%v, and it went to %s", err, twin.Stored)
	}
	// A copy under another day has a suffix of its own.
	read.Date = "2018-08-10"
	if err := clicks.Create(ctx, read); err != nil || read.Key().Suffix == 0 {
		t.Error(err)
	}
	// What is refused leaves the struct as it was.
	before := *c
	c.ID = ""
	if err := clicks.Create(ctx, c); err == nil || c.Stored != before.Stored {
		t.Errorf("%v, and the suffix is %s after %s", err, c.Stored, before.Stored)
	}
}
