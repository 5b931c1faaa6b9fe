package generator

import (
	"go/token"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// typeProperty is the property that says of which type a document is.
const typeProperty = "type"

// share tells each document which types are kept in its container, itself
// included, by their names. Those in files of other builds count, so that all
// builds tell documents apart alike, unless they are called like d: they are what
// d is there. What is generated for the files of the package does not depend on
// its tests: types of test files see those of the package, and not the other way
// round.
func share(docs, elsewhere []*document) {
	all := slices.Concat(docs, elsewhere)
	slices.SortStableFunc(all, func(a, b *document) int { return strings.Compare(a.name(), b.name()) })
	byContainer := make(map[string][]*document)
	for _, d := range all {
		byContainer[d.container()] = append(byContainer[d.container()], d)
	}
	for _, d := range docs {
		for _, p := range byContainer[d.container()] {
			if p == d || p.name() != d.name() && (d.inTest() || !p.inTest()) {
				d.peers = append(d.peers, p)
			}
		}
	}
}

// container returns the id of the container.
func (d *document) container() string {
	return or(d.options.Container, defaultContainer(d.name()))
}

// inTest reports whether a test file declares d.
func (d *document) inTest() bool { return strings.HasSuffix(d.file.path, "_test.go") }

// unnamed reports whether documents of d do not say of which type they are.
func (d *document) unnamed() bool { return d.options.Offset("type") < 0 }

// discriminator fills in what tells m's documents from those of the other types
// in their container, and reports what they cannot be told from.
func (d *document) discriminator(m *templates.Type) {
	says := d.options.Discriminator
	var others []string
	for _, p := range d.peers {
		switch {
		case p == d:
		case p.unnamed() && d.unnamed():
			d.errorf(d.position(), "types %s and %s share the container %q, and nothing in their documents tells which is which: put type=%s on the blank field: `_ struct{}` with `cosmos:\"type=%s\"`; one type of a container may do without",
				d.name(), p.name(), m.Container, defaultContainer(d.name()), defaultContainer(d.name()))
			return
		case !d.unnamed() && p.options.Discriminator == says:
			d.errorf(d.options.at(d.options.ValueOffset("type")), "types %s and %s share the container %q, and the documents of both say that they are of type %q: give each a text of its own",
				d.name(), p.name(), m.Container, says)
			return
		case d.unnamed():
			others = append(others, p.options.Discriminator)
		}
	}
	if d.unnamed() && others == nil {
		return
	}
	slices.Sort(others)
	m.Discriminator = &templates.Discriminator{Property: typeProperty, Value: says, Others: slices.Compact(others)}
	d.freeType(m)
}

// freeType checks that nothing else than a string is at the property by which
// documents are told apart.
func (d *document) freeType(m *templates.Type) {
	const says = "says of which type a document is"
	if ref := d.byProperty(typeProperty); ref != nil && (!isString(ref.field().Type()) || ref.json.quoted) {
		d.errorf(d.jsonPosition(ref, d.declaration(ref)), "field %s has the property %q, which %s, and is not a string: declare it as one, or give it another JSON name", ref.selector, typeProperty, says)
	}
	for _, level := range m.KeyLevels() {
		if names := strings.Split(level.Path, "/"); level.Made && names[1] == typeProperty {
			d.errorf(d.pathPosition(), "the synthetic key cannot be written to %s, since the property %q %s: choose another path", level.Path, typeProperty, says)
		}
	}
}

// pathPosition returns where the tags say to which path the key is written.
func (d *document) pathPosition() token.Position {
	for _, t := range d.roles {
		if t.Synthetic {
			return d.jsonPosition(t.ref, t.word("synthetic"))
		}
	}
	if offset := d.options.Offset("path"); offset >= 0 {
		return d.options.at(offset)
	}
	return d.position()
}
