package repository_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func newClicks(t *testing.T) (*harness.Account, *clickstream.ClickRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, clickstream.ClickContainer(), repository.Configure(nil))
	return server, clickstream.NewClickRepository(container)
}

func TestCreateChoosesASuffix(t *testing.T) {
	t.Parallel()
	_, clicks := newClicks(t)
	ctx := context.Background()
	suffixes := map[int]bool{}
	for i := range 200 {
		c := clickstream.Click{ID: fmt.Sprint(i), Date: day}
		if c.PartitionKey() != "" {
			t.Fatalf("a click that was never stored has the key %q", c.PartitionKey())
		}
		if err := clicks.Create(ctx, &c); err != nil {
			t.Fatal(err)
		}
		suffix := c.Key().Suffix
		if suffix < 1 || suffix > 400 || c.Stored != fmt.Sprintf("%s.%d", day, suffix) {
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
	docs, err := clicks.ByDate(day).Collect(ctx)
	if err != nil || len(docs) != 200 {
		t.Errorf("the day has %d documents, %v", len(docs), err)
	}
}

// TestCreateAfterAnUnclearFailure loses the answers to a write whose first attempt
// took effect. The caller repeats it, and it meets its own document.
func TestCreateAfterAnUnclearFailure(t *testing.T) {
	t.Parallel()
	server, clicks := newClicks(t)
	ctx := context.Background()
	server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Drop: true, After: true, Count: -1})
	c := clickstream.Click{ID: "1", Date: day, Page: "/"}
	if err := clicks.Create(ctx, &c); !errors.Is(err, repository.ErrUnclear) || c.Stored == "" {
		t.Fatalf("got %v, and the document is %+v", err, c)
	}
	server.ClearFaults()
	if err := clicks.Create(ctx, &c); err != nil {
		t.Fatal(err)
	}
	docs, err := clicks.ByDate(day).Collect(ctx)
	if err != nil || len(docs) != 1 {
		t.Errorf("there are %d documents, %v", len(docs), err)
	}
	// Another document of that id and suffix is in the way of a new one.
	other := clickstream.Click{ID: "1", Date: day, Page: "/other", Stored: c.Stored}
	if err := clicks.Create(ctx, &other); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("got %v", err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	server, clicks := newClicks(t)
	ctx := context.Background()
	for i := range 50 {
		if err := clicks.Create(ctx, &clickstream.Click{ID: fmt.Sprint(i), Date: day, Page: fmt.Sprint("/", i)}); err != nil {
			t.Fatal(err)
		}
	}
	server.ResetRequests()
	got, err := clicks.FindInBuckets(ctx, "33", day)
	if err != nil || got.ID != "33" || got.Page != "/33" {
		t.Errorf("got %+v, %v", got, err)
	}
	if n := server.Documents()[emulator.OpQueryItems]; n != 5 {
		t.Errorf("FindInBuckets sent %d requests to 5 physical partitions", n)
	}
	if _, err := clicks.FindInBuckets(ctx, "50", day); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("an id that is not there: %v", err)
	}
	if _, err := clicks.FindInBuckets(ctx, "33", "2018-08-10"); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("another day: %v", err)
	}
	for id, date := range map[string]string{"": day, "1": ""} {
		var keyError *partition.KeyError
		if _, err := clicks.FindInBuckets(ctx, id, date); !errors.As(err, &keyError) {
			t.Errorf("FindInBuckets(%q, %q): %v", id, date, err)
		}
	}

	// The same id under another suffix is reported, not hidden.
	twin := clickstream.Click{ID: "33", Date: day, Stored: day + ".400"}
	if got.Stored == twin.Stored {
		twin.Stored = day + ".399"
	}
	if err := clicks.Create(ctx, &twin); err != nil {
		t.Fatal(err)
	}
	_, err = clicks.FindInBuckets(ctx, "33", day)
	if !errors.Is(err, repository.ErrAmbiguous) || !strings.Contains(err.Error(), got.Stored) || !strings.Contains(err.Error(), twin.Stored) {
		t.Errorf("two hits: %v", err)
	}
}

func TestWritesNeedTheSuffix(t *testing.T) {
	server, clicks := newClicks(t)
	ctx := context.Background()
	c := clickstream.Click{ID: "1", Date: day}
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
	server, clicks := newClicks(t)
	ctx := context.Background()
	c := clickstream.Click{ID: "1", Date: day}
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
	c.Date = day
	c.Page = "/x"
	if err := clicks.Replace(ctx, &c); err != nil {
		t.Error(err)
	}
}
