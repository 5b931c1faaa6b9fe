package simulate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// checkIndexes checks the indexes.
func (s *Scenario) checkIndexes() error {
	if len(s.Indexes) > containers.MaxIndexes {
		return fmt.Errorf("indexes: there are %d, and a container can have %d: remove some", len(s.Indexes), containers.MaxIndexes)
	}
	taken := make(map[string]string)
	for _, template := range s.Layouts {
		if l, err := layout.Candidate(template, s.Escape, lock.Entry{}); err == nil { // Run reports an invalid layout
			taken[l.String()] = "a layout of the container"
		}
	}
	for i, x := range s.Indexes {
		if err := s.checkIndex(x, taken); err != nil {
			return fmt.Errorf("indexes[%d].%w", i, err)
		}
	}
	return nil
}

// checkIndex checks one index, and that its layout is not used twice. The error begins with one of
// its properties.
func (s *Scenario) checkIndex(x Index, taken map[string]string) error {
	if x.Layout == "" {
		return errors.New(`layout: missing: write the key of the index, such as "{customerId}"`)
	}
	l, err := layout.Candidate(x.Layout, s.Escape, lock.Entry{})
	if err != nil {
		return fmt.Errorf("layout: %w", err)
	}
	names := s.names()
	var components []string
	for _, c := range l.Model().Components() {
		if !within(c.Property, names) {
			return unknown("layout", c.Property, names)
		}
		components = append(components, c.Property)
	}
	share := x.Throughput / float64(max(x.Partitions, 1))
	switch _, buckets := l.Reach(components...); {
	case buckets > 1:
		return fmt.Errorf("layout: %q has a random suffix, which no query can give: use properties", x.Layout)
	case taken[l.String()] != "":
		return fmt.Errorf("layout: %q is %s, too: remove one", x.Layout, taken[l.String()])
	case x.Partitions < 1 || x.Partitions > mostPartitions:
		return fmt.Errorf("partitions: %d is not between 1 and %d", x.Partitions, mostPartitions)
	case x.Throughput < 1:
		return errors.New("throughput: it is the RU/s of the index, 1 or more")
	case share > mostPerSecond:
		return fmt.Errorf("throughput: %v RU/s on %d physical partitions are %v for each, and the limit is %d: write %d partitions or more",
			x.Throughput, x.Partitions, share, mostPerSecond, int(math.Ceil(x.Throughput/mostPerSecond)))
	}
	taken[l.String()] = "another index"
	return nil
}

// names returns the names of all properties of documents.
func (s *Scenario) names() []string {
	all := map[string]bool{idProperty: true}
	for name := range s.Properties {
		all[name] = true
	}
	for _, o := range s.Operations {
		for name := range o.Properties {
			all[name] = true
		}
	}
	return sortedNames(all)
}

// within reports whether a property is one of names, or inside one of them.
func within(name string, names []string) bool {
	return slices.ContainsFunc(names, func(outer string) bool { return name == outer || strings.HasPrefix(name, outer+".") })
}
