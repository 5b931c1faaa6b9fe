package queries

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestCreateChoosesASuffix(t *testing.T) {
	t.Parallel()
	_, clicks := kit.NewClicks(t)
	ctx := context.Background()
	suffixes := map[int]bool{}
	for i := range 200 {
		c := clickstream.Click{ID: fmt.Sprint(i), Date: kit.Day}
		if c.PartitionKey() != "" {
			t.Fatalf("a click that was never stored has the key %q", c.PartitionKey())
		}
		if err := clicks.Create(ctx, &c); err != nil {
			t.Fatal(err)
		}
		suffix := c.Key().Suffix
		if suffix < 1 || suffix > 400 || c.Stored != fmt.Sprintf("%s.%d", kit.Day, suffix) {
			t.Fatalf("suffix %d, stored under %q", suffix, c.Stored)
		}
		suffixes[suffix] = true
		got, err := clicks.Get(ctx, c.Key())
		if err != nil || *got != c {
			t.Fatalf("got %+v, %v, want %+v", got, err, c)
		}
	}
	// 200 draws from 400 give 157 different ones on average.
	if len(suffixes) < 120 {
		t.Errorf("200 documents have only %d suffixes", len(suffixes))
	}
	docs, err := clicks.ByDate(kit.Day).Collect(ctx)
	if err != nil || len(docs) != 200 {
		t.Errorf("the day has %d documents, %v", len(docs), err)
	}
}

// TestCreateAfterAnUnclearFailure loses the answers to a write whose first attempt
// took effect. The caller repeats it, and it meets its own document.
func TestCreateAfterAnUnclearFailure(t *testing.T) {
	t.Parallel()
	server, clicks := kit.NewClicks(t)
	ctx := context.Background()
	server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Drop: true, After: true, Count: -1})
	c := clickstream.Click{ID: "1", Date: kit.Day, Page: "/"}
	if err := clicks.Create(ctx, &c); !errors.Is(err, repository.ErrUnclear) || c.Stored == "" {
		t.Fatalf("got %v, and the document is %+v", err, c)
	}
	server.ClearFaults()
	if err := clicks.Create(ctx, &c); err != nil {
		t.Fatal(err)
	}
	docs, err := clicks.ByDate(kit.Day).Collect(ctx)
	if err != nil || len(docs) != 1 {
		t.Errorf("there are %d documents, %v", len(docs), err)
	}
	// Another document of that id and suffix is in the way of a new one.
	other := clickstream.Click{ID: "1", Date: kit.Day, Page: "/other", Stored: c.Stored}
	if err := clicks.Create(ctx, &other); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("got %v", err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	server, clicks := kit.NewClicks(t)
	ctx := context.Background()
	for i := range 50 {
		if err := clicks.Create(ctx, &clickstream.Click{ID: fmt.Sprint(i), Date: kit.Day, Page: fmt.Sprint("/", i)}); err != nil {
			t.Fatal(err)
		}
	}
	server.ResetRequests()
	got, err := clicks.FindInBuckets(ctx, "33", kit.Day)
	if err != nil || got.ID != "33" || got.Page != "/33" {
		t.Errorf("got %+v, %v", got, err)
	}
	if n := server.Documents()[emulator.OpQueryItems]; n != 5 {
		t.Errorf("FindInBuckets sent %d requests to 5 physical partitions", n)
	}
	if _, err := clicks.FindInBuckets(ctx, "50", kit.Day); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("an id that is not there: %v", err)
	}
	if _, err := clicks.FindInBuckets(ctx, "33", "2018-08-10"); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("another day: %v", err)
	}
	for id, date := range map[string]string{"": kit.Day, "1": ""} {
		var keyError *partition.KeyError
		if _, err := clicks.FindInBuckets(ctx, id, date); !errors.As(err, &keyError) {
			t.Errorf("FindInBuckets(%q, %q): %v", id, date, err)
		}
	}

	// The same id under another suffix is reported, not hidden.
	twin := clickstream.Click{ID: "33", Date: kit.Day, Stored: kit.Day + ".400"}
	if got.Stored == twin.Stored {
		twin.Stored = kit.Day + ".399"
	}
	if err := clicks.Create(ctx, &twin); err != nil {
		t.Fatal(err)
	}
	_, err = clicks.FindInBuckets(ctx, "33", kit.Day)
	if !errors.Is(err, repository.ErrAmbiguous) || !strings.Contains(err.Error(), got.Stored) || !strings.Contains(err.Error(), twin.Stored) {
		t.Errorf("two hits: %v", err)
	}
}

func TestWritesNeedTheSuffix(t *testing.T) {
	server, clicks := kit.NewClicks(t)
	ctx := context.Background()
	c := clickstream.Click{ID: "1", Date: kit.Day}
	server.ResetRequests()
	for name, err := range map[string]error{
		"Upsert":  clicks.Upsert(ctx, &c),
		"Replace": clicks.Replace(ctx, &c),
		"Delete":  clicks.Delete(ctx, c.Key()),
	} {
		var keyError *partition.KeyError
		if !errors.As(err, &keyError) || keyError.Field != "Suffix" {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := clickstream.Click{ID: "1"}
	var keyError *partition.KeyError
	if err := clicks.Create(ctx, &bad); !errors.As(err, &keyError) || bad.Stored != "" {
		t.Errorf("Create without a date: %v, and the document is %+v", err, bad)
	}
	if n := server.Documents(); len(n) != 0 {
		t.Errorf("requests were sent: %v", n)
	}
}

func TestChangedKeyIsRefused(t *testing.T) {
	server, clicks := kit.NewClicks(t)
	ctx := context.Background()
	c := clickstream.Click{ID: "1", Date: kit.Day}
	if err := clicks.Create(ctx, &c); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	c.Date = "2018-08-10"
	for name, err := range map[string]error{"Replace": clicks.Replace(ctx, &c), "Upsert": clicks.Upsert(ctx, &c)} {
		if !errors.Is(err, repository.ErrKeyChanged) || !strings.Contains(err.Error(), c.Stored) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := server.Documents(); len(n) != 0 {
		t.Errorf("requests were sent: %v", n)
	}
	c.Date = kit.Day
	c.Page = "/x"
	if err := clicks.Replace(ctx, &c); err != nil {
		t.Error(err)
	}
}
