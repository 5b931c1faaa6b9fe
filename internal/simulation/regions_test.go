package simulation

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// This file gives the account of a run several regions, of which one writes.

// regions are those of an account, the write region first.
var regions = []string{"West Europe", "North Europe", "East US"}

// lags are how long a write takes to reach the other regions.
var lags = []time.Duration{0, 50 * time.Millisecond, 3 * time.Second}

// geography is what happens to the regions in a run. The zero value is one region.
type geography struct {
	regions   int
	lag       time.Duration // the longest one of a physical partition
	failovers int
	forced    int  // failovers that lose writes
	outages   int  // of one region each
	near      bool // programs prefer different regions for reads
}

// features of the account, and not of types.
const (
	featureRegions = "regions" // one of them writes; failovers lose nothing
	featureForced  = "forced"  // failovers lose writes
	featureNear    = "near"    // programs read in the region that each prefers
)

// geographyOf returns what happens to the regions of a seed, and the features of types in only.
func geographyOf(seed uint64, only []string) (g geography, types []string) {
	random := rand.New(rand.NewPCG(seed, 3))
	several, forced, near := slices.Contains(only, featureRegions), slices.Contains(only, featureForced), slices.Contains(only, featureNear)
	types = slices.DeleteFunc(slices.Clone(only), func(f string) bool {
		return f == featureRegions || f == featureForced || f == featureNear
	})
	if several = several || forced || near || random.IntN(6) == 0; !several {
		return g, types
	}
	g = geography{regions: 2 + random.IntN(2), lag: lags[random.IntN(len(lags))], failovers: random.IntN(4), outages: random.IntN(3)}
	if g.near = near; forced {
		g.forced = 1 + random.IntN(4)
		g.lag = max(g.lag, lags[1])
	}
	return g, types
}

// names returns the names of the regions, none for an account with one.
func (g geography) names() []string { return regions[:g.regions] }

// weather decides when something happens to the regions of a run.
type weather struct {
	geography
	random *rand.Rand
	back   time.Time // when the region that is away is to come back
	pauses []pause
	loses  bool // a failover has lost writes
	mended bool // what they have left is mended
}

// pause is a time in which the write region is away, and sends the others no writes.
type pause struct{ from, to time.Time } // to is zero as long as it lasts

// arrived returns from when on writes may not have reached the other regions at a time after since.
func (w *weather) arrived(since time.Time) time.Time {
	for _, p := range slices.Backward(w.pauses) {
		if p.to.IsZero() || !p.to.Before(since.Add(-w.lag)) {
			since = earlier(since, p.from)
		}
	}
	return since.Add(-w.lag)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// blow does what is due after a request has acted.
func (r *run) blow() {
	w := r.weather
	if w.regions == 0 {
		return
	}
	now := time.Now()
	away := r.Regions.Away()
	switch calm := r.calm.Load(); {
	case len(away) > 0 && (calm || now.After(w.back)):
		w.resume(now)
		r.weathered(r.Regions.Return(away[0]))
	case calm:
	case len(away) > 0:
		if w.random.IntN(20) == 0 && w.forced > 0 && away[0] == r.Regions.Writes() {
			r.lose(w)
		}
	case w.outages > 0 && w.random.IntN(150) == 0:
		w.outages--
		w.back = w.returns(now)
		all := append(r.Regions.Online(), r.Regions.Writes())
		one := all[w.random.IntN(len(all))]
		if one == r.Regions.Writes() {
			w.pauses = append(w.pauses, pause{from: now})
		}
		r.weathered(r.Regions.Leave(one, w.random.IntN(3) == 0))
	case w.failovers > 0 && w.random.IntN(100) == 0:
		w.failovers--
		to := r.Regions.Online()
		r.weathered(r.Regions.Failover(to[w.random.IntN(len(to))]))
	case w.forced > 0 && w.random.IntN(60) == 0:
		r.lose(w)
	case w.random.IntN(10) == 0:
		r.delay(w)
	}
}

// returns returns when a region that is away is to come back: soon, or after programs have looked
// for another one.
func (w *weather) returns(now time.Time) time.Time {
	most := 2 * time.Minute
	if w.random.IntN(2) == 0 {
		most = 200 * time.Millisecond
	}
	return now.Add(time.Duration(w.random.Int64N(int64(most))))
}

// separate sets the lags at the beginning of a run.
func (r *run) separate() error {
	w := r.weather
	if w.lag == 0 {
		return nil
	}
	if err := r.Regions.SetLag("", "", w.lag); err != nil {
		return err
	}
	for range 8 {
		r.delay(w)
	}
	return nil
}

// delay sets the lag of a physical partition.
func (r *run) delay(w *weather) {
	if w.lag == 0 {
		return
	}
	c := r.shape.Containers[w.random.IntN(len(r.shape.Containers))].ID
	_ = r.Regions.SetLag(c, string(rune('0'+w.random.IntN(8))), time.Duration(w.random.Int64N(int64(w.lag)))) // if it is there
}

// lose has a failover that loses writes.
func (r *run) lose(w *weather) {
	w.forced--
	w.loses = true
	w.back = w.returns(time.Now())
	to := r.Regions.Online()
	r.weathered(r.Regions.ForceFailover(to[w.random.IntN(len(to))]))
	r.interrupt()
	r.mu.Lock()
	defer r.mu.Unlock()
	since := w.arrived(time.Now())
	w.resume(time.Now())
	clear(r.sessions)
	for _, s := range r.slots {
		s.note("a failover at %s loses the writes since %s", time.Since(r.Began), since.Sub(r.Began))
		s.lose(since, r.shape.Moves)
	}
}

// resume ends a pause.
func (w *weather) resume(now time.Time) {
	if n := len(w.pauses); n > 0 && w.pauses[n-1].to.IsZero() {
		w.pauses[n-1].to = now
	}
}

func (r *run) weathered(err error) {
	if err != nil {
		r.failed("a region: %v", err)
	}
}

// clear ends what happens to the regions: all of them are online, and have all writes.
func (r *run) clear() {
	if r.weather.regions == 0 {
		return
	}
	r.weather.resume(time.Now())
	for _, name := range r.Regions.Away() {
		r.weathered(r.Regions.Return(name))
	}
	r.weathered(r.Regions.SetLag("", "", 0))
}

// listened notes what the answer to the last request says about regions: its region may be away or
// does not write, and a read there may be of an earlier time.
func (w *world) listened(q *transport.Request) {
	by, last := w.by(q), w.History[len(w.History)-1]
	if w.Regions.Writes() == "" {
		return
	}
	if w.Regions.Elsewhere(q) {
		by.elsewhere = true
	}
	if last.Unheard || last.Status == http.StatusForbidden || last.Status == http.StatusNotFound && last.Substatus == "1002" {
		by.met++
		if by.index < 0 || !isOfDocuments(q) {
			w.mu.Lock()
			w.meta++
			w.mu.Unlock()
		}
	}
}

// session is the session of a lane, and since when its reads of each slot have to be.
type session struct {
	program *program
	tokens  *repository.Session
	seen    map[int]time.Time
}

// join returns the context of an operation that belongs to the session of its lane, if that has
// one.
func (r *run) join(ctx context.Context, lane int, by *running) context.Context {
	if r.weather.regions == 0 || lane%2 == 1 {
		return ctx
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[lane]
	if s == nil || s.program != by.program {
		s = &session{by.program, &repository.Session{}, map[int]time.Time{}}
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

// outdated reports whether an error may come from a read in a region that lacks the last writes.
func (by *running) outdated(err error) bool {
	return by.elsewhere && (errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrAlreadyExists) || errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrNewerDocument))
}
