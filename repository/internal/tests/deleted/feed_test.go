package deleted

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// parcelLog is what a feed has given, in order.
type parcelLog struct {
	mu  sync.Mutex
	all []string
}

func (l *parcelLog) note(p *fixtures.Parcel, deleted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := fmt.Sprint(p.ID, " ", p.Value)
	if deleted {
		text += " deleted"
	}
	if deleted == p.Gone.IsZero() {
		text += fmt.Sprintf(" %+v", p)
	}
	l.all = append(l.all, text)
}

// await waits until the feed has given what is wanted last.
func (l *parcelLog) await(t *testing.T, want ...string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		l.mu.Lock()
		got := slices.Clone(l.all)
		l.mu.Unlock()
		if n := len(got) - len(want); n >= 0 && slices.Equal(got[n:], want) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the feed has %q, and not %q at its end", got, want)
		}
	}
}

// TestDeletedInChanges has marked documents come as deletions, also in a feed of those
// that are shown, and restored ones as changes.
func TestDeletedInChanges(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, all := kit.NewParcels(t, fixtures.SharedParcelModel)
	kit.MustPass(t, all.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 1}), all.Create(ctx, &fixtures.Parcel{ID: "2", Owner: "o", Value: 2}), all.Delete(ctx, fixtures.ParcelKey{ID: "1", Owner: "o"}))
	cursor := ""
	expect := func(d *parcels, want ...string) {
		t.Helper()
		var got parcelLog
		for change, err := range feed.Changes(ctx, d, feed.FromCursor(cursor), feed.UntilCaughtUp()) {
			kit.MustPass(t, err)
			got.note(change.Doc, change.Deleted)
			if d == all {
				cursor = change.Cursor()
			}
		}
		slices.Sort(got.all)
		if !slices.Equal(got.all, want) {
			t.Errorf("the feed has %q, want %q", got.all, want)
		}
	}
	expect(repository.WithDeleted(all), "1 1 deleted", "2 2")
	expect(all, "1 1 deleted", "2 2")
	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, all, fixtures.ParcelKey{ID: "1", Owner: "o"})), all.Delete(ctx, fixtures.ParcelKey{ID: "2", Owner: "o"}))
	expect(all, "1 1", "2 2 deleted")
	kit.MustPass(t, repository.Purge(ctx, all, fixtures.ParcelKey{ID: "2", Owner: "o"}))
	expect(all)
}

// TestDeletedInProcessors has a processor of one type, one of all versions, and one of two
// types get deletions.
func TestDeletedInProcessors(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	properties := kit.HashContainer("parcels", "/owner")
	properties.DefaultTimeToLive = new(int32)
	*properties.DefaultTimeToLive = -1
	server, container := harness.NewContainer(t, emulator.Options{AllVersions: time.Hour}, properties, repository.Configure(nil))
	one, two := repository.New(container, fixtures.SharedParcelModel), repository.New(container, fixtures.RemovedParcelModel)
	leases := kit.NewLeases(t, server)
	var latest, muxed, versions parcelLog
	deliver := func(l *parcelLog) func(context.Context, []feed.Delivery[fixtures.Parcel]) error {
		return func(_ context.Context, changes []feed.Delivery[fixtures.Parcel]) error {
			for _, c := range changes {
				l.note(c.Doc, c.Deleted)
			}
			return nil
		}
	}
	var mux feed.Mux
	feed.Handle(one, &mux, deliver(&muxed))
	feed.Handle(two, &mux, deliver(&muxed))
	poll := feed.PollEvery(20 * time.Millisecond)
	ends := []func(){
		kit.RunProcessor(t, feed.NewVersionProcessor(one, "versions", leases, func(_ context.Context, changes []feed.Version[fixtures.Parcel]) error {
			for _, v := range changes {
				if v.Doc == nil {
					versions.note(&fixtures.Parcel{ID: v.ID, Value: -1, Gone: repository.NewTime(v.Time)}, v.Operation == feed.VersionDeleted)
					continue
				}
				versions.note(v.Doc, v.Operation == feed.VersionDeleted)
			}
			return nil
		}, kit.Quick, poll)),
	}
	kit.AwaitPositions(t, leases, 1) // which begins now
	ends = append(ends,
		kit.RunProcessor(t, feed.NewProcessor(one, "latest", leases, deliver(&latest), kit.Quick, poll)),
		kit.RunProcessor(t, mux.Processor("mux", leases, kit.Quick, poll)),
	)
	kit.MustPass(t, one.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 1}), two.Create(ctx, &fixtures.Parcel{ID: "2", Owner: "o", Value: 2}))
	latest.await(t, "1 1")
	muxed.await(t, "1 1", "2 2")
	kit.MustPass(t, one.Delete(ctx, fixtures.ParcelKey{ID: "1", Owner: "o"}))
	latest.await(t, "1 1", "1 1 deleted")
	muxed.await(t, "1 1 deleted")
	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, one, fixtures.ParcelKey{ID: "1", Owner: "o"})))
	latest.await(t, "1 1")
	kit.MustPass(t, one.Delete(ctx, fixtures.ParcelKey{ID: "1", Owner: "o"}))
	latest.await(t, "1 1", "1 1 deleted")
	server.Advance(2 * time.Minute) // the service removes it
	kit.MustPass(t, one.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 3}))
	latest.await(t, "1 1 deleted", "1 3")
	versions.await(t, "1 1", "1 1 deleted", "1 1", "1 1 deleted", "1 -1 deleted", "1 3")
	for _, end := range ends {
		end()
	}
}

// TestDeletedEnsure compares a container of documents that are removed after their
// deletion with one in which nothing expires.
func TestDeletedEnsure(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server, _ := harness.NewContainer(t, emulator.Options{}, kit.HashContainer("parcels", "/owner"), repository.Configure(nil))
	want := azcosmos.ContainerProperties{ID: "parcels", PartitionKeyDefinition: kit.HashContainer("parcels", "/owner").PartitionKeyDefinition, DefaultTimeToLive: new(int32)}
	*want.DefaultTimeToLive = -1
	_, err := admin.Ensure(ctx, server.DB, want, admin.AnyThroughput())
	kit.WantText(t, err, "defaultTtl")
}
