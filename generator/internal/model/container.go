package model

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// typeProperty is the property with the type of a document.
const typeProperty = "type"

// peerOf returns a document as a peer. It reads nothing of a document with errors.
func peerOf(s *facts.Stated, d *facts.Document) *peer {
	p := &peer{Stated: s, document: d}
	if d != nil && !s.Failed {
		subject := &subject{d}
		switch d.API() {
		case "":
			p.expires = subject.expires()
			p.composites = subject.composites()
			p.searches = subject.searches()
			p.computed = subject.ownComputed()
		case annotations.Mongo:
			p.composites = subject.composites()
		}
	}
	return p
}

// containers maps containers of a package, by API and id, to types.
type containers map[containerID][]*peer

type containerID struct {
	api annotations.API
	id  string
}

func (p *peer) at() containerID { return containerID{p.API(), p.Container()} }

// containersOf groups types by container, sorted by name.
func containersOf(types []*peer) containers {
	out := make(containers)
	for _, p := range types {
		out[p.at()] = append(out[p.at()], p)
	}
	for _, all := range out {
		slices.SortStableFunc(all, func(a, b *peer) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return out
}

// peersOf returns the types of p's container, including p. Types in files of other builds count, so
// that all builds distinguish documents in the same way, except a type with the name of p, which is
// p in another build. Types of test files see the types of the package, but not the reverse, so
// that tests do not change the generated files of the package.
func (c containers) peersOf(p *peer) []*peer {
	var out []*peer
	for _, other := range c[p.at()] {
		if other == p || other.Name() != p.Name() && (p.InTest() || !other.InTest()) {
			out = append(out, other)
		}
	}
	return out
}

// discriminator returns how documents are distinguished from other types in their container, or nil
// if there are none. It reports types whose documents cannot be distinguished.
func (d *member) discriminator(levels []pk.Level) *templates.Discriminator {
	says := d.Options.Discriminator
	var others []string
	for _, p := range d.peers {
		switch {
		case p.Stated == d.Stated:
		case p.Unnamed() && d.Unnamed():
			d.Errorf(d.Position(), "types %s and %s share the container %q, and no property tells their documents apart: put type=%s on the blank field: `_ struct{}` with `cosmos:\"type=%s\"`; one type of a container may omit it",
				d.Name(), p.Name(), d.Container(), facts.DefaultContainer(d.Name()), facts.DefaultContainer(d.Name()))
			return nil
		case !d.Unnamed() && p.Options.Discriminator == says:
			d.Errorf(d.Options.At(d.Options.ValueOffset("type")), "types %s and %s share the container %q, and the documents of both have the type %q: give each its own",
				d.Name(), p.Name(), d.Container(), says)
			return nil
		case d.Unnamed():
			others = append(others, p.Options.Discriminator)
		}
	}
	if d.Unnamed() && others == nil {
		return nil
	}
	slices.Sort(others)
	d.freeType(levels)
	return &templates.Discriminator{Property: typeProperty, Value: says, Others: slices.Compact(others)}
}

// freeType checks that the property of the discriminator can only be a string.
func (d *member) freeType(levels []pk.Level) {
	const says = "holds the type of a document"
	if ref := d.ByProperty(typeProperty); ref != nil && (!facts.IsString(ref.Field().Type()) || ref.JSON.Quoted) {
		d.Errorf(d.JSONPosition(ref, d.DeclaredAt(ref)), "field %s has the property %q, which %s, and is not a string: declare it as one, or give it another JSON name", ref.Selector, typeProperty, says)
	}
	for _, level := range levels {
		if names := strings.Split(level.Path, "/"); level.Made && names[1] == typeProperty {
			d.Errorf(d.PathPosition(), "the synthetic key cannot be written to %s, since the property %q %s: choose another path", level.Path, typeProperty, says)
		}
	}
}
