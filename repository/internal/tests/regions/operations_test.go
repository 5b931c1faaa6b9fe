package regions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/moving"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// rig is an account with two regions and documents of several types, and a client of it.
type rig struct {
	*harness.Account
	db *azcosmos.DatabaseClient
}

func newRig(t *testing.T, containers ...azcosmos.ContainerProperties) rig {
	t.Helper()
	account := harness.New(t, emulator.Options{Regions: []string{west, north}}, repository.Configure(nil))
	for _, c := range containers {
		account.Create(c)
	}
	return rig{Account: account}
}

const (
	west  = "West Europe"
	north = "North Europe"
)

// several gives the account two write regions, or one again, of which a new client is told.
func (r *rig) several(t *testing.T, on bool) {
	t.Helper()
	must(t, r.SetMultiWrite(on))
	r.db = r.Database(repository.Configure(harness.Impatient()))
}

func (r *rig) container(t *testing.T, id string) *azcosmos.ContainerClient {
	t.Helper()
	c, err := r.db.NewContainer(id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// call is an operation, and what of it relies on one write region; nil if nothing does.
type call struct {
	name string
	use  *writeregions.Use
	do   func(ctx context.Context) error
}

// check calls each operation, and compares what was sent: nothing but requests about the
// account and its containers if it is refused.
func (r *rig) check(t *testing.T, calls ...call) {
	t.Helper()
	for _, c := range calls {
		r.ResetRequests()
		err := c.do(t.Context())
		sent := r.Documents()
		switch {
		case c.use == nil && (err != nil || len(sent) == 0):
			t.Errorf("%s: %v, with the requests %v", c.name, err, sent)
		case c.use == nil:
		case !errors.Is(err, repository.ErrSeveralWriteRegions):
			t.Errorf("%s: %v", c.name, err)
		case !strings.Contains(err.Error(), "(West Europe and North Europe), and "+c.use.Name+" rely on one") || !strings.Contains(err.Error(), c.use.Why+"; "+c.use.Instead):
			t.Errorf("%s: the error says %q", c.name, err)
		case len(sent)+r.Sent(emulator.OpExecuteBatch, emulator.OpPatchItem) > 0:
			t.Errorf("%s is refused after %v", c.name, sent)
		case repository.HTTPStatus(err) != 500:
			t.Errorf("%s: status %d", c.name, repository.HTTPStatus(err))
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// bulk is the error of a bulk operation.
func bulk[T any](ctx context.Context, b repository.Bulk[T]) error {
	_, err := b.Collect(ctx)
	var failed *documents.BulkError
	if errors.As(err, &failed) && len(failed.Failures) > 0 {
		return failed.Failures[0].Err
	}
	return err
}

// TestPlainType: a type without features has reads and writes without a condition.
func TestPlainType(t *testing.T) {
	t.Parallel()
	r := newRig(t, fixtures.PlainTaskContainer())
	task := &fixtures.PlainTask{ID: "1", Owner: "o"}
	must(t, fixtures.NewPlainTaskRepository(r.Container("plain-tasks", nil)).Create(t.Context(), task))
	read := *task
	key := task.Key()
	r.several(t, true)
	tasks := fixtures.NewPlainTaskRepository(r.container(t, "plain-tasks"))
	untagged := func() *fixtures.PlainTask { return &fixtures.PlainTask{ID: "1", Owner: "o"} }
	one := func(yield func(*fixtures.PlainTask, error) bool) { yield(untagged(), nil) }
	keys := func(yield func(fixtures.PlainTaskKey, error) bool) { yield(key, nil) }
	change := func(p *fixtures.PlainTask) error { p.Value++; return nil }
	set := fixtures.PlainTaskPatch.Value.Set(3)
	r.check(t,
		// The first operation of a client learns of the regions with its own request.
		call{"Update", writeregions.Conditions, func(ctx context.Context) error { return tasks.Update(ctx, key, change) }},
		call{"Get", nil, func(ctx context.Context) error { _, err := tasks.Get(ctx, key); return err }},
		call{"Upsert", nil, func(ctx context.Context) error { return tasks.Upsert(ctx, untagged()) }},
		call{"Replace", nil, func(ctx context.Context) error { return tasks.Replace(ctx, untagged()) }},
		call{"Replace with an ETag", writeregions.Conditions, func(ctx context.Context) error { again := read; return tasks.Replace(ctx, &again) }},
		call{"UpdateAndGet", writeregions.Conditions, func(ctx context.Context) error { _, err := tasks.UpdateAndGet(ctx, key, change); return err }},
		call{"UpdateOrCreate", writeregions.Conditions, func(ctx context.Context) error { _, err := tasks.UpdateOrCreate(ctx, key, change); return err }},
		call{"PatchIf", writeregions.Conditions, func(ctx context.Context) error {
			return tasks.PatchIf(ctx, key, fixtures.PlainTaskFields.Value.Eq(0), set)
		}},
		call{"DeleteIfMatch", writeregions.Conditions, func(ctx context.Context) error { again := read; return tasks.DeleteIfMatch(ctx, &again) }},
		call{"Move", writeregions.Moves, func(ctx context.Context) error {
			moved := read
			moved.Owner = "p"
			return tasks.Move(ctx, key, &moved)
		}},
		call{"PrepareMove", writeregions.Moves, func(ctx context.Context) error {
			moved := read
			moved.Owner = "p"
			_, err := tasks.PrepareMove(ctx, key, &moved)
			return err
		}},
		call{"GetMany", nil, func(ctx context.Context) error {
			_, err := tasks.GetMany(ctx, []fixtures.PlainTaskKey{key})
			return err
		}},
		call{"Scan", nil, func(ctx context.Context) error { _, err := tasks.Scan().Collect(ctx); return err }},
		call{"UpsertAll", nil, func(ctx context.Context) error { return bulk(ctx, tasks.UpsertAll(one)) }},
		call{"DeleteFound", writeregions.Conditions, func(ctx context.Context) error { return bulk(ctx, tasks.DeleteFound(tasks.Scan())) }},
		call{"a transaction with an ETag", writeregions.Conditions, func(ctx context.Context) error {
			tx, again := repository.NewTransaction(), read
			_ = tasks.In(tx).Replace(&again)
			return tx.Commit(ctx)
		}},
		call{"DeleteAll", nil, func(ctx context.Context) error { return bulk(ctx, tasks.DeleteAll(keys)) }},
		call{"Create", nil, func(ctx context.Context) error { return tasks.Create(ctx, untagged()) }},
		call{"Delete", nil, func(ctx context.Context) error { return tasks.Delete(ctx, key) }},
	)
	must(t, tasks.Create(t.Context(), untagged()))
	must(t, tasks.Patch(t.Context(), key, set))
	tx := repository.NewTransaction()
	must(t, tasks.In(tx).Upsert(untagged()))
	must(t, tx.Commit(t.Context()))
}

// TestTokens: a transaction without conditions is sent, and one with a token is not.
func TestTokens(t *testing.T) {
	t.Parallel()
	r := newRig(t, fixtures.PlainTaskContainer())
	r.several(t, true)
	tasks := fixtures.NewPlainTaskRepository(r.container(t, "plain-tasks"))
	token := &fixtures.PlainTask{ID: "token", Owner: "o"}
	err := tasks.InTransaction(t.Context(), token.Key(), func(tx *repository.Transaction) error {
		return tasks.In(tx).Create(&fixtures.PlainTask{ID: "1", Owner: "o"})
	}, repository.IdempotencyToken(tasks.Documents, token))
	if !errors.Is(err, repository.ErrSeveralWriteRegions) || !strings.Contains(err.Error(), writeregions.Tokens.Name) || r.Sent(emulator.OpExecuteBatch) > 0 {
		t.Errorf("%v", err)
	}
}

// TestFeatures: types whose features rely on one write region.
func TestFeatures(t *testing.T) {
	t.Parallel()
	r := newRig(t, fixtures.TaskContainer(), fixtures.MemberContainer(), fixtures.UnstampedParcelContainer(), fixtures.SaleContainer(), fixtures.NoteContainer(), moving.GrowingContainer())
	task := &fixtures.Task{ID: "1", Owner: "o"}
	must(t, fixtures.NewTaskRepository(r.Container("tasks", nil)).Create(t.Context(), task))
	member := &fixtures.Member{ID: "1", Region: "eu", Email: "a@b.c"}
	must(t, fixtures.NewMemberRepository(r.Container(fixtures.MemberContainer().ID, nil)).Create(t.Context(), member))
	parcel := &fixtures.UnstampedParcel{ID: "1", Owner: "o"}
	must(t, fixtures.NewUnstampedParcelRepository(r.Container("unstamped-parcels", nil)).Create(t.Context(), parcel))
	r.several(t, true)
	tasks := fixtures.NewTaskRepository(r.container(t, "tasks"))
	members := fixtures.NewMemberRepository(r.container(t, fixtures.MemberContainer().ID))
	parcels := fixtures.NewUnstampedParcelRepository(r.container(t, "unstamped-parcels"))
	sales := fixtures.NewSaleRepository(r.container(t, fixtures.SaleContainer().ID))
	notes := fixtures.NewNoteRepository(r.container(t, fixtures.NoteContainer().ID))
	missing := &fixtures.Note{ID: "1", Topic: "t", Title: "i"}
	grown := moving.NewGrowingRepository(r.container(t, moving.GrowingContainer().ID))
	r.check(t,
		call{"Create with stamps", nil, func(ctx context.Context) error { return tasks.Create(ctx, &fixtures.Task{ID: "2", Owner: "o"}) }},
		call{"a transaction that upserts with stamps", writeregions.Stamps, func(ctx context.Context) error {
			tx := repository.NewTransaction()
			_ = tasks.In(tx).Upsert(&fixtures.Task{ID: "1", Owner: "o"})
			return tx.Commit(ctx)
		}},
		call{"a transaction that looks", writeregions.Conditions, func(ctx context.Context) error {
			tx := repository.NewTransaction()
			_ = sales.In(tx).Upsert(&fixtures.Sale{ID: "1", Customer: "c"})
			return tx.Commit(ctx)
		}},
		call{"a patch that counts, of a type with updated", writeregions.Conditions, func(ctx context.Context) error {
			return tasks.Patch(ctx, task.Key(), fixtures.TaskPatch.Value.Increment(1))
		}},
		call{"Upsert with stamps", writeregions.Stamps, func(ctx context.Context) error { return tasks.Upsert(ctx, &fixtures.Task{ID: "1", Owner: "o"}) }},
		call{"Replace with stamps", writeregions.Stamps, func(ctx context.Context) error { return tasks.Replace(ctx, &fixtures.Task{ID: "1", Owner: "o"}) }},
		call{"Create with a unique value", writeregions.Unique, func(ctx context.Context) error {
			return members.Create(ctx, &fixtures.Member{ID: "2", Region: "eu", Email: "d@e.f"})
		}},
		call{"Upsert with a unique value", writeregions.Unique, func(ctx context.Context) error { return members.Upsert(ctx, member) }},
		call{"Delete with a unique value", writeregions.Unique, func(ctx context.Context) error { return members.Delete(ctx, member.Key()) }},
		call{"Get with a unique value", nil, func(ctx context.Context) error { _, err := members.Get(ctx, member.Key()); return err }},
		call{"Delete that marks", writeregions.Conditions, func(ctx context.Context) error { return parcels.Delete(ctx, parcel.Key()) }},
		call{"Purge", writeregions.Conditions, func(ctx context.Context) error { return repository.Purge(ctx, parcels.Documents, parcel.Key()) }},
		call{"Restore", writeregions.Conditions, func(ctx context.Context) error {
			_, err := repository.Restore(ctx, parcels.Documents, parcel.Key())
			return err
		}},
		call{"Purge all", writeregions.Conditions, func(ctx context.Context) error {
			_, err := admin.PurgeDeleted(ctx, parcels.Documents, time.Now(), admin.Run{})
			return err // the operations before have told the account
		}},
		call{"Upsert that looks", writeregions.Conditions, func(ctx context.Context) error { return sales.Upsert(ctx, &fixtures.Sale{ID: "1", Customer: "c"}) }},
		call{"Replace that looks", writeregions.Conditions, func(ctx context.Context) error { return notes.Replace(ctx, missing) }},
		call{"Delete that looks", writeregions.Conditions, func(ctx context.Context) error { return notes.Delete(ctx, missing.Key()) }},
		call{"Patch that looks", writeregions.Conditions, func(ctx context.Context) error {
			return notes.Patch(ctx, missing.Key(), fixtures.NotePatch.Text.Set("x"))
		}},
		call{"a transaction with a patch that looks", writeregions.Conditions, func(ctx context.Context) error {
			tx := repository.NewTransaction()
			_ = notes.In(tx).Patch(missing.Key(), fixtures.NotePatch.Text.Set("x"))
			return tx.Commit(ctx)
		}},
		call{"Create in changing buckets", writeregions.Buckets, func(ctx context.Context) error {
			return grown.Create(ctx, &moving.Growing{ID: "1", Line: "l", VIN: "v"})
		}},
		call{"Rekey", writeregions.Moves, func(ctx context.Context) error { _, err := admin.Rekey(ctx, grown.Documents, admin.Run{}); return err }},
	)
}

// TestCompanions: the directory of tenants, moves of tenants, and leases.
func TestCompanions(t *testing.T) {
	t.Parallel()
	r := newRig(t, fixtures.BidContainer(), fixtures.BidOwnContainer("t"), harness.Properties("directory", "/id"), harness.Properties("leases", "/id"), fixtures.PlainTaskContainer())
	directory := tenancy.NewTenantDirectory(r.Container("directory", repository.Configure(nil)))
	_, err := directory.Tenants(t.Context(), "")
	must(t, err)
	r.several(t, true)
	directory = tenancy.NewTenantDirectory(r.container(t, "directory"))
	bids := fixtures.NewBidRepository(r.db, directory)
	bid := &fixtures.Bid{ID: "1", Tenant: "t"}
	processor := feed.NewProcessor(fixtures.NewPlainTaskRepository(r.container(t, "plain-tasks")).Documents, "p", r.container(t, "leases"),
		func(context.Context, []feed.Delivery[fixtures.PlainTask]) error { return nil })
	r.check(t,
		call{"Create of a tenant that stays", nil, func(ctx context.Context) error { return bids.For("t").Create(ctx, bid) }},
	)
	if _, err := tenancy.Move(t.Context(), r.db, directory, tenancy.TenantMove{Shared: "bids", Tenant: "t", To: "bids-t"}); !errors.Is(err, repository.ErrSeveralWriteRegions) {
		t.Errorf("tenancy.Move: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := processor.Run(ctx); !errors.Is(err, repository.ErrSeveralWriteRegions) || !strings.Contains(err.Error(), writeregions.Leases.Instead) {
		t.Errorf("Run: %v", err)
	}
}

// TestResolved: conflict= allows conditions and stamps, and nothing else.
func TestResolved(t *testing.T) {
	t.Parallel()
	r := newRig(t, fixtures.TaskContainer())
	r.several(t, true)
	model := *fixtures.TaskModel
	model.Conflict = "/_ts"
	tasks := repository.New(r.container(t, "tasks"), &model)
	task := &fixtures.Task{ID: "1", Owner: "o"}
	moved := &fixtures.Task{ID: "1", Owner: "p"}
	r.check(t,
		call{"Create", nil, func(ctx context.Context) error { return tasks.Create(ctx, task) }},
		call{"Upsert", nil, func(ctx context.Context) error { return tasks.Upsert(ctx, task) }},
		call{"Replace", nil, func(ctx context.Context) error { return tasks.Replace(ctx, task) }},
		call{"Update", nil, func(ctx context.Context) error {
			return tasks.Update(ctx, task.Key(), func(k *fixtures.Task) error { k.Value++; return nil })
		}},
		call{"Move", writeregions.Moves, func(ctx context.Context) error { return tasks.Move(ctx, task.Key(), moved) }},
	)
}

// TestSecondRegion: an observer hears once that the account has got a second write region, and
// once that it has one again, whichever of its repositories sends a request first.
func TestSecondRegion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, fixtures.PlainTaskContainer(), fixtures.TaskContainer())
		var told []string
		observer := repository.WithObserver(func(_ context.Context, e repository.Event) {
			if e.WriteRegions != "" {
				told = append(told, fmt.Sprintf("%s: %s", e.Op, e.WriteRegions))
			}
		})
		r.several(t, false)
		tasks := fixtures.NewPlainTaskRepository(r.container(t, "plain-tasks"), observer)
		others := fixtures.NewTaskRepository(r.container(t, "tasks"), observer)
		task, change := &fixtures.PlainTask{ID: "1", Owner: "o"}, func(*fixtures.PlainTask) error { return nil }
		must(t, tasks.Create(t.Context(), task))
		must(t, tasks.Update(t.Context(), task.Key(), change))
		must(t, others.Create(t.Context(), &fixtures.Task{ID: "1", Owner: "o"}))
		for range 2 {
			must(t, errors.Join(r.Failover(west), r.SetMultiWrite(true)))
			r.refresh(t)
			must(t, tasks.Upsert(t.Context(), task))
			must(t, others.Create(t.Context(), &fixtures.Task{ID: fmt.Sprint(len(told), "-2"), Owner: "o"}))
			if err := tasks.Update(t.Context(), task.Key(), change); !errors.Is(err, repository.ErrSeveralWriteRegions) {
				t.Errorf("Update in two write regions: %v", err)
			}
			must(t, errors.Join(r.SetMultiWrite(false), r.Failover(north)))
			r.refresh(t)
			must(t, tasks.Update(t.Context(), task.Key(), change))
			must(t, others.Create(t.Context(), &fixtures.Task{ID: fmt.Sprint(len(told), "-1"), Owner: "o"}))
		}
		const several, one = "write regions: West Europe and North Europe", "write regions: North Europe"
		if got, want := strings.Join(told, "; "), strings.Join([]string{several, one, several, one}, "; "); got != want {
			t.Errorf("the observer was told %q, want %q", got, want)
		}
	})
}

// TestRegionLeaves: an account whose second write region is away keeps two. It may come back, and
// its last writes arrive then.
func TestRegionLeaves(t *testing.T) {
	t.Parallel()
	r := newRig(t, fixtures.PlainTaskContainer())
	r.several(t, true)
	tasks := fixtures.NewPlainTaskRepository(r.container(t, "plain-tasks"))
	task, change := &fixtures.PlainTask{ID: "1", Owner: "o"}, func(*fixtures.PlainTask) error { return nil }
	must(t, tasks.Create(t.Context(), task))
	must(t, r.RemoveRegion(north))
	r.refresh(t)
	if err := tasks.Update(t.Context(), task.Key(), change); !errors.Is(err, repository.ErrSeveralWriteRegions) {
		t.Errorf("Update while a region is away: %v", err)
	}
	must(t, errors.Join(r.AddRegion(north), r.SetMultiWrite(false)))
	r.refresh(t)
	must(t, tasks.Update(t.Context(), task.Key(), change))
}

// refresh has the account read again, as azcosmos does every five minutes: by another client.
func (r *rig) refresh(t *testing.T) {
	t.Helper()
	_, err := r.Container("plain-tasks", repository.Configure(harness.Impatient())).Read(t.Context(), nil)
	must(t, err)
}

// haulKey is the key of a haul in both containers.
type haulKey struct{ ID, Truck, Route string }

func (k haulKey) keys() (fixtures.OldHaulKey, fixtures.HaulKey) {
	return fixtures.OldHaulKey{ID: k.ID, Truck: k.Truck}, fixtures.HaulKey{ID: k.ID, Route: k.Route}
}

// TestMigration: writes over two containers rely on one write region, in each phase.
func TestMigration(t *testing.T) {
	t.Parallel()
	r := newRig(t, harness.Properties("hauls", "/old"), harness.Properties("hauls-2", "/key"))
	r.several(t, true)
	for _, phase := range []repository.Phase{repository.PhaseOld, repository.PhaseBoth, repository.PhaseNew, repository.PhaseDone} {
		hauls := repository.NewMigration(repository.New(r.container(t, "hauls"), fixtures.OldHaulModel), repository.New(r.container(t, "hauls-2"), fixtures.HaulModel), phase,
			func(h *fixtures.Haul) *fixtures.OldHaul { return (*fixtures.OldHaul)(h) }, func(h *fixtures.OldHaul) *fixtures.Haul { return (*fixtures.Haul)(h) },
			haulKey.keys)
		haul, key := &fixtures.Haul{ID: "1", Truck: "t", Route: "r"}, haulKey{"1", "t", "r"}
		r.check(t,
			call{"Create", writeregions.Migrations, func(ctx context.Context) error { return hauls.Create(ctx, haul) }},
			call{"Upsert", writeregions.Migrations, func(ctx context.Context) error { return hauls.Upsert(ctx, haul) }},
			call{"Delete", writeregions.Migrations, func(ctx context.Context) error { return hauls.Delete(ctx, key) }},
		)
		if _, err := hauls.Get(t.Context(), key); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("Get in phase %d: %v", phase, err)
		}
	}
}
