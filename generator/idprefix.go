package generator

import (
	"go/token"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// prefix is what the tags of a document say of its ids.
type prefix struct {
	text    string         // with which they begin; "" if they may be any
	pos     token.Position // of the text, or of what lacks one
	unknown bool           // the id is declared where pkgen has not looked
}

// prefix returns what the ids of d begin with. The blank field says it of an id
// that is declared in a struct which d embeds, whatever the tag there says, since
// several documents may embed it.
func (d *document) prefix() prefix {
	p := prefix{pos: d.position()}
	if ref := d.byProperty(idProperty); ref != nil {
		p.pos = d.declaredAt(ref)
	}
	for _, t := range d.roles {
		if t.ID {
			if p.text, p.pos = t.Prefix, t.word("id"); p.text != "" {
				p.pos = t.at(t.ValueOffset("prefix"))
			}
			break
		}
	}
	if offset := d.options.ValueOffset("prefix"); offset >= 0 {
		p.text, p.pos = d.options.Prefix, d.options.at(offset)
	}
	return p
}

// prefixInSyntax is prefix for a document in a file of another build, of whose
// fields the types are not known.
func (d *stated) prefixInSyntax() prefix {
	if d.options.Prefix != "" {
		return prefix{text: d.options.Prefix}
	}
	for _, field := range d.syntax.Fields.List {
		t, _ := d.unit.tagOf(d.file, field)
		value, tagged := t.lookup(cosmosKey)
		if tag, _ := annotations.ParseField(value.value); tagged && tag.ID {
			return prefix{text: tag.Prefix}
		}
		if name, ok := t.lookup("json"); ok && jsonName(name.value) == idProperty {
			return prefix{}
		}
	}
	return prefix{unknown: true}
}

// jsonName returns the name in the value of a json tag.
func jsonName(value string) string {
	name, _, _ := strings.Cut(value, ",")
	return name
}
