package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// windows writes the functions for the windows of a type: the one that finds them, and
// the one that makes them and gives them throughput. A type without a time in the ids of
// its containers has none.
//
//	func ReadingWindows(db *azcosmos.DatabaseClient) *repository.Windows {
//		return repository.NewWindows(db, &readingModel, nil)
//	}
//
//	func EnsureReadingWindows(
//		ctx context.Context,
//		db *azcosmos.DatabaseClient,
//		from, to time.Time,
//		policy repository.WindowPolicy,
//		opts ...repository.EnsureOption,
//	) (repository.WindowList, error) {
//		return ReadingWindows(db).Ensure(ctx, from, to, policy, opts...)
//	}
//
// If the ids have other fields too, both take their values.
func (f *file) windows() {
	window := f.window()
	if window == nil {
		return
	}
	taken := f.scope.inner()
	taken.add("db", "from", "to", "policy", "opts")
	args := f.arguments(f.containerTexts(), taken)
	texts := jen.Code(jen.Nil())
	list, names := []jen.Code{jen.Id("db")}, make([]string, len(args))
	of := ""
	if len(args) > 0 {
		var items []jen.Code
		for i, a := range args {
			items = append(items, jen.Lit(a.Selector).Op(":").Add(f.containerText(a.Component, jen.Id(a.param))))
			list = append(list, jen.Id(a.param))
			names[i] = a.param
		}
		texts = jen.Map(jen.String()).String().Custom(multiLine, items...)
		of = " of " + enumerate(names)
	}
	db := []jen.Code{jen.Id("db").Op("*").Qual(azcosmosPath, "DatabaseClient")}
	f.declare(fmt.Sprintf("%s returns the containers of %s documents%s, one for each %s of %s: they can be made, listed with their sizes, and dropped. It sends nothing.",
		f.windowsName(), f.Name, of, unit(window.Layout), window.Property),
		jen.Func().Id(f.windowsName()).Params(append(db, parameters(args)...)...).Op("*").Qual(repositoryPath, "Windows").Block(
			jen.Return(jen.Qual(repositoryPath, "NewWindows").Call(jen.Id("db"), jen.Op("&").Id(f.modelName()), texts)),
		))
	params := append([]jen.Code{f.ctx()}, db...)
	params = append(params, parameters(args)...)
	f.declare(fmt.Sprintf("%s makes the containers of %s documents%s from one time on and before another, and gives each the throughput of its age: repository.Windows.Ensure says what that costs. Call it at each start, or once a %s.",
		f.ensureWindowsName(), f.Name, of, unit(window.Layout)),
		jen.Func().Id(f.ensureWindowsName()).Params(append(params,
			jen.List(jen.Id("from"), jen.Id("to")).Qual(timePath, "Time"),
			jen.Id("policy").Qual(repositoryPath, "WindowPolicy"),
			jen.Id("opts").Op("...").Qual(repositoryPath, "EnsureOption"),
		)...).Params(jen.Qual(repositoryPath, "WindowList"), jen.Error()).Block(append(f.checkTexts(args),
			jen.Return(jen.Id(f.windowsName()).Call(list...).Dot("Ensure").Call(
				jen.Id("ctx"), jen.Id("from"), jen.Id("to"), jen.Id("policy"), jen.Id("opts").Op("..."))),
		)...))
}
