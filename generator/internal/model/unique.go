package model

import (
	"go/token"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// unique returns the unique properties of a document of the NoSQL API, and reports properties that
// cannot be unique.
func (d *member) unique(m *templates.Type) (all []templates.Unique) {
	if m.API != templates.NoSQL {
		return nil
	}
	for _, t := range d.Roles {
		if !t.Unique {
			continue
		}
		pos := t.Word("unique")
		if !d.uniqueType(pos) || !d.uniqueValue(t, pos) {
			return nil
		}
		for _, p := range m.Properties {
			if name := t.Ref.Property[0]; p.Pointer == jsonpointer.Of(name) {
				all = append(all, templates.Unique{Name: p.Name, Property: name, Type: p.Patch.Value})
			}
		}
	}
	return all
}

// uniqueType reports why documents of the type cannot have unique values.
func (d *member) uniqueType(pos token.Position) bool {
	if !d.uniqueProperties(pos) {
		return false
	}
	for _, p := range d.peers {
		if p.Options.Offset("own") >= 0 && p.Container() == d.Container() {
			d.Errorf(pos, "tenants of %s move between containers with all their documents in %q, and \"unique\" covers only one container: give %s a container of its own", p.Name(), d.Container(), d.Name())
			return false
		}
		if p.Stated != d.Stated && p.Unnamed() {
			d.Errorf(pos, "type %s shares the container %q and has no type=, so it would read reservations as its documents: give %s a container of its own", p.Name(), d.Container(), d.Name())
			return false
		}
	}
	return true
}

// uniqueProperties reports a field with a property of the run time.
func (d *member) uniqueProperties(pos token.Position) bool {
	for _, name := range []string{reservation.PendingProperty, reservation.Property} {
		if f := d.ByProperty(name); f != nil {
			d.Errorf(pos, "the run time hides documents of a type with unique properties by the property %s, which is field %s here: give it another JSON name", name, f.Selector)
			return false
		}
	}
	return true
}

// uniqueValue reports why the values of a field cannot be compared by their text.
func (d *member) uniqueValue(t *facts.Tagged, pos token.Position) bool {
	if len(t.Ref.Property) != 1 {
		why := d.Unwritten(t.Ref)
		if len(t.Ref.Property) > 1 {
			why = "it lies within another property; move the field to the document"
		}
		d.Errorf(pos, "field %s cannot be unique: %s", t.Ref.Selector, why)
		return false
	}
	value, why := classify(t.Ref.Field().Type(), natural)
	switch {
	case why != "":
	case value == pk.Float:
		why = "it is a float, whose text differs between programs; use an integer or a string"
	case value == pk.Bool:
		why = "it is a bool, so only two documents could exist; use a query instead"
	case value == pk.Time:
		why = "it is a time, and an instant has several texts; use a string or an integer"
	case t.Aliases() != nil:
		why = "values under its other names have no reservations; rewrite the old documents, remove \"was\" and \"next\", and then write \"unique\""
	case t.Ref.JSON.Quoted:
		why = "json writes it as a text by \",string\"; remove that"
	}
	if why != "" {
		d.Errorf(pos, "field %s cannot be unique: %s", t.Ref.Selector, why)
	}
	return why == ""
}
