package regions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/moving"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// TestWriteAfterStaleReads has a client without the policies of Configure, whose reads go to a
// region that gets no writes. A write that reads first never sees the stored version. Its error
// names this cause too, since no other program writes the document.
func TestWriteAfterStaleReads(t *testing.T) {
	t.Parallel()
	r := newRig(t, fixtures.PlainTaskContainer())
	task := &fixtures.PlainTask{ID: "1", Owner: "o"}
	here := fixtures.NewPlainTaskRepository(r.Container("plain-tasks", repository.Configure(nil)))
	must(t, here.Create(t.Context(), task))
	must(t, r.SetReplication(emulator.Replication{Paused: true}))
	must(t, here.Upsert(t.Context(), &fixtures.PlainTask{ID: "1", Owner: "o", Value: 1}))
	near := harness.Impatient()
	near.PreferredRegions = []string{north, west}
	tasks := fixtures.NewPlainTaskRepository(r.Container("plain-tasks", near))
	r.ResetRequests()
	err := tasks.Update(t.Context(), task.Key(), func(p *fixtures.PlainTask) error { p.Value += 10; return nil })
	const note = "10 times in a row: others keep writing it, or reads go to a region that lacks its last writes; try again later"
	if !errors.Is(err, repository.ErrPreconditionFailed) || !strings.HasSuffix(err.Error(), note) {
		t.Errorf("got %v", err)
	}
	if n := r.Sent(emulator.OpReplaceItem); n != 10 {
		t.Errorf("%d attempts, want 10", n)
	}
	must(t, r.SetReplication(emulator.Replication{}))
	must(t, tasks.Update(t.Context(), task.Key(), func(p *fixtures.PlainTask) error { p.Value += 10; return nil }))
	if stored, err := here.Get(t.Context(), task.Key()); err != nil || stored.Value != 11 {
		t.Errorf("stored is %+v, %v", stored, err)
	}
}

// TestReadsOfDocumentsThatMove has a program that prefers a region that gets no writes. It reads
// documents that move in the write region, also what it reads first for a write of any type.
func TestReadsOfDocumentsThatMove(t *testing.T) {
	t.Parallel()
	r := newRig(t, moving.GrowingContainer(), fixtures.BidContainer(), harness.Properties("directory", "/id"), fixtures.PlainTaskContainer(),
		harness.Properties("hauls", "/old"), harness.Properties("hauls-2", "/key"))
	must(t, r.SetReplication(emulator.Replication{Paused: true}))
	options := repository.Configure(&azcosmos.ClientOptions{PreferredRegions: []string{north, west}})
	r.db = r.Database(options)
	grown := moving.NewGrowingRepository(r.container(t, moving.GrowingContainer().ID))
	one := &moving.Growing{ID: "1", Line: "l", VIN: "v"}
	bids := fixtures.NewBidRepository(r.db, tenancy.NewTenantDirectory(r.container(t, "directory"))).For("t")
	bid := &fixtures.Bid{ID: "1", Tenant: "t"}
	hauls := repository.NewMigration(repository.New(r.container(t, "hauls"), fixtures.OldHaulModel), repository.New(r.container(t, "hauls-2"), fixtures.HaulModel), repository.PhaseBoth,
		func(h *fixtures.Haul) *fixtures.OldHaul { return (*fixtures.OldHaul)(h) }, func(h *fixtures.OldHaul) *fixtures.Haul { return (*fixtures.Haul)(h) },
		haulKey.keys)
	tasks := fixtures.NewPlainTaskRepository(r.container(t, "plain-tasks"))
	task := &fixtures.PlainTask{ID: "1", Owner: "o"}
	for _, test := range []struct {
		name string
		do   func(ctx context.Context) error
	}{
		{"Create", func(ctx context.Context) error { return grown.Create(ctx, one) }},
		{"Get", func(ctx context.Context) error { _, err := grown.Get(ctx, one.Key()); return err }},
		{"GetMany", func(ctx context.Context) error {
			_, err := grown.GetMany(ctx, []moving.GrowingKey{one.Key()})
			return err
		}},
		{"By", func(ctx context.Context) error { _, err := grown.ByLine("l").Collect(ctx); return err }},
		{"Create of a tenant", func(ctx context.Context) error { return bids.Create(ctx, bid) }},
		{"Get of a tenant", func(ctx context.Context) error { _, err := bids.Get(ctx, bid.Key()); return err }},
		{"Scan of a tenant", func(ctx context.Context) error { _, err := bids.Scan().Collect(ctx); return err }},
		{"Create of a migration", func(ctx context.Context) error {
			return hauls.Create(ctx, &fixtures.Haul{ID: "1", Truck: "t", Route: "r"})
		}},
		{"Get of a migration", func(ctx context.Context) error { _, err := hauls.Get(ctx, haulKey{"1", "t", "r"}); return err }},
		{"Create of a plain type", func(ctx context.Context) error { return tasks.Create(ctx, task) }},
		{"Update of a plain type", func(ctx context.Context) error {
			return tasks.Update(ctx, task.Key(), func(p *fixtures.PlainTask) error { p.Value++; return nil })
		}},
		{"Get of a plain type", func(ctx context.Context) error { _, err := tasks.Get(ctx, task.Key()); return err }},
	} {
		r.ResetRequests()
		err := test.do(t.Context())
		var in []string
		for _, q := range r.Requests() {
			if strings.Contains(q.Path, "/docs") && !slices.Contains(in, q.Region) {
				in = append(in, q.Region)
			}
		}
		want, found := west, error(nil)
		if test.name == "Get of a plain type" { // the program prefers this region for it
			want, found = north, repository.ErrNotFound
		}
		if !slices.Equal(in, []string{want}) || !errors.Is(err, found) {
			t.Errorf("%s: %v, by requests to %q, want %q", test.name, err, in, want)
		}
	}
}
