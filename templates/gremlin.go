package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// gremlin is the API for Apache Gremlin. It has no versions of vertices.
var gremlin = api{
	emitter: graphs{}, number: operations.Gremlin, runtime: root + "gremlin", in: "gremlin", errors: "documents",
	container: "graph", handle: "Client", parameter: "g",
	fields: "refers to the properties of %s documents in queries.",
	check:  "Key", typed: true,
	upserts:  "if the id belongs to a vertex with another label.",
	replaces: "It overwrites changes that other programs made since %s was read.",
	removes:  ", and the edges from and to it",
	costs: costs{
		write:    cost{Words: "one traversal", Requests: 1, Units: 5},
		verified: cost{Words: "a read and a write, 2 traversals", Requests: 2, Units: 6},
		read:     cost{Words: "the point read g.V([key, id])", Requests: 1, Units: 1},
		many:     cost{Words: "one point read for each key, 32 at once", Requests: 1, Units: 1},
		query:    cost{Words: "one traversal for each 1,000 documents", Requests: 1, Units: 3},
		fanOut:   cost{Words: "one traversal for each 1,000 partition keys, which reads the physical partitions involved, and one more for each further 1,000 documents", Requests: 1, Units: 3, FanOut: true, Inside: true},
		scan:     cost{Words: "one traversal for each 1,000 documents, which reads every physical partition", Requests: 1, Units: 3, FanOut: true, Inside: true},
		find:     cost{Words: "one traversal by the id and the partition keys of %d logical partitions", Requests: 1, Units: 3, FanOut: true, Inside: true},
	},
}

type graphs struct{ others }

// provide writes nothing: programs make graphs with the tools of Azure, since Gremlin has no
// request for that.
func (graphs) provide(*file)        {}
func (graphs) names(*Type) []string { return nil }

func (graphs) repository(f *file) {
	graphs{}.repositoryIn(f, "graph, its vertices labeled "+f.Label,
		"vertices labeled "+f.Label+" in the graph of g. The partition key of the graph is "+f.Levels[0].Path, f.Label,
		"Gremlin has no versions: if two programs change a document, the last write wins. Writes keep other properties of a vertex.")
}

// An edge is stored with the vertex that it comes from, so it has no key of its own.

// from and to are the types of the vertices at the ends of the edge, by their names.
func (f *plan) from() *Type { return &Type{Name: f.Edge.From, API: Gremlin} }
func (f *plan) to() *Type   { return &Type{Name: f.Edge.To, API: Gremlin} }

// edge writes what an edge has besides its guard.
func (f *file) edge() {
	f.references(f.fieldsName, "refers to the properties of "+f.Name+" edges, for conditions of From.", f.fieldReferences())
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
	f.out.Add(variable(f.modelName, rows(f.lib("EdgeModel").Types(jen.Id(f.Name)),
		named("Type", jen.Lit(f.Name)),
		named("ID", oneLine(param(f.doc, ptr(jen.Id(f.Name))), jen.String(), id)),
		when(f.Prefix != "", named("Prefix", jen.Lit(f.Prefix))),
	)))
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
	f.repositoryOf(fmt.Sprintf(" reads and writes the edges labeled %s of one graph, each from one %s to one %s. It is safe for concurrent use. "+
		"An edge is stored in the logical partition of the %s that it leaves. "+
		"See gremlin.Edges for Create, Get, Delete and Of.",
		f.Label, from.Name, to.Name, from.Name),
		f.lib("Edges").Types(jen.Id(f.Name), jen.Id(from.names().keyName), jen.Id(to.names().keyName)),
		" returns the repository of the edges labeled "+f.Label+" in the graph of g.", f.lib(gremlin.handle), gremlin.parameter, "NewEdges",
		jen.Lit(f.Label), addr(jen.Id(f.modelName)), addr(jen.Id(from.names().modelName)), addr(jen.Id(to.names().modelName)))
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
		doc := fmt.Sprintf("Out selects the %s documents to which edges labeled %s lead from one %s: %s.", method.found.Name, f.Label, method.at.Name, costOut.Words)
		if method.name == "In" {
			doc = fmt.Sprintf("In selects the %s documents from which edges labeled %s lead to one %s: %s.", method.found.Name, f.Label, method.at.Name, costIn.Words)
		}
		f.declare(doc, f.repositoryMethod(method.name).Params(jen.Id(method.key).Id(method.at.names().keyName)).
			Qual(gremlin.runtime, "Query").Types(jen.Id(method.found.Name)).Block(
			jen.Return(f.lib(method.name).Call(jen.Id("r").Dot("Edges"), jen.Id(method.key), addr(jen.Id(method.found.names().modelName)))),
		))
	}
}

// What queries along edges cost.
var (
	costOut = cost{Words: "one traversal, which reads the logical partitions of from and of the documents that it finds", Requests: 1, Units: 3}
	costIn  = cost{Words: "one traversal, which reads every physical partition, since an edge is stored with the vertex that it leaves", Requests: 1, Units: 3, FanOut: true, Inside: true}
)

// edgeMethods returns the methods of the repository of an edge.
func (f *plan) edgeMethods() []Method {
	write, read := f.api().costs.write, f.api().costs.query
	return []Method{
		newMethod("Create", "from, to, "+f.doc, 1, write),
		newMethod("Get", "from, id", 1, read),
		newMethod("Delete", "from, id", 1, write),
		newMethod("Of", "from", 1, read),
		newMethod("Out", "from", 0, costOut),
		newMethod("In", "to", 0, costIn),
	}
}
