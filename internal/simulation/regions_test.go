package simulation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// This file gives the account of a run several regions. One of them writes, or all do: see
// multiwrite_test.go.

// regions are those of an account, the write region first.
var regions = []string{"West Europe", "North Europe", "East US"}

// lags are the longest times that a write takes to reach another region.
var lags = []time.Duration{0, 50 * time.Millisecond, 3 * time.Second}

// geography says what happens to the regions of a run. The zero value is one region.
type geography struct {
	regions   int
	lag       time.Duration // of the slowest physical partition
	failovers int           // planned ones, which lose nothing
	forced    int           // failovers that lose writes
	outages   int           // of one region each
	near      bool          // each program prefers another region for reads
	multi     bool          // all regions write
}

// Features of the account. -features takes them as well as those of types.
const (
	featureRegions = "regions" // it has several
	featureForced  = "forced"  // failovers lose writes
	featureNear    = "near"    // programs prefer different regions for reads

	featureMultiWrite = "multiwrite" // all regions write
)

// geographyOf returns what happens to the regions of a seed, and the features of types in only.
func geographyOf(seed uint64, only []string) (g geography, types []string) {
	random := rand.New(rand.NewPCG(seed, 3))
	has := map[string]bool{}
	for _, f := range only {
		switch f {
		case featureRegions, featureForced, featureNear, featureMultiWrite:
			has[f] = true
		default:
			types = append(types, f)
		}
	}
	if random.IntN(6) > 0 && len(has) == 0 {
		return g, types
	}
	g = geography{regions: 2 + random.IntN(2), lag: lags[random.IntN(len(lags))], failovers: random.IntN(4), outages: random.IntN(3)}
	g.near = random.IntN(3) == 0 || has[featureNear]
	if random.IntN(3) == 0 || has[featureForced] {
		g.forced = 1 + random.IntN(4)
		g.lag = max(g.lag, lags[1])
	}
	if g.multi = random.IntN(4) == 0 && len(has) == 0 || has[featureMultiWrite]; g.multi {
		g.near = true // programs write where they read
		g.lag = max(g.lag, lags[1])
		if g.regions == 2 { // with one region left, programs rely on one write region
			g.forced = 0
		}
	}
	return g, types
}

// names returns the names of the regions, none for an account with one.
func (g geography) names() []string { return regions[:g.regions] }

// weather decides when something happens to the regions of a run.
type weather struct {
	geography
	random *rand.Rand
	back   time.Time            // when the region that is away returns
	known  map[string]time.Time // when all programs know that a region has returned
	pauses []pause              // the lock of the run guards them
	loses  bool                 // a failover has lost writes
	mended bool                 // verify has mended what is left of them
}

// pause is a time in which a region that writes is away, and no write reaches the others. It lasts
// as long as to is zero.
type pause struct{ from, to time.Time }

// arrived returns a time whose state every region has at a later time now, or has had.
func (w *weather) arrived(now time.Time) time.Time {
	for _, p := range slices.Backward(w.pauses) {
		if p.to.IsZero() || !p.to.Before(now.Add(-w.lag)) {
			now = earlier(now, p.from)
		}
	}
	return now.Add(-w.lag)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// resume ends a pause.
func (w *weather) resume() {
	if n := len(w.pauses); n > 0 && w.pauses[n-1].to.IsZero() {
		w.pauses[n-1].to = time.Now()
	}
}

// pause begins a pause.
func (r *run) pause() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.weather.pauses); n == 0 || !r.weather.pauses[n-1].to.IsZero() {
		r.weather.pauses = append(r.weather.pauses, pause{from: time.Now()})
	}
}

func (r *run) resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.weather.resume()
}

// leave sets when a region returns that goes away now: at once, or after programs have looked for
// another one.
func (w *weather) leave() {
	most := 2 * time.Minute
	if w.random.IntN(2) == 0 {
		most = 200 * time.Millisecond
	}
	w.back = time.Now().Add(time.Duration(w.random.Int64N(int64(most))))
}

// change does after a request what is due at the regions.
func (r *run) change() {
	w := r.weather
	if w.regions == 0 {
		return
	}
	away := r.Regions.Away()
	switch calm := r.calm.Load(); {
	case len(away) > 0 && (calm || time.Now().After(w.back)):
		r.resume()
		r.changed(r.Regions.Return(away[0]))
		w.known[away[0]] = time.Now().Add(learning)
	case calm:
	case len(away) > 0:
		if w.random.IntN(20) == 0 && w.forced > 0 && away[0] == r.Regions.Writes() {
			r.lose()
		}
	case w.outages > 0 && w.random.IntN(150) == 0:
		w.outages--
		w.leave()
		all := append(r.Regions.Online(), r.Regions.Writes())
		one := all[w.random.IntN(len(all))]
		if one == r.Regions.Writes() || w.multi {
			r.pause()
		}
		r.changed(r.Regions.Leave(one, w.random.IntN(3) == 0 && (!w.multi || w.regions > 2)))
	case w.failovers > 0 && w.random.IntN(100) == 0:
		w.failovers--
		to := r.Regions.Online()
		r.changed(r.Regions.Failover(to[w.random.IntN(len(to))]))
	case w.forced > 0 && w.random.IntN(60) == 0:
		r.lose()
	case w.random.IntN(10) == 0:
		r.delay()
	}
}

// changed checks the error of a change of regions.
func (r *run) changed(err error) {
	if err != nil {
		r.failed("a change of regions: %v", err)
	}
}

// separate sets the lags at the beginning of a run.
func (r *run) separate() error {
	if r.weather.lag == 0 {
		return nil
	}
	if err := r.Regions.SetLag("", "", r.weather.lag); err != nil {
		return err
	}
	for range 8 {
		r.delay()
	}
	return nil
}

// delay gives a physical partition, if it is there, a lag of its own.
func (r *run) delay() {
	w := r.weather
	if w.lag == 0 {
		return
	}
	c := r.shape.Containers[w.random.IntN(len(r.shape.Containers))].ID
	_ = r.Regions.SetLag(c, fmt.Sprint(w.random.IntN(8)), time.Duration(w.random.Int64N(int64(w.lag))))
}

// learning is how long programs take at most to learn of a region that has returned: azcosmos
// reads the account every five minutes.
const learning = 6 * time.Minute

// lose has a failover that loses writes. See docs/regions.md for why tenants that move are not
// taken to a region that has just returned.
func (r *run) lose() {
	w := r.weather
	to := r.Regions.Online()
	if r.has("own") {
		to = slices.DeleteFunc(to, func(name string) bool { return time.Now().Before(w.known[name]) })
	}
	if len(to) == 0 {
		return
	}
	w.forced--
	w.leave()
	r.changed(r.Regions.ForceFailover(to[w.random.IntN(len(to))]))
	if w.multi { // its writes arrive when the region is back
		r.pause()
		return
	}
	w.loses = true
	r.interrupt()
	r.mu.Lock()
	defer r.mu.Unlock()
	since := w.arrived(time.Now())
	w.resume()
	clear(r.sessions)
	for _, s := range r.slots {
		s.note("a failover at %s loses writes since %s", time.Since(r.Began), since.Sub(r.Began))
		s.lose(since, r.shape.Moves)
	}
}

// clearUp brings all regions back, with all writes.
func (r *run) clearUp() {
	if r.weather.regions == 0 {
		return
	}
	r.order(func() {
		r.resume()
		for _, name := range r.Regions.Away() {
			r.changed(r.Regions.Return(name))
		}
		r.changed(r.Regions.SetLag("", "", 0))
	})
}

// answered notes what an answer says about regions: nothing listens at the address, the region
// does not write or has left, or it lacks the last writes.
func (w *world) answered(e transport.Event) {
	if w.Regions.Writes() == "" {
		return
	}
	by := w.by(e.Request)
	if e.Unheard || e.Status == http.StatusForbidden || e.Status == http.StatusNotFound && e.Substatus == "1002" {
		by.met++
		if by.index < 0 || !isOfDocuments(e.Request) {
			w.mu.Lock()
			w.meta++
			w.mu.Unlock()
		}
	}
}

// session is the Session of a lane in a program. Its reads of a slot are not older than seen says.
type session struct {
	program *program
	tokens  *repository.Session
	seen    map[int]time.Time
	known   map[*version]bool // with several write regions
}

// join returns the context of an operation in the session of its lane. Every second lane has one.
func (r *run) join(ctx context.Context, lane int, by *running) context.Context {
	if r.weather.regions == 0 || lane%2 == 1 {
		return ctx
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[lane]
	if s == nil || s.program != by.program {
		s = &session{by.program, &repository.Session{}, map[int]time.Time{}, map[*version]bool{}}
		r.sessions[lane] = s
	}
	by.session = s
	return repository.WithSession(ctx, s.tokens)
}

// sees notes that an operation has seen what is stored at a slot.
func (by *running) sees(slot int) {
	if by.session != nil && !by.elsewhere {
		by.session.seen[slot] = by.began
	}
}

// oldest returns how old the result of a read may be.
func (r *run) oldest(by *running, slot int) time.Time {
	since := earlier(by.began.Add(-r.shape.Lag), r.weather.arrived(by.began))
	if by.session != nil && by.session.seen[slot].After(since) && r.shape.Lag == 0 {
		return by.session.seen[slot]
	}
	return since
}

// outdated reports whether an error may rest on a read in a region that lacks the last writes.
func (by *running) outdated(err error) bool {
	return by.elsewhere && (errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrAlreadyExists) || errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrNewerDocument))
}
