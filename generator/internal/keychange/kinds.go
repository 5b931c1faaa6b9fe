package keychange

import (
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// kindsOf returns the kinds of the properties in the key and in the ids of containers, in the form
// of the lock, and the kind of the id if a method makes its text.
func kindsOf(m *model.Model) []lock.PropertyKind {
	var out []lock.PropertyKind
	for _, c := range model.AllComponents(m.Rendered) {
		known := slices.ContainsFunc(out, func(other lock.PropertyKind) bool { return other.Property == c.Property })
		if !known {
			out = append(out, lock.PropertyKind{Property: c.Property, Kind: kindOf(m, c), Stored: storedAt(m, c)})
		}
	}
	id := &pk.Component{Field: m.Rendered.ID}
	inKey := slices.ContainsFunc(out, func(c lock.PropertyKind) bool { return c.Property == facts.IDProperty })
	if id.Value.Marshaled() && !inKey {
		out = append(out, lock.PropertyKind{Property: facts.IDProperty, Kind: kindOf(m, id), Stored: storedAt(m, id)})
	}
	return out
}

// storedAt returns where documents have a component, if the API has its own names of properties.
func storedAt(m *model.Model, c *pk.Component) string {
	switch {
	case m.API() != annotations.Mongo:
		return ""
	case c.Selector == m.Rendered.ID.Selector:
		return storedID
	}
	return c.Pointer
}

// storedID is the place of ids in MongoDB, whatever the tag.
const storedID = "/_id"

// kindOf returns the kind of a component.
func kindOf(m *model.Model, c *pk.Component) string {
	if kind := lock.KindOf(c.Value); kind != "" {
		return kind
	}
	return identity(m.ByName(c.Selector).Field().Type(), m.Unit.Types)
}

// identity returns a type by its import path and name. Types of the package from have no path,
// because the package may move.
func identity(t types.Type, from *types.Package) string {
	t = types.Unalias(t)
	declared, ok := t.(interface {
		Obj() *types.TypeName
		TypeArgs() *types.TypeList
	})
	if !ok {
		return types.TypeString(t, types.RelativeTo(from))
	}
	path := ""
	if pkg := declared.Obj().Pkg(); pkg != nil && pkg != from {
		path = pkg.Path()
	}
	name := path + "." + declared.Obj().Name()
	if declared.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for arg := range declared.TypeArgs().Types() {
		args = append(args, identity(arg, from))
	}
	return name + "[" + strings.Join(args, ",") + "]"
}
