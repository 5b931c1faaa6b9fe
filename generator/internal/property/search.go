package property

import (
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// searched gives a property of vectors or of full text its kind.
func searched(out *templates.Property, p *facts.Property) {
	switch {
	case p.Vector != nil && out.Kind.Name == "List":
		out.Kind.Name, out.Vector = "Vector", p.Vector
	case p.Language != "" && out.Kind.Name == "String":
		out.Kind.Name, out.Language = "FullText", p.Language
	}
}

// searchWord returns the word by which queries search a property, or "".
func searchWord(p *facts.Property) string {
	switch {
	case p.Vector != nil:
		return "vector"
	case p.Language != "":
		return "text"
	}
	return ""
}
