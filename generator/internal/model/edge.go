package model

import (
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/property"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// keyWords are the words of a key, which edges may not have.
var keyWords = []string{"key", "sep", "suffixsep", "escape", "path", "methods"}

// edge makes the model of an edge of a graph, which is stored with its source vertex. It returns
// nil after too many errors.
func (d *member) edge() *Model {
	id := d.id()
	d.lacks()
	const stored = "an edge has no key of its own: it is stored with the vertex that it leads from"
	for _, word := range keyWords {
		if offset := d.Options.Offset(word); offset >= 0 {
			d.Errorf(d.Options.At(offset), "%q is about a partition key, and %s: remove it", word, stored)
		}
	}
	for _, t := range d.Roles {
		for _, word := range []string{"pk", "synthetic"} {
			if t.Offset(word) >= 0 {
				d.Errorf(t.Word(word), "field %s cannot be %q: %s; remove the word", t.Ref.Selector, word, stored)
			}
		}
	}
	d.stores()
	if d.Failed {
		return nil
	}
	r := &templates.Type{
		Package: d.Unit.Name, PackagePath: d.Unit.Path, Source: filepath.Base(d.File.Path), Constraint: source.ConstraintOf(d.File),
		Name: d.Name(), API: templates.Gremlin, Label: label(d.Stated), ID: id, NoMethods: true,
		Edge: &templates.Edge{From: d.Options.From, To: d.Options.To},
	}
	r.Prefix = d.idPrefix()
	of := property.Of(d.Document)
	r.Properties, r.Guard = of.Properties, d.guard(r, of.Used)
	if d.Failed {
		return nil
	}
	return &Model{Document: d.Document, Rendered: r}
}

// Edges reports edges whose ends are not vertices of the same graph, and vertices and edges with
// the same label.
func Edges(found []*Candidate) {
	labels := make(map[string]*Candidate)
	for _, c := range found {
		if c.Model == nil || c.API() != annotations.Gremlin {
			continue
		}
		called := c.Container() + "\x00" + c.Model.Rendered.Label
		if other := labels[called]; other != nil {
			c.Errorf(c.Position(), "types %s and %s both have the label %q, by which a graph tells them apart: give one a different label by type=", other.Name(), c.Name(), c.Model.Rendered.Label)
		}
		labels[called] = c
		if c.Model.Rendered.Edge != nil {
			c.end(found, "from", c.Options.From)
			if c.Options.To != c.Options.From { // otherwise it is reported already
				c.end(found, "to", c.Options.To)
			}
		}
	}
}

// end checks the vertex type at one end of an edge.
func (c *Candidate) end(found []*Candidate, word, name string) {
	pos := c.Options.At(c.Options.ValueOffset(word))
	i := slices.IndexFunc(found, func(other *Candidate) bool { return other.Name() == name })
	if i < 0 {
		var vertices []string
		for _, other := range found {
			if other.API() == annotations.Gremlin && !other.Options.Edge {
				vertices = append(vertices, other.Name())
			}
		}
		advice := "declare it with `cosmos:\"api=gremlin\"`, or name another"
		if near := spelling.Nearest(name, vertices); near != "" {
			advice = "did you mean " + near + "?"
		}
		c.Errorf(pos, "this package has no type %s with cosmos tags, and an edge is between vertices of this package: %s", name, advice)
		return
	}
	switch other := found[i]; {
	case other.API() != annotations.Gremlin:
		c.Errorf(pos, "type %s is of the %s API, and an edge is between vertices of a graph: put api=gremlin on its blank field, or name another type", name, other.API())
	case other.Options.Edge:
		c.Errorf(pos, "type %s is an edge, and an edge is between vertices: name the type of a vertex", name)
	case other.Container() != c.Container():
		c.Errorf(pos, "type %s is in the graph %q, and the edge in %q: write the same container= on both, or on none", name, other.Container(), c.Container())
	case other.InTest() && !c.InTest():
		c.Errorf(pos, "type %s is in a test file, and the edge is not, so the package would not compile without its tests: declare both in test files, or none", name)
	case source.ConstraintOf(other.File) != "" && source.ConstraintOf(other.File) != source.ConstraintOf(c.File):
		c.Errorf(pos, "type %s exists only in builds with %q, and the edge also in others, which would not compile: declare both in files with the same build constraint", name, source.ConstraintOf(other.File))
	case other.Model == nil && !c.Failed:
		c.Errorf(pos, "type %s has errors: correct them first", name)
	}
}

// isEdge reports whether a document is an edge.
func isEdge(s *facts.Stated) bool { return s.Options.Edge && s.API() == annotations.Gremlin }
