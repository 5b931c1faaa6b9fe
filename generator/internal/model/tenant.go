package model

import (
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// tenant returns the field tagged as the tenant, or nil. It reports a field by which no query can
// find the documents of one tenant.
func (k *key) tenant() *pk.Field {
	var first *facts.Tagged
	for _, t := range k.Roles {
		switch {
		case !t.Tenant:
		case first != nil:
			k.Errorf(t.Word("tenant"), "field %s is a second tenant besides %s: a document is of one tenant; leave \"tenant\" on one of them", t.Ref.Selector, first.Ref.Selector)
		default:
			first = t
		}
	}
	if first == nil {
		return nil
	}
	pos := first.Word("tenant")
	var c *pk.Component
	for _, parts := range [][]pk.Part{k.containers, k.Levels[0].Parts} {
		if found := firstComponent(parts); c == nil && found != nil && found.Selector == first.Ref.Selector {
			c = found
		}
	}
	if c == nil {
		k.Errorf(pos, "field %s is not the first component of the key, so the documents of one tenant are not together, and each query would read those of all tenants: make it the first component or level of the key, or name it first in a template of containers, as in container=orders-{%[1]s}", first.Ref.Selector)
		return nil
	}
	switch c.Value {
	case pk.String, pk.Text, pk.TextPtr, pk.Int, pk.Uint:
		if !c.Lower {
			return &c.Field
		}
		k.Errorf(pos, "field %s is in the key in lower case, so two tenants that differ only in case would share a logical partition: keep the text of a tenant unchanged", c.Selector)
	default:
		k.Errorf(pos, "field %s cannot be a tenant: a tenant is a string, an integer or a type with a text form", c.Selector)
	}
	return nil
}

// firstComponent returns the first component of a template, or nil.
func firstComponent(parts []pk.Part) *pk.Component {
	for _, p := range parts {
		if p.Component != nil || p.Bucket != nil {
			return p.Component
		}
	}
	return nil
}

// own returns the parts of the template of the tenants' own containers, or nil. The tenant must be
// the only component, and the whole key or its first level, so that the run time can identify a
// tenant's documents, and no write to them escapes a move.
func (k *key) own(tenant *pk.Field) []pk.Part {
	if !k.Tiered() {
		return nil
	}
	pos := k.Options.At(k.Options.ValueOffset("own"))
	if tenant == nil {
		if !k.Failed {
			k.Errorf(pos, "no field is tagged \"tenant\", so no document would be in an own container: tag the tenant's field, as in `cosmos:\"pk,tenant\"`")
		}
		return nil
	}
	path := k.Options.OwnPaths[0]
	at := k.Options.At(path.Offset)
	ref := k.NamedField("own", path.Text, at)
	if ref == nil {
		return nil
	}
	if ref.Selector != tenant.Selector {
		k.Errorf(at, "an own container belongs to a tenant, which is field %s: write {%[1]s} instead of {%s}", tenant.Selector, path.Text)
		return nil
	}
	first := k.Levels[0]
	if len(first.Parts) != 1 || first.Path != tenant.Pointer {
		k.Errorf(pos, "tenants move by their logical partitions, and field %s is only a part of the key's text: make it the whole key, `cosmos:\"pk,tenant\"`; or make it a level of its own, `cosmos:\"pk,level=1,tenant\"`, and the other fields the levels after it", tenant.Selector)
		return nil
	}
	if !tenant.Value.Marshaled() && tenant.Value != pk.String {
		k.Errorf(pos, "field %s is a number, but the tenant directory and container ids hold texts: declare it as a string, or as a type with a text form", tenant.Selector)
		return nil
	}
	var parts []pk.Part
	for _, part := range k.Options.Own.Levels[0] {
		if part.Component != nil {
			parts = append(parts, pk.Part{Component: &pk.Component{Field: *tenant}})
			continue
		}
		parts = append(parts, pk.Part{Literal: part.Literal})
	}
	return parts
}
