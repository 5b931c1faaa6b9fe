package gremlin

import (
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/gremlin/internal/wire"
)

// traversal is the text of a traversal in progress, with its values. Names of labels and of
// properties are in the text; they come from the program, and have no characters that could end
// a text. Every other value is a binding.
type traversal struct {
	text     strings.Builder
	bindings wire.Bindings
	err      error
}

func newTraversal() *traversal { return &traversal{bindings: wire.Bindings{}} }

// add appends parts to the text.
func (t *traversal) add(parts ...string) *traversal {
	for _, p := range parts {
		t.text.WriteString(p)
	}
	return t
}

// bind returns the name of a binding for a value. Traversals of the same form have the same
// names, so that a server compiles their text once.
func (t *traversal) bind(v any) string {
	value, err := binding(v)
	if err != nil && t.err == nil {
		t.err = err
	}
	name := "b" + strconv.Itoa(len(t.bindings))
	t.bindings[name] = value
	return name
}

func (t *traversal) request() (wire.Request, error) {
	return wire.Request{Traversal: t.text.String(), Bindings: t.bindings}, t.err
}

// quoted returns a name that checkName has accepted as a text of Gremlin. A text in single
// quotes has no interpolation.
func quoted(name string) string { return "'" + name + "'" }

// checkName returns the reason why a name is illegal for a property or label.
func checkName(name string) string {
	switch {
	case name == "":
		return "the name is empty"
	case len(name) > 255:
		return "the name has more than 255 bytes"
	case strings.ContainsFunc(name, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune(`'"\$`, r) || r == 0xFFFD
	}):
		return `the name has a quote, a backslash, a dollar sign or a control character, which the text of a traversal cannot have: give it another one by its json tag`
	}
	return ""
}

// at starts at the vertex of a place, if it has the label: a point read.
func (t *traversal) at(partition, id, label string) *traversal {
	return t.add("V([", t.bind(partition), ", ", t.bind(id), "]).hasLabel(", quoted(label), ")")
}
