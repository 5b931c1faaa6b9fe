package generator

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// itemsExpire is the default time to live of a container in which documents
// expire only by a time to live of their own. Without a default theirs do
// nothing ("Time to live in Azure Cosmos DB").
const itemsExpire = -1

// expires reports whether documents can have a time to live of their own.
func (d *subject) expires() bool {
	if t := d.role("ttl", func(t *tagged) bool { return t.TTL }); t != nil {
		return d.integerField(t.ref, ttlProperty, "the time to live", t.word("ttl")) && d.leftOutZero(t.ref, t.word("ttl"))
	}
	ref := d.byProperty(ttlProperty)
	if ref == nil {
		return false
	}
	pos := d.declaredAt(ref)
	if reason := d.noInteger(ref.field().Type()); reason != "" {
		d.noteOf(annotations.NoteTTL, ref.path, pos, "field "+ref.selector+" has the property ttl, by which the service deletes documents, but "+reason+": declare it as an integer, or give it another JSON name")
		return false
	}
	return d.integerField(ref, ttlProperty, "the time to live", pos) && d.leftOutZero(ref, pos)
}

// leftOutZero checks that JSON does not have a time to live which is not set.
// The service refuses 0 and null.
func (d *subject) leftOutZero(ref *fieldRef, pos token.Position) bool {
	if ref.json.omitEmpty || ref.json.omitZero {
		return true
	}
	pos = d.jsonPosition(ref, pos)
	if _, pointer := pointee(ref.field().Type()); pointer {
		d.noteOf(annotations.NoteTTL, ref.path, pos, "field "+ref.selector+" is written as null while it is nil, and the service refuses that as a time to live: add omitempty to its json tag")
		return true
	}
	d.fixable(pos, d.jsonFix(ref, ttlProperty+",omitempty"),
		fmt.Sprintf("field %s cannot hold the time to live: while it is not set it is written as 0, which the service refuses; write `json:\"%s,omitempty\"`", ref.selector, ttlProperty))
	return false
}

// timestamp checks the field that is tagged as the one with the time of the last
// change. One that only has the name is left alone: it may read the number into
// a type of its own.
func (d *subject) timestamp() {
	if t := d.role("ts", func(t *tagged) bool { return t.TS }); t != nil {
		d.integerField(t.ref, tsProperty, "the time of the last change", t.word("ts"))
	}
}

// integerField checks a field that holds a number of the service, or a pointer
// to one. It returns false after an error.
func (d *subject) integerField(ref *fieldRef, property, what string, pos token.Position) bool {
	if ref.field().Exported() {
		if reason := d.noInteger(ref.field().Type()); reason != "" {
			d.errorf(pos, "field %s cannot hold %s: %s; declare it as an integer", ref.selector, what, reason)
			return false
		}
	}
	return d.holds(ref, what, pos) && d.isProperty(ref, property, what, pos)
}

// noInteger returns why the JSON of a type is no whole number of seconds, or "".
func (d *subject) noInteger(t types.Type) string {
	t = dereference(t)
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case ok && basic.Kind() == types.Invalid:
		return unresolved
	case isNamed(t, "time", "Duration"):
		return "it is a time.Duration, which JSON writes in nanoseconds, and the service counts seconds"
	case !ok || basic.Info()&types.IsInteger == 0 || basicKind(basic) == "":
		return "it is of type " + d.typeString(t)
	case hasText(t) || hasMethod(t, "MarshalJSON"):
		return "its type " + d.typeString(t) + " writes its own JSON"
	}
	return ""
}

// expiry returns the default time to live of the container, on which all types
// that are kept there have to agree; nil if nothing expires.
func (d *member) expiry() *int {
	var said *peer
	expires := false
	for _, p := range d.peers {
		expires = expires || p.expires
		switch {
		case p.options.TTL == 0:
		case said == nil:
			said = p
		case said.options.TTL != p.options.TTL:
			pos := d.position()
			if offset := d.options.ValueOffset("ttl"); offset >= 0 {
				pos = d.options.at(offset)
			}
			d.errorf(pos, "types %s and %s share the container %q, which has one default time to live, and theirs are %d and %d: write one \"ttl\" on both, or leave it out on one",
				said.name(), p.name(), d.container(), said.options.TTL, p.options.TTL)
			return nil
		}
	}
	ttl := itemsExpire
	if said != nil {
		ttl = said.options.TTL
	}
	if said == nil && !expires {
		return nil
	}
	return &ttl
}
