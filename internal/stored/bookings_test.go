package stored

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// The tenants are moving, which gets a container of its own, and staying.
const (
	moving  = "moving"
	staying = "staying"
)

// bookingIDs are those of each tenant.
var bookingIDs = []string{"b0", "b1", "b2", "b3"}

func aBooking(b *second.Booking) (id, text string) {
	return b.Tenant + "/" + b.ID, fmt.Sprint(b.Nights)
}

// bookings are those of a tenant. A process has one directory.
func (p *program) bookings(tenant string) *second.BookingTenant {
	if p.directory == nil {
		p.directory = repository.NewTenantDirectory(p.container("tenants"))
	}
	return second.NewBookingRepository(p.db, p.directory, repository.WithConcurrency(1)).For(tenant)
}

func prepareBookings(p *program) {
	p.create(second.BookingContainer(), second.BookingOwnContainer(moving))
	var err error
	p.directory, err = repository.EnsureTenantDirectory(p.ctx, p.db, "tenants", repository.AnyThroughput())
	p.need(err)
	for _, tenant := range []string{moving, staying} {
		for i, id := range bookingIDs[:3] {
			p.need(p.bookings(tenant).Create(p.ctx, &second.Booking{ID: id, Tenant: tenant, Nights: i}))
		}
	}
}

func readBookings(p *program) state {
	p.Helper()
	all := state{}
	for _, tenant := range []string{moving, staying} {
		r := p.bookings(tenant)
		views := []view{got(p, "Get", func(id string) (*second.Booking, error) { return r.Get(p.ctx, r.Key(id)) }, aBooking, bookingIDs...)}
		if p.ways > glance {
			views = append(views, counted(p, r.Scan(), listed(p, "Scan", r.Scan().All(p.ctx), aBooking)))
		}
		if p.ways > look {
			views = append(views, paged(p, "Page", r.Scan().OrderBy(second.BookingFields.Nights.Desc()), "", aBooking))
		}
		all = all.with(p.same(views...))
	}
	return all
}

// moveTo moves the tenant, or goes on with the move.
func moveTo(p *program, to string) error {
	p.bookings(moving)
	_, err := repository.MoveTenant(p.ctx, p.db, p.directory, repository.TenantMove{Shared: "bookings", Tenant: moving, To: to})
	return err
}

func moveOut(p *program) error { return moveTo(p, "bookings-"+moving) }

func moveBack(p *program) error { return moveTo(p, "bookings") }

// settleBookings goes on with the move that had begun, and demands that the tenant is in one
// place, but for the fence.
func settleBookings(p *program) {
	p.Helper()
	p.bookings(moving)
	move := moveOut
	if p.stop.steps > 1 { // the tenant was away
		move = moveBack
	}
	if p.stop.within {
		p.need(move(p))
	}
	where, err := p.directory.Refresh(p.ctx, "bookings", moving)
	if err != nil || where.State != repository.ResidenceSettled {
		p.Fatalf("the tenant lives in %+v, %v", where, err)
	}
	for _, container := range []string{"bookings", "bookings-" + moving} {
		documents := 0
		for _, doc := range p.raw(container) {
			if !strings.Contains(doc, `"tenant":"`+moving+`"`) || strings.Contains(doc, `"_pkgen-fence"`) {
				continue
			}
			documents++
		}
		home := where.Container
		if home == "" {
			home = "bookings"
		}
		if (documents > 0) != (container == home) {
			p.Errorf("%s has %d documents of the tenant, which lives in %q", container, documents, home)
		}
	}
}

// writeMeanwhile writes while the move goes on.
var writeMeanwhile = ending{"written", func(p *program, got state) {
	p.Helper()
	r := p.bookings(moving)
	moved := make(chan error, 1)
	go func() {
		switch { // by the step that had begun
		case !p.stop.within || p.stop.steps == 1:
			moved <- nil
		case p.stop.steps == 0:
			moved <- moveOut(p)
		default:
			moved <- moveBack(p)
		}
	}()
	want := got
	for i, id := range bookingIDs {
		switch _, err := r.Get(p.ctx, r.Key(id)); {
		case errors.Is(err, repository.ErrNotFound):
			p.need(r.Create(p.ctx, &second.Booking{ID: id, Tenant: moving, Nights: 40 + i}))
		case i == 1:
			p.need(r.Delete(p.ctx, r.Key(id)))
			want = want.with(state{moving + "/" + id: ""})
			continue
		default:
			p.need(r.Patch(p.ctx, r.Key(id), second.BookingPatch.Nights.Set(40+i)))
		}
		want = want.with(state{moving + "/" + id: fmt.Sprint(40 + i)})
	}
	p.need(<-moved)
	p.expect("after writes", want, readBookings(p))
	settleBookings(p)
	p.expect("when all is settled", want, readBookings(p))
}}

var bookingScenarios = []scenario{{
	name: "movetenant", about: "MoveTenant moves a tenant to a container of its own, and back.",
	prepare: prepareBookings,
	before: state{
		"moving/b0": "0", "moving/b1": "1", "moving/b2": "2",
		"staying/b0": "0", "staying/b1": "1", "staying/b2": "2",
	},
	read: readBookings, settle: settleBookings, alike: true, endings: []ending{writeMeanwhile},
	steps: []step{
		{name: "MoveTenant", run: moveOut},
		{name: "Upsert b0", run: func(p *program) error {
			return p.bookings(moving).Upsert(p.ctx, &second.Booking{ID: "b0", Tenant: moving, Nights: 10})
		}, effect: state{"moving/b0": "10"}},
		{name: "MoveTenant back", run: moveBack},
	},
}}
