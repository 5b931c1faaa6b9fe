package unique_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestUniqueInTheFeed expects documents alone in the change feed: no reservations, and no
// documents that are hidden.
func TestUniqueInTheFeed(t *testing.T) {
	t.Parallel()
	server, container, r := newMembers(t)
	ctx := context.Background()
	if err := r.Create(ctx, ada()); err != nil {
		t.Fatal(err)
	}
	c := &harness.Crash{At: 2} // after those of the account, and of the hidden document
	process, crashed := c.Context(ctx)
	if repository.New(server.Container("members", repository.Configure(harness.PerRetry(harness.Intercepted))), fixtures.MemberModel).Create(process, &fixtures.Member{ID: "h", Region: "eu", Email: "h"}) == nil || !crashed() {
		t.Fatal("the program lives")
	}
	if s, err := takeStock(container); err != nil || len(s.hidden) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	var ids []string
	for c, err := range feed.Changes(ctx, r, feed.FromBeginning(), feed.UntilCaughtUp()) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.Doc.ID)
	}
	if !slices.Equal(ids, []string{"u1"}) {
		t.Errorf("the feed has %q", ids)
	}
}

// TestUniqueInAllVersions reads the feed of all versions and deletions, where a deletion
// says nothing but the id.
func TestUniqueInAllVersions(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 2, AllVersions: time.Hour}, membersContainer(), repository.Configure(nil))
	r := repository.New(container, fixtures.MemberModel)
	ctx := t.Context()
	leases, err := admin.EnsureLeases(ctx, server.DB, "leases", admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var seen []string
	processing, stop := context.WithCancel(ctx)
	p := feed.NewVersionProcessor(r, "p", leases, func(_ context.Context, changes []feed.Version[fixtures.Member]) error {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range changes {
			seen = append(seen, fmt.Sprint(c.Operation, " ", c.ID))
		}
		return nil
	}, feed.PollEvery(20*time.Millisecond))
	done := make(chan error, 1)
	go func() { done <- p.Run(processing) }()
	deadline := time.Now().Add(time.Minute)
	for n := 0; ; n++ { // the feed begins when the processor has its leases
		doc := &fixtures.Member{ID: fmt.Sprint("d", n), Region: "eu", Email: fmt.Sprint("e", n)}
		if err := errors.Join(r.Create(ctx, doc), r.Delete(ctx, doc.Key())); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		enough := len(seen) >= 8
		mu.Unlock()
		if enough {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the processor handles nothing")
		}
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, change := range seen {
		if strings.Contains(change, reservation.IDPrefix) || !strings.Contains(change, " d") {
			t.Errorf("the feed has %q", change)
		}
	}
}

// TestUniqueOfOthers has documents that other programs have stored without reservations:
// to remove one of them takes no value from the one that holds it.
func TestUniqueOfOthers(t *testing.T) {
	t.Parallel()
	_, container, r := newMembers(t)
	ctx := context.Background()
	if err := r.Create(ctx, ada()); err != nil {
		t.Fatal(err)
	}
	if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString("us"), []byte(`{"id":"legacy","region":"us","email":"ada@example.com"}`), nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(ctx, fixtures.MemberKey{ID: "legacy", Region: "us"}); err != nil {
		t.Fatal(err)
	}
	if got, err := repository.GetByUnique(ctx, r, "email", "ada@example.com"); err != nil || got.ID != "u1" {
		t.Errorf("%v, %v", got, err)
	}
	if err := r.Create(ctx, &fixtures.Member{ID: "legacy", Region: "us", Email: "ada@example.com"}); !errors.Is(err, repository.ErrNotUnique) {
		t.Errorf("the value is held: %v", err)
	}
}

// TestUniqueStamped has a type with stamps, too: they count each write once, and a
// document that becomes visible has the stamps of its creation.
func TestUniqueStamped(t *testing.T) {
	t.Parallel()
	_, container, _ := newMembers(t)
	ctx := context.Background()
	at := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	model := *fixtures.MemberModel
	var last generated.Stamp
	model.Stamps = &generated.Stamps[fixtures.Member]{Created: "made", Updated: "changed", Version: "n", Set: func(_ *fixtures.Member, s generated.Stamp) { last = s }}
	r := repository.New(container, &model, repository.WithClock(func() time.Time { at = at.Add(time.Second); return at }))
	doc := &fixtures.Member{ID: "s", Region: "eu", Email: "a"}
	steps := []struct {
		name string
		run  func() error
	}{
		{"create", func() error { return r.Create(ctx, doc) }},
		{"upsert", func() error { doc.Email = "b"; return r.Upsert(ctx, doc) }},
		{"replace", func() error { doc.Name = "x"; return r.Replace(ctx, doc) }},
		{"update", func() error {
			return r.Update(ctx, doc.Key(), func(m *fixtures.Member) error { m.Email = "c"; return nil })
		}},
		{"bulk upsert", func() error { _, err := r.UpsertAll(documents.Items(doc)).Collect(ctx); return err }},
	}
	var created time.Time
	for i, step := range steps {
		if err := step.run(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if i == 0 {
			created = last.Created
		}
		if last.Version != int64(i+1) || !last.Created.Equal(created) || last.Updated.Before(created) || i > 0 && !last.Updated.After(created) {
			t.Errorf("%s: %+v, created at %v", step.name, last, created)
		}
		stored, err := container.ReadItem(ctx, azcosmos.NewPartitionKeyString("eu"), "s", nil)
		if err != nil || !strings.Contains(string(stored.Value), fmt.Sprintf(`"n":%d`, i+1)) || strings.Contains(string(stored.Value), "_pending") {
			t.Errorf("%s: %s, %v", step.name, stored.Value, err)
		}
	}
	if err := r.Create(ctx, &fixtures.Member{ID: "t", Region: "eu", Email: "b"}); !errors.Is(err, repository.ErrNotUnique) {
		t.Errorf("the value is held: %v", err)
	}
	if _, err := r.UpsertAll(documents.Items([]*fixtures.Member{{ID: "u", Region: "eu", Email: "u"}}...)).Collect(ctx); err != nil || last.Version != 1 {
		t.Errorf("an upsert of a new document: %+v, %v", last, err)
	}
}
