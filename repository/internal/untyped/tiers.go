package untyped

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Tiers locate the documents of tenants that share a container or have their own.
type Tiers struct {
	DB        *wire.Database
	Directory tenancy.Directory
	Shared    string // the id of the shared container
	Whole     bool   // the tenant is the whole partition key
	Ensure    string // the name of the function that creates the shared container
}

// tiers has the containers of tenants.
type tiers struct {
	tenancy.Tenants
	given Tiers
	root  *Documents // its requests go where their contexts say

	mu    sync.RWMutex
	known map[string]*Documents // for queries, by container id
}

// NewTiered returns the documents of a type whose tenants are located by a directory. Its
// requests go where their contexts say; see Resident.
func NewTiered(given Tiers, t Types, settings Settings) *Documents {
	var shared *wire.Client
	if settings.Wrong == nil {
		switch {
		case given.DB == nil:
			settings.Wrong = errors.New("the database of the repository is nil: make the repository with an *azcosmos.DatabaseClient")
		case given.Directory == nil:
			settings.Wrong = errors.New("the directory of the repository is nil: make the repository with a *TenantDirectory")
		default:
			shared, settings.Wrong = given.DB.NewContainer(given.Shared)
		}
	}
	settings.fenced = true
	d := New(shared, t, settings)
	d.settle(given)
	return d
}

// settle makes the requests of d follow the tenants.
func (d *Documents) settle(given Tiers) {
	d.Store.Resident = true
	d.tiers = &tiers{given: given, root: d, known: map[string]*Documents{}}
	d.tiers.Tenants = tenancy.Tenants{
		Directory: given.Directory, Type: d.Types.Name, Shared: given.Shared, Ensure: given.Ensure, Client: d.tiers.client,
	}
	if given.Whole {
		d.tiers.Path = d.Types.Paths[0]
	}
}

// client returns the container with an id.
func (s *tiers) client(id string) (*wire.Client, error) {
	in, err := s.in(id)
	if err != nil {
		return nil, err
	}
	return in.Store.Client, nil
}

// in returns the documents of the container with an id.
func (s *tiers) in(id string) (*Documents, error) {
	s.mu.RLock()
	in := s.known[id]
	s.mu.RUnlock()
	if in != nil {
		return in, nil
	}
	client, err := s.given.DB.NewContainer(id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if in := s.known[id]; in != nil {
		return in, nil
	}
	if len(s.known) >= maxContainers {
		clear(s.known)
	}
	in = New(client, s.root.Types, s.root.settings)
	s.known[id] = in
	return in, nil
}

// Resident is a tenant of a type whose tenants may move.
type Resident struct {
	tenant tenancy.Tenant
	tiers  *tiers
}

// Resident returns the named tenant, or nil if tenants of the type do not move.
func (d *Documents) Resident(name func() string) *Resident {
	if d.tiers == nil {
		return nil
	}
	return &Resident{tenancy.Tenant{Tenants: &d.tiers.Tenants, Name: name()}, d.tiers}
}

// usable returns an error if the repository is misconfigured, or its layout is a draft and
// the account is not on this machine. It must come before requests to the directory, which
// may be in the same account and have their own contexts.
func (r *Resident) usable(ctx context.Context, op string) error {
	s := r.tiers.root.Store
	err := s.Unusable
	if err == nil {
		err = s.Stays(ctx)
	}
	if err != nil {
		return &documents.Error{Op: op, Type: r.tenant.Type, Err: err}
	}
	return nil
}

// Write sends a write to the container of the tenant; see tenancy.Tenant. This and the
// other methods do not keep their functions.
func (r *Resident) Write(ctx context.Context, op string, try func(context.Context) error) error {
	if err := r.usable(ctx, op); err != nil {
		return err
	}
	return r.tenant.Write(ctx, op, try)
}

// Read calls try with the documents of the tenant's container, again if the tenant moved
// meanwhile.
func (r *Resident) Read(ctx context.Context, op string, try func(context.Context, *Documents) error) error {
	if err := r.usable(ctx, op); err != nil {
		return err
	}
	return r.tenant.Read(ctx, op, func(ctx context.Context, id string) error {
		in, err := r.tiers.in(id)
		if err != nil {
			return err
		}
		return try(ctx, in)
	})
}

// Allows returns an error for an id that is reserved for moves of tenants.
func (r *Resident) Allows(op, id string) error {
	if !strings.HasPrefix(id, tenancy.IDPrefix) {
		return nil
	}
	return &documents.Error{Op: op, Type: r.tenant.Type, ID: id, Err: errors.New("ids that begin with " + tenancy.IDPrefix + " are those of moves of tenants: choose another")}
}

// Moving completes a bulk operation for the tenant.
func (r *Resident) Moving(b *write.Bulk) *write.Bulk {
	if r != nil {
		b.Around = func(ctx context.Context, send func(context.Context) error) error { return r.Write(ctx, b.Op, send) }
	}
	return b
}

// Begin implements query.Source: it begins a run in the tenant's container.
func (r *Resident) Begin(ctx context.Context, _, _ generated.Keys) (_ context.Context, at query.Containers, err error) {
	if err := r.usable(ctx, "query"); err != nil {
		return nil, at, err
	}
	v, err := r.tenant.Begin(ctx, "query")
	if err != nil {
		return nil, at, err
	}
	in, err := r.tiers.in(v.Container())
	if err != nil {
		return nil, at, &documents.Error{Op: "query", Type: r.tenant.Type, Err: err}
	}
	return v.Context(ctx), query.Containers{Store: in.Store, Explained: v.Explained}, nil
}

// Place implements query.Source. Cursors do not name the tenant's container.
func (r *Resident) Place(string) (query.Place, bool) { return query.Place{}, false }

// Time implements query.Source. The tenant's container has no period.
func (r *Resident) Time() []string { return nil }

// Wrong returns an error if no request can be sent.
func (r *Resident) Wrong() error { return r.tiers.root.Store.Unusable }

// Of returns q as a query of the tenant.
func (r *Resident) Of(q query.Selection) query.Selection {
	if r == nil {
		return q
	}
	return q.In(r, generated.Keys{})
}
