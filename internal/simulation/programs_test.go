package simulation

import (
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// program is a process of a run, with all that it remembers.
type program struct {
	*transport.Program
	db     *azcosmos.DatabaseClient
	stores [][]shapes.Store // of each release, by stage
}

// newProgram starts a process.
func (r *run) newProgram() (*program, error) {
	p := &program{Program: r.Program()}
	var err error
	if p.db, err = p.Database(); err != nil {
		return nil, err
	}
	for _, stage := range r.shape.Stages {
		var all []shapes.Store
		for _, open := range stage.Programs {
			options := []repository.Option{repository.WithPageSize(int32(r.seed % 4))} // 0 leaves it to the service
			if r.clocks {
				ahead := time.Duration(len(r.programs)-1) * 7 * time.Minute
				options = append(options, repository.WithClock(func() time.Time { return time.Now().Add(ahead) }))
			}
			all = append(all, open(p.db, options...))
		}
		p.stores = append(p.stores, all)
	}
	return p, nil
}

// programOf returns the program that runs the steps of a lane. A program that has died is
// followed by a new one.
func (r *run) programOf(lane int) *program {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := lane % len(r.programs)
	if r.programs[n].Dead() {
		p, err := r.newProgram()
		if err != nil {
			r.fail(-1, "a program does not start: %v", err)
			return r.programs[n]
		}
		r.programs[n] = p
	}
	return r.programs[n]
}

// strike stops or ends the program that sends a request, now and then.
func (r *run) strike(q *transport.Request, f *transport.Fault) {
	often := 40
	if strings.Contains(q.URL.Path, "/colls/leases/docs/") { // a processor saves, or renews a lease
		often = 10
	}
	if r.calm.Load() || r.strikes == 0 || q.Index < 0 || q.Program.Dead() || r.random.IntN(often) > 0 {
		return
	}
	r.strikes--
	dies := r.random.IntN(2) == 0
	stopped := r.disturb(q.Program, dies)
	acts := r.random.IntN(2) == 0 // the request does, before the program stops or ends
	if dies {
		if *f = (transport.Fault{}); !acts {
			f.Fate = transport.Dropped
		}
		return
	}
	for _, by := range stopped {
		r.mu.Lock()
		broken := by.broken
		r.mu.Unlock()
		if broken != nil && r.has("own") { // it may return after the tenant's residence has ended, as a request without an answer
			broken(transport.Dropped)
		}
	}
	pause := time.Duration(1 + r.random.Int64N(int64(90*time.Second)))
	if q.Program.Stop(pause); acts && f.Fate == transport.Passes {
		f.Late = pause
	}
}

// disturb tells the operations of a program that it is stopped, or that it dies, and returns
// them.
func (w *world) disturb(p *transport.Program, dies bool) []*running {
	w.mu.Lock()
	var of []*running
	for _, by := range w.running {
		if by.program != nil && by.program.Program == p {
			by.met++
			by.dead = by.dead || dies
			of = append(of, by)
		}
	}
	w.mu.Unlock()
	if !dies {
		return of
	}
	p.Die()
	for _, by := range of {
		by.cancel()
	}
	w.Settle()
	return of
}

// buried waits, if the program of an operation has died, until none of its requests is on its
// way, and returns true: what the operation has returned counts for nothing.
func (r *run) buried(by *running) bool {
	for by.dead && (r.Waits(by.index) || r.chosen.Load() == int64(by.index)+1) {
		time.Sleep(time.Millisecond + time.Duration(by.index)) // timers of one instant go off in any order
	}
	return by.dead
}
