package model

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// ItemsExpire is the default time to live of a container in which only documents
// with a time to live of their own expire. Without a default, the time to live of a
// document has no effect ("Time to live in Azure Cosmos DB").
const ItemsExpire = -1

// expires reports whether documents can have a time to live of their own, or get one when they are
// deleted.
func (d *subject) expires() bool {
	own := d.ownExpiry()
	return own || slices.ContainsFunc(d.Roles, func(t *facts.Tagged) bool { return t.Purge > 0 })
}

// ownExpiry reports whether a field has the document's time to live.
func (d *subject) ownExpiry() bool {
	if t := d.Role("ttl", func(t *facts.Tagged) bool { return t.TTL }); t != nil {
		return d.integerField(t.Ref, facts.TTLProperty, "the time to live", t.Word("ttl")) && d.leftOutZero(t.Ref, t.Word("ttl"))
	}
	ref := d.ByProperty(facts.TTLProperty)
	if ref == nil {
		return false
	}
	pos := d.DeclaredAt(ref)
	if reason := d.noInteger(ref.Field().Type()); reason != "" {
		d.NoteOf(annotations.NoteTTL, ref.Path, pos, "field "+ref.Selector+" has the property ttl, by which the service deletes documents, but "+reason+": declare it as an integer, or give it another JSON name")
		return false
	}
	return d.integerField(ref, facts.TTLProperty, "the time to live", pos) && d.leftOutZero(ref, pos)
}

// leftOutZero checks that JSON omits an unset time to live. The service refuses 0 and null.
func (d *subject) leftOutZero(ref *facts.FieldRef, pos token.Position) bool {
	if ref.JSON.OmitEmpty || ref.JSON.OmitZero {
		return true
	}
	pos = d.JSONPosition(ref, pos)
	if _, pointer := facts.Pointee(ref.Field().Type()); pointer {
		d.NoteOf(annotations.NoteTTL, ref.Path, pos, "field "+ref.Selector+" is written as null while it is nil, which the service refuses as a time to live: add omitempty to its json tag")
		return true
	}
	d.Fixable(pos, d.JSONFix(ref, facts.TTLProperty+",omitempty"),
		fmt.Sprintf("field %s cannot hold the time to live: its zero value is written as 0, which the service refuses; write `json:\"%s,omitempty\"`", ref.Selector, facts.TTLProperty))
	return false
}

// timestamp checks the field that a tag marks as the time of the last change. A field that only has
// the name may have another type.
func (d *subject) timestamp() {
	if t := d.Role("ts", func(t *facts.Tagged) bool { return t.TS }); t != nil {
		d.integerField(t.Ref, facts.TSProperty, "the time of the last change", t.Word("ts"))
	}
}

// integerField checks a field for a number of the service, or for a pointer to one. It returns
// false after an error.
func (d *subject) integerField(ref *facts.FieldRef, property, what string, pos token.Position) bool {
	if ref.Field().Exported() {
		if reason := d.noInteger(ref.Field().Type()); reason != "" {
			d.Errorf(pos, "field %s cannot hold %s: %s; declare it as an integer", ref.Selector, what, reason)
			return false
		}
	}
	return d.holds(ref, what, pos) && d.isProperty(ref, property, what, pos)
}

// noInteger returns why the JSON of a type is not a whole number of seconds, or "".
func (d *subject) noInteger(t types.Type) string {
	t = facts.Dereference(t)
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case ok && basic.Kind() == types.Invalid:
		return unresolved
	case facts.IsNamed(t, "time", "Duration"):
		return "it is a time.Duration, which JSON writes in nanoseconds, and the service counts seconds"
	case !ok || basic.Info()&types.IsInteger == 0 || basic.Kind() == types.Uintptr:
		return "it is of type " + d.TypeString(t)
	case facts.OwnJSON(t):
		return "its type " + d.TypeString(t) + " writes its own JSON"
	}
	return ""
}

// expiry returns the default time to live of the container, or nil if nothing expires. It reports
// types of the container that disagree about it.
func (d *member) expiry() *int {
	var said *peer
	expires := false
	for _, p := range d.peers {
		expires = expires || p.expires
		switch {
		case p.Options.TTL == 0:
		case said == nil:
			said = p
		case said.Options.TTL != p.Options.TTL:
			pos := d.Position()
			if offset := d.Options.ValueOffset("ttl"); offset >= 0 {
				pos = d.Options.At(offset)
			}
			d.Errorf(pos, "types %s and %s share the container %q, which has one default time to live, and theirs are %d and %d: write the same \"ttl\" on both, or leave it out on one",
				said.Name(), p.Name(), d.Container(), said.Options.TTL, p.Options.TTL)
			return nil
		}
	}
	ttl := ItemsExpire
	if said != nil {
		ttl = said.Options.TTL
	}
	if said == nil && !expires {
		return nil
	}
	return &ttl
}
