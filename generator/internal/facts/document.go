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
}
