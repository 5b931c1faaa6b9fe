package templates

import (
	"bytes"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// administered returns the types that operators can manage: the types of the API for NoSQL whose
// tenants do not move between containers.
func (p *Package) administered() []*Type {
	var all []*Type
	for _, t := range p.sorted() {
		if t.api().left == "" && t.Own == nil && t.Constraint == p.Constraint {
			all = append(all, t)
		}
	}
	return all
}

// administration writes
//
//	func Administration() admin.Package {
//		return admin.Package{
//			Ensure: EnsureContainers,
//			Types: []admin.Type{
//				admin.Of("orders", &orderModel),
//				admin.OfSeveral(&readingModel),
//			},
//		}
//	}
func (p *Package) administration(out *jen.File) {
	var types []jen.Code
	for _, t := range p.administered() {
		model := addr(jen.Id(t.names().modelName))
		if t.Containers != nil {
			types = append(types, admin("OfSeveral").Call(model))
		} else {
			types = append(types, admin("Of").Call(jen.Lit(t.Container), model))
		}
	}
	var fields []jen.Code
	if len(p.containers()) > 0 {
		fields = append(fields, named("Ensure", jen.Id(ensureContainersName)))
	}
	fields = append(fields, named("Types", jen.Index().Add(admin("Type")).Custom(multiLine, types...)))
	out.Line()
	out.Comment(prose.Comment(administrationName + " describes this package to command.Main, with which operators create its containers, and upgrade, move and purge its documents."))
	if left := p.unadministered(); len(left) > 0 {
		out.Comment("//")
		out.Comment(prose.Comment(plain.Word("It leaves out " + prose.Enumerate(left) + ".")))
	}
	out.Add(jen.Func().Id(administrationName).Params().Add(admin("Package")).Block(
		jen.Return(admin("Package").Custom(multiLine, fields...)),
	))
}

// unadministered returns the other types, each with the reason.
func (p *Package) unadministered() []string {
	var left []string
	for _, t := range p.sorted() {
		switch {
		case t.api().left != "":
			left = append(left, t.Name+" (another API)")
		case t.Own != nil:
			left = append(left, t.Name+" (tenants that move)")
		case t.Constraint != p.Constraint:
			left = append(left, t.Name+" (other builds)")
		}
	}
	return left
}

// AdminProgram returns the source of the program for operators of a package. Once written, the
// program belongs to the user.
func AdminProgram(name, path string) ([]byte, error) {
	out := jen.NewFile("main")
	out.PackageComment("Command admin manages the containers and documents of package " + name + ". Run it with help.")
	out.ImportName(path, name)
	out.ImportName(commandPath, "command")
	out.Func().Id("main").Params().Block(jen.Qual(commandPath, "Main").Call(jen.Qual(path, administrationName).Call()))
	var b bytes.Buffer
	err := out.Render(&b)
	return b.Bytes(), err
}
