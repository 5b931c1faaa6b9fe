package lease

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Check returns why a container is no lease container, if it is not: its key is
// another one, it removes leases by a time to live, or it is the monitored one. It
// costs a request.
func (c *Container) Check(ctx context.Context) error {
	_, err := check(ctx, c.Leases, c.Monitored.RID)
	return err
}

// Check is Container.Check, and returns the RID of the lease container.
func (a *All) Check(ctx context.Context) (string, error) { return check(ctx, a.Leases, "") }

// check returns the RID of the lease container, or why it is not one.
func check(ctx context.Context, leases *wire.Container, monitored string) (string, error) {
	p, err := leases.Properties(ctx)
	if err != nil {
		return "", wire.NewOperationError(opList, leases.Type, "", "", err)
	}
	if p.ResourceID == monitored {
		return "", Monitors(p.ID)
	}
	if paths := p.PartitionKeyDefinition.Paths; !slices.Equal(paths, []string{"/id"}) {
		return "", fmt.Errorf("the lease container %q has the partition key %q: leases need a container with the key /id, which EnsureLeases makes", p.ID, paths)
	}
	if ttl := p.DefaultTimeToLive; ttl != nil && *ttl > 0 {
		return "", fmt.Errorf("the lease container %q has a time to live of %d seconds, after which progress would be lost: set it to -1, as EnsureLeases does with FixDifferences", p.ID, *ttl)
	}
	return p.ResourceID, nil
}

// Monitors is the error of a lease container whose own changes are to be handled.
func Monitors(id string) error {
	return fmt.Errorf("the lease container is %q, whose changes are to be handled: leases need a container of their own, which EnsureLeases makes", id)
}

// Begin creates the leases of a processor, one for each physical partition, unless
// they were created before. One process creates them; others wait for it. It returns
// an error if leases are missing: their changes would be skipped. Where there are
// leases it costs a point read and a query.
func (c *Container) Begin(ctx context.Context) error {
	for seen, wait := (lockSeen{}), firstLook; ; wait = min(2*wait, lastLook) {
		ready, err := c.created(ctx)
		if err != nil {
			return err
		}
		if ready {
			return c.complete(ctx)
		}
		created, err := c.create(ctx, &seen)
		if err != nil || created {
			return err
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// lists is how often complete reads the leases. A query of several pages can miss a
// range that is divided meanwhile: it reads where the successors are to be before they
// are, and where the lease was when it is no more. The next query finds them, unless
// they are divided again.
const lists = 4

// complete returns an error unless leases cover the key space.
func (c *Container) complete(ctx context.Context) (err error) {
	for range lists {
		leases, failure := c.List(ctx)
		if failure != nil {
			return failure
		}
		if err = c.Whole(leases); err == nil {
			return nil
		}
	}
	return err
}

func rangesOf(leases []Lease) []Range {
	ranges := make([]Range, 0, len(leases))
	for _, l := range leases {
		ranges = append(ranges, *l.Range)
	}
	return ranges
}

// Whole returns an error unless leases cover the key space.
func (c *Container) Whole(leases []Lease) error {
	gap := uncovered(rangesOf(leases), Range{route.FirstKey, route.LastKey})
	if gap == nil {
		return nil
	}
	return fmt.Errorf("the leases %q cover no key from %q to below %q, so that changes would be skipped: "+
		"give the processor another name, or delete all its documents, to begin anew", c.Prefix.leases()+"*", gap.Min, gap.Max)
}

// create creates leases under the lock. It returns false if another process has it.
func (c *Container) create(ctx context.Context, seen *lockSeen) (bool, error) {
	l, err := c.lock(ctx, seen)
	if l == nil || err != nil {
		return false, err
	}
	err = c.createAll(ctx, l)
	if errors.Is(err, errLockLost) {
		return false, nil
	}
	return err == nil, errors.Join(err, l.remove(ctx))
}

// createAll creates the leases that are missing, and then the document that says
// that they are there.
func (c *Container) createAll(ctx context.Context, lock *lock) error {
	if err := c.refuseOther(ctx); err != nil {
		return err
	}
	physical, err := c.Physical(ctx)
	if err != nil {
		return err
	}
	leases, err := c.List(ctx) // of a process that crashed, after which physical partitions may have been split or merged
	if err != nil {
		return err
	}
	covered := rangesOf(leases)
	for _, p := range physical.Ranges {
		all := Range{p.Min, p.Max}
		for gap := uncovered(covered, all); gap != nil; gap = uncovered(covered, all) {
			successors, err := c.Successors(physical, []Part{{Range: *gap}})
			if err != nil {
				return err
			}
			if err := lock.keep(ctx); err != nil {
				return err
			}
			if err := c.Create(ctx, successors[0]); err != nil {
				return err
			}
			covered = append(covered, *gap)
		}
	}
	if err := c.complete(ctx); err != nil {
		return err
	}
	if err := lock.keep(ctx); err != nil {
		return err
	}
	info, err := c.info()
	if err != nil {
		return err
	}
	return c.createDocument(ctx, c.Prefix.info(), info)
}

// refuseOther returns an error if the processor has leases of another dialect whose
// ids begin otherwise: it would begin anew next to them. Leases whose ids begin alike
// are refused when they are read.
func (c *Container) refuseOther(ctx context.Context) error {
	for _, d := range []Dialect{DotNet, JavaRange, JavaEPK} {
		other, err := d.Prefix(c.Processor, c.Monitored)
		if err != nil {
			return err
		}
		if other == c.Prefix {
			continue
		}
		documents, err := c.query(ctx, other)
		if err != nil {
			return wire.NewOperationError(opList, c.Leases.Type, "", "", err)
		}
		if len(documents) == 0 {
			continue
		}
		for _, found := range []Dialect{d, DotNet, JavaEPK} {
			if _, err := found.Parse(documents[0]); err == nil {
				return fmt.Errorf("the processor %q has leases of the dialect %s, not %s: use that dialect, or another name", c.Processor, found, c.Dialect)
			}
		}
	}
	return nil
}
