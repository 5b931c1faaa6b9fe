package templates

import "github.com/dave/jennifer/jen"

// guard stops the build where the file does not belong to what it is compiled
// with. The remedy stands in a name, since that is what compilers print.
//
//	const _ = repository.V1
//
//	func _(vehicleEventChanged_runPkgen *VehicleEvent) {
//		var _ *string = &vehicleEventChanged_runPkgen.ID
//		…
//	}
func (f *file) guard() {
	f.declare("If this does not compile, this file and the repository package do not belong together: "+
		"run the pkgen of the version in go.mod.",
		jen.Const().Id("_").Op("=").Qual(repositoryPath, "V1"))

	document := f.unexported() + "Changed_runPkgen"
	f.declare("If this does not compile, a field that is used here has changed: run pkgen.",
		jen.Func().Id("_").Params(jen.Id(document).Op("*").Id(f.Name)).BlockFunc(func(g *jen.Group) {
			for _, field := range f.allFields() {
				g.Var().Id("_").Op("*").Add(goType(field.Type)).Op("=").Op("&").Id(document).Dot(field.Selector)
			}
			if f.Rest != nil {
				g.Var().Id("_").Add(restType()).Op("=").Op("&").Id(document).Dot(f.Rest.Selector)
			}
		}))
}
