package move

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

var tenants = flag.Int("tenants", 4, "how many tenants TestModel moves")

// errUnclear is the error of a write whose outcome is unknown, or that took effect too late to
// count.
var errUnclear = errors.New("unclear")

// program is a process that serves a tenant by the rule of package tenancy, with a cache
// of its own.
type program struct {
	r      *rig
	tenant string
	cache  *tenancy.Cache
}

func (r *rig) program(tenant string) *program {
	return &program{r, tenant, tenancy.NewCache(r.records)}
}

// place returns where the tenant lives, and its container.
func (p *program) place(ctx context.Context) (tenancy.Residence, *azcosmos.ContainerClient, error) {
	at, err := p.cache.Residence(ctx, "orders", p.tenant)
	if err == nil && (at.State != tenancy.Settled || at.HasExpired()) {
		at, err = p.cache.Refresh(ctx, "orders", p.tenant)
	}
	id := at.Container
	if id == "" {
		id = "orders"
	}
	return at, p.r.client(id), err
}

// write stores a document, or deletes it if text is empty. Held waits after the place is
// known and before the request is sent, as if the process were stopped.
func (p *program) write(ctx context.Context, id, text string, held func()) error {
	for pause := time.Duration(0); ; pause = 10 * time.Millisecond { // while the tenant is closed, or its fence is gone
		if err := sleepAtMost(ctx, pause, time.Second); err != nil {
			return err
		}
		at, c, err := p.place(ctx)
		if err != nil {
			return err
		}
		key := azcosmos.NewPartitionKeyString(p.tenant)
		body := object(p.r.t, p.tenant, id, text)
		if at.State == tenancy.Closed {
			continue
		}
		held()
		if at.State == tenancy.Settled {
			if text == "" {
				_, err = c.DeleteItem(ctx, key, id, nil)
			} else {
				_, err = c.UpsertItem(ctx, key, body, nil)
			}
			switch {
			case time.Now().After(at.Until.Add(at.Grace)):
				return errUnclear
			case wire.StatusOf(err) == http.StatusNotFound:
				return nil
			}
			return err
		}
		b := c.NewTransactionalBatch(key)
		b.PatchItem(tenancy.FenceID, tenancy.FencePatch().SDK(), nil)
		if text == "" {
			b.DeleteItem(id, nil)
			b.UpsertItem(tenancy.NewTombstone(tenantPath, p.tenant, id), nil)
		} else {
			b.UpsertItem(body, nil)
		}
		response, err := c.ExecuteTransactionalBatch(ctx, b, nil)
		if err != nil {
			return err
		}
		culprit := wire.Culprit(response.OperationResults)
		switch {
		case response.Success, culprit == 1 && text == "" && response.OperationResults[1].StatusCode == http.StatusNotFound:
			return nil
		case culprit != 0:
			return fmt.Errorf("a batch fails: %+v", response.OperationResults)
		}
	}
}

// read reads a document, "" if it is not there.
func (p *program) read(ctx context.Context, id string) (string, error) {
	for {
		at, c, err := p.place(ctx)
		if err != nil {
			return "", err
		}
		response, err := c.ReadItem(ctx, azcosmos.NewPartitionKeyString(p.tenant), id, nil)
		if at.HasExpired() {
			now, failed := p.cache.Refresh(ctx, "orders", p.tenant)
			if failed != nil {
				return "", failed
			}
			if !at.Stays(now) {
				continue
			}
		}
		var answer *azcore.ResponseError
		if errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		var d struct{ Text string }
		return d.Text, json.Unmarshal(response.Value, &d)
	}
}

// load is the writers and readers of a tenant.
type load struct {
	*rig
	tenant string
	stop   chan struct{}
	group  sync.WaitGroup

	counter atomic.Int64 // the last acknowledged version of the document that only grows
	mu      sync.Mutex
	want    map[string]string
	maybe   map[string]bool // ids of writes that do not count, and may be there
	waits   []time.Duration
}

// pinned is the number of documents of a tenant that are never changed.
const pinned = 12

func (l *load) running() bool {
	select {
	case <-l.stop:
		return false
	default:
		return true
	}
}

// begin begins to write and read.
func (l *load) begin(ctx context.Context) {
	nothing := func() {}
	loop := func(do func(p *program, i int) error) {
		p := l.program(l.tenant)
		l.group.Go(func() {
			for i := 1; l.running(); i++ {
				if err := do(p, i); err != nil {
					l.t.Errorf("tenant %s: %v", l.tenant, err)
					return
				}
				time.Sleep(rand.N(6 * time.Millisecond))
			}
		})
	}
	loop(func(p *program, i int) error { // a document that only grows
		began := time.Now()
		err := p.write(ctx, "counter", fmt.Sprintf("%09d", i), nothing)
		if err == nil {
			l.counter.Store(int64(i))
			l.mu.Lock()
			l.want["counter"] = fmt.Sprintf("%09d", i)
			l.waits = append(l.waits, time.Since(began))
			l.mu.Unlock()
		}
		return unless(err, errUnclear)
	})
	loop(func(p *program, i int) error { // documents that come and go
		id, text := fmt.Sprintf("w%d", rand.N(8)), fmt.Sprintf("version %d", i)
		if rand.N(3) == 0 {
			text = ""
		}
		err := p.write(ctx, id, text, nothing)
		for errors.Is(err, errUnclear) { // again, until it counts
			err = p.write(ctx, id, text, nothing)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.want[id] = text; text == "" {
			delete(l.want, id)
		}
		return err
	})
	loop(func(p *program, i int) error { // a process that is stopped before its requests
		id := fmt.Sprintf("held%d", i)
		l.mu.Lock()
		l.maybe[id] = true
		l.mu.Unlock()
		err := p.write(ctx, id, "late", func() { time.Sleep(rand.N(1500 * time.Millisecond)) })
		if err == nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.want[id] = "late"
			delete(l.maybe, id)
		}
		return unless(err, errUnclear)
	})
	loop(func(p *program, i int) error { // a reader
		before := l.counter.Load()
		text, err := p.read(ctx, "counter")
		if err == nil && before > 0 && text < fmt.Sprintf("%09d", before) {
			err = fmt.Errorf("read %q after %d was acknowledged", text, before)
		}
		if err != nil {
			return err
		}
		id := fmt.Sprintf("pinned%d", i%pinned)
		if text, err = p.read(ctx, id); err == nil && text != "stays" {
			err = fmt.Errorf("%s is %q", id, text)
		}
		return err
	})
}

func unless(err, not error) error {
	if errors.Is(err, not) {
		return nil
	}
	return err
}

// end ends the load, and compares what is stored with what was acknowledged.
func (l *load) end(lives string) {
	close(l.stop)
	l.group.Wait()
	for _, id := range []string{"orders", "own-" + l.tenant} {
		got := l.stored(l.client(id), l.tenant)
		for name := range got {
			if l.maybe[name] {
				delete(got, name)
			}
		}
		if id != lives {
			if len(got) > 0 {
				l.t.Errorf("tenant %s: %v in container %s, where it does not live", l.tenant, got, id)
			}
			continue
		}
		for name, text := range l.want {
			if got[name] != text {
				l.t.Errorf("tenant %s: %s is %q, want %q", l.tenant, name, got[name], text)
			}
			delete(got, name)
		}
		if len(got) > 0 {
			l.t.Errorf("tenant %s: %v was never acknowledged, or was deleted", l.tenant, got)
		}
	}
}

// TestModel moves tenants into containers of their own, and half of them back, while
// programs write and read them: some are stopped before they send, with caches that are
// stale when they go on. Movers are killed at random requests. No acknowledged write is
// lost or undone, no reader misses a document, and nothing stays at the old place. It
// reports the pauses of writers.
func TestModel(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.container("orders", tenantPath, nil)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var (
		all    sync.WaitGroup
		mu     sync.Mutex
		pauses []time.Duration
		waits  []time.Duration
		kills  int
		slots  = make(chan struct{}, 4)
	)
	for i := range *tenants {
		tenant := fmt.Sprintf("t%d", i)
		r.container("own-"+tenant, tenantPath, nil)
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			l := &load{rig: r, tenant: tenant, stop: make(chan struct{}), want: map[string]string{}, maybe: map[string]bool{}}
			for n := range pinned {
				l.want[fmt.Sprintf("pinned%d", n)] = "stays"
			}
			r.store(r.client("orders"), tenant, l.want)
			l.begin(t.Context())
			lives := "orders"
			for _, to := range []string{"own-" + tenant, "orders"}[:1+i%2] {
				for kill := 0; ; kill++ {
					at := random.IntN(60)
					if kill == 2 {
						at = -1
					}
					ctx, crashed := process(at, random.IntN(2) == 0)
					done, err := Run(ctx, Settings{
						Container: r.DB.NewContainer, Records: r.records, Shared: "orders", Tenant: tenant, To: to, Rhythm: 50 * time.Millisecond,
					})
					if crashed() {
						mu.Lock()
						kills++
						mu.Unlock()
						continue
					}
					if err != nil {
						t.Errorf("tenant %s: %v", tenant, err)
						break
					}
					if lives = to; done.Mended > 0 {
						t.Errorf("tenant %s: %d documents were mended", tenant, done.Mended)
					}
					mu.Lock()
					pauses = append(pauses, done.Pause)
					mu.Unlock()
					break
				}
			}
			l.end(lives)
			mu.Lock()
			waits = append(waits, l.waits...)
			mu.Unlock()
		})
	}
	all.Wait()
	slices.Sort(pauses)
	slices.Sort(waits)
	if len(pauses) == 0 || len(waits) == 0 {
		t.Fatal("nothing has moved, or nobody has written")
	}
	at := func(d []time.Duration, share float64) time.Duration {
		return d[int(share*float64(len(d)-1))].Round(time.Millisecond)
	}
	t.Logf("%d moves, %d kills; pause: median %v, 99th percentile %v, longest %v; %d writes, of which the 99th percentile took %v and the longest, with a mover that was killed meanwhile, %v",
		len(pauses), kills, at(pauses, 0.5), at(pauses, 0.99), at(pauses, 1), len(waits), at(waits, 0.99), at(waits, 1))
	if p := at(pauses, 0.99); p > 20*time.Second {
		t.Errorf("writers pause for %v at the 99th percentile", p)
	}
}
