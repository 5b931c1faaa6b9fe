package simulation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/formerly"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/moving"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/newer"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/own"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/windows"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// step is one operation of a plan.
type step struct {
	index int
	stage int
	kind  string
	slots []int
	value int
	fresh bool // it has read the document first, and writes on its ETag
	mail  string
	ttl   int           // seconds, of what it stores
	late  time.Duration // how long its caller waits, 0 for ever
	size  int           // of pages
	seed  uint64
}

func (s step) String() string {
	return fmt.Sprintf("%d: %s of %v", s.index, s.kind, s.slots)
}

// plan is what a run does.
type plan struct {
	seed   uint64
	shape  shapes.Shape
	actors int
	rate   float64
	splits int
	docs   int

	processes int // that run the actors
	strikes   int // how often a process is stopped, or dies

	rest     time.Duration // in the middle of each stage
	contests bool          // several documents want one unique value

	processors int

	geography

	ahead  time.Duration // of the clock of the account
	clocks bool          // the programs stamp documents by clocks that differ
	steps  []step
}

// kinds are the operations, by how often they are chosen.
var kinds = map[string]int{
	"create": 12, "upsert": 12, "replace": 6, "delete": 8, "add": 8, "addif": 4, "update": 8,
	"get": 10, "getmany": 3, "scan": 4, "pages": 3, "where": 3, "between": 3, "byline": 3, "bykey": 3, "count": 2, "sum": 1,
	"bulkupsert": 3, "bulkcreate": 2, "bulkdelete": 2, "commit": 3, "maintain": 6, "restore": 4, "purge": 3, "changes": 2, "walk": 3, "entries": 4,
	"rank": 3, "elements": 3, "computed": 3,
}

// searches are the operations that need a feature.
var searches = map[string]string{"rank": "fulltext", "elements": "elements", "computed": "computed"}

// planOf returns what a seed does.
func planOf(seed uint64, length int, only []string) plan {
	random := rand.New(rand.NewPCG(seed, 0))
	asked := only
	geography, only := geographyOf(seed, only)
	all := having(only, shapes.All, moving.All, windows.All, formerly.All, own.All, newer.All)
	if geography.multi {
		if some := having(only, writable()...); len(some) > 0 || slices.Contains(asked, featureMultiWrite) {
			all = some
		} else {
			geography.multi = false
		}
	}
	if len(all) == 0 {
		panic(fmt.Sprintf("no type has %v", only))
	}
	p := plan{seed: seed, geography: geography, shape: all[random.IntN(len(all))], actors: 1 + random.IntN(5), docs: 3 + random.IntN(12)}
	p.rate = []float64{0, 0.02, 0.1, 0.3}[random.IntN(4)]
	p.splits = random.IntN(4)
	p.processes, p.strikes = 1+random.IntN(3), max(0, random.IntN(6)-2)
	p.rest = []time.Duration{0, 0, 30 * time.Second, time.Hour}[random.IntN(4)]
	if p.has("purged") && p.rest > 0 {
		p.rest += purge
	}
	if random.IntN(5) == 0 && p.rest < time.Hour && (p.rests() || p.has("windows")) {
		p.processors = 1 + random.IntN(2)
		p.strikes += 3
	}
	p.clocks = random.IntN(4) == 0
	if random.IntN(2) == 0 {
		p.ahead = time.Duration(random.Int64N(int64(20*time.Minute))) - 10*time.Minute
	}
	p.contests = p.has("unique") && random.IntN(2) == 0
	p.severally()
	bag := p.bag()
	for i := range length {
		p.steps = append(p.steps, p.step(random, i, length, bag))
	}
	if length > 0 && !p.multi && random.IntN(8) == 0 && p.processors == 0 && p.rests() && !p.has("unique") && p.shape.Index == nil {
		p.steps[random.IntN(length)].kind = "recreate"
	}
	return p
}

// having returns the types that have all of these features.
func having(features []string, of ...[]shapes.Shape) (all []shapes.Shape) {
	for _, s := range slices.Concat(of...) {
		if !slices.ContainsFunc(features, func(f string) bool { return !slices.Contains(s.Features, f) }) {
			all = append(all, s)
		}
	}
	return all
}

// bag has each kind of operation that documents have, as often as it is to be chosen.
func (p *plan) bag() (bag []string) {
	marks := p.has("deleted") || p.has("purged")
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		if feature := searches[k]; feature != "" && !p.has(feature) {
			continue
		}
		if k == "between" && !p.has("windows") || k == "entries" && p.shape.Index == nil {
			continue
		}
		if k == "walk" && len(p.shape.Containers) > 1 && !p.has("windows") || (k == "restore" || k == "purge") && !marks || k == "commit" && (p.has("idlevel") || p.has("random") || p.has("unique") || p.has("growing")) || k == "maintain" && !p.shape.Maintained() {
			continue
		}
		n := kinds[k]
		if k == "maintain" && p.shape.Moves { // few documents would be written while they move
			n *= 4
		}
		for range n {
			bag = append(bag, k)
		}
	}
	return bag
}

// step returns the ith of so many steps, of a kind in the bag.
func (p *plan) step(random *rand.Rand, i, length int, bag []string) step {
	s := step{index: i, stage: i * len(p.shape.Stages) / length, kind: bag[random.IntN(len(bag))], value: 1 + random.IntN(1000), fresh: random.IntN(2) == 0, seed: random.Uint64()}
	n := 1
	switch s.kind {
	case "getmany", "bulkupsert", "bulkcreate", "bulkdelete":
		n = 1 + random.IntN(6)
	case "commit":
		n = 1 + random.IntN(3)
	case "pages", "walk", "entries":
		s.size = 1 + random.IntN(4)
	case "computed":
		s.size = random.IntN(4)
	}
	for range n {
		if at := random.IntN(p.docs); !slices.Contains(s.slots, at) {
			s.slots = append(s.slots, at)
		}
	}
	if random.IntN(10) == 0 {
		s.late = time.Duration(1 + random.IntN(200_000_000))
	}
	if p.has("ttl") && random.IntN(3) == 0 && !p.multi {
		s.ttl = 1 + random.IntN(20)
	}
	if p.contests && random.IntN(4) == 0 {
		s.mail = mailOf(random.IntN(p.docs))
	}
	if p.shape.Pause > 0 && s.late == 0 && s.kind != "maintain" { // writes wait for a mover, which may have ended early
		s.late = 2 * time.Minute
	}
	return s
}

// rests reports whether all documents stay in one container.
func (p *plan) rests() bool {
	return len(p.shape.Stages) == 1 && len(p.shape.Containers) == 1 && !p.shape.Moves
}

func (p *plan) has(feature string) bool { return slices.Contains(p.shape.Features, feature) }

func mailOf(slot int) string { return fmt.Sprintf("m%d@x", slot) }

// place returns the document of a slot with the fields of its key only.
func (p *plan) place(slot int) shapes.Doc {
	d := shapes.Doc{ID: fmt.Sprintf("d-%d-", slot), Line: fmt.Sprintf("l%d", slot%3), VIN: fmt.Sprintf("v%d", slot%2), Number: slot % 2}
	if p.has("windows") {
		d.At = repository.NewTime(shapes.Month(slot / 3 % shapes.Months).Add(time.Duration(slot) * time.Hour))
	}
	if p.has("random") {
		d.Stored = fmt.Sprintf("%s.%d", d.Line, 1+slot%3)
	}
	return d
}

// run is a plan at work.
type run struct {
	plan
	*world

	weather  *weather
	sessions map[int]*session // by lane

	mu        sync.Mutex // of what follows
	programs  []*program
	slots     []*slot
	items     []*item               // with several write regions
	written   map[string]*operation // by ids and tags of what was to be stored
	handled   map[handling]int      // how often
	quiet     time.Time             // when processors had handled all changes, the last time
	acquired  bool                  // a processor has acquired a lease since then
	walk      *walk
	contested map[string]bool // values that several documents have, or had
	wrong     []string
	known     map[int]shapes.Doc // what a read or a write has returned, some time ago
	births    map[string]bool    // the ids and times of creations
	unsure    map[string]bool    // the ids of documents whose times of creation are not all known
	broken    []int              // the slots with something wrong; report prints their histories
	ended     int                // steps
	made      time.Time          // when the container came that was missing
}

func (r *run) fail(slot int, format string, a ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf(format, a...))
	if slot >= 0 {
		r.broken = append(r.broken, slot)
	}
}

// passed is how long all runs have lasted, in nanoseconds: whole hours, since dates of answers
// have whole seconds.
var passed atomic.Int64

// failed is fail of no document, for operations under way.
func (r *run) failed(format string, a ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail(-1, format, a...)
}

// simulate runs a plan, and returns what went wrong.
func simulate(t *testing.T, p plan) (r *run) {
	luck, end := transport.Seed(p.seed)
	defer end()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Duration(passed.Load())) // times only grow, from run to run
		began := time.Now()
		defer func() { passed.Add(int64(time.Since(began).Truncate(time.Hour) + time.Hour)) }()
		w, err := newWorld(p.seed, luck, p.names()...)
		if err != nil {
			t.Fatal(err)
		}
		w.rate = p.rate
		r = &run{plan: p, world: w, weather: &weather{geography: p.geography, random: rand.New(rand.NewPCG(p.seed, 4)), known: map[string]time.Time{}}, sessions: map[int]*session{}, contested: map[string]bool{}, written: map[string]*operation{}, handled: map[handling]int{}, known: map[int]shapes.Doc{}, births: map[string]bool{}, unsure: map[string]bool{}}
		if w.strike = r.strike; p.has("ttl") {
			w.leaps = 40
		}
		for range p.docs {
			r.slots = append(r.slots, newSlot())
			r.items = append(r.items, newItem(r))
			r.slots[len(r.slots)-1].fenced = p.contests
		}
		if err := r.prepare(); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.program()
		}()
		splits := r.splits
		if err := w.run(done, func() {
			r.watch()
			r.change()
			if splits > 0 && w.random.IntN(60) == 0 {
				splits--
				r.split()
			}
		}); err != nil {
			r.fail(-1, "%v", err)
		}
		time.Sleep(time.Hour) // what programs had begun that have died is over
	})
	return r
}

// strangers is how many documents of another type there are in a container of several.
const strangers = 3

// load makes the containers, with documents of another type if types share it.
func (r *run) load() error {
	for n, properties := range r.shape.Containers {
		text, err := shapes.Definition(properties)
		if err != nil {
			return err
		}
		var lines strings.Builder
		fmt.Fprintf(&lines, `{"database":"db","container":%s}`+"\n", text)
		for i := range strangers {
			if d := r.place(i); r.has("shared") && n == 0 {
				fmt.Fprintf(&lines, `{"id":"x-%d","line":%q,"vin":%q,"partitionKey":"%s.1","type":"stranger","value":1000000,"mail":%q}`+"\n", i, d.Line, d.VIN, d.Line, mailOf(i))
			}
		}
		if _, err := r.Server.Load(strings.NewReader(lines.String())); err != nil {
			return fmt.Errorf("%w: %s", err, lines.String())
		}
	}
	return r.loadIndex()
}

// prepare makes the containers, and the programs.
func (r *run) prepare() error {
	r.Ahead, r.Regions.Near = r.ahead, r.near
	if r.multi {
		if err := r.Regions.Write(); err != nil {
			return err
		}
	}
	if err := r.load(); err != nil {
		return err
	}
	if err := r.separate(); err != nil {
		return err
	}
	if r.processors > 0 {
		if _, err := r.Server.Load(strings.NewReader(leases)); err != nil {
			return err
		}
	}
	for range r.processes {
		p, err := r.newProgram()
		if err != nil {
			return err
		}
		r.programs = append(r.programs, p)
	}
	return nil
}

// last returns the documents as a program of the last stage has them.
func (r *run) last() shapes.Store {
	stores := r.programOf(0).stores
	return stores[len(stores)-1][0]
}

// program runs the steps, and then compares everything that is stored with the model.
func (r *run) program() {
	defer r.process()()
	for n, stage := range r.shape.Stages {
		r.actAll(slices.DeleteFunc(slices.Clone(r.steps), func(s step) bool { return s.stage != n }))
		last := n == len(r.shape.Stages)-1
		if stage.Settle != nil || last {
			if r.calm.Store(last); last {
				r.clearUp()
			}
			time.Sleep(30 * time.Second) // what was interrupted is settled by then
			r.settle(stage)
		}
		if len(r.wrong) > 0 {
			return
		}
	}
	r.leave()
	if r.multi {
		r.converge()
	}
	if r.weather.loses {
		if err := r.verify(); err != nil {
			r.fail(-1, "after a failover that has lost writes: %v", err)
		}
		r.weather.mended = true
	}
	r.look()
	if r.multi && len(r.wrong) == 0 {
		r.converge()
	}
	r.handledOnce()
	if len(r.wrong) > 0 {
		return
	}
	if err := r.verify(); err != nil {
		r.fail(-1, "at the end: %v", err)
	}
}

// settle ends the moves of a stage.
func (r *run) settle(stage shapes.Stage) {
	if stage.Settle == nil || len(r.wrong) > 0 {
		return
	}
	for began := time.Now(); ; {
		ctx, cancel := context.WithCancel(context.Background())
		by := r.running(step{index: r.beyond(), kind: "settle"})
		by.cancel, by.program = cancel, r.programOf(0)
		ctx = r.world.begin(ctx, by)
		ends := r.renews(0, by)
		done, err := stage.Settle(ctx, by.program.db)
		cancel()
		ends()
		switch {
		case r.buried(by):
		case done && err == nil:
			return
		case err != nil && r.undisturbed(by):
			r.fail(-1, "at the end of a stage, documents do not move: %v", err)
			return
		case time.Since(began) > 96*time.Hour:
			r.fail(-1, "documents have not moved after four days")
			return
		case err == nil:
			time.Sleep(25 * time.Hour)
		}
	}
}

// beyond is a number that no step has, also after some were left out, and from which on none
// has one.
func (r *run) beyond() int {
	if len(r.steps) == 0 {
		return 0
	}
	return r.steps[len(r.steps)-1].index + 1
}

// running returns a step as an operation that begins now.
func (r *run) running(s step) *running {
	return &running{index: s.index, name: s.kind, random: rand.New(rand.NewPCG(s.seed, 7)), faults: 6, before: r.lost(), began: time.Now()}
}

// actAll runs the steps of a stage, with a rest in the middle. Where there are processors, it
// looks now and then whether they have handled all changes: a later change of a document would
// hide that one is lost.
func (r *run) actAll(all []step) {
	parts := 2
	if r.processors > 0 {
		parts = 4
	}
	for n := range parts {
		r.act(all[n*len(all)/parts : (n+1)*len(all)/parts])
		if n == parts/2-1 {
			time.Sleep(r.rest)
		}
		r.handledAll()
	}
}

// act runs steps, with all actors at once. The number of a step says who runs it: two actors
// that are ready at the same time would take steps in an order that the load of the machine
// decides.
func (r *run) act(steps []step) {
	var actors sync.WaitGroup
	for lane := range r.actors {
		actors.Go(func() {
			time.Sleep(time.Duration(lane) * time.Millisecond) // one begins after the other, in each run
			for _, s := range steps {
				r.mu.Lock()
				wrong := len(r.wrong) > 0
				r.mu.Unlock()
				if wrong {
					return
				}
				if s.index%r.actors != lane {
					continue
				}
				if r.processors > 0 && s.seed%4 == 0 { // they poll meanwhile
					time.Sleep(time.Duration(s.seed % uint64(8*time.Second)))
				}
				if r.shape.Pause > 0 && s.seed>>32%2 == 0 { // the other half follow at once
					time.Sleep(time.Duration(s.seed % uint64(2*r.shape.Pause)))
				}
				r.do(lane, s)
				r.mu.Lock()
				r.ended++
				r.mu.Unlock()
			}
		})
	}
	actors.Wait()
}

// do runs a step.
func (r *run) do(lane int, s step) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := r.running(s)
	o.cancel, o.program = cancel, r.programOf(lane)
	stage, releases := r.shape.Stages[s.stage], o.program.stores[s.stage]
	if o.store = releases[lane%len(releases)]; slices.Contains(o.store.Lacks(), s.kind) {
		return
	}
	creates := strings.HasSuffix(s.kind, "create") || strings.HasSuffix(s.kind, "upsert")
	if stage.Apart && creates && slices.ContainsFunc(s.slots, func(slot int) bool { return slot%2 != lane%2 }) {
		return
	}
	if o.late = s.late; o.late > 0 {
		ctx, cancel = context.WithTimeout(ctx, o.late)
		defer cancel()
	}
	ctx = r.join(r.world.begin(ctx, o), lane, o)
	switch s.kind {
	case "maintain":
		if stage.Maintain == nil {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, time.Duration(1+s.value*s.value)*r.shape.Patience/1_000_000)
		defer cancel()
		ends := r.renews(lane, o)
		if err := stage.Maintain(ctx, o.program.db, s.value); r.multi {
			r.refuses(o, writeregions.Moves, err)
		} else if err != nil {
			r.readFailed(ctx, o, err)
		}
		ends()
	case "get", "getmany":
		r.get(ctx, lane, o, s)
	case "scan", "pages", "where", "byline", "bykey", "between", "rank", "elements", "computed":
		r.scan(ctx, lane, o, s)
	case "walk":
		r.walks(ctx, o, s.size)
	case "entries":
		r.entries(ctx, o, s)
	case "recreate":
		r.recreate(lane, o)
	case "count":
		r.count(ctx, lane, o)
	case "sum":
		if _, err := o.store.Sum(ctx); err != nil {
			r.readFailed(ctx, o, err)
		}
	case "changes":
		r.changes(ctx, lane, o)
	case "bulkupsert", "bulkcreate", "bulkdelete":
		r.bulk(ctx, lane, o, s)
	case "commit":
		r.commit(ctx, lane, o, s)
	default:
		r.write(ctx, lane, o, s)
	}
}

// renews tells the model that documents of the older release are stored anew, if the newer one
// does so in its own time. The function that it returns ends that.
func (r *run) renews(lane int, by *running) (end func()) {
	if len(r.shape.Stages[0].Forms) == 0 {
		return func() {}
	}
	ops := map[int]*operation{}
	for slot := range r.slots {
		ops[slot] = &operation{kind: "renew", form: 2, ages: true}
	}
	r.begin(lane, by, ops)
	return func() {
		r.buried(by)
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, s := range r.slots {
			s.abandon(lane)
		}
	}
}

// formOf returns the form that the program of a lane writes, 0 where all write one.
func (r *run) formOf(stage, lane int) int {
	forms := r.shape.Stages[stage].Forms
	if len(forms) == 0 || !r.has("nextform") {
		return 0
	}
	return forms[lane%len(forms)]
}

// intent returns the operation of a step of a lane on a document.
func (r *run) intent(lane int, s step, slot int) *operation {
	kind := strings.TrimPrefix(s.kind, "bulk")
	if kind == "update" {
		kind = "add"
	}
	o := &operation{kind: kind, loops: s.kind == "update" || r.has("concat"), tag: fmt.Sprintf("t%d", s.index), value: s.value, add: 1 + s.value%5, ttl: s.ttl, purge: r.has("purged"), marks: r.has("deleted") || r.has("purged"), once: r.has("updated") && !r.clocks, given: r.clocks, count: r.has("version"), moves: r.shape.Moves, ages: r.ages(), form: r.formOf(s.stage, lane)}
	if r.has("nextname") {
		o.label = o.tag
	}
	if r.has("nextform") {
		o.size = o.value
	}
	if r.path() == "/revision" {
		o.revision = s.value % 100
	}
	if r.multi {
		o.relies = r.relies(s.kind, false)
	}
	if r.has("unique") {
		o.mail = mailOf(slot)
		if s.mail != "" && len(s.slots) == 1 {
			o.mail = s.mail
			if o.mail != mailOf(slot) {
				r.contested[o.mail] = true
			}
		}
	}
	return o
}

// doc returns what a write stores.
func (r *run) doc(o *operation, slot int) shapes.Doc {
	d := r.place(slot)
	d.Value, d.Tag, d.Mail, d.TTL = o.value, o.tag, o.mail, o.ttl
	d.Label, d.Size, d.Revision = o.label, o.size, o.revision
	return d
}

// begin tells the model that an operation is under way at documents.
func (r *run) begin(lane int, by *running, ops map[int]*operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for slot, o := range ops {
		if r.multi {
			r.items[slot].begin(lane, o, by, r.weather.arrived(time.Now()))
		} else {
			r.slots[slot].begin(lane, o)
		}
		r.written[r.place(slot).ID+" "+o.tag] = o
		r.slots[slot].note("op %d begins: %s %s value %d add %d mail %s", by.index, o.kind, o.tag, o.value, o.add, o.mail)
	}
	by.broken = func(f transport.Fate) {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, o := range ops {
			o.faulted = true
			if f == transport.First || f == transport.Second {
				o.doubled = true
			}
		}
	}
}

// end tells the model how a write has ended at a document.
func (r *run) end(lane int, by *running, slot int, o *operation, err error) {
	dead := r.buried(by)
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[slot]
	s.note("op %d ends: %s %s: %v (faults %d)", by.index, o.kind, o.tag, err, by.met)
	if r.multi {
		r.wrote(lane, by, slot, err, dead)
		return
	}
	r.misses(by, slot, err)
	if dead {
		s.abandon(lane)
		return
	}
	by.ended = by.ended || by.expired()
	if errors.Is(err, repository.ErrUnclear) {
		// See docs/errors.md: who did it is not known, or a patch that counts was refused by a
		// document that another program has written since.
		rival := o.kind == "restore" || o.kind == "purge" || o.kind == "add" && o.once && o.beside
		// What it had begun counts as interrupted, or its tenant may have moved.
		slow := (r.has("unique") || r.has("own")) && time.Since(by.began) >= reservation.Bound
		if !rival && !slow && r.undisturbed(by) {
			r.fail(slot, "op %d, %s %s: unclear without a fault: %v", by.index, o.kind, r.place(slot).ID, err)
		}
		s.abandon(lane)
		return
	}
	if by.outdated(err) { // it has not taken effect
		if !s.end(lane, true, func(c code) bool { return c != ok && c != okTwice && c != okThrice }) {
			r.fail(slot, "op %d, %s %s of %s has taken effect, and returned %v", by.index, o.kind, o.tag, r.place(slot).ID, err)
		}
		return
	}
	if err == nil {
		by.sees(slot)
	}
	open, want := r.judge(by, slot, o, err)
	if err != nil && o.doubled && o.kind == "upsert" { // another program may have written over it: see docs/errors.md
		s.abandon(lane)
		return
	}
	if !s.end(lane, open, func(c code) bool { return c == want || want == ok && (c == okTwice || c == okThrice) }) {
		r.fail(slot, "op %d, %s %s of %s returned %v, which no history agrees with", by.index, o.kind, o.tag, r.place(slot).ID, err)
	}
}

// judge returns how an operation has ended that returned this error: open says that it may not
// have taken effect, and want how, if it has. It reports errors that have no reason.
func (r *run) judge(by *running, slot int, o *operation, err error) (open bool, want code) {
	open = true
	switch {
	case err == nil:
		open, want = false, ok
	case errors.Is(err, repository.ErrNoContainer):
		if !r.mayLack(by, slot) {
			r.fail(slot, "op %d, %s: the container is there: %v", by.index, o.kind, err)
		}
	case errors.Is(err, repository.ErrNotUnique), errors.Is(err, repository.ErrUnfinished):
		if r.calm.Load() && errors.Is(err, repository.ErrUnfinished) {
			r.fail(slot, "op %d, %s: interrupted writes block for ever: %v", by.index, o.kind, err)
		}
		if !r.contested[o.mail] && !errors.Is(err, repository.ErrUnfinished) {
			r.fail(slot, "op %d, %s: no other document had %s: %v", by.index, o.kind, o.mail, err)
		}
	case errors.Is(err, repository.ErrAlreadyExists):
		open, want = o.kind == "upsert" && !r.undisturbed(by), exists // one that is pending may be in its way until it gives up
	case errors.Is(err, repository.ErrNotFound):
		open, want = false, notFound
	case errors.Is(err, repository.ErrNewerDocument):
		open, want = false, newerDocument
	case errors.Is(err, repository.ErrPreconditionFailed):
		crowd := o.kind == "upsert" && !r.undisturbed(by) // others have written the document each time
		open, want = by.ended || crowd, precondition      // it may have had no time to look why
	default:
		if o.doubled && o.kind == "delete" && o.moves && !o.marks { // the second request has found nothing, and the look at the other place failed
			want = ok
		}
		if r.undisturbed(by) {
			r.fail(slot, "op %d, %s: an error without a fault: %v", by.index, o.kind, err)
		}
	}
	return open, want
}

// born notes when a document was created that a write has stored.
func (r *run) born(by *running, d shapes.Doc, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.undisturbed(by) {
		r.unsure[d.ID] = true
	}
	if err == nil && d.Version == 1 {
		r.births[d.ID+" "+d.Created.String()] = true
	}
}

// write runs a step that writes one document.
func (r *run) write(ctx context.Context, lane int, by *running, s step) {
	slot := s.slots[0]
	r.mu.Lock()
	o := r.intent(lane, s, slot)
	r.mu.Unlock()
	doc, at := r.doc(o, slot), r.place(slot)
	if s.fresh && (s.kind == "replace" || s.kind == "delete") && r.has("etag") {
		read := &operation{kind: "read"}
		r.begin(lane, by, map[int]*operation{slot: read})
		before, err := by.store.Get(ctx, at)
		if !r.saw(ctx, lane, by, slot, before, err) || err != nil {
			return
		}
		r.mu.Lock()
		if old, has := r.known[slot]; has && s.value%2 == 0 { // a user has had it before the eyes for a while
			before, o.stale = old, true
		} else {
			r.known[slot] = before
		}
		r.mu.Unlock()
		o.tagged, o.expected, o.stale = true, r.state(before), o.stale || r.contests // a write that takes a value may store the document again
		doc.ETag = before.ETag
		if r.multi {
			o.relies = r.relies(s.kind, true)
		}
	}
	r.begin(lane, by, map[int]*operation{slot: o})
	var err error
	switch s.kind {
	case "create":
		err = by.store.Create(ctx, &doc)
	case "upsert":
		err = by.store.Upsert(ctx, &doc)
	case "replace":
		err = by.store.Replace(ctx, &doc)
	case "delete":
		if o.tagged {
			err = by.store.DeleteIfMatch(ctx, doc)
		} else {
			err = by.store.Delete(ctx, at)
		}
	case "add":
		err = by.store.Patch(ctx, at, o.add, o.tag)
	case "addif":
		err = by.store.PatchIf(ctx, at, o.value, o.add, o.tag)
	case "update":
		err = by.store.Update(ctx, at, func(d *shapes.Doc) { d.Value, d.Tag = d.Value+o.add, o.tag })
	case "restore":
		err = by.store.Restore(ctx, at)
	case "purge":
		err = by.store.Purge(ctx, at)
	default:
		panic(s.kind)
	}
	r.born(by, doc, err)
	o.version = doc.Version
	r.end(lane, by, slot, o, err)
}

// ages reports whether documents move, or are stored anew, with the rest of their time to live.
func (r *run) ages() bool {
	return r.has("formerly") || r.has("own") || r.has("nextform") || r.has("nextname")
}

// state returns what a read has seen.
func (r *run) state(d shapes.Doc) state {
	s := state{exists: true, value: d.Value, tag: d.Tag, mail: d.Mail, ttl: d.TTL, label: d.Label, size: d.Size, revision: d.Revision}
	if r.has("version") {
		s.version = d.Version
	}
	return s
}

// readFailed checks the error of a read.
func (r *run) readFailed(ctx context.Context, by *running, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, repository.ErrNewerDocument) {
		r.fail(-1, "op %d, %s: a read refuses a document of a form that the program knows: %v", by.index, by.name, err)
	}
	if r.undisturbed(by) && ctx.Err() == nil && !strings.Contains(err.Error(), "refresh repeatedly invalidated") { // several refreshes of azcosmos at once
		r.fail(-1, "op %d, %s: a read without a fault failed: %v", by.index, by.name, err)
	}
}

// saw tells the model what a read has seen of one document, and returns false if that
// cannot be.
func (r *run) saw(ctx context.Context, lane int, by *running, slot int, d shapes.Doc, err error) bool {
	absent := errors.Is(err, repository.ErrNotFound)
	if err != nil && !absent {
		r.readFailed(ctx, by, err)
	}
	dead := r.buried(by)
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[slot]
	r.misses(by, slot, err)
	if dead || err != nil && !absent {
		s.abandon(lane)
		return false
	}
	seen := r.state(d)
	s.note("op %d, %s, saw %+v, absent %t", by.index, by.name, seen, absent)
	if r.multi {
		return r.found(lane, by, slot, seen, absent)
	}
	matches := func(c code) bool {
		if c < firstState {
			return absent && c == notFound
		}
		is := s.states[c-firstState]
		return !absent && (is == seen || r.ages() && isAged(is, seen))
	}
	cannot := true
	if r.lags(by.name) || by.elsewhere { // what it has seen does not tell what is stored now
		for c := range s.possible(lane) {
			cannot = cannot && !matches(c)
		}
		of := notFound
		if !absent {
			of = s.code(seen)
		}
		passes := absent && by.name == "changes" && r.shape.Moves && !r.calm.Load() // the document moves, and its change comes after this pass: see docs/keys.md
		cannot = cannot && !passes && !s.recent(lane, of, r.oldest(by, slot))
	} else {
		cannot = !s.end(lane, false, matches)
	}
	if cannot {
		r.fail(slot, "op %d, %s of %s saw %+v (absent: %t), which no history agrees with", by.index, by.name, r.place(slot).ID, seen, absent)
		return false
	}
	by.sees(slot)
	return true
}

// lags reports whether a read may give documents as they were some time ago.
func (r *run) lags(read string) bool {
	return r.shape.Lag > 0 && read != "get" && read != "getmany" && read != "count"
}

// all begins a read of all documents.
func (r *run) all(lane int, by *running) {
	reads := map[int]*operation{}
	for slot := range r.slots {
		reads[slot] = &operation{kind: "read"}
	}
	r.begin(lane, by, reads)
}

func (r *run) get(ctx context.Context, lane int, by *running, s step) {
	reads, at := map[int]*operation{}, []shapes.Doc{}
	for _, slot := range s.slots {
		reads[slot] = &operation{kind: "read"}
		at = append(at, r.place(slot))
	}
	r.begin(lane, by, reads)
	if s.kind == "get" {
		d, err := by.store.Get(ctx, at[0])
		r.saw(ctx, lane, by, s.slots[0], d, err)
		return
	}
	found, docs, err := by.store.GetMany(ctx, at)
	for i, slot := range s.slots {
		one, of := err, shapes.Doc{}
		if err == nil {
			if of = docs[i]; !found[i] {
				one = repository.ErrNotFound
			}
		}
		r.saw(ctx, lane, by, slot, of, one)
	}
}

func (r *run) scan(ctx context.Context, lane int, by *running, s step) {
	r.all(lane, by)
	var docs []shapes.Doc
	var err error
	var of func(d shapes.Doc) bool
	switch at := r.place(s.slots[0]); s.kind {
	case "where":
		docs, err = by.store.Where(ctx, at.Line)
		of = func(d shapes.Doc) bool { return d.Line == at.Line }
	case "byline", "bykey":
		var all bool
		docs, all, err = by.store.ByKey(ctx, at, s.kind == "byline")
		of = func(d shapes.Doc) bool { return d.Line == at.Line && (all || d.VIN == at.VIN) }
	case "between":
		docs, of, err = r.between(ctx, by, s)
	case "rank":
		docs, err = by.store.Rank(ctx, at, s.value)
	case "elements":
		docs, err = by.store.Elements(ctx, at, s.fresh)
		of = func(d shapes.Doc) bool { return d.Line == at.Line }
	case "computed":
		if docs, err = by.store.Computed(ctx, at, s.size); s.size == 0 {
			of = func(d shapes.Doc) bool { return d.Line == at.Line }
		}
	default:
		docs, err = by.store.Scan(ctx, s.size)
	}
	r.compare(ctx, lane, by, of, docs, err)
}

// compare compares the result of a query with the slots whose documents it selects: all, if of
// is nil.
func (r *run) compare(ctx context.Context, lane int, by *running, of func(shapes.Doc) bool, docs []shapes.Doc, err error) {
	found := map[string]shapes.Doc{}
	for _, d := range docs {
		if _, twice := found[d.ID]; twice {
			r.failed("op %d, %s gave %s twice", by.index, by.name, d.ID)
		}
		found[d.ID] = d
	}
	for slot := range r.slots {
		at := r.place(slot)
		if of != nil && !of(at) {
			r.mu.Lock()
			r.slots[slot].abandon(lane)
			r.mu.Unlock()
			continue
		}
		one := err
		d, has := found[at.ID]
		if err == nil && !has {
			one = repository.ErrNotFound
		}
		delete(found, at.ID)
		r.saw(ctx, lane, by, slot, d, one)
	}
	for id := range found {
		r.failed("op %d, %s gave %s, which is no document of its own", by.index, by.name, id)
	}
}

// count compares a count with what may have been there while it ran.
func (r *run) count(ctx context.Context, lane int, by *running) {
	r.all(lane, by)
	n, err := by.store.Count(ctx)
	if err != nil {
		r.readFailed(ctx, by, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	least, most := 0, 0
	for slot, s := range r.slots {
		if r.multi {
			always, ever := r.items[slot].presence(r.reader(lane, by, slot))
			least, most = least+always, most+ever
			continue
		}
		codes := s.possible(lane)
		seen := false
		for c := range codes {
			seen = seen || c >= firstState
		}
		if seen {
			most++
			if !codes[notFound] {
				least++
			}
		}
	}
	if err == nil && !by.elsewhere && (n < least || n > most) {
		r.fail(-1, "op %d counted %d documents, and there were from %d to %d", by.index, n, least, most)
	}
}

// changes reads the change feed from its beginning. A program must have written each change,
// and the last change of each document must be a state that a query could return.
func (r *run) changes(ctx context.Context, lane int, by *running) {
	r.all(lane, by)
	last, err := r.lastChanges(ctx, by.store, func(d shapes.Doc) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.written[d.ID+" "+d.Tag] == nil {
			r.fail(-1, "op %d: the change feed has %+v, which no program wrote", by.index, d)
		}
	})
	r.compare(ctx, lane, by, nil, slices.Collect(maps.Values(last)), err)
}

// lastChanges reads the change feed from its beginning, and returns the last change of each
// document that is not deleted, by its id. It calls each, if it is not nil, for every change.
func (r *run) lastChanges(ctx context.Context, store shapes.Store, each func(d shapes.Doc)) (map[string]shapes.Doc, error) {
	last := map[string]shapes.Doc{}
	_, err := store.Changes(ctx, "", func(d shapes.Doc, deleted bool) {
		if last[d.ID] = d; deleted {
			delete(last, d.ID)
		}
		if each != nil {
			each(d)
		}
	})
	return last, err
}

func (r *run) bulk(ctx context.Context, lane int, by *running, s step) {
	ops := map[int]*operation{}
	var docs []*shapes.Doc
	for _, slot := range s.slots {
		ops[slot] = r.intent(lane, s, slot)
		d := r.doc(ops[slot], slot)
		docs = append(docs, &d)
	}
	r.begin(lane, by, ops)
	ended := map[int]bool{}
	for i, err := range by.store.Write(ctx, strings.TrimPrefix(s.kind, "bulk"), docs, s.fresh) {
		ended[i] = true
		r.born(by, *docs[i], err)
		ops[s.slots[i]].version = docs[i].Version
		r.end(lane, by, s.slots[i], ops[s.slots[i]], err)
	}
	for i, slot := range s.slots {
		if !ended[i] { // the context has ended before its turn
			r.born(by, *docs[i], context.Canceled)
			r.end(lane, by, slot, ops[slot], context.Canceled)
		}
	}
}

// commit does operations on the documents of one key in one transaction. An error that is not
// unclear says that none has taken effect, and one of them must be the reason.
func (r *run) commit(ctx context.Context, lane int, by *running, s step) {
	kinds := rand.New(rand.NewPCG(s.seed, 1))
	ops := map[int]*operation{}
	var all []shapes.Intent
	first := r.place(s.slots[0])
	for _, slot := range s.slots {
		if at := r.place(slot); at.Line != first.Line || at.VIN != first.VIN || at.At != first.At {
			continue
		}
		kind := []string{"create", "upsert", "upsert", "replace", "delete", "add", "addif"}[kinds.IntN(7)]
		o := r.intent(lane, step{index: s.index, stage: s.stage, kind: kind, value: s.value, ttl: s.ttl}, slot)
		o.joined = true
		d := r.doc(o, slot)
		ops[slot], all = o, append(all, shapes.Intent{Kind: kind, Doc: &d, Add: o.add})
	}
	joins(ops)
	r.begin(lane, by, ops)
	err := by.store.Commit(ctx, all)
	for _, o := range all {
		if o.Kind == "create" || o.Kind == "upsert" || o.Kind == "replace" {
			r.born(by, *o.Doc, err)
		}
	}
	slots := slices.Sorted(maps.Keys(ops))
	if reason := r.reason(err); reason != notYet {
		r.refused(lane, by, slots, reason, err)
		return
	}
	for _, slot := range slots {
		r.end(lane, by, slot, ops[slot], err)
	}
}

// reason returns how the operation ends that an error of a transaction is about.
func (r *run) reason(err error) code {
	switch {
	case err == nil, errors.Is(err, repository.ErrUnclear):
		return notYet
	case errors.Is(err, repository.ErrAlreadyExists):
		return exists
	case errors.Is(err, repository.ErrNotFound):
		return notFound
	case errors.Is(err, repository.ErrPreconditionFailed):
		return precondition
	case errors.Is(err, repository.ErrNewerDocument):
		return newerDocument
	}
	return notYet
}

// refused ends a transaction that has done nothing, since one operation ends with a code.
func (r *run) refused(lane int, by *running, slots []int, reason code, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.multi
	for _, slot := range slots {
		if r.multi {
			r.wrote(lane, by, slot, err, false)
			continue
		}
		s := r.slots[slot]
		s.note("op %d ends: %v (faults %d)", by.index, err, by.met)
		s.expand()
		found = found || slices.ContainsFunc(s.configs, func(c config) bool { return c.done[lane] == reason })
		if !s.end(lane, true, func(c code) bool { return c != ok && c != okTwice && c != okThrice }) {
			r.fail(slot, "op %d returned %v, and has taken effect", by.index, err)
		}
	}
	if !found && r.undisturbed(by) && !by.elsewhere {
		r.fail(slots[0], "op %d returned %v, which no document is the reason of", by.index, err)
	}
}

// split divides or joins physical partitions.
func (r *run) split() {
	id := r.shape.Containers[0].ID
	if n := len(r.shape.Containers); n > 1 {
		id = r.shape.Containers[r.random.IntN(n)].ID
	}
	if r.random.IntN(4) == 0 {
		a := r.random.IntN(8)
		_ = r.Server.Merge("db", id, fmt.Sprint(a), fmt.Sprint(a+1)) // if they are neighbours
		return
	}
	_ = r.Server.Split("db", id, fmt.Sprint(r.random.IntN(8))) // if it is there
}

// look reads all documents in each way at the end, without faults, and compares them with the
// model.
func (r *run) look() {
	for lane := range r.shape.Stages[len(r.shape.Stages)-1].Forms { // programs of each release, while there are documents of both
		r.do(lane, step{index: r.beyond() + lane, stage: len(r.shape.Stages) - 1, kind: "scan", slots: []int{0}})
	}
	for slot := range r.slots { // nothing that was interrupted is in the way
		r.do(0, step{index: r.beyond() + slot, stage: len(r.shape.Stages) - 1, kind: "upsert", slots: []int{slot}, value: 1})
	}
	for _, kind := range []string{"scan", "pages", "count", "getmany", "rank", "elements", "computed", "scan"} {
		if feature := searches[kind]; feature != "" && !r.has(feature) {
			continue
		}
		s := step{index: r.beyond(), stage: len(r.shape.Stages) - 1, kind: kind}
		for slot := range r.slots {
			s.slots = append(s.slots, slot)
		}
		if kind == "pages" {
			s.size = 2
		}
		r.do(0, s)
		if len(r.wrong) > 0 {
			return
		}
	}
	r.feed()
	r.compareIndex()
}

// feed compares the last change of each document, if there is a change feed, with a query, and
// their sum with Sum.
func (r *run) feed() {
	ctx := r.world.begin(context.Background(), &running{index: r.beyond(), name: "feed"})
	docs, err := r.last().Scan(ctx, 0)
	var last map[string]shapes.Doc
	feed := !slices.Contains(r.last().Lacks(), "changes")
	if err == nil && feed {
		last, err = r.lastChanges(ctx, r.last(), nil)
	}
	if err != nil {
		r.fail(-1, "at the end: %v", err)
	}
	sum, err := r.last().Sum(ctx)
	mails := map[string]string{}
	for _, d := range docs {
		sum -= float64(d.Value)
		if feed && last[d.ID] != d {
			r.fail(-1, "the last change of %s is %+v, and stored is %+v", d.ID, last[d.ID], d)
		}
		delete(last, d.ID)
		if r.has("created") && r.has("version") && !r.unsure[d.ID] && !r.births[d.ID+" "+d.Created.String()] {
			r.fail(-1, "%s was not created at %v", d.ID, d.Created)
		}
		if other := mails[d.Mail]; d.Mail != "" && other != "" {
			r.fail(-1, "%s and %s have the unique value %s", other, d.ID, d.Mail)
		}
		mails[d.Mail] = d.ID
	}
	if err != nil || sum != 0 {
		r.fail(-1, "the sum is %v more than that of the documents, %v", sum, err)
	}
	if len(last) > 0 {
		r.fail(-1, "the change feed has %v, which are not stored", last)
	}
}
