package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// file is the file of a type while it is written.
type file struct {
	*plan
	out *jen.File
}

func newFile(t *Type) *file {
	f := &file{plan: newPlan(t), out: jen.NewFilePathName(t.PackagePath, t.Package)}
	for _, i := range f.imports {
		if i.alias {
			f.out.ImportAlias(i.path, i.name)
		} else {
			f.out.ImportName(i.path, i.name)
		}
	}
	return f
}

// declare adds a declaration with its comment, after a blank line.
func (f *file) declare(doc string, declaration jen.Code) {
	f.out.Line()
	f.out.Comment(prose.Comment(doc))
	f.out.Add(declaration)
}

// keyMethod begins a method of the key type.
func (f *file) keyMethod(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("k").Id(f.keyName())).Id(name)
}

// repositoryMethod begins a method of the repository.
func (f *file) repositoryMethod(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("r").Op("*").Id(f.repositoryName())).Id(name)
}

func (f *file) ctx() *jen.Statement { return jen.Id("ctx").Qual(contextPath, "Context") }
