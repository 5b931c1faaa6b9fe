package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// account is an emulator with a container of events and one of leases.
type account struct {
	*harness.Account
	events, leases *azcosmos.ContainerClient
	rid            string
}

func newAccount(t *testing.T, partitions int) *account {
	t.Helper()
	var options azcosmos.ClientOptions
	wire.AddPolicies(&options)
	a := &account{Account: harness.New(t, emulator.Options{Partitions: partitions}, &options)}
	a.events, a.rid = a.container(t, "events", "/pk", nil)
	forever := int32(-1)
	a.leases, _ = a.container(t, "leases", "/id", &forever)
	return a
}

func (a *account) container(t *testing.T, id, path string, ttl *int32) (*azcosmos.ContainerClient, string) {
	t.Helper()
	response, err := a.DB.CreateContainer(context.Background(), azcosmos.ContainerProperties{
		ID: id, DefaultTimeToLive: ttl, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{path}, Version: 2},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.DB.NewContainer(id)
	if err != nil {
		t.Fatal(err)
	}
	return c, response.ContainerProperties.ResourceID
}

// store returns the leases of a processor in a dialect.
func (a *account) store(t *testing.T, d Dialect) *Container {
	t.Helper()
	return a.storeOf(t, d, &wire.Container{Client: a.events, Type: "event", Paths: []string{"/pk"}})
}

func (a *account) storeOf(t *testing.T, d Dialect, events *wire.Container) *Container {
	t.Helper()
	m := Monitored{Host: "127.0.0.1", Database: harness.Database, Container: "events", RID: a.rid}
	prefix, err := d.Prefix("projection", m)
	if err != nil {
		t.Fatal(err)
	}
	return &Container{
		Leases:  &wire.Container{Client: a.leases, Type: "lease", Paths: []string{"/id"}},
		Dialect: d, Processor: "projection", Prefix: prefix, Monitored: m,
		Physical: func(ctx context.Context) (*route.Map, error) {
			physical, _, err := events.Physical(ctx)
			return physical, err
		},
		Refresh: func(ctx context.Context) (*route.Map, error) {
			_, version, err := events.Physical(ctx)
			if err != nil {
				return nil, err
			}
			physical, _, err := events.Refresh(ctx, version)
			return physical, err
		},
	}
}

func TestBeginCreatesLeasesOnce(t *testing.T) {
	for _, d := range []Dialect{DotNet, JavaRange, JavaEPK} {
		a := newAccount(t, 5)
		ctx := context.Background()
		var begun sync.WaitGroup
		for range 4 {
			begun.Go(func() {
				s := a.store(t, d)
				s.lockFor = 2 * time.Second
				if err := s.Begin(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		begun.Wait()
		s := a.store(t, d)
		if err := s.Begin(ctx); err != nil {
			t.Error(err)
		}
		leases, err := s.List(ctx)
		if err != nil || len(leases) != 5 {
			t.Fatalf("%s: %d leases, %v", d, len(leases), err)
		}
		for _, l := range leases {
			if l.ByRange() != (d == JavaEPK) || l.Owner != "" || l.Tag != "" || time.Since(l.Time).Abs() > time.Minute {
				t.Errorf("%s: %+v", d, l)
			}
		}
		if _, err := s.Leases.ReadItem(ctx, opRead, place(s.Prefix.lock())); !errors.Is(s.failure(opRead, "", err), ErrGone) {
			t.Errorf("%s: the lock is still there: %v", d, err)
		}
	}
}

// TestBeginDuringDivisions divides all leases while they are listed: the first pages miss
// successors, the later ones what was divided.
func TestBeginDuringDivisions(t *testing.T) {
	a := newAccount(t, 8)
	ctx := context.Background()
	other := a.store(t, DotNet)
	if err := other.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	leases, err := other.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s := a.store(t, DotNet)
	var once sync.Once
	s.Leases.Observe = func(_ context.Context, e wire.Event) {
		if e.Op != opList {
			return
		}
		once.Do(func() {
			for _, l := range leases {
				middle := l.Range.Min + "01"
				for _, half := range []Range{{l.Range.Min, middle}, {middle, l.Range.Max}} {
					if err := other.Create(ctx, DotNet.NewLease(other.Prefix, "", half, l.Tag, time.Now())); err != nil {
						t.Error(err)
					}
				}
				if err := other.Delete(ctx, l); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if err := s.Begin(ctx); err != nil {
		t.Error(err)
	}
}

// TestBeginAfterACrashAndAMerge has a process stop after its first lease, whose physical
// partition is merged with the next one then: what the lease leaves of that gets a lease too.
func TestBeginAfterACrashAndAMerge(t *testing.T) {
	for _, d := range []Dialect{DotNet, JavaEPK} {
		t.Run(d.String(), func(t *testing.T) {
			a := newAccount(t, 3)
			ctx := context.Background()
			crashed := a.store(t, d)
			physical, err := crashed.Physical(ctx)
			if err != nil {
				t.Fatal(err)
			}
			first := physical.Ranges[0]
			leases, err := crashed.Successors(physical, []Part{{Range: Range{first.Min, first.Max}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := crashed.Create(ctx, leases[0]); err != nil {
				t.Fatal(err)
			}
			if err := a.Merge(harness.Database, "events", "0", "1"); err != nil {
				t.Fatal(err)
			}
			s := a.store(t, d)
			if _, err := s.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
			if err := s.Begin(ctx); err != nil {
				t.Fatal(err)
			}
			all, err := s.List(ctx)
			if err != nil || len(all) != 3 {
				t.Errorf("%d leases, %v", len(all), err)
			}
		})
	}
}

// TestLockOfACrashedProcess: its time is over, and the container has no time to
// live.
func TestLockOfACrashedProcess(t *testing.T) {
	a := newAccount(t, 2)
	s := a.store(t, DotNet)
	ctx := context.Background()
	if err := s.createDocument(ctx, s.Prefix.lock(), fmt.Appendf(nil, `{"id":%q}`, s.Prefix.lock())); err != nil {
		t.Fatal(err)
	}
	s.lockFor = 200 * time.Millisecond
	var seen lockSeen
	if created, err := s.create(ctx, &seen, false); created || err != nil {
		t.Errorf("under the lock of another: %t, %v", created, err)
	}
	start := time.Now()
	if err := s.Begin(ctx); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took < s.lockFor {
		t.Errorf("the lock was removed after %s", took)
	}
}

// TestLockOfPkgen: others see soon that its process has crashed, wait as long as it works,
// and a process that has lost it creates no more leases.
func TestLockOfPkgen(t *testing.T) {
	a := newAccount(t, 3)
	ctx := t.Context()
	crashed, other := a.store(t, DotNet), a.store(t, DotNet)
	other.ownLockFor = 300 * time.Millisecond
	var mine, theirs lockSeen
	own, err := crashed.lock(ctx, &mine)
	if own == nil || err != nil {
		t.Fatalf("the lock is not created: %v", err)
	}
	for range 4 {
		if locked, err := other.locked(ctx, &theirs); !locked || err != nil {
			t.Errorf("under the lock of another that works: %t, %v", locked, err)
		}
		time.Sleep(other.ownLockFor / 2)
		own.written = own.written.Add(-keepLockEvery)
		if err := own.keep(ctx); err != nil {
			t.Error(err)
		}
	}
	start := time.Now()
	if err := other.Begin(ctx); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took < other.ownLockFor || took > lockSeconds*time.Second/2 {
		t.Errorf("after a crash, leases were created after %s", took)
	}
	own.written = own.written.Add(-keepLockEvery)
	if err := crashed.createAll(ctx, own, false); !errors.Is(err, errLockLost) {
		t.Errorf("without the lock: %v", err)
	}
	if leases, err := other.List(ctx); err != nil || len(leases) != 3 {
		t.Errorf("there are %d leases, %v", len(leases), err)
	}
}

func TestStoreOnETags(t *testing.T) {
	a := newAccount(t, 2)
	s := a.store(t, DotNet)
	ctx := context.Background()
	if err := s.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	leases, err := s.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	first, heldCtx, err := Acquire(ctx, s, leases[0], "a", time.Minute, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Acquire(ctx, s, leases[0], "b", time.Minute, false); !errors.Is(err, ErrLost) {
		t.Errorf("a lease that another has acquired: %v", err)
	}
	if err := first.Save(ctx, `"5"`); err != nil {
		t.Error(err)
	}
	second, _, err := Acquire(ctx, s, first.Lease(), "b", time.Minute, true)
	if err != nil {
		t.Fatal(err)
	}
	if l := second.Lease(); l.Tag != `"5"` || l.Epoch != 2 {
		t.Errorf("stolen: %+v", l)
	}
	if err := first.Save(ctx, `"6"`); !errors.Is(err, ErrLost) || heldCtx.Err() == nil {
		t.Errorf("a lease that was stolen is saved: %v", err)
	}
	if err := second.Release(ctx); err != nil {
		t.Error(err)
	}
	free, err := s.Read(ctx, leases[0].ID)
	if err != nil || free.Owner != "" || free.Tag != `"5"` {
		t.Errorf("released: %+v, %v", free, err)
	}
	if err := s.Delete(ctx, leases[0]); !errors.Is(err, ErrChanged) {
		t.Errorf("deleted on an old ETag: %v", err)
	}
	if err := s.Delete(ctx, free); err != nil {
		t.Error(err)
	}
	if _, err := s.Replace(ctx, free); !errors.Is(err, ErrGone) {
		t.Errorf("replaced after it was deleted: %v", err)
	}
}

// TestLostLeasesAreCreatedAgain loses leases and other documents of a processor, as a forced
// failover does, and those of a division.
func TestLostLeasesAreCreatedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, d := range []Dialect{DotNet, JavaRange, JavaEPK} {
			a := newAccount(t, 3)
			ctx := context.Background()
			s := a.store(t, d)
			if err := s.Begin(ctx); err != nil {
				t.Fatal(err)
			}
			leases, err := s.List(ctx)
			if err != nil || len(leases) != 3 {
				t.Fatalf("%s: %d leases, %v", d, len(leases), err)
			}
			kept := leases[0]
			kept.Tag = `"7"`
			if kept, err = s.Replace(ctx, kept); err != nil {
				t.Fatal(err)
			}
			for _, lost := range leases[1:] {
				if err := s.Delete(ctx, lost); err != nil {
					t.Fatal(err)
				}
			}
			if d == JavaRange { // and what says that they were created
				if err := s.deleteDocument(ctx, s.Prefix.info(), ""); err != nil {
					t.Fatal(err)
				}
			}
			var restored []string
			s.Restored = func(_ context.Context, l Lease) { restored = append(restored, l.ID) }
			if err := s.Begin(ctx); err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			again, err := s.List(ctx)
			if err != nil || len(again) != 3 {
				t.Fatalf("%s: %d leases again, %v", d, len(again), err)
			}
			for _, l := range again {
				if want := map[bool]string{true: `"7"`}[l.ID == kept.ID]; l.Tag != want || !slices.ContainsFunc(leases, func(before Lease) bool { return before.ID == l.ID }) {
					t.Errorf("%s: %s goes on after %q", d, l.ID, l.Tag)
				}
			}
			if want := map[bool]int{false: 2}[d == JavaRange]; len(restored) != want {
				t.Errorf("%s: told of %q", d, restored)
			}
		}
	})
}

// TestLeasesAreLostWhileTheyAreCreated loses the lock and the leases before the first process has
// seen them, as a forced failover does: the process creates them again.
func TestLeasesAreLostWhileTheyAreCreated(t *testing.T) {
	for _, versions := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			a := newAccount(t, 3)
			s, other := a.store(t, DotNet), a.store(t, DotNet)
			s.Versions, other.Versions = versions, versions
			created := 0
			s.Leases.Observe = func(_ context.Context, e wire.Event) {
				if e.Op != opCreate {
					return
				}
				if created++; created != 4 { // a lock and three leases
					return
				}
				leases, err := other.List(t.Context())
				if err != nil || len(leases) != 3 {
					t.Fatalf("%d leases, %v", len(leases), err)
				}
				for _, lost := range leases {
					if err := other.Delete(t.Context(), lost); err != nil {
						t.Error(err)
					}
				}
				if err := other.deleteDocument(t.Context(), s.Prefix.lock(), ""); err != nil {
					t.Error(err)
				}
			}
			if err := s.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			if leases, err := other.List(t.Context()); err != nil || len(leases) != 3 {
				t.Errorf("%d leases again, %v", len(leases), err)
			}
			if before, err := other.created(t.Context()); !before || err != nil {
				t.Errorf("they are noted as created: %t, %v", before, err)
			}
		})
	}
}

// TestLostLeasesOfAllVersions: the feed of all versions has no beginning to go back to.
func TestLostLeasesOfAllVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAccount(t, 2)
		ctx := context.Background()
		s := a.store(t, DotNet)
		s.Versions = true
		if err := s.Begin(ctx); err != nil {
			t.Fatal(err)
		}
		leases, err := s.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(ctx, leases[0]); err != nil {
			t.Fatal(err)
		}
		if err := s.Begin(ctx); !errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), "skipped") {
			t.Errorf("a lease is missing: %v", err)
		}
	})
}

// TestAnswersOfWritesAreLost acquires and saves where the service has taken each
// write, and its answer is lost.
func TestAnswersOfWritesAreLost(t *testing.T) {
	a := newAccount(t, 1)
	s := a.store(t, JavaEPK)
	ctx := context.Background()
	if err := s.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	leases, err := s.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	lose := func() { a.Inject(emulator.Fault{Operation: emulator.OpReplaceItem, Drop: true, After: true}) }
	lose()
	h, _, err := Acquire(ctx, s, leases[0], "a", time.Minute, false)
	if err != nil {
		t.Fatal(err)
	}
	lose()
	for tag := range 3 {
		if err := h.Save(ctx, fmt.Sprintf(`"%d"`, tag)); err != nil && !errors.Is(err, ErrLost) {
			err = h.Save(ctx, fmt.Sprintf(`"%d"`, tag))
			if err != nil {
				t.Error(err)
			}
		}
	}
	if l, err := s.Read(ctx, leases[0].ID); err != nil || l.Tag != `"2"` || l.Owner != "a" {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestContainersThatAreRefused(t *testing.T) {
	a := newAccount(t, 1)
	ctx := context.Background()
	s := a.store(t, DotNet)
	hour := int32(3600)
	for _, test := range []struct {
		id, path string
		ttl      *int32
		want     string
	}{{"other", "/pk", nil, "/id"}, {"hour", "/id", &hour, "time to live"}, {"good", "/id", nil, ""}} {
		s.Leases.Client, _ = a.container(t, test.id, test.path, test.ttl)
		err := s.Check(ctx)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v", test.id, err)
		}
	}
}

// TestLeasesOfAnotherDialectInTheContainer: whether they begin alike or not.
func TestLeasesOfAnotherDialectInTheContainer(t *testing.T) {
	for there := range golden {
		a := newAccount(t, 2)
		ctx := context.Background()
		if err := a.store(t, there).Begin(ctx); err != nil {
			t.Fatal(err)
		}
		for d := range golden {
			err := a.store(t, d).Begin(ctx)
			if d == there && err != nil || d != there && (err == nil || !strings.Contains(err.Error(), there.String())) {
				t.Errorf("%s next to %s: %v", d, there, err)
			}
		}
	}
}

// TestLeasesOfARecreatedContainer: the ids of JavaRange have names, and another container
// may have the same.
func TestLeasesOfARecreatedContainer(t *testing.T) {
	a := newAccount(t, 2)
	ctx := context.Background()
	s := a.store(t, JavaRange)
	if err := s.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	s.Monitored.RID = "ZDqBaocDp1A="
	if err := s.Begin(ctx); !errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), "another name") {
		t.Errorf("leases of another container: %v", err)
	}
	l, err := a.store(t, JavaRange).Read(ctx, s.Prefix.leases()+"0")
	if err != nil {
		t.Fatal(err)
	}
	if l.Owner != "" || l.Epoch != 0 {
		t.Errorf("a lease of another container was written: %+v", l)
	}
}

func TestNamesThatAreRefused(t *testing.T) {
	m := Monitored{Host: "127.0.0.1", Database: "fleet", Container: "events", RID: "ZDqBaocDp1A="}
	for name, want := range map[string]string{
		"": "is empty", "a/b": "leave out", `a\\b`: "leave out", "a?": "leave out", "a#": "leave out",
		"a\n": "leave out", "a\x7f": "leave out", "ü😀": "leave out", "it's \"ü\" %2F..": "",
		strings.Repeat("a", 201): "201 bytes", "sums-2": "",
	} {
		_, err := DotNet.Prefix(name, m)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestSplitAndMerge looks up the ranges of leases by ids of physical partitions, and
// puts successors in place of them.
func TestSplitAndMerge(t *testing.T) {
	for _, d := range []Dialect{DotNet, JavaRange} {
		a := newAccount(t, 2)
		ctx := context.Background()
		events := &wire.Container{Client: a.events, Type: "event", Paths: []string{"/pk"}}
		s := a.storeOf(t, d, events)
		if err := s.Begin(ctx); err != nil {
			t.Fatal(err)
		}
		if err := a.Split(harness.Database, "events", "0"); err != nil {
			t.Fatal(err)
		}
		_, version, err := events.Physical(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := events.Refresh(ctx, version); err != nil {
			t.Fatal(err)
		}
		parent, err := s.Read(ctx, s.Prefix.leases()+"0")
		if err != nil || *parent.Range != (Range{"", "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"}) {
			t.Fatalf("%s: %+v, %v", d, parent.Range, err)
		}
		physical, err := s.Physical(ctx)
		if err != nil {
			t.Fatal(err)
		}
		parts := []Part{}
		for _, p := range physical.Overlapping(parent.Range.Min, parent.Range.Max) {
			parts = append(parts, Part{Range{p.Min, p.Max}, `"7"`})
		}
		children, err := s.Successors(physical, parts)
		if err != nil {
			t.Fatal(err)
		}
		h, _, err := Acquire(ctx, s, parent, "a", time.Minute, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Divide(ctx, children); err != nil {
			t.Fatal(err)
		}
		leases, err := s.List(ctx)
		if err != nil || len(leases) != 3 {
			t.Fatalf("%s: %d leases, %v", d, len(leases), err)
		}
		for _, l := range leases {
			if l.Token != "1" && l.Tag != `"7"` || l.ByRange() {
				t.Errorf("%s: %+v", d, l)
			}
		}
		half := Part{Range: Range{"", "01"}}
		others, err := s.Successors(physical, []Part{half})
		if d == JavaRange && (err == nil || !strings.Contains(err.Error(), "JavaEPK")) {
			t.Errorf("a part of a physical partition: %v", err)
		}
		if d == DotNet && (err != nil || others[0].Token != "-01" || !others[0].ByRange()) {
			t.Errorf("a part of a physical partition: %+v, %v", others, err)
		}
	}
}

// TestWorkersOnTheService is the share of leases among workers, on the emulator.
func TestWorkersOnTheService(t *testing.T) {
	t.Parallel()
	a := newAccount(t, 8)
	ctx, cancel := context.WithCancel(context.Background())
	var workers sync.WaitGroup
	if err := a.store(t, DotNet).Begin(ctx); err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		w := &Worker{
			Store: a.store(t, DotNet), Name: fmt.Sprint("w", n), Look: 50 * time.Millisecond, Renew: 100 * time.Millisecond, Expire: 2 * time.Second,
			Handle: func(ctx context.Context, _ *Held) error { <-ctx.Done(); return nil },
		}
		workers.Go(func() {
			if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	owners := func() map[string]int {
		leases, err := a.store(t, DotNet).List(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]int{}
		for _, l := range leases {
			all[l.Owner]++
		}
		return all
	}
	want, _ := json.Marshal(map[string]int{"w0": 2, "w1": 2, "w2": 2, "w3": 2})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got, _ := json.Marshal(owners())
		if string(got) == string(want) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("four workers have %s", got)
		}
	}
	cancel()
	workers.Wait()
	if got := owners(); got[""] != 8 {
		t.Errorf("all workers have ended, and leases are %v", got)
	}
}
