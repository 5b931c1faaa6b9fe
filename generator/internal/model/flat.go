package model

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// maxTableProperties is the maximum number of an entity's own properties: 255 with PartitionKey,
// RowKey and Timestamp ("Understanding the Table service data model").
const maxTableProperties = 252

// maxTableName is the maximum length of a property's name in characters, from the same page.
const maxTableName = 255

// tableID is the property with the id if a template makes the row key.
const tableID = "_id"

// tableNames are property names that an entity cannot have, in any case: those of the service, and
// those reserved by Cosmos DB ("Frequently asked questions about Azure Cosmos DB for Table").
var tableNames = []string{"PartitionKey", "RowKey", "Timestamp", "ID", "rid", "etag", "ResourceId"}

// stores checks that the API of d can store its properties.
func (d *subject) stores() {
	if d.API() == "" {
		return
	}
	if method := d.ownJSON(); method != "" {
		d.Errorf(d.Position(), "type %s has a method %s, which the %s API does not call, since it stores no JSON: remove it, or store another type", d.Name(), method, d.API())
		return
	}
	if d.API() == annotations.Mongo {
		d.bson()
		return
	}
	own := 0
	for _, p := range facts.JSONFields(d.Struct) {
		ref := d.ByProperty(p.Name)
		if ref == nil || d.apart(ref) {
			continue
		}
		own++
		pos := d.DeclaredAt(ref)
		if reason := d.notFlat(p.Field().Type()); reason != "" {
			d.Errorf(pos, "field %s cannot be stored by the %s API: %s", ref.Selector, d.API(), reason)
			continue
		}
		if reason := d.refusedName(p.Name); reason != "" {
			d.Errorf(d.JSONPosition(ref, pos), "the property %q of field %s cannot be stored by the %s API: %s", p.Name, ref.Selector, d.API(), reason)
		}
	}
	if own > maxTableProperties && d.API() == annotations.Table {
		d.Errorf(d.Position(), "type %s has %d properties, and an entity of a table has %d of its own at most: leave some out by `json:\"-\"`, or keep several in one text by a type with a MarshalText method", d.Name(), own, maxTableProperties)
	}
}

// apart reports whether a field is not stored as a property, because the service or the run time
// has a place for it: the id, the stored key, the version.
func (d *subject) apart(ref *facts.FieldRef) bool {
	if ref.JSON.Name == facts.IDProperty || ref.JSON.Name == facts.ETagProperty && d.API() == annotations.Table {
		return true
	}
	return slices.ContainsFunc(d.Roles, func(t *facts.Tagged) bool { return t.Synthetic && t.Ref.Same(ref) })
}

// notFlat returns why entities and vertices, which are flat, cannot have a property of a type, or
// "".
func (d *subject) notFlat(t types.Type) string {
	t, _ = facts.Pointee(t)
	form := facts.FormOf(t)
	switch form {
	case facts.Time, facts.String, facts.Number, facts.Bool, facts.Int, facts.Uint, facts.Float:
		return ""
	case facts.Instant:
		return "it is a repository.Time, whose text sorts in the NoSQL API; declare it as a time.Time, which this API sorts"
	case facts.Text, facts.TextAndCode:
		if !types.Implements(types.NewPointer(t), facts.TextUnmarshaler) {
			return "its type has a MarshalText method and no UnmarshalText, so that it could not be read back; give it that method"
		}
		return ""
	case facts.Code:
		return "its type writes JSON of its own, and this API stores none; give it MarshalText and UnmarshalText, or leave it out by `json:\"-\"`"
	}
	const wayOut = "leave it out by `json:\"-\"`, or keep it as one text by a type with MarshalText and UnmarshalText"
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.Invalid {
			return unresolved
		}
		return "it is of type " + d.TypeString(t) + ", which this API has no type for; use a number or a string"
	case *types.Struct:
		return "it is a struct, and properties are single values; embed it, so that its fields are properties, " + wayOut
	case *types.Slice:
		switch {
		case form != facts.Bytes:
		case d.API() == annotations.Table:
			return ""
		default:
			return "it holds bytes, and this API has no type for them; keep them as a text, such as in base64"
		}
		return "it is a list, and properties are single values; " + wayOut
	case *types.Array:
		return "it is an array, and properties are single values; " + wayOut
	case *types.Map:
		return "it is a map, and properties are single values; " + wayOut
	case *types.Interface:
		return "it is an interface, and its value could not be read back; use a concrete type"
	}
	return "it is of type " + d.TypeString(t) + ", which has no value to store; leave it out by `json:\"-\"`"
}

// notShown is the reason against a property that the service sets, in an API other than NoSQL.
const notShown = "the service writes a property of its own under this name, which the API does not show; "

// looksNoSQL reports whether a name looks like a field of the NoSQL API: a JSON pointer, optionally
// with marks before it.
func looksNoSQL(name string) bool {
	return strings.IndexAny(strings.TrimLeft(name, "0123456789"), "/<") == 0
}

// refusedName returns why a property cannot have a name, or "".
func (d *subject) refusedName(name string) string {
	const another = "choose another JSON name"
	if d.API() == annotations.Gremlin {
		switch {
		case name == labelProperty:
			return "a graph has the label of a vertex there; " + another
		case strings.HasPrefix(name, "_"):
			return "names that begin with \"_\" are those of the service; " + another
		case looksNoSQL(name):
			return "conditions cannot name it; " + another
		case strings.ContainsAny(name, `.$"'\`) || strings.ContainsFunc(name, unicode.IsControl):
			return "a traversal cannot name it; give it a JSON name of letters, digits and \"_\""
		}
		return ""
	}
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case slices.ContainsFunc(tableNames, func(kept string) bool { return strings.EqualFold(kept, name) }):
		return "the service keeps this name for itself; " + another
	case slices.Contains(facts.HiddenProperties, name):
		return notShown + another
	case name == tableID && len(d.Options.Row.Levels) > 0:
		return "with row=, the id is there; " + another
	case unicode.IsDigit(first) || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }):
		return "names are letters, digits and \"_\", with no digit first, as identifiers of C# are; " + another
	case utf8.RuneCountInString(name) > maxTableName:
		return fmt.Sprintf("it has more than %d characters; %s", maxTableName, another)
	}
	return ""
}
