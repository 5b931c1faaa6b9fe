package stored

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

var tripKeys = func() (keys []second.TripKey) {
	for i := range 7 {
		keys = append(keys, second.TripKey{ID: fmt.Sprintf("t%d", i), Date: "d", VIN: fmt.Sprintf("v%d", i%2)})
	}
	return keys
}()

func tripOf(i, speed int) *second.Trip {
	return &second.Trip{ID: tripKeys[i].ID, Date: tripKeys[i].Date, VIN: tripKeys[i].VIN, Speed: speed}
}

func aTrip(t *second.Trip) (id, text string) {
	return t.ID, fmt.Sprintf("%s %s %d", t.Date, t.VIN, t.Speed)
}

// trips are the trips of both containers, in a phase.
func (p *program) trips(phase repository.Phase) *second.TripMigration {
	return second.NewTripMigration(
		second.NewOldTripRepository(p.container("old-trips"), repository.WithConcurrency(1)),
		second.NewTripRepository(p.container("trips"), repository.WithConcurrency(1)), phase)
}

func prepareTrips(p *program) {
	p.create(second.OldTripContainer(), second.TripContainer())
	for i := range 4 {
		p.need(p.trips(repository.PhaseOld).Create(p.ctx, tripOf(i, i)))
	}
}

var fourTrips = state{"t0": "d v0 0", "t1": "d v1 1", "t2": "d v0 2", "t3": "d v1 3"}

// readTrips reads in the two phases of programs that run while documents move.
func readTrips(p *program) state {
	p.Helper()
	var views []view
	for _, phase := range []repository.Phase{repository.PhaseNew, repository.PhaseBoth} {
		m := p.trips(phase)
		views = append(views, got(p, fmt.Sprintf("Get in phase %d", phase), func(k second.TripKey) (*second.Trip, error) { return m.Get(p.ctx, k) }, aTrip, tripKeys...))
		if p.ways > glance {
			views = append(views, listed(p, fmt.Sprintf("Scan in phase %d", phase), m.Scan().All(p.ctx), aTrip))
		}
		if p.ways < study {
			break
		}
	}
	return p.same(views...)
}

// settleTrips moves all documents, removes what is left over, and demands that the old
// container is empty.
func settleTrips(p *program) {
	p.Helper()
	for _, phase := range []repository.Phase{repository.PhaseNew, repository.PhaseDone} {
		if s, err := admin.MoveAll(p.ctx, p.trips(phase).Migration, admin.Run{}); err != nil || !s.Done {
			p.Fatalf("MoveAll in phase %d: %+v, %v", phase, s, err)
		}
	}
	if left := p.raw("old-trips"); len(left) > 0 {
		p.Errorf("the old container has %q", left)
	}
	p.clean("trips")
}

// readMovedTrips reads the new container by a program without the migration.
func readMovedTrips(p *program) state {
	p.Helper()
	r := second.NewTripRepository(p.container("trips"))
	one := got(p, "Get", func(k second.TripKey) (*second.Trip, error) { return r.Get(p.ctx, k) }, aTrip, tripKeys...)
	return p.same(one,
		counted(p, r.Scan(), listed(p, "Scan", r.Scan().All(p.ctx), aTrip)),
		paged(p, "Page", r.Scan().OrderBy(second.TripFields.Speed.Desc()), "", aTrip),
		fed(p, r.Documents, feed.FromBeginning(), aTrip).only(one),
	)
}

// changeTrips writes and removes documents that may be on their way.
var changeTrips = ending{"changed", func(p *program, got state) {
	p.Helper()
	m := p.trips(repository.PhaseNew)
	want := got
	for i, key := range tripKeys {
		if got[key.ID] == "" {
			continue
		}
		var err error
		switch i % 4 {
		case 0:
			err = m.Update(p.ctx, key, func(trip *second.Trip) error { trip.Speed = 40 + i; return nil })
		case 1:
			err = m.Patch(p.ctx, key, second.TripPatch.Speed.Set(40+i))
		case 2:
			err = m.Upsert(p.ctx, tripOf(i, 40+i))
		case 3:
			if err = m.Delete(p.ctx, key); err == nil {
				err = m.Create(p.ctx, tripOf(i, 40+i))
			}
		}
		p.need(err)
		want = want.with(state{key.ID: fmt.Sprintf("d %s %d", key.VIN, 40+i)})
	}
	p.expect("after writes", want, readTrips(p))
	settleTrips(p)
	p.expect("when all is settled", want, readMovedTrips(p))
}}

func moveTrips(p *program, run admin.Run) error {
	run.Concurrency = 1
	if s, err := admin.MoveAll(p.ctx, p.trips(repository.PhaseNew).Migration, run); err != nil || !s.Done {
		return fmt.Errorf("MoveAll: %+v, %w", s, err)
	}
	if s, err := admin.MoveAll(p.ctx, p.trips(repository.PhaseDone).Migration, admin.Run{}); err != nil || !s.Done {
		return fmt.Errorf("MoveAll in the last phase: %+v, %w", s, err)
	}
	return nil
}

var tripScenarios = []scenario{
	{
		name: "moveall", about: "MoveAll moves four trips to their new container, under another layout.",
		prepare: prepareTrips, before: fourTrips, read: readTrips, settle: settleTrips, ended: readMovedTrips,
		alike: true, endings: []ending{changeTrips},
		steps: []step{{name: "MoveAll", run: func(p *program) error { return moveTrips(p, admin.Run{}) }}},
	},
	{
		name: "moveall-leases", about: "MoveAll of the same, shared by leases.",
		prepare: func(p *program) {
			prepareTrips(p)
			_, err := admin.EnsureLeases(p.ctx, p.db, "leases", admin.AnyThroughput())
			p.need(err)
		},
		before: fourTrips, read: readTrips, ended: readMovedTrips, alike: true,
		settle: func(p *program) {
			if s, err := admin.MoveAll(p.ctx, p.trips(repository.PhaseNew).Migration, admin.Run{Leases: p.container("leases")}); err != nil || !s.Done {
				p.Errorf("MoveAll with leases: %+v, %v", s, err)
			}
			settleTrips(p)
		},
		steps: []step{{name: "MoveAll with leases", run: func(p *program) error {
			return moveTrips(p, admin.Run{Leases: p.container("leases")})
		}}},
	},
	{
		name: "trips", about: "Writes of each phase to trips in both containers.",
		prepare: prepareTrips, before: fourTrips, read: readTrips, settle: settleTrips, ended: readMovedTrips,
		endings: []ending{changeTrips},
		steps: []step{
			{name: "Create t4 in PhaseBoth", run: func(p *program) error {
				return p.trips(repository.PhaseBoth).Create(p.ctx, tripOf(4, 4))
			}, effect: state{"t4": "d v0 4"}},
			{name: "Upsert t0 in PhaseBoth", run: func(p *program) error {
				return p.trips(repository.PhaseBoth).Upsert(p.ctx, tripOf(0, 10))
			}, effect: state{"t0": "d v0 10"}},
			{name: "Create t5 in PhaseNew", run: func(p *program) error {
				return p.trips(repository.PhaseNew).Create(p.ctx, tripOf(5, 5))
			}, effect: state{"t5": "d v1 5"}},
			{name: "Upsert t6 in PhaseNew", run: func(p *program) error {
				return p.trips(repository.PhaseNew).Upsert(p.ctx, tripOf(6, 6))
			}, effect: state{"t6": "d v0 6"}},
			{name: "Replace t1 in PhaseNew", run: func(p *program) error {
				return p.trips(repository.PhaseNew).Replace(p.ctx, tripOf(1, 11))
			}, effect: state{"t1": "d v1 11"}},
			{name: "Patch t5 in PhaseBoth", run: func(p *program) error {
				return p.trips(repository.PhaseBoth).Patch(p.ctx, tripKeys[5], second.TripPatch.Speed.Set(15))
			}, effect: state{"t5": "d v1 15"}},
			{name: "Delete t2 in PhaseNew", run: func(p *program) error {
				return p.trips(repository.PhaseNew).Delete(p.ctx, tripKeys[2])
			}, effect: state{"t2": ""}},
			{name: "Delete t6 in PhaseBoth", run: func(p *program) error {
				return p.trips(repository.PhaseBoth).Delete(p.ctx, tripKeys[6])
			}, effect: state{"t6": ""}},
		},
	},
}
