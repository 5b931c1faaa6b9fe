package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// This file writes the file of an edge of Gremlin. An edge is stored with the vertex that
// it comes from, so it has no key of its own.

// from and to are the types of the vertices at the ends of the edge, by their names.
func (f *plan) from() *Type { return &Type{Name: f.Edge.From, API: Gremlin} }
func (f *plan) to() *Type   { return &Type{Name: f.Edge.To, API: Gremlin} }

// edge writes what an edge has besides its guard.
func (f *file) edge() {
	f.properties()
	f.edgeModel()
	f.edgeRepository()
	f.neighbours()
}

// edgeModel writes the variable that tells the run time about the edge.
//
//	var installedModel = gremlin.EdgeModel[Installed]{
//		Type: "Installed",
//		ID:   func(i *Installed) string { return i.ID },
//	}
func (f *file) edgeModel() {
	id := textOf(f.ID, jen.Id(f.doc).Dot(f.ID.Selector))
	f.out.Line()
	f.out.Add(variable(f.modelName(), rows(jen.Qual(f.runtime(), "EdgeModel").Types(jen.Id(f.Name)),
		named("Type", jen.Lit(f.Name)),
		named("ID", oneLine(param(f.doc, ptr(jen.Id(f.Name))), jen.String(), id)),
		f.edgePrefix(),
	)))
}

// edgePrefix is the member of the model with the text that ids begin with, or nothing.
func (f *file) edgePrefix() jen.Code {
	if f.Prefix == "" {
		return jen.Null()
	}
	return named("Prefix", jen.Lit(f.Prefix))
}

// edgeRepository writes the repository and its constructor.
//
//	type InstalledRepository struct {
//		*gremlin.Edges[Installed, DeviceKey, SiteKey]
//	}
//
//	func NewInstalledRepository(g *gremlin.Client, opts ...gremlin.Option) *InstalledRepository {
//		return &InstalledRepository{gremlin.NewEdges(g, "Installed", &installedModel, &deviceModel, &siteModel, opts...)}
//	}
func (f *file) edgeRepository() {
	from, to := f.from(), f.to()
	f.declare(fmt.Sprintf("%s reads and writes the edges %s of one graph, each from one %s to one %s. It is safe for concurrent use. "+
		"An edge is stored in the logical partition of the %s that it leaves. "+
		"Create, Get, Delete and Of are those of gremlin.Edges; their comments say what they cost and return.",
		f.repositoryName(), f.Label, from.Name, to.Name, from.Name),
		jen.Type().Id(f.repositoryName()).Struct(
			ptr(jen.Qual(f.runtime(), "Edges").Types(jen.Id(f.Name), jen.Id(from.keyName()), jen.Id(to.keyName()))),
		))
	f.construct(" returns the repository of the edges "+f.Label+" in the graph of g. It sends nothing.", "NewEdges", jen.Lit(f.Label),
		addr(jen.Id(f.modelName())), addr(jen.Id(from.modelName())), addr(jen.Id(to.modelName())))
}

// neighbours writes the queries of the vertices at the other ends of edges.
//
//	func (r *InstalledRepository) Out(from DeviceKey) gremlin.Query[Site] {
//		return gremlin.Out(r.Edges, from, &siteModel)
//	}
//
//	func (r *InstalledRepository) In(to SiteKey) gremlin.Query[Device] {
//		return gremlin.In(r.Edges, to, &deviceModel)
//	}
func (f *file) neighbours() {
	for _, method := range []struct {
		name, key string
		at, found *Type
	}{{"Out", "from", f.from(), f.to()}, {"In", "to", f.to(), f.from()}} {
		doc := fmt.Sprintf("Out selects the %s documents to which edges %s lead from one %s: %s.", method.found.Name, f.Label, method.at.Name, costOut.Words)
		if method.name == "In" {
			doc = fmt.Sprintf("In selects the %s documents from which edges %s lead to one %s: %s.", method.found.Name, f.Label, method.at.Name, costIn.Words)
		}
		f.declare(doc, f.repositoryMethod(method.name).Params(jen.Id(method.key).Id(method.at.keyName())).
			Qual(f.runtime(), "Query").Types(jen.Id(method.found.Name)).Block(
			jen.Return(jen.Qual(f.runtime(), method.name).Call(jen.Id("r").Dot("Edges"), jen.Id(method.key), addr(jen.Id(method.found.modelName())))),
		))
	}
}

// What queries along edges cost.
var (
	costOut = cost{Words: "one traversal, which reads the logical partition of from and those of what it finds", Requests: 1, Units: 3}
	costIn  = cost{Words: "one traversal, which reads every physical partition, since an edge is stored with the vertex that it leaves", Requests: 1, Units: 3, FanOut: true, Inside: true}
)

// edgeMethods returns the methods of the repository of an edge.
func (f *plan) edgeMethods() []Method {
	write, read := f.face().Costs.Write, f.face().Costs.Query
	return []Method{
		newMethod("Create", "from, to, "+f.doc, 1, write),
		newMethod("Get", "from, id", 1, read),
		newMethod("Delete", "from, id", 1, write),
		newMethod("Of", "from", 1, read),
		newMethod("Out", "from", 0, costOut),
		newMethod("In", "to", 0, costIn),
	}
}
