package simulate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// place finds the physical partitions of operations under a layout.
type place struct {
	what       string // of the container, or of an index
	layout     *layout.Layout
	set        *layout.Set // of this layout only
	document   layout.Document
	partitions int
	reaches    []reach // by operation
	targets    []int   // of the last operation
}

// reach is the part of a key that a query knows.
type reach struct{ levels, buckets int }

// newPlace returns the places of a scenario's operations under a layout of the container.
func newPlace(s *Scenario, template string) (*place, error) {
	return placeOf(s, "layout", template, s.Partitions)
}

// placeOf returns the places of a scenario's operations under a layout, on a number of physical
// partitions. Errors begin with what.
func placeOf(s *Scenario, what, template string, partitions int) (*place, error) {
	l, err := layout.Candidate(template, s.Escape, lock.Entry{})
	if err != nil {
		return nil, err
	}
	p := &place{what: what, layout: l, set: layout.NewSet([]*layout.Layout{l}), partitions: partitions}
	for _, o := range s.Operations {
		r := reach{l.Levels(), 1}
		if o.Method == methodQuery {
			r.levels, r.buckets = l.Reach(o.By...)
		}
		p.reaches = append(p.reaches, r)
	}
	return p, nil
}

// of returns the physical partitions of an operation on a document, in order. The slice is valid
// until the next call.
func (p *place) of(operation int, document []byte) ([]int, error) {
	r := p.reaches[operation]
	p.targets = p.targets[:0]
	if r.levels == 0 {
		for i := range p.partitions {
			p.targets = append(p.targets, i)
		}
		return p.targets, nil
	}
	if err := p.set.Read(document, &p.document); err != nil {
		return nil, p.problem(err)
	}
	if r.buckets == 1 {
		key, err := p.document.Key(0)
		return p.add(key, err)
	}
	for n := 1; n <= r.buckets && len(p.targets) < p.partitions; n++ {
		key, err := p.document.Bucket(0, n)
		if _, err := p.add(key, err); err != nil {
			return nil, err
		}
	}
	slices.Sort(p.targets)
	return p.targets, nil
}

// add adds the physical partition of a key, unless it is present. The first level decides: ranges
// of a new container do not divide its values.
func (p *place) add(key layout.Key, err error) ([]int, error) {
	if err != nil {
		return nil, p.problem(err)
	}
	epk, err := key.Prefix(1).EPK()
	if err != nil {
		return nil, p.problem(err)
	}
	i, err := partitionOf(epk, p.partitions)
	if err != nil {
		return nil, p.problem(err)
	}
	if !slices.Contains(p.targets, i) {
		p.targets = append(p.targets, i)
	}
	return p.targets, nil
}

// problem adds the layout to an error.
func (p *place) problem(err error) error {
	return fmt.Errorf("%s %s: %w; see properties in the scenario", p.what, plain.Word(p.layout.String()), err)
}

// partitionOf returns which of n physical partitions with equal ranges holds an
// effective partition key.
func partitionOf(epk string, n int) (int, error) {
	high, err := strconv.ParseUint(epk[:16], 16, 64)
	if err != nil {
		return 0, err
	}
	return layout.EqualRange(high, n), nil
}
