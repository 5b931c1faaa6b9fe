package model

import (
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// tenant returns the field that says whose a document is, or nil if no field is tagged
// so. It reports a field by which no query finds the documents of one tenant.
func (k *key) tenant() *templates.Field {
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
	if k.Options.Formerly != "" {
		k.Errorf(pos, "documents move from %s by \"formerly\", and the repository over both containers is not one tenant's: add \"tenant\" when the move is over", k.Options.Formerly)
		return nil
	}
	var c *templates.Component
	for _, parts := range [][]templates.Part{k.containers, k.levels[0].Parts} {
		if found := firstComponent(parts); c == nil && found != nil && found.Selector == first.Ref.Selector {
			c = found
		}
	}
	if c == nil {
		k.Errorf(pos, "field %s is not the first component of the key, so the documents of one tenant are not together, and each query would read those of all: make it the first component or level of the key, or name it first in a template of containers, as in container=orders-{%[1]s}", first.Ref.Selector)
		return nil
	}
	switch c.Value {
	case templates.String, templates.Text, templates.TextPtr, templates.Int, templates.Uint:
		if !c.Lower {
			return &c.Field
		}
		k.Errorf(pos, "field %s is in the key in lower case, so that two tenants which differ in case alone would share a logical partition: keep the text of a tenant as it is", c.Selector)
	default:
		k.Errorf(pos, "field %s cannot be a tenant: a tenant is a string, an integer or a type with a text form", c.Selector)
	}
	return nil
}

// firstComponent returns the component with which a template begins, but for fixed text,
// or nil.
func firstComponent(parts []templates.Part) *templates.Component {
	for _, p := range parts {
		if p.Component != nil || p.Bucket != nil {
			return p.Component
		}
	}
	return nil
}
