package gotypes

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Of returns a type as a file of the package from writes it, or why the file
// cannot write it. It keeps an alias that the file can name, since the file may not
// be able to name the aliased type.
func Of(t types.Type, from *types.Package) (pk.GoType, string) {
	switch t := t.(type) {
	case *types.Basic:
		return pk.GoType{Name: t.Name()}, ""
	case *types.Alias:
		if nameable(t.Obj(), from) == "" {
			return named(t.Obj(), t.TypeArgs(), from)
		}
		return Of(t.Rhs(), from)
	case *types.Named:
		if reason := nameable(t.Obj(), from); reason != "" {
			return pk.GoType{}, reason
		}
		return named(t.Obj(), t.TypeArgs(), from)
	}
	return pk.GoType{}, fmt.Sprintf("its type %s has no name", types.TypeString(t, types.RelativeTo(from)))
}

// named returns a type that can be named, with its type arguments.
func named(name *types.TypeName, args *types.TypeList, from *types.Package) (pk.GoType, string) {
	out := pk.GoType{Name: name.Name()}
	if pkg := name.Pkg(); pkg != nil && pkg != from {
		out.Path, out.Package = pkg.Path(), pkg.Name()
	}
	for arg := range args.Types() {
		g, reason := Of(arg, from)
		if reason != "" {
			return pk.GoType{}, reason
		}
		out.Args = append(out.Args, g)
	}
	return out, ""
}

// nameable returns why a file of the package from cannot name a type, or "".
func nameable(name *types.TypeName, from *types.Package) string {
	pkg := name.Pkg()
	switch {
	case pkg == nil || pkg == from && name.Parent() == from.Scope():
		return ""
	case name.Parent() != pkg.Scope():
		return fmt.Sprintf("its type %s is declared in a function", name.Name())
	case !name.Exported():
		return fmt.Sprintf("its type %s.%s is unexported", pkg.Name(), name.Name())
	case !importable(pkg.Path(), from.Path()):
		return fmt.Sprintf("its type %s.%s is of the internal package %s", pkg.Name(), name.Name(), pkg.Path())
	}
	return ""
}

// importable applies the rule for internal packages: only code below the parent of
// a folder internal may import its packages. Nobody may import those of the standard
// library.
func importable(path, from string) bool {
	at := strings.LastIndex("/"+path+"/", "/internal/")
	if at <= 0 {
		return at < 0
	}
	parent := path[:at-1]
	from = strings.TrimSuffix(from, "_test") // of an external test
	return from == parent || strings.HasPrefix(from, parent+"/")
}

// Hides reports whether a predeclared name in t means something else in the package
// from, or t is not known.
func Hides(t types.Type, from *types.Package) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid || from.Scope().Lookup(t.Name()) != nil
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), func(arg types.Type) bool { return Hides(arg, from) })
	}
	return false
}
