package tenants

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// tiersModel is what one writer knows of its own bids.
type tiersModel struct {
	t      *testing.T
	r      *rand.Rand
	writer int
	at     []*kit.Bids    // the processes
	values map[string]int // of the bids that are stored
}

func (m *tiersModel) id() string      { return fmt.Sprintf("w%d-%d", m.writer, m.r.IntN(6)) }
func (m *tiersModel) bids() *kit.Bids { return m.at[m.r.IntN(len(m.at))] }
func (m *tiersModel) fresh() int      { return m.r.IntN(1000) }
func (m *tiersModel) String() string  { return fmt.Sprint("writer ", m.writer) }

// step makes one random change, and checks its outcome.
func (m *tiersModel) step(ctx context.Context) {
	id, value, b := m.id(), m.fresh(), m.bids()
	old, known := m.values[id]
	var err error
	then, stays := value, true
	missing := repository.ErrNotFound
	switch kind := m.r.IntN(9); kind {
	case 0:
		err, missing = b.Create(ctx, kit.BidOf(id, value)), nil
		if known {
			if !errors.Is(err, repository.ErrAlreadyExists) {
				m.t.Errorf("%v: create of %s, which is stored: %v", m, id, err)
			}
			return
		}
	case 1:
		err, missing = b.Upsert(ctx, kit.BidOf(id, value)), nil
	case 2:
		err = b.Replace(ctx, kit.BidOf(id, value))
	case 3:
		then, err = old+1, b.Patch(ctx, kit.BidKeyOf(id), bidPatch.Increment(1))
	case 4:
		err = b.Update(ctx, kit.BidKeyOf(id), func(x *fixtures.Bid) error { x.Value = value; return nil })
	case 5, 6:
		stays, err = false, b.Delete(ctx, kit.BidKeyOf(id))
	case 7:
		missing = nil
		_, err = b.UpsertAll(documents.Items(kit.BidOf(id, value), kit.BidOf(id, value)), documents.InBatches()).Collect(ctx)
	default:
		then = value + 1
		tx := repository.NewTransaction()
		missing = nil
		if err = errors.Join(b.In(tx).Upsert(kit.BidOf(id, value)), b.In(tx).Patch(kit.BidKeyOf(id), bidPatch.Increment(1))); err == nil {
			err = tx.Commit(ctx)
		}
	}
	switch {
	case isTooSlow(err):
		return
	case err != nil && missing != nil && !known && errors.Is(err, missing):
		return
	case errors.Is(err, repository.ErrUnclear):
		m.learn(ctx, id)
		return
	case err != nil || missing != nil && !known:
		m.t.Errorf("%v: %s: %v, and the bid is stored: %v", m, id, err, known)
		return
	}
	if delete(m.values, id); stays {
		m.values[id] = then
	}
}

// learn reads a bid after a write whose outcome is not known. What a process that was
// late has written may be forgotten by a move, but not come back.
func (m *tiersModel) learn(ctx context.Context, id string) {
	time.Sleep(500 * time.Millisecond) // the server may still be at the request that was given up
	x, err := m.bids().Get(ctx, kit.BidKeyOf(id))
	for isTooSlow(err) {
		x, err = m.bids().Get(ctx, kit.BidKeyOf(id))
	}
	switch {
	case errors.Is(err, repository.ErrNotFound):
		delete(m.values, id)
	case err != nil:
		m.t.Errorf("%v: %v", m, err)
	default:
		m.values[id] = x.Value
	}
}

// look reads a bid through any process: it is as its only writer has left it.
func (m *tiersModel) look(ctx context.Context) {
	id := m.id()
	x, err := m.bids().Get(ctx, kit.BidKeyOf(id))
	want, known := m.values[id]
	switch {
	case isTooSlow(err), errors.Is(err, repository.ErrNotFound) && !known:
	case err != nil || !known || x.Value != want:
		m.t.Errorf("%v: %s is %v, %v, want %d, stored: %v", m, id, x, err, want, known)
	}
}

// TestTiersModel moves a tenant out and back while several writers change and read its
// bids through two processes, each with a memory of its own, and readers run queries.
// Every read finds what was acknowledged before.
func TestTiersModel(t *testing.T) {
	seeds.Gate(t, "many moves")
	t.Parallel()
	h := newTiers(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts := []tenancy.DirectoryOption{tenancy.WithResidenceTTL(300 * time.Millisecond), tenancy.WithResidenceGrace(time.Second)}
	var at []*kit.Bids
	var directory *tenancy.TenantDirectory
	for range 2 {
		var err error
		if directory, err = tenancy.EnsureTenantDirectory(ctx, h.db, "directory", admin.Manual(400), opts...); err != nil {
			t.Fatal(err)
		}
		at = append(at, kit.BidsOf(h.db, directory, repository.WithPageSize(3)))
	}
	always := map[string]bool{}
	for i := range 10 {
		id := fmt.Sprintf("always-%d", i)
		if always[id] = true; at[0].Create(ctx, kit.BidOf(id, i)) != nil {
			t.Fatal("cannot store bids")
		}
	}
	var workers sync.WaitGroup
	models := make([]*tiersModel, 4)
	for w := range models {
		m := &tiersModel{t, rand.New(rand.NewPCG(uint64(w), 1)), w, at, map[string]int{}}
		models[w] = m
		workers.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				m.step(t.Context())
				m.look(t.Context())
				time.Sleep(time.Millisecond)
			}
		})
	}
	workers.Go(func() {
		for n := 0; ctx.Err() == nil && !t.Failed(); n++ {
			checkAlways(t, at[n%2], always)
		}
	})
	places := []string{"bids", "bids-t"}
	moves := int(min(seeds.More(), 9))
	for n := range moves {
		to := places[(n+1)%2]
		summary, err := tenancy.Move(ctx, h.db, directory, tenancy.TenantMove{Shared: "bids", Tenant: "t", To: to, Queries: time.Nanosecond})
		if err != nil || summary.Mended != 0 {
			t.Fatal(summary, err)
		}
		t.Logf("%d documents, %d deletions, pause %v", summary.Documents, summary.Deleted, summary.Pause)
	}
	cancel()
	workers.Wait()
	want := map[string]int{}
	for i := range 10 {
		want[fmt.Sprintf("always-%d", i)] = i
	}
	for _, m := range models {
		maps.Copy(want, m.values)
	}
	for _, b := range at {
		got := map[string]int{}
		for x, err := range b.Scan().All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got[x.ID] = x.Value
		}
		if !maps.Equal(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	}
	if values, _, _ := h.stored(places[(moves+1)%2]); len(values) > 0 {
		t.Errorf("the old place has %v", values)
	}
}

// checkAlways reads all bids, of which some are always there.
func checkAlways(t *testing.T, b *kit.Bids, always map[string]bool) {
	seen := map[string]bool{}
	for x, err := range b.Scan().All(t.Context()) {
		switch {
		case errors.Is(err, repository.ErrMoved), isTooSlow(err):
			return
		case err != nil:
			t.Error(err)
			return
		case seen[x.ID] && always[x.ID]: // others are deleted and stored again meanwhile
			t.Errorf("%s comes twice", x.ID)
		}
		seen[x.ID] = true
	}
	for id := range always {
		if !seen[id] {
			t.Errorf("%s is missing", id)
		}
	}
}
