package templates

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"
)

// This file writes the repository of one tenant: the methods of package repository that
// refuse documents and keys of others, and the queries without the tenant's parameter.

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
	if f.Tenant == nil {
		return
	}
	field := f.tenantField()
	f.declare(f.tenantName()+" reads and writes the "+f.Name+" documents of one tenant. It has no method that reads or writes a document of another one: "+
		"repository.Tenant says how each is refused. It is small, and safe for concurrent use.",
		jen.Type().Id(f.tenantName()).Struct(
			jen.Qual(repositoryPath, "Tenant").Types(jen.Id(f.Name), jen.Id(f.keyName())),
			jen.Id("all").Op("*").Id(f.repositoryName()),
			jen.Id("tenant").Add(goType(field.Type)),
		))
	param := f.scope.inner().parameter(field.Name)
	key := f.keyLiteral([]assignment{{name: field.name, value: jen.Id(param), width: len(param)}})
	f.declare(fmt.Sprintf("For returns the repository of the tenant %s. It sends nothing, and makes no copy of r. If the tenant cannot be in a key, such as an empty one, each operation returns a *partition.KeyError.", param),
		f.repositoryMethod("For").Params(jen.Id(param).Add(goType(field.Type))).Op("*").Id(f.tenantName()).Block(
			jen.Return(jen.Op("&").Id(f.tenantName()).Values(
				jen.Qual(repositoryPath, "NewTenant").Call(jen.Id("r").Dot("Documents"), key), jen.Id("r"), jen.Id(param),
			)),
		))
	f.tenantKey()
	f.tenantScan()
	seen := names{}
	for _, known := range []bool{true, false} {
		for _, w := range f.keyQueries() {
			if w.knowsTenant(f.Tenant) == known {
				f.tenantQuery(w, seen)
			}
		}
	}
	f.tenantFind()
}

// tenantField returns the field of the key type that has the tenant.
func (f *plan) tenantField() keyField { return f.keyField(Component{Field: *f.Tenant}) }

// tenantMethod begins a method of the repository of one tenant.
func (f *file) tenantMethod(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("t").Op("*").Id(f.tenantName())).Id(name)
}

// knowsTenant reports whether the tenant is a parameter of w.
func (w keyQuery) knowsTenant(tenant *Field) bool {
	return slices.Contains(w.selectors(), tenant.Selector)
}

// tenantKey writes the method that makes a key of the tenant. A key with a random suffix
// has none, since nobody knows the suffix but for the document.
//
//	func (t *OrderTenant) Key(id, customerID string) OrderKey {
//		return OrderKey{ID: id, TenantID: t.tenant, CustomerID: customerID}
//	}
func (f *file) tenantKey() {
	if f.random() != nil {
		return
	}
	taken := f.scope.inner()
	taken.add("t")
	var args []argument
	fields := make([]assignment, len(f.fields))
	for i, field := range f.fields {
		value := jen.Id("t").Dot("tenant")
		if field.Selector != f.Tenant.Selector {
			args = append(args, argument{field, taken.parameter(field.name)})
			value = jen.Id(args[len(args)-1].param)
		}
		fields[i] = assignment{name: field.name, value: value, width: len(field.name)}
	}
	f.declare("Key returns a key of the tenant.",
		f.tenantMethod("Key").Params(parameters(args)...).Id(f.keyName()).Block(jen.Return(f.keyLiteral(fields))))
}

// tenantScan writes the query of all documents of the tenant.
//
//	func (t *OrderTenant) Scan() repository.Query[Order] {
//		return t.Only(t.all.ByTenantID(t.tenant))
//	}
func (f *file) tenantScan() {
	all, what := jen.Id("Scan").Call(), "Its keys are not known, so it asks all logical partitions: "+costScan.words+"."
	if f.Containers != nil {
		what = "It asks all containers of the type."
	}
	for _, w := range f.keyQueries() {
		if !w.ranges() && slices.Equal(w.selectors(), []string{f.Tenant.Selector}) {
			all, what = jen.Id(w.name).Call(jen.Id("t").Dot("tenant")), f.tenantCost(w)
		}
	}
	f.declare("Scan selects all documents of the tenant. "+what,
		f.tenantMethod("Scan").Params().Qual(repositoryPath, "Query").Types(jen.Id(f.Name)).Block(
			jen.Return(jen.Id("t").Dot("Only").Call(jen.Id("t").Dot("all").Op(".").Add(all))),
		))
}

// tenantFind writes the search for an item id under all the suffixes of a base of the
// tenant, if the suffix is random.
//
//	func (t *ClickTenant) FindInBuckets(ctx context.Context, id, date string) (*Click, error) {
//		tenantID := t.tenant
//		key := ClickKey{TenantID: tenantID, Date: date}
//		return repository.FindInBucketsOf(ctx, &t.Tenant, id, generated.Buckets(400, key.bucket,
//			partition.ID(id),
//			partition.Text("TenantID", tenantID),
//			partition.Text("Date", date),
//		))
//	}
func (f *file) tenantFind() {
	if f.random() == nil {
		return
	}
	w := f.findQueryIn("t")
	var tenant string
	own := w
	own.args = nil
	for _, a := range w.args {
		if a.Selector == f.Tenant.Selector {
			tenant = a.param
		} else {
			own.args = append(own.args, a)
		}
	}
	params := append([]jen.Code{f.ctx()}, own.parameters()...)
	key, id, keys := f.findKeys(w)
	f.declare("FindInBuckets is the method of "+f.repositoryName()+" for the documents of the tenant: "+f.costFind().words+".",
		f.tenantMethod("FindInBuckets").Params(params...).Params(jen.Op("*").Id(f.Name), jen.Error()).Block(
			jen.Id(tenant).Op(":=").Id("t").Dot("tenant"),
			key,
			jen.Return(jen.Qual(repositoryPath, "FindInBucketsOf").Call(jen.Id("ctx"), jen.Op("&").Id("t").Dot("Tenant"), id, keys)),
		))
}

// tenantCost says what a query costs.
func (f *file) tenantCost(w keyQuery) string {
	what := "It is " + w.name + " of " + f.repositoryName()
	if f.Containers != nil {
		return what + ", whose comment says what it costs."
	}
	return what + ": " + f.cost(w).words + "."
}

// tenantQuery writes w without the tenant's parameter, unless seen has its name.
//
//	func (t *OrderTenant) ByCustomerID(customerID string) repository.Query[Order] {
//		return t.Only(t.all.ByTenantIDAndCustomerID(t.tenant, customerID))
//	}
func (f *file) tenantQuery(w keyQuery, seen names) {
	own := w
	own.known = choose(w.known, func(c placed) bool { return c.Selector != f.Tenant.Selector })
	if len(own.known) == 0 && !w.ranges() {
		return // Scan
	}
	f.nameQueryIn(&own, "t")
	if seen[own.name] {
		return
	}
	seen.add(own.name)
	var list []jen.Code
	for _, a := range w.args {
		if a.Selector == f.Tenant.Selector {
			list = append(list, jen.Id("t").Dot("tenant"))
		} else {
			list = append(list, own.value(a.Component))
		}
	}
	what := own.name + " selects the documents of the tenant"
	if len(own.args) > 0 {
		what += " that are of " + enumerate(own.list()[:len(own.args)])
	}
	if w.ranges() {
		list = append(list, jen.Id(own.from), jen.Id(own.to))
		what += fmt.Sprintf(" from %s to %s", own.from, own.to)
	}
	f.declare(what+". "+f.tenantCost(w), f.tenantMethod(own.name).Params(own.parameters()...).
		Qual(repositoryPath, "Query").Types(jen.Id(f.Name)).Block(
		jen.Return(jen.Id("t").Dot("Only").Call(jen.Id("t").Dot("all").Dot(w.name).Call(list...))),
	))
}

// tenantModel writes what the model says of tenants.
//
//	&generated.Tenant[OrderKey]{
//		Property: "/tenantId",
//		Same:     func(a, b OrderKey) bool { return a.TenantID == b.TenantID },
//		Value:    func(k OrderKey) any { return k.TenantID },
//		Check: func(k OrderKey) error {
//			return partition.Check("Order",
//				partition.Text("TenantID", k.TenantID),
//			)
//		},
//	}
func (f *file) tenantModel() *jen.Statement {
	field := f.tenantField()
	of := func(k string) *jen.Statement { return jen.Id(k).Dot(field.name) }
	items := []jen.Code{
		jen.Id("Property").Op(":").Lit(f.Tenant.Pointer),
		jen.Id("Same").Op(":").Add(oneLine(jen.List(jen.Id("a"), jen.Id("b")).Id(f.keyName()), jen.Bool(), of("a").Op("==").Add(of("b")))),
		jen.Id("Value").Op(":").Add(oneLine(jen.Id("k").Id(f.keyName()), jen.Any(), marshaler(*f.Tenant, of("k")))),
	}
	checks := f.checks(choose(f.keyComponents(), func(c placed) bool { return c.Selector == f.Tenant.Selector }), f.ofKey)
	if len(checks) > 0 {
		items = append(items, jen.Id("Check").Op(":").Func().Params(jen.Id("k").Id(f.keyName())).Error().Block(
			jen.Return(callLines(jen.Qual(partitionPath, "Check"), []jen.Code{jen.Lit(f.Name)}, checks)),
		))
	}
	return jen.Op("&").Qual(generatedPath, "Tenant").Types(jen.Id(f.keyName())).Custom(multiLine, items...)
}
