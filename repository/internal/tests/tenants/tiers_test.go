package tenants

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
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
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

const heldLong = time.Hour

// bidWrites are all operations that write, each of a bid of its own, "a" to "z", which is
// stored with the value 1. They leave it with the value 2, or remove it.
var bidWrites = map[string]func(ctx context.Context, b *kit.Bids, id string) error{
	"a create": func(ctx context.Context, b *kit.Bids, id string) error {
		if err := b.Delete(ctx, kit.BidKeyOf(id)); err != nil {
			return err
		}
		return b.Create(ctx, kit.BidOf(id, 2))
	},
	"b upsert":  func(ctx context.Context, b *kit.Bids, id string) error { return b.Upsert(ctx, kit.BidOf(id, 2)) },
	"c replace": func(ctx context.Context, b *kit.Bids, id string) error { return b.Replace(ctx, kit.BidOf(id, 2)) },
	"d update": func(ctx context.Context, b *kit.Bids, id string) error {
		return b.Update(ctx, kit.BidKeyOf(id), func(x *fixtures.Bid) error { x.Value = 2; return nil })
	},
	"e update and get": func(ctx context.Context, b *kit.Bids, id string) error {
		x, err := b.UpdateAndGet(ctx, kit.BidKeyOf(id), func(x *fixtures.Bid) error { x.Value = 2; return nil })
		if err == nil && (x.Value != 2 || x.ETag == "") {
			err = fmt.Errorf("got %v", x)
		}
		return err
	},
	"f patch": func(ctx context.Context, b *kit.Bids, id string) error {
		return b.Patch(ctx, kit.BidKeyOf(id), bidPatch.Increment(1))
	},
	"g patch and get": func(ctx context.Context, b *kit.Bids, id string) error {
		x, err := b.PatchIfAndGet(ctx, kit.BidKeyOf(id), bidValue.Eq(1), bidPatch.Set(2))
		if err == nil && x.Value != 2 {
			err = fmt.Errorf("got %v", x)
		}
		return err
	},
	"h delete": func(ctx context.Context, b *kit.Bids, id string) error { return b.Delete(ctx, kit.BidKeyOf(id)) },
	"i delete if match": func(ctx context.Context, b *kit.Bids, id string) error {
		x, err := b.Get(ctx, kit.BidKeyOf(id))
		if err != nil {
			return err
		}
		return b.DeleteIfMatch(ctx, x)
	},
	"j transaction": func(ctx context.Context, b *kit.Bids, id string) error {
		tx := repository.NewTransaction()
		in := b.In(tx)
		read, err := in.Get(kit.BidKeyOf(id))
		err = errors.Join(err, in.Delete(kit.BidKeyOf(id)), in.Create(kit.BidOf(id, 1)), in.Patch(kit.BidKeyOf(id), bidPatch.Increment(1)))
		if err != nil {
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		if x, err := read.Doc(); err != nil || x.Value != 1 {
			return fmt.Errorf("read %v, %w", x, err)
		}
		return nil
	},
	"k transaction that deletes": func(ctx context.Context, b *kit.Bids, id string) error {
		tx := repository.NewTransaction()
		if err := errors.Join(b.In(tx).Upsert(kit.BidOf(id, 2)), b.In(tx).Delete(kit.BidKeyOf(id))); err != nil {
			return err
		}
		return tx.Commit(ctx)
	},
	"s transaction with a token": func(ctx context.Context, b *kit.Bids, id string) error {
		token := kit.BidOf("token-"+id, 2)
		use := func() error {
			return b.InTransaction(ctx, kit.BidKeyOf(id), func(tx *repository.Transaction) error {
				return b.In(tx).Patch(kit.BidKeyOf(id), bidPatch.Increment(1))
			}, repository.IdempotencyToken(b, token))
		}
		if err := use(); err != nil {
			return err
		}
		if err := use(); !errors.Is(err, repository.ErrAlreadyCommitted) {
			return fmt.Errorf("a second call: %w", err)
		}
		return b.Delete(ctx, token.Key())
	},
	"l upsert all": func(ctx context.Context, b *kit.Bids, id string) error {
		_, err := b.UpsertAll(documents.Items(kit.BidOf(id, 2), kit.BidOf(id, 2)), documents.InBatches()).Collect(ctx)
		return err
	},
	"m upsert one": func(ctx context.Context, b *kit.Bids, id string) error {
		_, err := b.UpsertAll(documents.Items(kit.BidOf(id, 2))).Collect(ctx)
		return err
	},
	"n delete all": func(ctx context.Context, b *kit.Bids, id string) error {
		_, err := b.DeleteAll(documents.Items(kit.BidKeyOf(id))).Collect(ctx)
		return err
	},
	"o delete all of": func(ctx context.Context, b *kit.Bids, id string) error {
		_, err := b.DeleteFound(b.Scan().WhereRaw("c.id = @id", azcosmos.QueryParameter{Name: "@id", Value: id}), documents.InBatches()).Collect(ctx)
		return err
	},
	"p create all": func(ctx context.Context, b *kit.Bids, id string) error {
		if _, err := b.DeleteAll(documents.Items(kit.BidKeyOf(id)), documents.InBatches()).Collect(ctx); err != nil {
			return err
		}
		_, err := b.CreateAll(documents.Items(kit.BidOf(id, 2)), documents.InBatches()).Collect(ctx)
		return err
	},
	"q upsert all in transactions": func(ctx context.Context, b *kit.Bids, id string) error {
		_, err := b.UpsertAll(documents.Items(kit.BidOf(id, 2), kit.BidOf(id, 2)), documents.InTransactions()).Collect(ctx)
		return err
	},
	"r create all in transactions": func(ctx context.Context, b *kit.Bids, id string) error {
		if _, err := b.DeleteAll(documents.Items(kit.BidKeyOf(id)), documents.InTransactions()).Collect(ctx); err != nil {
			return err
		}
		_, err := b.CreateAll(documents.Items(kit.BidOf(id, 2)), documents.InTransactions()).Collect(ctx)
		return err
	},
}

// bidReads are all operations that read, of bids of which "x" has the value 3.
var bidReads = map[string]func(ctx context.Context, b *kit.Bids) (int, error){
	"get": func(ctx context.Context, b *kit.Bids) (int, error) {
		x, err := b.Get(ctx, kit.BidKeyOf("x"))
		if err != nil {
			return 0, err
		}
		return x.Value, nil
	},
	"get many": func(ctx context.Context, b *kit.Bids) (int, error) {
		all, err := b.GetMany(ctx, []fixtures.BidKey{kit.BidKeyOf("x"), kit.BidKeyOf("none")})
		if err != nil {
			return 0, err
		}
		if len(all) != 2 || all[0] == nil || all[1] != nil {
			return 0, fmt.Errorf("got %v", all)
		}
		is, err := b.Exists(ctx, kit.BidKeyOf("x"))
		isNot, noErr := b.Exists(ctx, kit.BidKeyOf("none"))
		if err := errors.Join(err, noErr); err != nil || !is || isNot {
			return 0, fmt.Errorf("exists: %v, %v, %w", is, isNot, err)
		}
		return all[0].Value, nil
	},
	"first": func(ctx context.Context, b *kit.Bids) (int, error) {
		x, err := b.Scan().Where(bidValue.Eq(3)).First(ctx)
		if err != nil {
			return 0, err
		}
		return x.Value, nil
	},
	"count": func(ctx context.Context, b *kit.Bids) (int, error) {
		n, err := b.Scan().Where(bidValue.Eq(3)).Count(ctx)
		return n * 3, err
	},
	"sum": func(ctx context.Context, b *kit.Bids) (int, error) {
		sum, err := repository.Sum(ctx, b.Scan().WhereRaw(`c.id = "x"`), bidValue)
		return int(sum), err
	},
	"page": func(ctx context.Context, b *kit.Bids) (int, error) {
		p, err := b.Scan().OrderBy(bidValue.Desc()).Page(ctx, "", 1)
		if err != nil {
			return 0, err
		}
		return p.Items[0].Value, nil
	},
	"values": func(ctx context.Context, b *kit.Bids) (int, error) {
		return repository.Values(b.Scan().OrderBy(bidValue.Desc()), bidValue).First(ctx)
	},
	"distinct": func(ctx context.Context, b *kit.Bids) (int, error) {
		all, err := repository.Values(b.Scan(), bidValue).Distinct().Collect(ctx)
		if err != nil {
			return 0, err
		}
		return slices.Max(all), nil
	},
}

// storeBids stores one bid for each of bidWrites, and "x", and returns which id each has.
func storeBids(t *testing.T, b *kit.Bids) map[string]string {
	t.Helper()
	ids := map[string]string{}
	all := []*fixtures.Bid{kit.BidOf("x", 3)}
	for name := range bidWrites {
		ids[name] = name[:1]
		all = append(all, kit.BidOf(name[:1], 1))
	}
	if _, err := b.CreateAll(documents.Items(all...)).Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ids
}

// checkBids checks what all of bidWrites leave.
func checkBids(t *testing.T, values map[string]int) {
	t.Helper()
	want := map[string]int{"x": 3}
	for name := range bidWrites {
		if !strings.Contains(name, "delete") {
			want[name[:1]] = 2
		}
	}
	if !maps.Equal(values, want) {
		t.Errorf("got  %v\nwant %v", values, want)
	}
}

// TestTiersWhereTenantsLive has all operations in the shared container, in an own one,
// and while the tenant moves, when each write carries the fence.
func TestTiersWhereTenantsLive(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, container, other string
		state                  tenancy.ResidenceState
		model                  *generated.Model[fixtures.Bid, fixtures.BidKey]
	}{
		{"shared", "", "bids-t", tenancy.ResidenceSettled, fixtures.BidModel},
		{"own", "bids-t", "bids", tenancy.ResidenceSettled, fixtures.BidModel},
		{"own, of several types", "shared-bids-t", "shared-bids", tenancy.ResidenceSettled, fixtures.SharedBidModel},
		{"moves out", "", "bids-t", tenancy.ResidenceMoving, fixtures.BidModel},
		{"moves back", "bids-t", "bids", tenancy.ResidenceMoving, fixtures.BidModel},
		{"moves out, of several types", "", "shared-bids-t", tenancy.ResidenceMoving, fixtures.SharedBidModel},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newTiersOf(t, test.model.Own.Shared)
			l := newLedger(heldLong)
			l.says(test.container, tenancy.ResidenceSettled)
			b := kit.BidsOfModel(h.db, test.model, l)
			ids := storeBids(t, b)
			l.says(test.container, test.state)
			here := test.model.Own.Shared
			if test.container != "" {
				here = test.container
			}
			moving := test.state == tenancy.ResidenceMoving
			if moving {
				h.fence(here, true)
			}
			for name, write := range bidWrites {
				if err := write(t.Context(), b, ids[name]); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			for name, read := range bidReads {
				if got, err := read(t.Context(), b); got != 3 || err != nil {
					t.Errorf("%s: %d, %v", name, got, err)
				}
			}
			if n, err := b.Scan().Count(t.Context()); err != nil || n != len(bidWrites)+1-5 {
				t.Errorf("%d bids, %v", n, err)
			}
			values, gone, fence := h.stored(here)
			checkBids(t, values)
			if values, gone, fence := h.stored(test.other); len(values)+len(gone) > 0 || fence != nil {
				t.Errorf("the other container has %v, %v, %v", values, gone, fence)
			}
			if !moving {
				if len(gone) > 0 || l.count() > 0 {
					t.Errorf("tombstones of %v, %d lookups", gone, l.count())
				}
				return
			}
			for name := range bidWrites {
				if id := ids[name]; strings.Contains(name, "delete") != gone[id] && !strings.Contains(name, "create") {
					t.Errorf("%s: tombstone: %v", name, gone[id])
				}
			}
			if fence.Count < int64(len(bidWrites)) || !fence.Open {
				t.Errorf("the fence is %v", fence)
			}
			for _, r := range h.server.Requests() {
				switch r.Operation {
				case emulator.OpReplaceItem, emulator.OpPatchItem, emulator.OpDeleteItem:
					t.Errorf("%s %s is without the fence", r.Operation, r.Path)
				}
			}
			if _, err := b.Get(t.Context(), kit.BidKeyOf("_pkgen-fence")); err == nil || errors.Is(err, repository.ErrNotFound) {
				t.Errorf("the id of the fence is taken: %v", err)
			}
		})
	}
}

// TestTiersStaleWriters has writers that take the tenant for moving after the switch: no
// write takes effect at the old place.
func TestTiersStaleWriters(t *testing.T) {
	t.Parallel()
	for _, fenced := range []bool{true, false} {
		t.Run(fmt.Sprint("fence remains ", fenced), func(t *testing.T) {
			t.Parallel()
			h := newTiers(t)
			l := newLedger(heldLong)
			b := kit.BidsOf(h.db, l)
			ids := storeBids(t, b)
			h.copyTo("bids", "bids-t")
			before, _, _ := h.stored("bids")
			if fenced {
				h.fence("bids", false)
			}
			for name, write := range bidWrites {
				l.says("", tenancy.ResidenceMoving)
				l.hold()
				l.says("bids-t", tenancy.ResidenceSettled)
				if err := write(t.Context(), b, ids[name]); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			after, gone, _ := h.stored("bids")
			if !maps.Equal(before, after) || len(gone) > 0 {
				t.Errorf("the old place has %v and tombstones of %v", after, gone)
			}
			values, _, _ := h.stored("bids-t")
			checkBids(t, values)
		})
	}
}

// TestTiersStaleReaders has readers that take the tenant for moving, or for closed, after
// the switch: they find what was stored since.
func TestTiersStaleReaders(t *testing.T) {
	t.Parallel()
	h := newTiers(t)
	l := newLedger(heldLong)
	b := kit.BidsOf(h.db, l)
	l.says("bids-t", tenancy.ResidenceSettled)
	storeBids(t, b)
	for _, state := range []tenancy.ResidenceState{tenancy.ResidenceMoving, tenancy.ResidenceClosed} {
		for name, read := range bidReads {
			l.says("", state)
			l.hold()
			l.says("bids-t", tenancy.ResidenceSettled)
			if got, err := read(t.Context(), b); got != 3 || err != nil {
				t.Errorf("%v: %s: %d, %v", state, name, got, err)
			}
		}
	}
}

// TestTiersClosed has writes that wait until the tenant has moved, while reads go on.
func TestTiersClosed(t *testing.T) {
	t.Parallel()
	h := newTiers(t)
	l := newLedger(heldLong)
	b := kit.BidsOf(h.db, l)
	ids := storeBids(t, b)
	h.copyTo("bids", "bids-t")
	h.fence("bids", false)
	l.says("", tenancy.ResidenceClosed)
	l.mu.Lock()
	l.waiting = make(chan struct{}, 100*len(bidWrites))
	l.mu.Unlock()
	var writers sync.WaitGroup
	matching := []string{"i delete if match", "o delete all of"} // a bid that was read before: it has another ETag then
	for name, write := range bidWrites {
		writers.Go(func() {
			err := write(t.Context(), b, ids[name])
			if slices.Contains(matching, name) {
				if !strings.Contains(fmt.Sprint(err), "changed since it was read") {
					t.Errorf("%s: %v", name, err)
				}
				err = b.Delete(t.Context(), kit.BidKeyOf(ids[name]))
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for range 2 * len(bidWrites) {
		<-l.waiting
	}
	for name, read := range bidReads {
		if got, err := read(t.Context(), b); got != 3 || err != nil {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := b.Upsert(ctx, kit.BidOf("late", 1))
	kit.WantError(t, "a write that waits too long", err, context.DeadlineExceeded)
	if errors.Is(err, repository.ErrUnclear) {
		t.Errorf("nothing was sent: %v", err)
	}
	if values, gone, _ := h.stored("bids"); slices.Max(slices.Collect(maps.Values(values))) != 3 || values["b"] != 1 || len(gone) > 0 {
		t.Errorf("something was written: %v, %v", values, gone)
	}
	l.says("bids-t", tenancy.ResidenceSettled)
	writers.Wait()
	values, _, _ := h.stored("bids-t")
	checkBids(t, values)
}

// TestTiersLateAnswers delays the answer to a plain write until nobody counts on it.
func TestTiersLateAnswers(t *testing.T) {
	t.Parallel()
	for _, moved := range []bool{false, true} {
		harness.Bubble(t, fmt.Sprint("moved ", moved), func(t *testing.T) {
			h := newTiers(t)
			l := newLedger(heldLong)
			late := func(r *http.Request) {
				if r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "/docs") {
					return
				}
				if moved {
					l.says("", tenancy.ResidenceMoving)
				}
				// What holds of the time that the write was sent has ended now.
				for until := time.Now().Add(400 * time.Millisecond); time.Now().Before(until); {
					time.Sleep(50 * time.Millisecond)
				}
			}
			l.ttl, l.grace = 150*time.Millisecond, 150*time.Millisecond
			b := kit.BidsOf(h.slowly(late), l)
			err := b.Create(t.Context(), kit.BidOf("a", 1))
			if moved {
				kit.WantError(t, "a late answer after the tenant began to move", err, repository.ErrUnclear)
			} else if err != nil && !errors.Is(err, repository.ErrUnclear) {
				t.Errorf("a late answer while nothing has changed: %v", err)
			}
			if values, _, _ := h.stored("bids"); err == nil && values["a"] != 1 {
				t.Errorf("acknowledged, and stored: %v", values)
			}
		})
	}
}

// TestTiersQueriesWhileMoving has a query that goes on at the old place after the switch,
// until documents may be removed there.
func TestTiersQueriesWhileMoving(t *testing.T) {
	t.Parallel()
	h := newTiers(t)
	l := newLedger(heldLong)
	b := kit.BidsOf(h.db, l, repository.WithPageSize(2))
	storeBids(t, b)
	h.copyTo("bids", "bids-t")
	l.says("", tenancy.ResidenceMoving)
	seen := map[string]bool{}
	for x, err := range b.Scan().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[x.ID] {
			t.Errorf("%s comes twice", x.ID)
		}
		seen[x.ID] = true
		l.says("bids-t", tenancy.ResidenceSettled)
	}
	if len(seen) != len(bidWrites)+1 {
		t.Errorf("found %d bids", len(seen))
	}

	// The documents may be removed while the next query runs.
	l.ttl, l.grace = 200*time.Millisecond, 200*time.Millisecond
	l.says("", tenancy.ResidenceSettled)
	var failure error
	n := 0
	for _, err := range b.Scan().All(t.Context()) {
		if failure = err; err != nil {
			break
		}
		if n++; n == 1 {
			l.says("bids-t", tenancy.ResidenceSettled)
			time.Sleep(500 * time.Millisecond)
			h.remove("bids")
		}
	}
	kit.WantError(t, "a query of a tenant that has moved long ago", failure, repository.ErrMoved)
	if got, err := b.Scan().Count(t.Context()); err != nil || got != len(bidWrites)+1 {
		t.Errorf("%d bids, %v", got, err)
	}
}

// TestTiersCursors goes on with a cursor after the tenant has moved.
func TestTiersCursors(t *testing.T) {
	t.Parallel()
	h := newTiers(t)
	l := newLedger(heldLong)
	b := kit.BidsOf(h.db, l)
	storeBids(t, b)
	h.copyTo("bids", "bids-t")
	page, err := b.Scan().Page(t.Context(), "", 3)
	if err != nil || len(page.Items) != 3 {
		t.Fatal(page, err)
	}
	next, err := b.Scan().Page(t.Context(), page.Cursor, 3)
	if err != nil || len(next.Items) != 3 {
		t.Fatal(next, err)
	}
	l.says("bids-t", tenancy.ResidenceSettled)
	_, err = b.Scan().Page(t.Context(), page.Cursor, 3)
	kit.WantError(t, "the cursor of another container", err, repository.ErrCursor)
}

// TestTiersWithoutContainer has a directory that names a container that is gone.
func TestTiersWithoutContainer(t *testing.T) {
	t.Parallel()
	for _, container := range []string{"", "bids-x"} {
		t.Run(container, func(t *testing.T) {
			t.Parallel()
			h := newTiers(t)
			if _, err := h.container("bids").Delete(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			l := newLedger(heldLong)
			l.says(container, tenancy.ResidenceSettled)
			b := kit.BidsOf(h.db, l)
			wanted := func(name string, err error) {
				t.Helper()
				kit.WantError(t, name, err, repository.ErrNoContainer)
				if errors.Is(err, repository.ErrNotFound) {
					t.Errorf("%s: %v is that of a document that is not found", name, err)
				}
			}
			for name, write := range bidWrites {
				err := write(t.Context(), b, "a")
				var bulk *documents.BulkError
				if errors.As(err, &bulk) && bulk.Err == nil {
					err = bulk.Failures[0].Err
				}
				wanted(name, err)
			}
			for name, read := range bidReads {
				_, err := read(t.Context(), b)
				wanted(name, err)
			}
		})
	}
}

// TestTiersOfAllTenants calls the repository of all tenants, as generated code cannot.
func TestTiersOfAllTenants(t *testing.T) {
	t.Parallel()
	h := newTiers(t)
	b := kit.BidsOf(h.db, newLedger(heldLong))
	before := len(h.server.Requests())
	ctx := t.Context()
	_, getErr := b.All.Get(ctx, kit.BidKeyOf("a"))
	_, manyErr := b.All.GetMany(ctx, []fixtures.BidKey{kit.BidKeyOf("a")})
	_, countErr := b.All.Scan().Count(ctx)
	_, bulkErr := b.All.CreateAll(documents.Items(kit.BidOf("a", 1))).Collect(ctx)
	_, findErr := repository.FindInBuckets(ctx, b.All, "a", generated.Partition("t"))
	tx := repository.NewTransaction()
	err := errors.Join(b.All.In(tx).Create(kit.BidOf("a", 1)), tx.Commit(ctx))
	for name, err := range map[string]error{
		"Get": getErr, "GetMany": manyErr, "Count": countErr, "CreateAll": bulkErr, "Find": findErr, "Commit": err,
		"Create": b.All.Create(ctx, kit.BidOf("a", 1)), "Delete": b.All.Delete(ctx, kit.BidKeyOf("a")),
	} {
		if err == nil || errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := len(h.server.Requests()); after != before {
		t.Errorf("%d requests were sent", after-before)
	}
	for name, b := range map[string]*kit.Bids{"no directory": kit.BidsOf(h.db, nil), "no database": kit.BidsOf(nil, newLedger(heldLong))} {
		if _, err := b.Get(ctx, kit.BidKeyOf("a")); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := b.Scan().Count(ctx); err == nil {
			t.Errorf("%s: no error of a query", name)
		}
	}
}

// TestTiersFreeWhenUnused has tenants of a type that has one container: what they send and
// allocate is what it is without tenants.
func TestTiersFreeWhenUnused(t *testing.T) {
	_, container := kit.NewWire(t, `{"id":"1","tenant":"a","shelf":"s1","count":1,"pk":"a-s1"}`)
	all := repository.New(container, fixtures.OwnedModel)
	o, key, ctx := ownerOf(all, "a"), fixtures.OwnedKey{ID: "1", Tenant: "a", Shelf: "s1"}, context.Background()
	doc := &fixtures.Owned{ID: "1", Tenant: "a", Shelf: "s1", Count: 1}
	for name, calls := range map[string][2]func() error{
		"Get":    {func() error { _, err := all.Get(ctx, key); return err }, func() error { _, err := o.Get(ctx, key); return err }},
		"Upsert": {func() error { return all.Upsert(ctx, doc) }, func() error { return o.Upsert(ctx, doc) }},
		"Delete": {func() error { return all.Delete(ctx, key) }, func() error { return o.Delete(ctx, key) }},
	} {
		var counts [2]float64
		for i, call := range calls {
			if err := call(); err != nil {
				t.Fatal(name, err)
			}
			counts[i] = testing.AllocsPerRun(100, func() { _ = call() })
		}
		if counts[1] > counts[0]+harness.RaceAllocations {
			t.Errorf("%s: %v allocations of a tenant, %v without", name, counts[1], counts[0])
		}
	}
	server, owners := newOwned(t)
	if _, err := ownerOf(owners, "a").Scan().Collect(ctx); err != nil {
		t.Fatal(err)
	}
	for _, r := range server.Requests() {
		if strings.Contains(r.Query, "pkgenMove") {
			t.Errorf("a query has %s", r.Query)
		}
	}
}
