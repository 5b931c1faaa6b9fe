package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Computed are the properties of a type that the service computes in queries of a container.
type Computed struct {
	Properties []containers.ComputedProperty
	Same       func(a, b string) bool // reports whether two queries compute the same

	found atomic.Bool // in the container
}

// In returns the names of the properties that a query in SQL may read.
func (c *Computed) In(sql string) []string {
	if c == nil {
		return nil
	}
	var names []string
	for _, p := range c.Properties {
		if strings.Contains(sql, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// Sorts reports whether one of the orders is by a computed property, which documents do not have.
func (c *Computed) Sorts(orders []text.Order) bool {
	return c != nil && slices.ContainsFunc(orders, func(o text.Order) bool {
		return slices.ContainsFunc(c.Properties, func(p containers.ComputedProperty) bool { return p.Name == o.Path[0] })
	})
}

// CheckComputed returns an error if the container lacks one of these computed properties of the
// type, or computes it by another query: each document would count as one without a value. It reads
// the container until it has them all, one request each time, and never again.
func (s *Store) CheckComputed(ctx context.Context, names []string) error {
	c := s.Computed
	if len(names) == 0 || c.found.Load() {
		return nil
	}
	have, err := s.ReadComputed(ctx)
	if err != nil {
		return err
	}
	all := true
	for _, wanted := range c.Properties {
		i := slices.IndexFunc(have, func(p containers.ComputedProperty) bool { return p.Name == wanted.Name })
		fits := i >= 0 && c.Same(have[i].Query, wanted.Query)
		all = all && fits
		if fits || !slices.Contains(names, wanted.Name) {
			continue
		}
		if i >= 0 {
			return fmt.Errorf("container %q computes the property %s by %s, and the type by %s: give the property another JSON name, or deploy the container of this program", s.Client.ID(), wanted.Name, have[i].Query, wanted.Query)
		}
		return fmt.Errorf("container %q has no computed property %s, so that no document would have a value: ensure the container with admin.FixDifferences, or deploy what pkgen explain -container prints", s.Client.ID(), wanted.Name)
	}
	if all {
		c.found.Store(true)
	}
	return nil
}

