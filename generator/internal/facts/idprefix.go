package facts

import (
	"go/token"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// Prefix is what the tags of a document say of its ids.
type Prefix struct {
	Text    string         // with which they begin; "" if they may be any
	Pos     token.Position // of the text, or of what lacks one
	Unknown bool           // the id is declared where pkgen has not looked
}

// Prefix returns what the ids of d begin with. The blank field says it of an id
// that is declared in a struct which d embeds, whatever the tag there says, since
// several documents may embed it.
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

// PrefixInSyntax is prefix for a document in a file of another build, of whose
// fields the types are not known.
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
