package model

import (
	"cmp"
	"go/token"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// ownComputed returns the computed properties of d.
func (d *subject) ownComputed() []templates.Computed {
	var all []templates.Computed
	for _, t := range d.Roles {
		if t.Computed == "" {
			continue
		}
		e, err := cosmossql.ParseExpression(t.Computed)
		if err != nil || len(t.Ref.Property) != 1 {
			continue // reported
		}
		all = append(all, templates.Computed{Name: t.Ref.Property[0], Query: cosmossql.ComputedQuery(e), Own: true})
	}
	return all
}

// computed returns the computed properties of the container's types, by name. It reports two that
// differ, stored properties of the same names, and too many.
func (d *member) computed() []templates.Computed {
	var all []templates.Computed
	for _, p := range d.peers {
		for _, c := range p.computed {
			c.Own = p.Stated == d.Stated
			i := slices.IndexFunc(all, func(other templates.Computed) bool { return other.Name == c.Name })
			switch {
			case i < 0:
				all = append(all, c)
			case !cosmossql.SameComputed(all[i].Query, c.Query):
				d.refuseComputed(p, c.Name, "and compute the property %q by different expressions: write the same expression in both, or give one a different JSON name")
			default:
				all[i].Own = all[i].Own || c.Own
			}
		}
	}
	for _, c := range all {
		for _, p := range d.peers {
			if p.document == nil || slices.ContainsFunc(p.computed, func(own templates.Computed) bool { return own.Name == c.Name }) {
				continue
			}
			if p.document.ByProperty(c.Name) != nil || c.Name == typeProperty && !p.Unnamed() {
				d.refuseComputed(p, c.Name, "and one stores the property %q, which the other computes, so queries see the computed value for both: give one a different JSON name")
			}
		}
	}
	if n := len(all); n > cosmossql.MaxComputed {
		d.Errorf(d.computedAt(""), "the container %q of type %s has %d computed properties, and Cosmos DB allows %d: remove some", d.Container(), d.Name(), n, cosmossql.MaxComputed)
	}
	slices.SortFunc(all, func(a, b templates.Computed) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// refuseComputed reports a disagreement between d and another type of its container about a
// property, at the later of the two.
func (d *member) refuseComputed(p *peer, name, why string) {
	other := d.otherThan(p)
	if d.Name() < other.Name() {
		return
	}
	d.Errorf(d.computedAt(name), "types %s and %s share the container %q, "+why, d.Name(), other.Name(), d.Container(), name)
}

// freeComputed reports computed properties that the run time also writes: texts of keys.
func (d *member) freeComputed(r *templates.Type) {
	for _, path := range r.Paths() {
		name := jsonpointer.Names(path)[0]
		if slices.ContainsFunc(r.Computed, func(c templates.Computed) bool { return c.Name == name }) {
			d.Errorf(d.computedAt(name), "the property %q is in the partition key, which must be stored: give the computed property another JSON name", name)
		}
	}
	if r.Discriminator != nil && slices.ContainsFunc(r.Computed, func(c templates.Computed) bool { return c.Own && c.Name == r.Discriminator.Property }) {
		d.Errorf(d.computedAt(r.Discriminator.Property), "the property %q holds the type of a document, which must be stored: give the computed property another JSON name", r.Discriminator.Property)
	}
}

// computedAt returns the position of a computed property's tag, of the first one if name is "", or
// of the type if it has none.
func (d *member) computedAt(name string) token.Position {
	for _, t := range d.Roles {
		if t.Computed != "" && (name == "" || slices.Equal(t.Ref.Property, []string{name})) {
			return t.Word("computed")
		}
	}
	return d.Position()
}

// isComputed reports whether d computes a property.
func (d *subject) isComputed(name string) bool {
	return slices.ContainsFunc(d.Roles, func(t *facts.Tagged) bool {
		return t.Computed != "" && slices.Equal(t.Ref.Property, []string{name})
	})
}
