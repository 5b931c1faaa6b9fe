package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	cosmos "github.com/cosmos-pkgen/pkgen/internal/containers"
)

// tooManyIndexes reports the first index of d beyond the container's limit. All types of the
// container count, by name.
func (d *member) tooManyIndexes() {
	n := 0
	for _, p := range d.peers {
		if p.Stated != d.Stated {
			n += len(p.Indexes)
			continue
		}
		if first := max(0, cosmos.MaxIndexes-n); first < len(p.Indexes) {
			d.Errorf(p.Indexes[first].Value("index"), "the index %s of type %s is one too many: the container %q may be the source of %d indexes, for all its types together; remove one, or let one index answer both queries",
				p.Indexes[first].Index, d.Name(), d.Container(), cosmos.MaxIndexes)
		}
		return
	}
}

// placed reports an index whose container is in use for something else.
func (x *indexing) placed() {
	id := x.IndexContainer(x.Options)
	if n := utf8.RuneCountInString(id); n > maxContainerID {
		x.Errorf(x.position(), "the container of the index %s would be called by its name and that of %s, which have %d characters, and Cosmos DB allows %d: name it by \"container=\"", x.name(), x.Name(), n, maxContainerID)
	}
	for _, p := range x.of.all.sorted() {
		if p.API() != "" || p.Name() == x.Name() && p.Stated != x.of.Stated || p.InTest() && !x.InTest() {
			continue // or it is this type in another build
		}
		if holds := x.holds(p, id); holds != "" {
			x.Errorf(x.position(), "the index %s cannot be the container %q, which %s: write another name by \"container=\"", x.name(), id, holds)
			return
		}
	}
}

// holds returns what else of a type uses a container, or "". Of two indexes, the later one is at
// fault.
func (x *indexing) holds(p *peer, id string) string {
	switch id {
	case p.Container():
		return fmt.Sprintf("holds %s documents", p.Name())
	case p.Options.Leases:
		return "holds leases of processors of type " + p.Name()
	case p.Options.Directory:
		return "holds the directory of the tenants of type " + p.Name()
	}
	for i, other := range p.Indexes {
		earlier := p.Stated == x.of.Stated && i < x.n || p.Name() < x.Name() || x.InTest() && !p.InTest()
		if earlier && p.IndexContainer(other) == id {
			return fmt.Sprintf("is the index %s of type %s", other.Index, p.Name())
		}
	}
	return ""
}

// sorted returns the types of all containers by name.
func (c containers) sorted() []*peer {
	all := slices.Concat(slices.Collect(maps.Values(c))...)
	slices.SortFunc(all, func(a, b *peer) int {
		return cmp.Or(strings.Compare(a.Name(), b.Name()), strings.Compare(a.File.Path, b.File.Path))
	})
	return all
}

// lacksIndexes reports an index of a type with another API.
func (d *subject) lacksIndexes() {
	if len(d.Indexes) > 0 {
		d.Errorf(d.Indexes[0].Word("index"), "%q is not for the %s API: global secondary indexes are of the NoSQL API; remove the blank field", "index", d.API())
	}
	for _, t := range d.Roles {
		if t.Indexed != "" {
			d.lacking(t.Word("synthetic"), lack{word: "synthetic=" + t.Indexed, why: "only the NoSQL API has global secondary indexes; remove it"})
		}
	}
}
