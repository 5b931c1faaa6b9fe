package lease

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// rangeOf returns the range of a physical partition, which may have been split since.
func rangeOf(physical *route.Map, id string) (*Range, error) {
	var parts []route.Range // in order
	for _, r := range physical.Ranges {
		if r.ID == id {
			return &Range{r.Min, r.Max}, nil
		}
		if slices.Contains(r.Parents, id) {
			parts = append(parts, r)
		}
	}
	if len(parts) < 2 {
		return nil, fmt.Errorf("the lease of physical partition %.40q, which is no more and was not split, so that its range is not known: "+
			"it was merged with another, or the lease is of another container; "+
			"give the processor another name, and the dialect JavaEPK, which follows merges, or delete all its documents, to begin anew", id)
	}
	for i, part := range parts[1:] {
		if partition.CompareEPK(parts[i].Max, part.Min) != 0 {
			return nil, fmt.Errorf("the lease of physical partition %.40q, whose parts are not next to each other", id)
		}
	}
	return &Range{parts[0].Min, parts[len(parts)-1].Max}, nil
}

// Successors returns the leases that take the place of one whose range was divided
// in these parts, each with the tag after which it goes on: one by the id of a
// physical partition where a part is all of it, and one by range elsewhere.
func (c *Container) Successors(physical *route.Map, parts []Part) ([]Lease, error) {
	all := make([]Lease, len(parts))
	for i, part := range parts {
		id := ""
		if c.Dialect != JavaEPK {
			id = whole(physical, part.Range)
		}
		if id == "" && c.Dialect == JavaRange {
			return nil, fmt.Errorf("the range from %q to %q is not that of a physical partition, and the dialect %s has no lease for it: use JavaEPK for a container whose physical partitions were merged",
				part.Min, part.Max, c.Dialect)
		}
		all[i] = c.Dialect.NewLease(c.Prefix, id, part.Range, part.Tag, c.time().now())
		all[i].versions = c.Versions
		if c.Several {
			all[i].Window = Window{Container: c.Monitored.Container, Changed: all[i].Time}
		}
	}
	return all, nil
}

// Part is a range, and the tag after which its changes go on.
type Part struct {
	Range
	Tag string
}

// Merged reports whether a lease of DotNet by the id of a physical partition is to be
// one by range, because the physical partition was merged with others.
func (c *Container) Merged(physical *route.Map, l Lease) bool {
	if c.Dialect != DotNet || l.byRange || l.Range == nil {
		return false
	}
	now := Range{physical.Find(l.Range.Min).Min, physical.Find(l.Range.Min).Max}
	return l.Range.within(now) && !now.within(*l.Range)
}

// whole returns the id of the physical partition that has this range, "" if none has.
func whole(physical *route.Map, r Range) string {
	for _, p := range physical.Ranges {
		if partition.CompareEPK(p.Min, r.Min) == 0 && partition.CompareEPK(p.Max, r.Max) == 0 {
			return p.ID
		}
	}
	return ""
}
