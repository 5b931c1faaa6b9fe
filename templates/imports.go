package templates

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// The packages that generated code imports, besides those of field types.
const (
	contextPath    = "context"
	errorsPath     = "errors"
	jsonPath       = "encoding/json"
	strconvPath    = "strconv"
	stringsPath    = "strings"
	timePath       = "time"
	azcosmosPath   = "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	root           = "github.com/cosmos-pkgen/pkgen/"
	partitionPath  = root + "partition"
	repositoryPath = root + "repository"
	generatedPath  = root + "repository/generated"
	documentsPath  = root + "documents"
	adminPath      = root + "repository/admin"
	tenancyPath    = root + "repository/tenancy"
)

// importName is what a file calls a package that it imports.
type importName struct {
	path, name string
	alias      bool // the name is not the package's own
}

// importNames returns a name for every package that the file of t may import; the
// file imports the ones that it uses. It avoids the names in taken, and adds its
// own to them.
func importNames(t *Type, taken scope.Scope) []importName {
	var out []importName
	named := scope.Names{t.PackagePath: true}
	name := func(path, pkg string) {
		if named[path] {
			return
		}
		named.Add(path)
		if taken.Free(pkg) && !jen.IsReservedWord(pkg) { // jennifer would rename err
			taken.Add(pkg)
			out = append(out, importName{path: path, name: pkg})
			return
		}
		out = append(out, importName{path: path, name: alias(path, pkg, taken), alias: true})
	}
	for _, p := range slices.Concat([]string{contextPath, strconvPath}, t.api().imports, []string{partitionPath, t.api().runtime, documentsPath, adminPath, tenancyPath, generatedPath}) {
		name(p, path.Base(p))
	}
	if t.Rest != nil {
		name(jsonPath, path.Base(jsonPath))
	}
	if t.prefixed() {
		name(stringsPath, stringsPath)
	}
	for _, c := range t.keyComponents() { // a name that no component needs stays free
		if c.Lower && t.Ambiguous {
			name(stringsPath, stringsPath)
		}
		if c.Value == pk.Time {
			name(timePath, timePath)
		}
	}
	var nameType func(pk.GoType)
	nameType = func(g pk.GoType) {
		if g.Path != "" {
			name(g.Path, g.PackageName())
		}
		for _, arg := range g.Args {
			nameType(arg)
		}
	}
	for _, field := range t.allFields() {
		nameType(field.Type)
	}
	goTypes(t.Properties, nameType)
	for _, u := range t.Unique {
		nameType(u.Type)
	}
	t.Guard.types(nameType)
	return out
}

// alias takes a name for the package pkg, whose own name is taken: the path element
// before it and then its name, such as pkgenpartition. For the standard library the
// first word is std.
func alias(importPath, pkg string, taken scope.Scope) string {
	before := path.Base(path.Dir(importPath))
	if before == "." {
		before = "std"
	}
	letters := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(before))
	name := strings.TrimLeft(letters, "0123456789") + pkg
	for i := 2; !taken.Free(name); i++ {
		name = pkg + strconv.Itoa(i)
	}
	taken.Add(name)
	return name
}

// goType writes g as the file refers to it.
func goType(g pk.GoType) *jen.Statement {
	s := jen.Id(g.Name)
	if g.Path != "" {
		s = jen.Qual(g.Path, g.Name)
	}
	if len(g.Args) == 0 {
		return s
	}
	args := make([]jen.Code, len(g.Args))
	for i, arg := range g.Args {
		args[i] = goType(arg)
	}
	return s.Types(args...)
}
