package store

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/turn"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Computed are the properties of a type that the service computes in queries.
type Computed struct {
	properties []containers.ComputedProperty
	same       func(a, b string) bool

	named   *regexp.Regexp // matches their names in SQL
	found   atomic.Bool    // the container has all of them
	reading *turn.Turn
}

// NewComputed returns the computed properties of a type, at least one. Same reports whether
// two queries compute the same value.
func NewComputed(properties []containers.ComputedProperty, same func(a, b string) bool) *Computed {
	names := make([]string, len(properties))
	for i, p := range properties {
		names[i] = p.Name
	}
	return &Computed{
		properties: properties, same: same, reading: turn.New(),
		named: regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`), // of letters, digits and underscores
	}
}

// Sorts reports whether one of the orders is by a computed property, which stored documents
// do not have.
func (c *Computed) Sorts(orders []text.Order) bool {
	return c != nil && slices.ContainsFunc(orders, func(o text.Order) bool {
		return slices.ContainsFunc(c.properties, func(p containers.ComputedProperty) bool { return p.Name == o.Path[0] })
	})
}

// CheckComputed returns an error if a query in SQL may read a computed property of the type
// that the container lacks or computes in another way: each document would count as having
// no value. It costs one request each time, until the container has all properties, and
// then none.
func (s *Store) CheckComputed(ctx context.Context, sql string) error {
	c := s.Computed
	if c == nil || c.found.Load() {
		return nil
	}
	names := c.named.FindAllString(sql, -1)
	if names == nil {
		return nil
	}
	end, err := c.reading.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
	if c.found.Load() {
		return nil
	}
	have, err := s.ReadComputed(ctx)
	if err != nil {
		return err
	}
	all := true
	for _, wanted := range c.properties {
		i := slices.IndexFunc(have, func(p containers.ComputedProperty) bool { return p.Name == wanted.Name })
		fits := i >= 0 && c.same(have[i].Query, wanted.Query)
		all = all && fits
		switch {
		case fits || !slices.Contains(names, wanted.Name):
		case i < 0:
			return fmt.Errorf("container %q has no computed property %s, so no document would have a value: ensure the container with admin.FixDifferences, or deploy the definition that pkgen explain prints", s.Client.ID(), wanted.Name)
		default:
			return fmt.Errorf("container %q computes the property %s by %s, and the type by %s: give the property another JSON name, or deploy the container of this program", s.Client.ID(), wanted.Name, have[i].Query, wanted.Query)
		}
	}
	c.found.Store(all)
	return nil
}
