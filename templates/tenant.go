package templates

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// This file writes the repository of one tenant: the methods of package repository that
// refuse documents and keys of others, and the queries without the tenant's parameter.

// tenants own documents: each has its own repository.
var tenants = feature{
	in:    func(t *Type) bool { return t.Tenant != nil },
	model: func(f *file) members { return members{{"Tenant", f.tenantModel()}} },
	types: (*file).tenant,
}

// tenant writes the repository of one tenant, if a field says whose a document is.
//
//	type OrderTenant struct {
//		repository.Tenant[Order, OrderKey]
//		all    *OrderRepository
//		tenant string
//	}
//
//	func (r *OrderRepository) For(tenantID string) *OrderTenant {
//		return &OrderTenant{repository.NewTenant(r.Documents, OrderKey{TenantID: tenantID}), r, tenantID}
//	}
func (f *file) tenant() {
	field := f.tenantField()
	all, documents := ptr(jen.Id(f.repositoryName)), jen.Id("r").Dot("Documents")
	value := jen.Id("r")
	if f.Own != nil {
		documents = jen.Id("r").Dot("documents")
		all, value = ptr(f.documents()), documents.Clone()
	}
	f.declare(f.tenantName+" reads and writes the "+f.Name+" documents of one tenant, and refuses documents of others: see repository.Tenant. "+
		"It is safe for concurrent use.",
		jen.Type().Id(f.tenantName).Struct(
			repository("Tenant").Types(jen.Id(f.Name), jen.Id(f.keyName)),
			jen.Id("all").Add(all),
			jen.Id("tenant").Add(goType(field.Type)),
		))
	param := f.scope.Inner().Parameter(field.Name)
	key := f.keyLiteral([]assignment{{name: field.name, value: jen.Id(param), width: len(param)}})
	f.declare(fmt.Sprintf("For returns the repository of the tenant %s. It sends nothing. If the tenant is invalid, such as an empty one, each operation returns a *partition.KeyError.", param),
		f.repositoryMethod("For").Params(jen.Id(param).Add(goType(field.Type))).Add(ptr(jen.Id(f.tenantName))).Block(
			jen.Return(addr(jen.Id(f.tenantName).Values(repository("NewTenant").Call(documents, key), value, jen.Id(param)))),
		))
	f.tenantKey()
	f.tenantScan()
	for _, w := range f.tenantQueries() {
		f.tenantQuery(w)
	}
	f.tenantFind()
	f.each(func(x *feature) func(*file) { return x.tenants })
}

// tenantQuery is a query of the repository of one tenant: without the tenant's parameter.
type tenantQuery struct {
	keyQuery
	of keyQuery // of the repository of all tenants
}

// tenantQueries returns the queries of the repository of one tenant but for Scan, in the
// order of the file: those that know the tenant come first.
func (f *plan) tenantQueries() []tenantQuery {
	var all []tenantQuery
	seen := scope.Names{}
	for _, known := range []bool{true, false} {
		for _, w := range f.keyQueries() {
			own := w
			own.known = choose(w.known, func(c placed) bool { return c.Selector != f.Tenant.Selector })
			if slices.Contains(w.selectors(), f.Tenant.Selector) != known || len(own.known) == 0 && !w.ranges() {
				continue // later, or it is Scan
			}
			f.nameQuery(&own, "t")
			if !seen[own.name] {
				seen.Add(own.name)
				all = append(all, tenantQuery{own, w})
			}
		}
	}
	return all
}

// wholeTenant returns the query of all documents of the tenant, and false if there is
// none.
func (f *plan) wholeTenant() (keyQuery, bool) {
	for _, w := range f.keyQueries() {
		if !w.ranges() && slices.Equal(w.selectors(), []string{f.Tenant.Selector}) {
			return w, true
		}
	}
	return keyQuery{}, false
}

// inTenant returns the query of the repository of all tenants with the arguments of a method
// of one tenant.
func (f *plan) inTenant(w tenantQuery) keyQuery {
	q := w.of
	q.args, q.from, q.to = slices.Clone(q.args), w.from, w.to
	for i, a := range q.args {
		q.args[i].param = "t.tenant"
		if a.Selector != f.Tenant.Selector {
			q.args[i].param = w.argumentOf(a.Component).param
		}
	}
	return q
}

// tenantField returns the field of the key type that has the tenant.
func (f *plan) tenantField() keyField { return f.keyField(pk.Component{Field: *f.Tenant}) }

// tenantMethod begins a method of the repository of one tenant.
func (f *file) tenantMethod(name string) *jen.Statement {
	return jen.Func().Params(param("t", ptr(jen.Id(f.tenantName)))).Id(name)
}

// tenantKey writes the method that makes a key of the tenant. A type with a random suffix lacks
// it, because only the document has the suffix.
//
//	func (t *OrderTenant) Key(id, customerID string) OrderKey {
//		return OrderKey{ID: id, TenantID: t.tenant, CustomerID: customerID}
//	}
func (f *file) tenantKey() {
	if f.random != nil {
		return
	}
	taken := f.scope.Inner("t")
	var args []argument
	fields := collect(f.fields, func(field keyField) assignment {
		value := jen.Id("t").Dot("tenant")
		if field.Selector != f.Tenant.Selector {
			args = append(args, argument{field, taken.Parameter(field.name)})
			value = jen.Id(args[len(args)-1].param)
		}
		return assignment{name: field.name, value: value, width: len(field.name)}
	})
	f.declare("Key returns a key of the tenant.",
		f.tenantMethod("Key").Params(parameters(args)...).Id(f.keyName).Block(jen.Return(f.keyLiteral(fields))))
}

// tenantScan writes the query of all documents of the tenant.
//
//	func (t *OrderTenant) Scan() repository.Query[Order] {
//		return t.Only(t.all.ByTenantID(t.tenant))
//	}
func (f *file) tenantScan() {
	whole, found := f.wholeTenant()
	in := keyQuery{name: "Scan"}
	if found {
		in = f.inTenant(tenantQuery{keyQuery{}, whole})
	}
	doc := ", in all logical partitions: " + f.api().costs.scan.Words + "."
	switch {
	case found && f.Own != nil:
		doc = f.whereDoc(in)
	case found:
		doc = f.tenantCost(whole)
	case f.Containers != nil:
		doc = ", in all containers of the type."
	}
	f.onlyOfTenant("Scan", "Scan selects all documents of the tenant"+doc, nil, in)
}

// onlyOfTenant writes a method that restricts the query in to documents of the tenant.
func (f *file) onlyOfTenant(name, doc string, parameters []jen.Code, in keyQuery) {
	var before []jen.Code
	query := jen.Id("t").Dot("all").Dot(in.name).Call(ids(in.list())...)
	if f.Own != nil && in.args != nil { // whose repository has no queries of all tenants
		var keys *jen.Statement
		keys, before = f.keys(in)
		query = repository("NewQuery").Call(jen.Id("t").Dot("all"), f.filtered(keys, in))
	}
	f.declare(doc, f.tenantMethod(name).Params(parameters...).Add(repository("Query")).Types(jen.Id(f.Name)).
		Block(append(before, jen.Return(jen.Id("t").Dot("Only").Call(query)))...))
}

// tenantFind writes the search for an item id under all the suffixes of a base of the
// tenant, if the suffix is random.
//
//	func (t *ClickTenant) FindInBuckets(ctx context.Context, id, date string) (*Click, error) { … }
func (f *file) tenantFind() {
	if f.random == nil {
		return
	}
	w, own := f.findQuery("t"), f.inTenantFind()
	doc := "FindInBuckets is " + f.repositoryName + ".FindInBuckets for the tenant's documents: " + f.costFind().Words + "."
	if f.Own != nil {
		doc = f.findDoc(own)
	}
	f.findMethodOf(f.tenantMethod("FindInBuckets"), doc, own, w, addr(jen.Id("t").Dot("Tenant")),
		define(w.argumentOf(pk.Component{Field: *f.Tenant}).param, jen.Id("t").Dot("tenant")))
}

// inTenantFind returns the query of that search, without the tenant's parameter.
func (f *plan) inTenantFind() keyQuery {
	w := f.findQuery("t")
	w.args = slices.DeleteFunc(slices.Clone(w.args), func(a argument) bool { return a.Selector == f.Tenant.Selector })
	return w
}

// tenantCost says by which query of all tenants a query works, and what it costs.
func (f *file) tenantCost(w keyQuery) string {
	what := ", by " + f.repositoryName + "." + w.name
	if f.Containers != nil {
		return what + " and at its cost."
	}
	return what + ": " + f.cost(w).Words + "."
}

// tenantQuery writes a query of one tenant.
//
//	func (t *OrderTenant) ByCustomerID(customerID string) repository.Query[Order] {
//		return t.Only(t.all.ByTenantIDAndCustomerID(t.tenant, customerID))
//	}
func (f *file) tenantQuery(w tenantQuery) {
	what, in := w.name+" selects the tenant's documents", f.inTenant(w)
	if len(w.args) > 0 {
		what += " of " + prose.Enumerate(w.list()[:len(w.args)])
	}
	switch {
	case f.Own != nil:
		what += f.whereDoc(in)
	case w.ranges():
		what += fmt.Sprintf(" between %s and %s%s", w.from, w.to, f.tenantCost(w.of))
	default:
		what += f.tenantCost(w.of)
	}
	f.onlyOfTenant(w.name, what, w.parameters(), in)
}

// tenantModel writes the part of the model for tenants.
func (f *file) tenantModel() *jen.Statement {
	field := f.tenantField()
	of := func(k string) *jen.Statement { return jen.Id(k).Dot(field.name) }
	checks := f.checks(choose(f.keyComponents(), func(c placed) bool { return c.Selector == f.Tenant.Selector }), f.ofKey)
	return addr(rows(generated("Tenant").Types(jen.Id(f.keyName)),
		named("Property", jen.Lit(f.Tenant.Pointer)),
		named("Same", oneLine(jen.List(jen.Id("a"), jen.Id("b")).Id(f.keyName), jen.Bool(), equal(of("a"), of("b")))),
		named("Value", oneLine(param("k", jen.Id(f.keyName)), jen.Any(), marshaler(*f.Tenant, of("k")))),
		when(len(checks) > 0, named("Check", oneLine(param("k", jen.Id(f.keyName)), jen.Error(), f.checkOf(checks)))),
	))
}

// ownContainers are the tenants' own containers, next to a shared one. For is then the only way to
// documents.
var ownContainers = feature{
	in:    func(t *Type) bool { return t.Own != nil },
	keys:  (*file).ownID,
	model: func(f *file) members { return members{{"Own", f.ownModel()}} },
}

// ownMethod is the method of the key type that makes the id of an own container.
const ownMethod = "OwnContainer"

// ownComponents returns the component of the template of own containers: the tenant.
func (t *Type) ownComponents() []placed {
	return collect(componentsOf(t.Own), func(c placed) placed { c.placing = true; return c })
}

// OwnTemplate returns the template of own containers by JSON properties, as in the lock, or ""
// if there are no own containers.
func (t *Type) OwnTemplate() string { return pk.Level{Parts: t.Own}.Layout() }

// ownID writes the method that makes the id of the own container of a key's tenant.
//
//	func (k OrderKey) OwnContainer() string { … }
func (f *file) ownID() {
	doc := ownMethod + " returns the id of the tenant's own container: " + describeLevel(pk.Level{Parts: f.Own})
	if f.ExampleOwn != "" {
		doc += ", such as \"" + f.ExampleOwn + "\""
	}
	f.declare(doc+". "+f.encodingDoc(), f.idMethod(ownMethod, f.Own))
}

// ownContainers writes the functions that describe the shared container, an own one, and the
// container with an id, with its body.
//
//	func OrderContainer() azcosmos.ContainerProperties {
//		return orderProperties("orders")
//	}
//
//	func OrderOwnContainer(tenantID string) azcosmos.ContainerProperties {
//		return orderProperties(OrderKey{TenantID: tenantID}.OwnContainer())
//	}
func (f *file) ownContainers(body []jen.Code) {
	result := func() *jen.Statement { return azcosmos("ContainerProperties") }
	f.declare(f.containerDoc(), jen.Func().Id(f.containerName).Params().Add(result()).Block(
		jen.Return(jen.Id(f.propertiesName).Call(jen.Lit(f.Container)))))
	args := f.arguments(f.ownComponents(), f.scope.Inner())
	f.declare(f.ownContainerName+" describes "+args[0].param+"'s own container.",
		jen.Func().Id(f.ownContainerName).Params(parameters(args)...).Add(result()).Block(
			jen.Return(jen.Id(f.propertiesName).Call(f.keyOfArguments(args).Dot(ownMethod).Call()))))
	f.propertiesOf(body)
}

// ownModel writes the part of the model for own containers.
func (f *file) ownModel() *jen.Statement {
	tenant := jen.Id("k").Dot(f.tenantField().name)
	return addr(rows(generated("Own").Types(jen.Id(f.keyName)),
		named("Shared", jen.Lit(f.Container)),
		containerParts(f.Own),
		named("Tenant", oneLine(param("k", jen.Id(f.keyName)), jen.String(), textOf(*f.Tenant, tenant))),
		named("Name", jen.Id(f.keyName).Dot(ownMethod)),
		when(len(f.Levels) == 1, named("Whole", jen.True())),
		named("Properties", jen.Id(f.propertiesName)),
		named("EnsureShared", jen.Lit(f.ensureName)),
		named("EnsureOwn", jen.Lit(f.ensureOwnName)),
	))
}

// tiers writes the repository, whose only method returns the repository of one tenant, and its
// constructor.
//
//	type OrderRepository struct {
//		documents *repository.Documents[Order, OrderKey]
//	}
//
//	func NewOrderRepository(db *azcosmos.DatabaseClient, directory tenancy.Directory, opts ...repository.Option) *OrderRepository {
//		return &OrderRepository{repository.NewTiered(db, &orderModel, tenancy.Residences(directory), opts...)}
//	}
func (f *file) tiers() {
	such := ""
	if f.ExampleOwn != "" {
		such = ", such as " + f.ExampleOwn
	}
	f.declare(f.repositoryName+" finds the "+f.Name+" documents of each tenant in the shared container "+f.Container+", or in the tenant's own"+such+". "+
		"For is the only way to documents: while a tenant moves, both containers have its documents, and its residence says which of them count. It is safe for concurrent use.",
		jen.Type().Id(f.repositoryName).Struct(param("documents", ptr(f.documents()))))
	f.declare(f.constructorName+" returns the repository of the containers of db that "+f.containerName+" and "+f.ownContainerName+" describe. "+
		"The directory says in which of them a tenant is; tenancy.NewTenantDirectory returns one. It sends nothing.",
		jen.Func().Id(f.constructorName).Params(
			jen.Line().Id("db").Add(ptr(azcosmos("DatabaseClient"))),
			jen.Line().Id("directory").Qual(tenancyPath, "Directory"),
			jen.Line().Add(options(repository("Option"))),
			jen.Line(),
		).Add(ptr(jen.Id(f.repositoryName))).Block(
			jen.Return(addr(jen.Id(f.repositoryName).Values(
				repository("NewTiered").Call(jen.Id("db"), addr(jen.Id(f.modelName)), jen.Qual(tenancyPath, "Residences").Call(jen.Id("directory")), spread(jen.Id("opts"))),
			))),
		))
}
