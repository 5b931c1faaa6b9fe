package facts

import (
	"go/token"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// Prefix is the text that the ids of a document begin with, as its tags say it.
type Prefix struct {
	Text    string         // "" if ids may be any text
	Pos     token.Position // of the text, or of the id without one
	Unknown bool           // pkgen does not know the declaration of the id
}

// Prefix returns the text that the ids of d begin with. If d embeds the struct with
// the id, the blank field says it, whatever the tag of the id says: several
// documents may embed that struct.
func (d *Document) Prefix() Prefix {
	p := Prefix{Pos: d.Position()}
	if ref := d.ByProperty(IDProperty); ref != nil {
		p.Pos = d.DeclaredAt(ref)
	}
	for _, t := range d.Roles {
		if t.ID {
			if p.Text, p.Pos = t.Prefix, t.Word("id"); p.Text != "" {
				p.Pos = t.At(t.ValueOffset("prefix"))
			}
			break
		}
	}
	if offset := d.Options.ValueOffset("prefix"); offset >= 0 {
		p.Text, p.Pos = d.Options.Prefix, d.Options.At(offset)
	}
	return p
}

// PrefixInSyntax is Prefix for a document in a file of another build. The types of
// its fields are not known.
func (d *Stated) PrefixInSyntax() Prefix {
	if d.Options.Prefix != "" {
		return Prefix{Text: d.Options.Prefix}
	}
	for _, field := range d.Syntax.Fields.List {
		t, _ := d.Unit.TagOf(d.File, field)
		value, tagged := t.Lookup(source.CosmosKey)
		if tag, _ := annotations.ParseField(value.Value); tagged && tag.ID {
			return Prefix{Text: tag.Prefix}
		}
		if name, ok := t.Lookup("json"); ok && jsonName(name.Value) == IDProperty {
			return Prefix{}
		}
	}
	return Prefix{Unknown: true}
}

// jsonName returns the name in the value of a json tag.
func jsonName(value string) string {
	name, _, _ := strings.Cut(value, ",")
	return name
}
