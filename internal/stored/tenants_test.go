package stored

import (
	"fmt"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// The tenants are moving, which gets a container of its own, and staying.
const (
	moving  = "moving"
	staying = "staying"
)

// tenantIDs are the ids of the documents of each tenant.
var tenantIDs = []string{"b0", "b1", "b2", "b3"}

// tenants is the directory of the process.
func (p *program) tenants() *tenancy.TenantDirectory {
	if p.directory == nil {
		p.directory = tenancy.NewTenantDirectory(p.container("tenants"))
	}
	return p.directory
}

// residents are documents of a type with a container that tenants share, and one for each
// that has moved.
type residents interface {
	shared() azcosmos.ContainerProperties
	own() azcosmos.ContainerProperties // of the tenant that moves
	of(p *program, tenant string) tenantDocuments
}

// tenantDocuments are those of one tenant. A document has an id and a number.
type tenantDocuments interface {
	read() state // in p.ways
	upsert(id string, number int) error
	patch(id string, number int) error
	remove(id string) error
}

// documentsOf implements tenantDocuments.
type documentsOf[T any, K generated.Key] struct {
	*repository.Tenant[T, K]
	p     *program
	scan  repository.Query[T]
	order repository.Order[T]
	key   func(id string) K
	kind  kind[T]
	doc   func(id string, number int) *T
	set   func(number int) repository.PatchOperation[T]
}

func (d documentsOf[T, K]) upsert(id string, number int) error {
	return d.Upsert(d.p.ctx, d.doc(id, number))
}

func (d documentsOf[T, K]) patch(id string, number int) error {
	return d.Patch(d.p.ctx, d.key(id), d.set(number))
}

func (d documentsOf[T, K]) remove(id string) error { return d.Delete(d.p.ctx, d.key(id)) }

func (d documentsOf[T, K]) read() state {
	d.p.Helper()
	views := []view{got(d.p, "Get", func(id string) (*T, error) { return d.Get(d.p.ctx, d.key(id)) }, d.kind, tenantIDs...)}
	if d.p.ways > glance {
		views = append(views, counted(d.p, d.scan, listed(d.p, "Scan", d.scan.All(d.p.ctx), d.kind)))
	}
	if d.p.ways > look {
		views = append(views, paged(d.p, "Page", d.scan.OrderBy(d.order), "", d.kind))
	}
	return d.p.same(views...)
}

// bookings have the tenant as the whole key.
type bookings struct{}

func (bookings) shared() azcosmos.ContainerProperties { return second.BookingContainer() }
func (bookings) own() azcosmos.ContainerProperties    { return second.BookingOwnContainer(moving) }

func (bookings) of(p *program, tenant string) tenantDocuments {
	r := second.NewBookingRepository(p.db, p.tenants(), repository.WithConcurrency(1)).For(tenant)
	return documentsOf[second.Booking, second.BookingKey]{
		Tenant: &r.Tenant, p: p, scan: r.Scan(), order: second.BookingFields.Nights.Desc(), key: r.Key,
		kind: func(b *second.Booking) (id, text string) { return b.Tenant + "/" + b.ID, fmt.Sprint(b.Nights) },
		doc: func(id string, n int) *second.Booking {
			return &second.Booking{ID: id, Tenant: tenant, Nights: n}
		},
		set: func(n int) repository.PatchOperation[second.Booking] { return second.BookingPatch.Nights.Set(n) },
	}
}

// parcels have the tenant as the first level of the key.
type parcels struct{}

func (parcels) shared() azcosmos.ContainerProperties { return second.ParcelContainer() }
func (parcels) own() azcosmos.ContainerProperties    { return second.ParcelOwnContainer(moving) }

func (parcels) of(p *program, tenant string) tenantDocuments {
	r := second.NewParcelRepository(p.db, p.tenants(), repository.WithConcurrency(1)).For(tenant)
	depot := func(id string) string { return "depot of " + id }
	return documentsOf[second.Parcel, second.ParcelKey]{
		Tenant: &r.Tenant, p: p, scan: r.Scan(), order: second.ParcelFields.Weight.Desc(),
		key:  func(id string) second.ParcelKey { return r.Key(id, depot(id)) },
		kind: func(b *second.Parcel) (id, text string) { return b.Tenant + "/" + b.ID, fmt.Sprint(b.Weight) },
		doc: func(id string, n int) *second.Parcel {
			return &second.Parcel{ID: id, Tenant: tenant, Depot: depot(id), Weight: n}
		},
		set: func(n int) repository.PatchOperation[second.Parcel] { return second.ParcelPatch.Weight.Set(n) },
	}
}

// tenantScenario moves a tenant out and back.
func tenantScenario(name, about string, r residents) scenario {
	move := func(to azcosmos.ContainerProperties) func(p *program) error {
		return func(p *program) error {
			_, err := tenancy.Move(p.ctx, p.db, p.tenants(), tenancy.TenantMove{Shared: r.shared().ID, Tenant: moving, To: to.ID})
			return err
		}
	}
	s := scenario{
		name: name, about: about, alike: true,
		prepare: func(p *program) {
			p.create(r.shared(), r.own())
			var err error
			p.directory, err = tenancy.EnsureTenantDirectory(p.ctx, p.db, "tenants", admin.AnyThroughput())
			p.need(err)
			for _, tenant := range []string{moving, staying} {
				for i, id := range tenantIDs[:3] {
					p.need(r.of(p, tenant).upsert(id, i))
				}
			}
		},
		before: state{
			"moving/b0": "0", "moving/b1": "1", "moving/b2": "2",
			"staying/b0": "0", "staying/b1": "1", "staying/b2": "2",
		},
		read: func(p *program) state {
			p.Helper()
			return r.of(p, moving).read().with(r.of(p, staying).read())
		},
		steps: []step{
			{name: "MoveTenant", run: move(r.own())},
			{name: "Upsert b0", run: func(p *program) error { return r.of(p, moving).upsert("b0", 10) }, effect: state{"moving/b0": "10"}},
			{name: "MoveTenant back", run: move(r.shared())},
		},
	}
	// resume goes on with the move that had begun.
	resume := func(p *program) error {
		if !p.stop.within || s.steps[p.stop.steps].effect != nil {
			return nil // a write, or nothing
		}
		return s.steps[p.stop.steps].run(p)
	}
	s.settle = func(p *program) {
		p.Helper()
		p.need(resume(p))
		p.settledTenant(r)
	}
	s.endings = []ending{{"written", func(p *program, got state) {
		p.Helper()
		moved := make(chan error, 1)
		go func() { moved <- resume(p) }()
		want := p.writtenTenant(r.of(p, moving), got)
		p.need(<-moved)
		p.expect("after writes", want, s.read(p))
		p.settledTenant(r)
		p.expect("when all is settled", want, s.read(p))
	}}}
	return s
}

// writtenTenant writes documents of the tenant while it moves, which takes some minutes, and
// returns what is there afterwards.
func (p *program) writtenTenant(docs tenantDocuments, got state) state {
	p.Helper()
	want := got
	write := func(id string, number int, f func(string, int) error) {
		p.Helper()
		p.need(f(id, number))
		want = want.with(state{moving + "/" + id: fmt.Sprint(number)})
	}
	p.need(docs.remove("b1"))
	want = want.with(state{moving + "/b1": ""})
	for round := range 2 {
		write("b0", 40+round, docs.patch)
		write("b3", 50+round, docs.upsert)
		time.Sleep(50 * time.Second)
	}
	return want
}

// settledTenant demands that the tenant that moves is in one place, but for its fence.
func (p *program) settledTenant(r residents) {
	p.Helper()
	where, err := p.tenants().Refresh(p.ctx, r.shared().ID, moving)
	if err != nil || where.State != tenancy.ResidenceSettled {
		p.Fatalf("the tenant lives in %+v, %v", where, err)
	}
	home := where.Container
	if home == "" {
		home = r.shared().ID
	}
	for _, container := range []string{r.shared().ID, r.own().ID} {
		documents := 0
		for _, doc := range p.raw(container) {
			if strings.Contains(doc, `"tenant":"`+moving+`"`) && !strings.Contains(doc, `"_pkgen-fence"`) {
				documents++
			}
		}
		if (documents > 0) != (container == home) {
			p.Errorf("%s has %d documents of the tenant, which lives in %q", container, documents, home)
		}
	}
}

var tenantScenarios = []scenario{
	tenantScenario("movetenant", "MoveTenant moves a tenant to a container of its own, and back.", bookings{}),
	tenantScenario("movetenant-levels", "MoveTenant moves a tenant that is the first level of the key, without a fence, and back.", parcels{}),
}
