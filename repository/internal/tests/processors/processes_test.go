//go:build unix

package processors

import (
	"bufio"
	"context"
	"encoding/json"
	cmdline "flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var processesFor = cmdline.Duration("processes", 0, "how long TestProcesses kills and stops worker processes; then it also judges times")

// span is an interval of time, in nanoseconds.
type span struct{ from, to int64 }

// common returns how long two intervals have in common.
func (s span) common(other span) time.Duration {
	return time.Duration(max(0, min(s.to, other.to)-max(s.from, other.from)))
}

// call is a call of the handler of a worker.
type call struct {
	span

	worker      int
	least, most string // of the effective partition keys of its documents
	ids         []string
}

// runningWorker is a worker process, as its parent sees it.
type runningWorker struct {
	number  int
	command *exec.Cmd
	end     func()        // asks it to end
	said    chan struct{} // is closed when it says nothing more
	open    map[int64]*call
	docs    map[int64]map[string]int
	stopped int64 // since when, or 0
}

// processes is the test: worker processes, and the model of what they do.
type processes struct {
	*testing.T
	workerOrders

	server  *harness.Account
	things  kit.Things
	leases  *azcosmos.ContainerClient
	r       *rand.Rand
	epks    map[string]string // by id
	latest  map[string]int    // the version that was written last, by id
	running []*runningWorker
	started int
	kills   int
	ends    int
	divided int
	merged  int

	mu      sync.Mutex
	handled map[string]int // the latest version, by id
	calls   []*call
	saves   int64
	stops   map[int][]span // of workers
}

func newProcesses(t *testing.T, seed uint64, dialect feed.LeaseDialect) *processes {
	t.Helper()
	p := &processes{
		T: t, things: kit.NewThings(t, emulator.Options{Partitions: 4}, repository.Configure(nil), false),
		r: rand.New(rand.NewPCG(seed, 0)), epks: map[string]string{}, latest: map[string]int{},
		handled: map[string]int{}, stops: map[int][]span{},
	}
	p.server = p.things.Server
	p.leases = kit.NewLeases(t, p.server)
	p.workerOrders = workerOrders{
		Account: p.server.ConnectionString(), Dialect: dialect, Troubled: true, Pages: 5, Sleep: time.Millisecond,
		Times: feed.LeaseTimes{Acquire: 250 * time.Millisecond, Renew: 350 * time.Millisecond, Expire: 2 * time.Second},
	}
	return p
}

// start starts a worker, whose clock is up to an hour late or early.
func (p *processes) start() {
	p.Helper()
	binary, err := os.Executable()
	if err != nil {
		p.Fatal(err)
	}
	p.started++
	orders := p.workerOrders
	orders.Skew = time.Duration(p.r.IntN(3)-1) * time.Hour
	text, err := json.Marshal(orders)
	if err != nil {
		p.Fatal(err)
	}
	w := &runningWorker{number: p.started, command: exec.Command(binary), said: make(chan struct{}), open: map[int64]*call{}, docs: map[int64]map[string]int{}}
	w.command.Env = append(os.Environ(), workerVariable+"="+string(text))
	w.command.Stderr = os.Stderr
	input, err := w.command.StdinPipe()
	if err != nil {
		p.Fatal(err)
	}
	w.end = func() { _ = input.Close() }
	output, err := w.command.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := w.command.Start(); err != nil {
		p.Fatal(err)
	}
	p.running = append(p.running, w)
	go func() {
		defer close(w.said)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			var r workerReport
			if json.Unmarshal(lines.Bytes(), &r) == nil { // it may be half a line of one that was killed
				p.hear(w, r)
			}
		}
	}()
}

// hear notes what a worker says.
func (p *processes) hear(w *runningWorker, r workerReport) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saves += r.Saves
	switch {
	case r.Wrong != "":
		p.Errorf("worker %d: %s", w.number, r.Wrong)
	case r.Begin != 0:
		c := &call{span: span{from: r.At}, worker: w.number, ids: slices.Sorted(maps.Keys(r.Docs))}
		for _, id := range c.ids {
			if epk := p.epks[id]; c.least == "" || partition.CompareEPK(epk, c.least) < 0 {
				c.least = epk
			}
			if epk := p.epks[id]; partition.CompareEPK(epk, c.most) > 0 {
				c.most = epk
			}
		}
		w.open[r.Begin], w.docs[r.Begin] = c, r.Docs
		p.calls = append(p.calls, c)
	case r.End != 0:
		w.open[r.End].to = r.At
		if r.OK {
			for id, n := range w.docs[r.End] {
				p.handled[id] = max(p.handled[id], n)
			}
		}
		delete(w.open, r.End)
		delete(w.docs, r.End)
	}
}

// gone takes a worker out of the model that was killed or has ended.
func (p *processes) gone(i int) {
	w := p.running[i]
	p.running = slices.Delete(p.running, i, i+1)
	<-w.said
	_ = w.command.Wait() // it may have been killed
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range w.open {
		c.to = time.Now().UnixNano()
	}
}

func (p *processes) kill(i int) {
	_ = p.running[i].command.Process.Kill()
	p.noteStop(p.running[i])
	p.gone(i)
	p.kills++
}

func (p *processes) stop(w *runningWorker) {
	if w.stopped == 0 {
		w.stopped = time.Now().UnixNano()
		if err := w.command.Process.Signal(syscall.SIGSTOP); err != nil {
			p.Error(err)
		}
	}
}

func (p *processes) goOn(w *runningWorker) {
	if w.stopped != 0 {
		if err := w.command.Process.Signal(syscall.SIGCONT); err != nil {
			p.Error(err)
		}
		p.noteStop(w)
	}
}

// noteStop notes that a worker is no longer stopped.
func (p *processes) noteStop(w *runningWorker) {
	if w.stopped != 0 {
		p.stops[w.number] = append(p.stops[w.number], span{w.stopped, time.Now().UnixNano()})
		w.stopped = 0
	}
}

// trouble does one thing to the workers or to the physical partitions.
func (p *processes) trouble() {
	alive := func() *runningWorker { return p.running[p.r.IntN(len(p.running))] }
	switch p.r.IntN(12) {
	case 0, 1, 2:
		if len(p.running) < 8 {
			p.start()
		}
	case 3, 4:
		if len(p.running) > 1 {
			p.kill(p.r.IntN(len(p.running)))
		}
	case 5:
		if len(p.running) > 1 {
			i := p.r.IntN(len(p.running))
			p.goOn(p.running[i])
			p.running[i].end()
			p.gone(i)
			p.ends++
		}
	case 6, 7:
		p.stop(alive())
	case 8, 9:
		for _, w := range p.running {
			p.goOn(w)
		}
	case 10:
		if ranges := p.physical(); len(ranges) < 10 {
			if err := p.server.Split("db", "things", ranges[p.r.IntN(len(ranges))]); err != nil {
				p.Error(err)
			}
			p.divided++
		}
	case 11:
		if ranges := p.physical(); len(ranges) > 2 {
			i := p.r.IntN(len(ranges) - 1)
			if err := p.server.Merge("db", "things", ranges[i], ranges[i+1]); err != nil {
				p.Error(err)
			}
			p.merged++
		}
	}
}

// physical returns the ids of the physical partitions, in the order of their ranges.
func (p *processes) physical() []string {
	s := scaler{p.server.Endpoint()}
	_, text := s.send(p.T, http.MethodGet, "dbs/db/colls/things/pkranges", "")
	var list struct {
		Ranges []struct{ ID, MinInclusive string } `json:"PartitionKeyRanges"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		p.Fatal(err)
	}
	slices.SortFunc(list.Ranges, func(a, b struct{ ID, MinInclusive string }) int {
		return strings.Compare(a.MinInclusive, b.MinInclusive)
	})
	var ids []string
	for _, r := range list.Ranges {
		ids = append(ids, r.ID)
	}
	return ids
}

// write stores a document, or a new version of an existing one. Most are new: a handled
// version must not replace one that no handler has seen.
func (p *processes) write(ctx context.Context) {
	i := len(p.latest)
	if i > 0 && p.r.IntN(4) == 0 {
		i = p.r.IntN(i)
	}
	x := kit.Thing{ID: fmt.Sprintf("t%06d", i), Base: []string{"x", "y"}[i%2]}
	epk, err := partition.EPK(kit.ThingKey{ID: x.ID, Base: x.Base}.Text())
	if err != nil {
		p.Fatal(err)
	}
	p.mu.Lock()
	p.epks[x.ID] = epk
	p.mu.Unlock()
	n := p.latest[x.ID] + 1
	x.Properties = map[string]any{"n": n}
	if err := p.things.Upsert(ctx, &x); err != nil {
		p.Error(err)
		return
	}
	p.latest[x.ID] = n
}

// watch looks at the leases until ctx ends: their epochs and their progress never go
// back, also where a lease is divided.
func (p *processes) watch(ctx context.Context) (looks int) {
	type state struct {
		epoch, progress int64
		tag             string
	}
	seen := map[string]state{}
	for ctx.Err() == nil {
		for _, document := range p.readLeases(ctx) {
			var d struct {
				Properties struct {
					Epoch int64 `json:"pkgenEpoch,string"`
				} `json:"properties"`
			}
			var own struct {
				ID   string `json:"id"`
				ETag string `json:"_etag"`
			}
			n, err := progressOf(document)
			if err != nil {
				continue // .info and .lock
			}
			if json.Unmarshal(document, &own) != nil || json.Unmarshal(document, &d) != nil {
				p.Errorf("a lease cannot be read: %s", document)
				continue
			}
			if before, ok := seen[own.ID]; ok && (n < before.progress || d.Properties.Epoch < before.epoch) {
				p.Errorf("the lease %s was at %+v, and is at %d: %s", own.ID, before, n, document)
			}
			seen[own.ID] = state{d.Properties.Epoch, n, own.ETag}
		}
		looks++
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return looks
}

// readLeases returns the documents of the lease container, or some of them.
func (p *processes) readLeases(ctx context.Context) (all []json.RawMessage) {
	all, _ = harness.Stored[json.RawMessage](ctx, p.leases) // which may meet a fault
	return all
}

// missing returns how many documents were not handled in their last version.
func (p *processes) missing() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, version := range p.latest {
		if p.handled[id] < version {
			n++
		}
	}
	return n
}

// await waits, for a minute at most, until all is handled, and returns how long.
func (p *processes) await() time.Duration {
	begun := time.Now()
	for p.missing() > 0 && time.Since(begun) < time.Minute {
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(begun)
}

// overlaps compares the calls of different workers: their documents say whether they
// had one range. It returns the longest overlap, without the time in which one of them
// was stopped.
func (p *processes) overlaps() (n int, longest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.SortFunc(p.calls, func(a, b *call) int { return int(a.from - b.from) })
	for i, a := range p.calls {
		for _, b := range p.calls[i+1:] {
			if b.from >= a.to {
				break
			}
			if a.worker == b.worker || partition.CompareEPK(a.least, b.most) > 0 || partition.CompareEPK(b.least, a.most) > 0 {
				continue
			}
			n++
			both := span{b.from, min(a.to, b.to)}
			d := time.Duration(both.to - both.from)
			for _, s := range append(slices.Clone(p.stops[a.worker]), p.stops[b.worker]...) {
				d -= both.common(s)
			}
			longest = max(longest, d)
		}
	}
	return n, longest
}

// TestProcesses kills worker processes, stops and continues them, splits and merges
// physical partitions, and lets requests of the lease container fail, while documents
// change. The clocks of the processes are up to two hours apart. Every document is
// handled in its last version, saved progress never goes back, two processes handle
// one range for no longer than the expiry interval and the stop. In the end one worker
// is killed, and what is written then is handled within two intervals. With the flag -processes it takes that
// long, judges times, and compares what eight workers do with what one does.
func TestProcesses(t *testing.T) {
	seeds.Long(t)
	defer harness.Settled(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	duration, dialects := 3*time.Second, []feed.LeaseDialect{feed.DotNet}
	if *processesFor > 0 {
		duration, dialects = *processesFor/2, append(dialects, feed.JavaEPK)
	}
	for _, dialect := range dialects {
		newProcesses(t, seed, dialect).run(duration)
	}
	if *processesFor > 0 {
		speedUp(t)
	}
}

func (p *processes) run(duration time.Duration) {
	defer func() {
		for len(p.running) > 0 {
			p.kill(0)
		}
	}()
	const path = "/colls/leases/docs"
	p.server.Inject(emulator.Fault{Path: path, Operation: emulator.OpReplaceItem, Probability: 0.05, Seed: 1, Count: -1, Drop: true, After: true})
	p.server.Inject(emulator.Fault{Path: path, Probability: 0.05, Seed: 2, Count: -1, Status: http.StatusTooManyRequests, RetryAfter: 5 * time.Millisecond})
	p.server.Inject(emulator.Fault{Path: path, Probability: 0.02, Seed: 3, Count: -1, Status: http.StatusServiceUnavailable})
	p.server.Inject(emulator.Fault{Path: "/colls/things/docs", Method: http.MethodGet, Probability: 0.01, Seed: 4, Count: -1, Status: http.StatusServiceUnavailable})
	ctx, cancel := context.WithCancel(p.Context())
	looks := make(chan int)
	go func() { looks <- p.watch(ctx) }()
	defer func() {
		cancel()
		<-looks
	}()
	p.start()
	p.start()
	for begun, next := time.Now(), time.Now(); time.Since(begun) < duration; {
		p.write(p.Context())
		if time.Now().After(next) {
			p.trouble()
			next = time.Now().Add(time.Duration(p.r.Int64N(int64(400 * time.Millisecond))))
		}
		time.Sleep(3 * time.Millisecond)
	}
	p.finish()
}

// finish ends the trouble with a last kill, and judges what the workers have done.
func (p *processes) finish() {
	for _, w := range p.running {
		p.goOn(w)
	}
	p.server.ClearFaults()
	p.start()
	p.await() // what has piled up while workers were few
	p.kill(0)
	for range 20 {
		p.write(p.Context())
	}
	atLast := len(p.running)
	took := p.await()
	if n := p.missing(); n > 0 {
		p.Errorf("%d of %d documents were not handled in their last version within a minute", n, len(p.latest))
	}
	for len(p.running) > 0 {
		p.running[0].end()
		p.gone(0)
	}
	n, longest := p.overlaps()
	p.mu.Lock()
	defer p.mu.Unlock()
	versions, stops := 0, 0
	for _, v := range p.latest {
		versions += v
	}
	for _, s := range p.stops {
		stops += len(s)
	}
	p.Logf("%d versions in %d calls; %d workers, of which %d were killed and %d ended before the last change; %d stops, %d splits, %d merges; %d saves compared; %d overlaps, the longest of %s; %s after the last change all was handled by %d workers",
		versions, len(p.calls), p.started, p.kills, p.ends, stops, p.divided, p.merged, p.saves, n, longest, took.Round(time.Millisecond), atLast)
	if p.saves == 0 || len(p.calls) == 0 {
		p.Error("nothing was saved, or nothing handled")
	}
	if *processesFor == 0 {
		return
	}
	if limit := p.Times.Expire; longest > limit {
		p.Errorf("two workers handled one range for %s, longer than %s and the stop", longest, limit)
	}
	if limit := 2 * p.Times.Expire; took > limit {
		p.Errorf("all was handled %s after the last change, later than %s", took, limit)
	}
	if *processesFor >= time.Minute && (p.kills == 0 || stops == 0 || p.divided == 0 || p.merged == 0) {
		p.Error("something did not happen")
	}
}

// speedUp measures what eight worker processes do in the time of one. Each handles a
// page at a time, and sleeps for 5 ms for each change, as a handler that waits for
// another service.
func speedUp(t *testing.T) {
	t.Helper()
	const most = 8
	p := newProcesses(t, 1, feed.DotNet)
	p.things = kit.NewThings(t, emulator.Options{Partitions: most}, repository.Configure(nil), false)
	p.server, p.leases = p.things.Server, kit.NewLeases(t, p.things.Server)
	p.Account, p.Troubled, p.Sleep, p.Pages, p.AtOnce = p.server.ConnectionString(), false, 5*time.Millisecond, 5, 1
	done := map[int]float64{}
	for _, workers := range []int{1, most} {
		for i := range 24_000 {
			p.epks[fmt.Sprintf("%d-%05d", workers, i)] = "" // overlaps are not judged here
		}
		docs := func(yield func(*kit.Thing) bool) {
			for i := range 24_000 {
				if !yield(&kit.Thing{ID: fmt.Sprintf("%d-%05d", workers, i), Base: fmt.Sprint("b", i%50)}) {
					return
				}
			}
		}
		if _, err := p.things.CreateAll(documents.Sequence(docs)).Collect(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range workers {
			p.start()
		}
		for p.owners() != workers {
			time.Sleep(20 * time.Millisecond)
		}
		const window = 4 * time.Second
		before := p.changes()
		time.Sleep(window)
		done[workers] = float64(p.changes()-before) / window.Seconds()
		for len(p.running) > 0 {
			p.running[0].end()
			p.gone(0)
		}
	}
	ratio := done[most] / done[1]
	t.Logf("one worker handles %.0f changes a second, %d workers %.0f: %.2f times as many", done[1], most, done[most], ratio)
	if ratio < 2 { // on two cores that do nothing else it is 6.5 to 7.5; busy ones decide the rest
		t.Errorf("%d workers do %.2f times the work of one: they do not share it", most, ratio)
	}
}

// changes returns how many changes have been handled.
func (p *processes) changes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.handled)
}

// owners returns how many workers have leases, if all leases have one.
func (p *processes) owners() int {
	owners := map[string]bool{}
	for _, document := range p.readLeases(p.Context()) {
		var l struct{ LeaseToken, Owner *string }
		if json.Unmarshal(document, &l) != nil || l.LeaseToken == nil {
			continue
		}
		if l.Owner == nil {
			return 0
		}
		owners[*l.Owner] = true
	}
	return len(owners)
}
