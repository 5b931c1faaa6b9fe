package property

import (
	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// searched gives a property of vectors or of full text its kind.
func (w *walk) searched(out *templates.Property, p *facts.Property) {
	said := w.Said(p)
	switch {
	case said.Dimensions > 0 && out.Kind.Name == "List":
		out.Kind.Name, out.Vector = "Vector", w.Vector(p)
	case said.Language != "" && out.Kind.Name == "String":
		out.Kind.Name, out.Language = "FullText", said.Language
	}
}

// searchWord returns the word by which queries search a property, or "".
func searchWord(said annotations.Field) string {
	switch {
	case said.Dimensions > 0:
		return "vector"
	case said.Language != "":
		return "text"
	}
	return ""
}
