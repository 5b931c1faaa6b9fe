package lease

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// All are the leases of a processor for all containers of a database. They are of the
// dialect DotNet: the ids of their documents begin alike, and then have the RID of the
// container. It is used by one goroutine, except Now.
type All struct {
	Leases    *wire.Container
	Processor string

	start string // of the ids
	clock clock
}

// Of is the leases of one container among all. Its prefix, and what it reads, are set.
func (a *All) Of(m Monitored) (*Container, error) {
	prefix, err := DotNet.Prefix(a.Processor, m)
	if err != nil {
		return nil, err
	}
	return &Container{Leases: a.Leases, Dialect: DotNet, Processor: a.Processor, Prefix: prefix, Monitored: m, Several: true, among: &a.clock}, nil
}

// In has all leases found for the containers of the database that has this one. It
// reports whether that is news.
func (a *All) In(m Monitored) (bool, error) {
	prefix, err := DotNet.Prefix(a.Processor, m)
	start := strings.TrimSuffix(string(prefix), m.RID)
	news := err == nil && start != a.start
	if news {
		a.start = start
	}
	return news, err
}

// Found is what is stored for one container.
type Found struct {
	Created bool    // all leases were created
	Leases  []Lease // some may lack their ranges: see [Container.Ranged]
	Wrong   error   // why one of them is no lease of the dialect
}

// Find reads what is stored for each container, by its RID: one query. It finds nothing
// before In.
func (a *All) Find(ctx context.Context) (map[string]*Found, error) {
	if a.start == "" {
		return nil, nil
	}
	documents, err := query(ctx, a.Leases, &a.clock, a.start)
	if err != nil {
		return nil, wire.NewOperationError(opList, a.Leases.Type, "", "", err)
	}
	all := map[string]*Found{}
	for _, document := range documents {
		fields, err := membersOf(document)
		if err != nil {
			return nil, err
		}
		rid, rest, _ := strings.Cut(strings.TrimPrefix(fields.ID, a.start), ".")
		of := all[rid]
		if of == nil {
			of = &Found{}
			all[rid] = of
		}
		switch {
		case rest == "info":
			of.Created = true
		case strings.HasPrefix(rest, "."):
			l, err := DotNet.Parse(document)
			if err != nil {
				of.Wrong = err
				continue
			}
			of.Leases = append(of.Leases, l)
		}
	}
	return all, nil
}

// RID returns which container a lease of this id is of.
func (a *All) RID(id string) string {
	rid, _, _ := strings.Cut(strings.TrimPrefix(id, a.start), ".")
	return rid
}

// Now is the time of the service.
func (a *All) Now() time.Time { return a.clock.now() }

// Forget removes the document that says that the leases of c were created, once its
// container is no more.
func (c *Container) Forget(ctx context.Context) error {
	err := c.deleteDocument(ctx, c.Prefix.info(), "")
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}
