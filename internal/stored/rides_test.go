package stored

import (
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/stored/first"
	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// rideKeys are those of rides that are stored, or that a step stores.
var rideKeys = func() (keys []second.RideKey) {
	for i := range 7 {
		keys = append(keys, second.RideKey{ID: fmt.Sprintf("r%d", i), Day: "d", VIN: fmt.Sprintf("v%d", i)})
	}
	return keys
}()

func rideOf(i, length int) *second.Ride {
	return &second.Ride{ID: rideKeys[i].ID, Day: rideKeys[i].Day, VIN: rideKeys[i].VIN, Length: length}
}

func aRide(r *second.Ride) (id, text string) {
	return r.ID, fmt.Sprintf("%s %s %d", r.Day, r.VIN, r.Length)
}

// earlier is a ride of the release before.
func earlier(r *second.Ride) *first.Ride {
	return &first.Ride{ID: r.ID, Day: r.Day, VIN: r.VIN, Length: r.Length}
}

func anEarlierRide(r *first.Ride) (id, text string) {
	return r.ID, fmt.Sprintf("%s %s %d", r.Day, r.VIN, r.Length)
}

func (p *program) rides() *second.RideRepository {
	return second.NewRideRepository(p.container("rides"), repository.WithConcurrency(1))
}

func (p *program) earlierRides() *first.RideRepository {
	return first.NewRideRepository(p.container("rides"))
}

// prepareRides has the first release store the first rides.
func prepareRides(p *program) {
	p.create(second.RideContainer())
	for i := range 5 {
		p.need(p.earlierRides().Create(p.ctx, earlier(rideOf(i, i))))
	}
}

var fiveRides = state{"r0": "d v0 0", "r1": "d v1 1", "r2": "d v2 2", "r3": "d v3 3", "r4": "d v4 4"}

// readRides reads by both releases, which run side by side while documents move.
func readRides(p *program) state {
	p.Helper()
	r, before := p.rides(), p.earlierRides()
	one := got(p, "Get", func(k second.RideKey) (*second.Ride, error) { return r.Get(p.ctx, k) }, aRide, rideKeys...)
	if p.ways == glance {
		return one.docs
	}
	all := counted(p, r.Scan(), listed(p, "Scan", r.Scan().All(p.ctx), aRide))
	if p.ways == look {
		return p.same(one, all)
	}
	return p.same(one, all,
		got(p, "Get of the release before", func(k second.RideKey) (*first.Ride, error) {
			return before.Get(p.ctx, first.RideKey{ID: k.ID, Day: k.Day, VIN: k.VIN})
		}, anEarlierRide, rideKeys...),
		counted(p, r.ByDay("d"), listed(p, "ByDay", r.ByDay("d").All(p.ctx), aRide)),
		listed(p, "ByDay of the release before", before.ByDay("d").All(p.ctx), anEarlierRide),
		paged(p, "Page", r.ByDay("d").OrderBy(second.RideFields.Length.Asc()), "", aRide),
		paged(p, "Page of the release before", before.Scan(), "", anEarlierRide),
		fed(p, r.Documents, feed.FromBeginning(), aRide).only(one),
	)
}

// settleRides calls Rekey until was= may go.
func settleRides(p *program) {
	p.Helper()
	for range 4 {
		s, err := admin.Rekey(p.ctx, p.rides().Documents, admin.Run{})
		p.need(err)
		if s.Failed > 0 || s.Left > 0 {
			p.Fatalf("Rekey: %+v", s)
		}
		if s.Done() {
			p.clean("rides")
			return
		}
		time.Sleep(25 * time.Hour)
	}
	p.Error("Rekey is not done after four days")
}

// rekey calls Rekey, and again when its marks may go.
func rekey(p *program, run admin.Run) error {
	run.Concurrency = 1
	if s, err := admin.Rekey(p.ctx, p.rides().Documents, run); err != nil || s.Left > 0 || s.Failed > 0 {
		return fmt.Errorf("Rekey: %+v, %w", s, err)
	}
	time.Sleep(25 * time.Hour)
	if s, err := admin.Rekey(p.ctx, p.rides().Documents, run); err != nil || !s.Done() {
		return fmt.Errorf("Rekey after a day: %+v, %w", s, err)
	}
	return nil
}

func rideLeases(p *program) admin.Run {
	return admin.Run{Leases: p.container("leases")}
}

// changeRides writes and removes documents that may be on their way.
var changeRides = ending{"changed", func(p *program, got state) {
	p.Helper()
	r := p.rides()
	want := got
	for i, key := range rideKeys {
		if got[key.ID] == "" {
			continue
		}
		var err error
		switch i % 4 {
		case 0:
			err = r.Update(p.ctx, key, func(ride *second.Ride) error { ride.Length = 40 + i; return nil })
		case 1:
			err = r.Patch(p.ctx, key, second.RidePatch.Length.Set(40+i))
		case 2:
			err = r.Upsert(p.ctx, rideOf(i, 40+i))
		case 3:
			if err = r.Delete(p.ctx, key); err == nil {
				err = r.Create(p.ctx, rideOf(i, 40+i))
			}
		}
		p.need(err)
		want = want.with(state{key.ID: fmt.Sprintf("d %s %d", key.VIN, 40+i)})
	}
	p.expect("after writes", want, readRides(p))
	settleRides(p)
	p.expect("when all is settled", want, readRides(p))
}}

var rideScenarios = []scenario{
	{
		name: "rekey", about: "Rekey moves five rides of the release with two buckets to the keys of five, and removes the marks a day later.",
		prepare: prepareRides, before: fiveRides, read: readRides, settle: settleRides, alike: true, endings: []ending{changeRides},
		steps: []step{{name: "Rekey", run: func(p *program) error { return rekey(p, admin.Run{}) }}},
	},
	{
		name: "rekey-leases", about: "Rekey of the same, shared by leases.",
		prepare: func(p *program) {
			prepareRides(p)
			_, err := admin.EnsureLeases(p.ctx, p.db, "leases", admin.AnyThroughput())
			p.need(err)
		},
		before: fiveRides, read: readRides, alike: true,
		settle: func(p *program) {
			if s, err := admin.Rekey(p.ctx, p.rides().Documents, rideLeases(p)); err != nil || s.Left > 0 {
				p.Errorf("Rekey with leases: %+v, %v", s, err)
			}
			settleRides(p)
		},
		steps: []step{{name: "Rekey with leases", run: func(p *program) error { return rekey(p, rideLeases(p)) }}},
	},
	{
		name: "rides", about: "Writes of both releases to rides under the buckets of the other.",
		prepare: prepareRides, before: fiveRides, read: readRides, settle: settleRides,
		steps: []step{
			{name: "Create r5", run: func(p *program) error { return p.rides().Create(p.ctx, rideOf(5, 5)) }, effect: state{"r5": "d v5 5"}},
			{name: "Upsert r0", run: func(p *program) error { return p.rides().Upsert(p.ctx, rideOf(0, 10)) }, effect: state{"r0": "d v0 10"}},
			{name: "Replace r1", run: func(p *program) error { return p.rides().Replace(p.ctx, rideOf(1, 11)) }, effect: state{"r1": "d v1 11"}},
			{name: "Patch r2", run: func(p *program) error {
				return p.rides().Patch(p.ctx, rideKeys[2], second.RidePatch.Length.Set(12))
			}, effect: state{"r2": "d v2 12"}},
			{name: "Delete r3", run: func(p *program) error { return p.rides().Delete(p.ctx, rideKeys[3]) }, effect: state{"r3": ""}},
			{name: "Upsert r5 by the release before", run: func(p *program) error {
				return p.earlierRides().Upsert(p.ctx, earlier(rideOf(5, 15)))
			}, effect: state{"r5": "d v5 15"}},
			{name: "Create r6 by the release before", run: func(p *program) error {
				return p.earlierRides().Create(p.ctx, earlier(rideOf(6, 6)))
			}, effect: state{"r6": "d v6 6"}},
			{name: "Rekey", run: func(p *program) error {
				s, err := admin.Rekey(p.ctx, p.rides().Documents, admin.Run{Concurrency: 1})
				if err == nil && s.Left+s.Failed > 0 {
					err = fmt.Errorf("%+v", s)
				}
				return err
			}},
			{name: "Update r2, which has moved", run: func(p *program) error {
				return p.rides().Update(p.ctx, rideKeys[2], func(r *second.Ride) error { r.Length = 22; return nil })
			}, waits: 10 * time.Second, effect: state{"r2": "d v2 22"}},
			{name: "Delete r1, which has moved", run: func(p *program) error { return p.rides().Delete(p.ctx, rideKeys[1]) }, effect: state{"r1": ""}},
			{name: "Delete r0 by the release before, which has moved", run: func(p *program) error {
				return p.earlierRides().Delete(p.ctx, first.RideKey{ID: "r0", Day: "d", VIN: "v0"})
			}, effect: state{"r0": ""}},
		},
	},
}
