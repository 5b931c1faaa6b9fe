package move

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
)

// Regions of the accounts here, the write region first.
const (
	west  = "West Europe"
	north = "North Europe"
)

// restart returns the same account as a process sees it that begins now: azcosmos finds the
// write region.
func (r *rig) restart() *rig {
	r.t.Helper()
	next := &rig{Account: r.Account, t: r.t}
	next.DB = r.Database(configured())
	c, err := next.DB.NewContainer("directory")
	if err != nil {
		r.t.Fatal(err)
	}
	next.records = tenancy.NewRecords(c)
	return next
}

// pause keeps writes of containers from reaching the other region, or ends that.
func (r *rig) pause(paused bool, containers ...string) {
	for _, id := range containers {
		if err := r.SetReplication(emulator.Replication{Database: harness.Database, Container: id, Paused: paused}); err != nil {
			r.t.Error(err)
		}
	}
}

// lose makes the other region the write region, without the writes that have not reached it,
// and then brings the first one back, unless the account is to have one region.
func (l lossy) lose(r *rig) {
	if err := r.ForceFailover(north); err != nil {
		r.t.Error(err)
	}
	if l.alone {
		return
	}
	if err := r.SetRegionOnline(west, true); err != nil {
		r.t.Error(err)
	}
}

// lossy is a move under which a failover loses the last writes of some containers.
type lossy struct {
	at     Step     // from which on no write reaches the other region
	of     []string // the containers
	levels bool
	amid   bool // the failover happens at the next step, and not after the move
	alone  bool // the account has one region when the move is continued
}

func (l lossy) String() string {
	return fmt.Sprintf("%s of %s, levels %t, amid %t, alone %t", l.at, strings.Join(l.of, " and "), l.levels, l.amid, l.alone)
}

// losses are all.
func losses() (all []lossy) {
	containers := []string{"directory", "orders", "orders-own"}
	for _, at := range []Step{Claimed, Marked, Copying, Closing, Decided, Switched} {
		for set := 1; set < 1<<len(containers); set++ {
			var of []string
			for i, id := range containers {
				if set&(1<<i) != 0 {
					of = append(of, id)
				}
			}
			for _, levels := range []bool{false, true} {
				all = append(all, lossy{at, of, levels, false, false}, lossy{at, of, levels, true, false}, lossy{at, of, levels, false, true})
			}
		}
	}
	return all
}

// TestForcedFailovers loses the last writes of the directory, of the old place and of the
// destination, at each step of a move. Then the move is continued. The tenant has its documents
// once, with what was written since, unless the failover has lost that very write. With -short
// there is a quarter of the cases.
func TestForcedFailovers(t *testing.T) {
	t.Parallel()
	for i, l := range losses() {
		if testing.Short() && i%4 > 0 {
			continue
		}
		harness.Bubble(t, l.String(), l.test)
	}
}

func (l lossy) test(t *testing.T) {
	r := newRig(t, west, north)
	want := some(3)
	if l.levels {
		r.levelled("orders")
		r.levelled("orders-own")
		want = map[string]string{}
		for n := range 3 {
			r.storeLevel("orders", n, "x")
			want[levelName(n)] = "x"
		}
	} else {
		r.container("orders", tenantPath, nil)
		r.container("orders-own", tenantPath, nil)
		r.store(r.client("orders"), "a", want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	settings := r.settings("a", "orders-own")
	settings.Patience = 200 * time.Millisecond
	reached, failed := false, false
	settings.Progress = func(s Summary) {
		switch {
		case s.Step == l.at && !reached:
			reached = true
			r.pause(true, l.of...)
		case reached && l.amid && !failed:
			failed = true
			l.lose(r)
		}
	}
	_, err := Run(ctx, settings)
	if !reached {
		t.Fatalf("the move has not come so far: %v", err)
	}
	if !l.amid && err == nil && slices.Contains(l.of, "directory") && l.at != Switched {
		t.Error("the move has ended although a region lacks what the directory says")
	}
	lives := l.write(r.restart(), want)
	if !failed {
		if l.lose(r); slices.Contains(l.of, lives) {
			l.forget(want)
		}
	}
	r.pause(false, l.of...)
	r = r.restart()
	settings = r.settings("a", "orders-own")
	settings.Patience = 20 * time.Second
	for range 3 { // the process before it may seem to be at work
		if _, err = Run(t.Context(), settings); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatalf("again: %v", err)
	}
	if l.levels {
		if got := r.storedLevels(r.client("orders-own"), "a"); !maps.Equal(got, want) {
			t.Errorf("there are %v, want %v", got, want)
		}
		if got := r.storedLevels(r.client("orders"), "a"); len(got) > 0 {
			t.Errorf("%v is at the old place", got)
		}
		return
	}
	r.check("a", "orders-own", "orders-own settled", want)
}

// late is the number of the document that is written after the move was interrupted.
const late = 7

func levelName(n int) string { return fmt.Sprintf("o%d in day %d %d", n/2, n%5, n%3) }

func (r *rig) storeLevel(container string, n int, text string) {
	r.t.Helper()
	if _, err := r.client(container).UpsertItem(context.Background(), levelsOf("a", n), levelBody(r.t, "a", n, text), nil); err != nil {
		r.t.Fatal(err)
	}
}

// write writes a document as a program does, and changes another one, unless writes wait. It
// returns the container.
func (l lossy) write(r *rig, want map[string]string) string {
	d, err := r.records.Read(r.t.Context(), "orders", "a")
	if err != nil {
		r.t.Fatal(err)
	}
	if d.State == tenancy.Closed {
		return ""
	}
	lives := "orders"
	if d.Container != "" {
		lives = d.Container
	}
	if l.levels {
		for _, n := range []int{0, late} {
			r.storeLevel(lives, n, "late")
			want[levelName(n)] = "late"
		}
		return lives
	}
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Second)
	defer cancel()
	for _, id := range []string{"o0", "late"} {
		switch err := r.program("a").write(ctx, id, "late", func() {}); {
		case err == nil:
			want[id] = "late"
		case errors.Is(err, context.DeadlineExceeded): // the fence is lost
		default:
			r.t.Errorf("a write after the move was interrupted: %v", err)
		}
	}
	return lives
}

// forget takes back what write has written.
func (l lossy) forget(want map[string]string) {
	if l.levels {
		want[levelName(0)] = "x"
		delete(want, levelName(late))
		return
	}
	want["o0"] = "order 0"
	delete(want, "late")
}

// TestDirectoryGoesBack has a failover lose a step of a move, or all of it, before the next one is
// noted: the next one means nothing without it.
func TestDirectoryGoesBack(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		t.Run(fmt.Sprintf("all %t", all), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, west, north)
			one, err := open(t.Context(), r.records, "orders", "a", time.Hour, r.settings("a", "").Sleep)
			if err != nil {
				t.Fatal(err)
			}
			if all {
				r.pause(true, "directory")
			}
			err = one.own(t.Context(), ends{"orders", "orders-own"}, func(ctx context.Context) error {
				r.pause(true, "directory")
				if err := one.advance(ctx, Switched, func(d *tenancy.Document) { d.Container = "orders-own" }); err != nil {
					return err
				}
				lossy{}.lose(r)
				return one.done(ctx)
			})
			if !errors.Is(err, errWentBack) {
				t.Errorf("%v, want %v", err, errWentBack)
			}
			want := " settled with a move"
			if all {
				want = " settled"
			}
			if got := r.restart().residence("a"); got != want {
				t.Errorf("the directory says %q, want %q", got, want)
			}
			if all && (one.epoch() != 0 || one.step() != Done) {
				t.Errorf("epoch %d, step %s", one.epoch(), one.step())
			}
		})
	}
}
