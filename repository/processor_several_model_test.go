package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// A mortal is a process that can be killed: from then on nothing that it sends arrives, and
// nothing that it handles counts.
type mortal struct {
	dead atomic.Bool
	end  func()

	mu   sync.Mutex
	last map[string]map[string]int // the number of the last change, by container and partition key, since it acquired a lease there
}

var errDead = errors.New("the process is dead")

// Do implements policy.Policy.
func (p *mortal) Do(r *policy.Request) (*http.Response, error) {
	if !strings.Contains(r.Raw().URL.Path, "/docs") {
		return r.Next() // azcosmos shares what it reads of containers with the clients of other processes here
	}
	if p.dead.Load() {
		return nil, errDead
	}
	response, err := r.Next()
	if p.dead.Load() {
		return nil, errDead
	}
	return response, err
}

// born returns the database and the lease container of the process.
func (p *mortal) born(t testing.TB, r kit.Readings) (db *azcosmos.DatabaseClient, leases *azcosmos.ContainerClient) {
	t.Helper()
	o := repository.Configure(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{PerRetryPolicies: []policy.Policy{p}}})
	db = r.Server.Database(o)
	leases, err := db.NewContainer("leases")
	if err != nil {
		t.Fatal(err)
	}
	return db, leases
}

// processorModel is windowsModel for processes of a processor.
type processorModel struct {
	windowsModel
	leases  *azcosmos.ContainerClient
	options []repository.Option
	alive   []*mortal

	mu     sync.Mutex
	times  map[int]int // how often a write was handled
	failed error       // the last request that did
}

// start starts a process.
func (m *processorModel) start() {
	p := &mortal{last: map[string]map[string]int{}}
	db, leases := p.born(m.t, m.Readings)
	handle := func(_ context.Context, changes []feed.Delivery[fixtures.Reading]) error {
		if p.dead.Load() {
			return errDead
		}
		m.note(p, changes)
		return nil
	}
	observe := func(_ context.Context, e feed.Event) {
		if e.Op == "acquire" {
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.last, e.Container)
		}
	}
	processor := feed.NewProcessor(repository.NewIn(db, fixtures.ReadingModel, m.options...), "model", leases, handle,
		feed.WithLeaseTimes(feed.LeaseTimes{Acquire: 130 * time.Millisecond, Renew: 150 * time.Millisecond, Expire: 8 * time.Second}),
		feed.PollEvery(20*time.Millisecond), feed.PageSize(int32(1+m.r.IntN(6))),
		feed.CloseWindows(200*time.Millisecond), kit.Observe(observe),
		kit.OnRequestError(func(_ context.Context, err error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.failed = err
		}))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- processor.Run(ctx) }()
	p.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) && !p.dead.Load() {
			m.t.Errorf("a processor ended with %v", err)
		}
	})
	m.t.Cleanup(p.end)
	m.alive = append(m.alive, p)
}

// note checks changes that a process handles. Their order is that of the writes, until the
// process acquires a lease again.
func (m *processorModel) note(p *mortal, changes []feed.Delivery[fixtures.Reading]) {
	for _, c := range changes {
		n := c.Doc.Value
		container, pk := c.Doc.Key().Container(), c.Doc.Key().PartitionKey()
		p.mu.Lock()
		of := p.last[container]
		if of == nil {
			of = map[string]int{}
			p.last[container] = of
		}
		if n <= of[pk] {
			m.t.Errorf("write %d of %s comes after write %d", n, pk, of[pk])
		}
		of[pk] = n
		p.mu.Unlock()
		m.mu.Lock()
		m.times[n]++
		m.mu.Unlock()
	}
}

// handles waits until the last write of each reading was handled, of one life of a window or
// of all.
func (m *processorModel) handles(life string) {
	m.t.Helper()
	await(m.t, func() string {
		m.mu.Lock()
		defer m.mu.Unlock()
		for of, n := range m.latest {
			if n > 0 && m.times[n] == 0 && strings.HasPrefix(of, life) {
				return fmt.Sprintf("the last write of reading %s was not handled: %d; the last error is %v", of, n, m.failed)
			}
		}
		return ""
	})
}

// closed reports whether all leases of a window are closed.
func (m *processorModel) closed(month int) (all bool) {
	m.t.Helper()
	leases, err := harness.Stored[json.RawMessage](context.Background(), m.leases)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, raw := range leases {
		if s := string(raw); strings.Contains(s, `"pkgenWindow":"`+kit.Window(month)+`"`) {
			if all = isClosed(s); !all {
				return false
			}
		}
	}
	return all
}

// retire drops a window of the past once it is closed, and makes it again perhaps. Nobody
// writes it meanwhile.
func (m *processorModel) retire() {
	m.t.Helper()
	month := 1 + m.r.IntN(5)
	if m.windows[month] == 0 {
		return
	}
	life := fmt.Sprint(m.windows[month], " ")
	m.handles(life)
	await(m.t, func() string {
		if !m.closed(month) {
			return "the window " + kit.Window(month) + " is not closed"
		}
		return ""
	})
	for of := range m.latest {
		if strings.HasPrefix(of, life) {
			delete(m.latest, of)
		}
	}
	m.Drop(m.t, kit.Window(month))
	m.windows[month] = 0
	if m.r.IntN(2) == 0 {
		m.lives++
		m.windows[month] = m.lives
		m.Make(m.t, kit.Window(month))
	}
}

// disturb starts, stops and kills processes, splits physical partitions, and has requests
// fail.
func (m *processorModel) disturb() {
	switch m.r.IntN(8) {
	case 0:
		m.start()
	case 1, 2:
		p := m.alive[0]
		m.alive = m.alive[1:]
		p.dead.Store(m.r.IntN(2) == 0)
		p.end()
	case 3:
		_ = m.Server.Split("db", kit.Window(1+m.r.IntN(6)), strconv.Itoa(m.r.IntN(3))) // which may not be
	case 4:
		m.Server.Inject(emulator.Fault{Path: "/colls/leases/docs", Operation: emulator.OpReplaceItem, Count: 1 + m.r.IntN(3), Drop: true, After: true})
	case 5:
		m.Server.Inject(emulator.Fault{Operation: emulator.OpReadChangeFeed, Skip: m.r.IntN(6), Status: 429, Substatus: 3200, RetryAfter: time.Millisecond, Count: 1 + m.r.IntN(3)})
	case 6:
		m.retire()
	}
	for len(m.alive) < 2 {
		m.start()
	}
}

// TestProcessorsOverWindowsModel writes to windows that appear, close, are split, dropped
// and created again, while processes of a processor come, go and die.
func TestProcessorsOverWindowsModel(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			clock := &testClock{}
			r := rand.New(rand.NewPCG(seed, 61))
			opts := []repository.Option{withNow(clock.now), repository.WithConcurrency(1 + r.IntN(4))}
			m := &processorModel{options: opts, times: map[int]int{}, windowsModel: windowsModel{
				Readings: kit.NewReadings(t, 1+r.IntN(2), opts...), t: t, r: r, windows: map[int]int{}, latest: map[string]int{},
			}}
			m.leases = m.NewLeases(t)
			m.start()
			m.start()
			for range seeds.Few(20, 12) {
				for range 5 + r.IntN(15) {
					m.write()
				}
				m.disturb()
				time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
			}
			m.Server.ClearFaults()
			m.handles("")
			for _, p := range m.alive {
				p.end()
			}
			again, total := 0, 0
			for _, n := range m.times {
				total += n
				again += n - 1
			}
			t.Logf("%d windows, %d writes, %d handled, %d of them again", m.lives, m.written, total, again)
		})
	}
}
