package facts

import (
	"go/token"
	"go/types"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// Tagged is a field with a cosmos tag.
type Tagged struct {
	annotations.Field
	Ref *FieldRef
	At  func(offset int) token.Position // where a byte of the tag's value is
}

// Word returns where a word of the tag is.
func (t *Tagged) Word(name string) token.Position { return t.At(t.Offset(name)) }

// Document has the facts of a document: what its declaration states, its type, and
// the tags of all fields.
type Document struct {
	*Stated
	Named  *types.Named
	Struct *types.Struct
	Roles  []*Tagged  // tagged fields of the struct and of those it embeds, in order
	json   []Property // what encoding/json writes
	tags   map[*types.Var]tag
}

// tag is a cosmos tag of a field, as it is parsed.
type tag struct {
	said annotations.Field
	errs []*annotations.Error
}

// tagOf returns the tag of a field, which has a text. It parses each tag once.
func (d *Document) tagOf(v *types.Var, text string) tag {
	t, known := d.tags[v]
	if !known {
		t.said, t.errs = annotations.ParseField(text)
		d.tags[v] = t
	}
	return t
}

// Said returns what the cosmos tag of a property says, the zero value for none. Its
// errors are reported where the struct is declared.
func (d *Document) Said(p *Property) annotations.Field {
	if p.cosmos == "" {
		return annotations.Field{}
	}
	return d.tagOf(p.Field(), p.cosmos).said
}
