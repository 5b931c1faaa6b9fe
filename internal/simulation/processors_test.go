package simulation

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// leases is the container of leases, as a line that the account loads.
const leases = `{"database":"db","container":{"id":"leases","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}}`

// settled is how long a processor takes, without faults, until it has handled all changes: a
// program may be stopped for 90 seconds, its leases expire 60 seconds later, the next look at
// them is 13 seconds away, and pauses grow to 30 seconds.
const settled = 5 * time.Minute

// processors starts the processors of a run. The function that it returns ends them.
func (r *run) process() (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for k := range r.processors {
		all.Go(func() {
			for life := 0; ctx.Err() == nil; life++ {
				r.processOnce(ctx, k, life)
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// life is one run of a processor.
type life struct {
	*running
	draws *rand.Rand        // of the handler, while that of running decides on faults
	seen  map[string]string // the tag of each document that it has handled last, since it has acquired a lease
}

// processOnce runs a processor until its program dies.
func (r *run) processOnce(ctx context.Context, k, n int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	program := r.programOf(k)
	l := &life{&running{
		index: 900_000 + 100*k + n, name: "processor", random: rand.New(rand.NewPCG(r.seed, uint64(100*k+n))),
		cancel: cancel, faults: 20, before: r.lost(), began: time.Now(), program: program,
	}, rand.New(rand.NewPCG(r.seed, uint64(1_000_000+100*k+n))), map[string]string{}}
	leases, err := program.db.NewContainer("leases")
	if err != nil {
		r.fail(-1, "%v", err)
		return
	}
	p := r.processing(program, k).Processor("all", leases, func(ctx context.Context, changes []shapes.Handled) error {
		return r.handle(ctx, l, changes)
	}, feed.PageSize(int32(r.seed%3)), feed.OnEvent(func(_ context.Context, e feed.Event) bool {
		if e.Op == "acquire" { // its changes come again
			r.mu.Lock()
			defer r.mu.Unlock()
			clear(l.seen)
			r.acquired = true
		}
		return false
	}))
	err = p.Run(r.world.begin(ctx, l.running))
	if r.multi && ctx.Err() == nil {
		r.refuses(l.running, writeregions.Leases, err)
		<-ctx.Done()
	}
	if ctx.Err() == nil {
		r.mu.Lock()
		r.fail(-1, "processor %d has ended: %v", k, err)
		r.mu.Unlock()
		<-ctx.Done()
	}
	if r.buried(l.running) {
		time.Sleep(time.Duration(l.draws.Int64N(int64(20 * time.Second))))
	}
}

// processing returns the documents of a processor: the programs of several releases have one each.
func (r *run) processing(p *program, k int) shapes.Store {
	all := slices.DeleteFunc(slices.Clone(p.stores[0]), func(s shapes.Store) bool { return slices.Contains(s.Lacks(), "changes") })
	return all[(k+int(r.seed%2))%len(all)]
}

var errHandler = errors.New("the handler has failed")

// handle handles changes: each was written, and those of a document come in the order of the
// writes.
func (r *run) handle(ctx context.Context, l *life, changes []shapes.Handled) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := ctx.Err(); err != nil { // another program may have the lease
		return err
	}
	if !r.calm.Load() && l.draws.IntN(8) == 0 {
		return errHandler
	}
	for _, c := range changes {
		now := r.written[c.ID+" "+c.Tag]
		if now == nil {
			r.fail(-1, "a processor got %+v, which no program wrote", c)
			continue
		}
		if before := r.written[c.ID+" "+l.seen[c.ID]]; l.seen[c.ID] != "" && !now.ended.IsZero() && now.ended.Before(before.began) {
			r.fail(r.slotOf(c.ID), "a processor got %s of %s after %s, which was written later", c.Tag, c.ID, before.tag)
		}
		l.seen[c.ID] = c.Tag
		r.handled[handling{c.ID, c.Tag, c.Deleted}]++
	}
	return nil
}

// handling is what a handler got.
type handling struct {
	id, tag string
	deleted bool
}

func (r *run) slotOf(id string) int {
	for slot := range r.slots {
		if r.place(slot).ID == id {
			return slot
		}
	}
	return -1
}

// handledAll waits without faults, and checks that processors have handled the last change of
// each document.
func (r *run) handledAll() {
	if r.processors == 0 || len(r.wrong) > 0 {
		return
	}
	calm := r.calm.Swap(true)
	time.Sleep(settled)
	r.calm.Store(calm)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acquired, r.quiet = false, time.Now()
	r.lastOnes(func(slot int, is state, times int) {
		if times == 0 {
			r.fail(slot, "no processor has handled %s, which is %+v", r.place(slot).ID, is)
		}
	})
}

// handledOnce checks at the end that processors handle a change once, unless one of them has
// acquired a lease meanwhile: two programs do not have one lease. A unique value can have a
// document stored again as it is, so that no write of it relies on a reservation any more, and a
// patch of a document of an earlier form stores it first in the present one.
func (r *run) handledOnce() {
	if r.processors == 0 || len(r.wrong) > 0 {
		return
	}
	time.Sleep(settled)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastOnes(func(slot int, is state, times int) {
		wrote := r.written[r.place(slot).ID+" "+is.tag]
		if !wrote.began.Before(r.quiet) && (times == 0 || times > 1 && !r.acquired && !r.has("unique") && !r.has("nextform")) {
			r.fail(slot, "processors have handled %s %d times, which is %+v", r.place(slot).ID, times, is)
		}
	})
}

// lastOnes calls each for each document whose stored state is certain, with how often its last
// change was handled.
func (r *run) lastOnes(each func(slot int, is state, times int)) {
	for slot, s := range r.slots {
		s.expand()
		is := s.at(s.configs[0].state)
		certain := is.exists && is.ttl == 0
		for _, c := range s.configs {
			certain = certain && s.at(c.state).tag == is.tag && s.at(c.state).hidden == is.hidden
		}
		if certain {
			each(slot, is, r.handled[handling{r.place(slot).ID, is.tag, is.hidden}])
		}
	}
}
