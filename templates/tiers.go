package templates

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// This file writes types whose tenants share a container, and may have one of their own:
// both containers, and the repository of which For is the only way to documents.

// ownContainers are those that tenants may have of their own.
var ownContainers = feature{
	in:    func(t *Type) bool { return t.Own != nil },
	keys:  (*file).ownID,
	model: func(f *file) members { return members{{"Own", f.ownModel()}} },
}

// ownMethod is the method of the key type that makes the id of an own container.
const ownMethod = "OwnContainer"

// ownComponents returns the component of the template of own containers, which is the
// tenant.
func (t *Type) ownComponents() []placed {
	for _, part := range t.Own {
		if part.Component != nil {
			return []placed{{Component: *part.Component, placing: true}}
		}
	}
	return nil
}

// OwnTemplate returns the template of own containers by JSON properties, as the lock has
// it, or "" if there are none.
func (t *Type) OwnTemplate() string {
	var b strings.Builder
	for _, part := range t.Own {
		if part.Component != nil {
			b.WriteString("{" + part.Component.Property + "}")
		} else {
			b.WriteString(part.Literal)
		}
	}
	return b.String()
}

// ownID writes the method that makes the id of the own container of a key's tenant.
//
//	func (k OrderKey) OwnContainer() string {
//		var buf [64]byte
//		b := append(buf[:0], "orders-"...)
//		b = partition.AppendContainerText(b, k.TenantID, "")
//		return string(b)
//	}
func (f *file) ownID() {
	doc := ownMethod + " returns the id of the container that the tenant of k may have of its own: " + describeLevel(pk.Level{Parts: f.Own})
	if f.ExampleOwn != "" {
		doc += ", such as \"" + f.ExampleOwn + "\""
	}
	f.declare(doc+". "+f.encodingDoc(), f.idMethod(ownMethod, f.Own))
}

// ownContainers writes the functions that describe the shared container and an own one,
// and the one that describes the container of an id, with its body.
//
//	func OrderContainer() azcosmos.ContainerProperties {
//		return orderProperties("orders")
//	}
//
//	func OrderOwnContainer(tenantID string) azcosmos.ContainerProperties {
//		return orderProperties(OrderKey{TenantID: tenantID}.OwnContainer())
//	}
func (f *file) ownContainers(body []jen.Code) {
	result := func() *jen.Statement { return jen.Qual(azcosmosPath, "ContainerProperties") }
	f.declare(f.containerDoc(), jen.Func().Id(f.containerName()).Params().Add(result()).Block(
		jen.Return(jen.Id(f.propertiesName()).Call(jen.Lit(f.Container)))))
	args := f.arguments(f.ownComponents(), f.scope.Inner())
	f.declare(f.ownContainerName()+" describes the container that the tenant "+args[0].param+" may have of its own, for "+f.ensureOwnName()+" and azcosmos.DatabaseClient.CreateContainer.",
		jen.Func().Id(f.ownContainerName()).Params(parameters(args)...).Add(result()).Block(
			jen.Return(jen.Id(f.propertiesName()).Call(f.keyOfArguments(args).Dot(ownMethod).Call()))))
	f.propertiesOf(body)
}

// ensureOwn writes the function that creates the own container of a tenant, or checks
// it.
//
//	func EnsureOrderOwnContainer(
//		ctx context.Context,
//		db *azcosmos.DatabaseClient,
//		tenantID string,
//		throughput admin.Throughput,
//		opts ...admin.EnsureOption,
//	) (*azcosmos.ContainerClient, error) {
//		if err := partition.Check("Order",
//			partition.Text("TenantID", tenantID),
//			partition.ContainerID("TenantID", OrderKey{TenantID: tenantID}.OwnContainer()),
//		); err != nil {
//			return nil, err
//		}
//		return admin.Ensure(ctx, db, OrderOwnContainer(tenantID), throughput, opts...)
//	}
func (f *file) ensureOwn() {
	doc := f.ensureDoc(f.ensureOwnName(), f.ownContainerName()) +
		" The tenant does not live there before tenancy.Move has moved it."
	f.ensureFunction(f.ensureOwnName(), f.ownContainerName(), f.ownComponents(), doc)
}

// checkOwn writes the check of the tenant before its container is created. There is
// nothing to check of the shared one.
func (f *file) checkOwn(args []argument) []jen.Code {
	if len(args) == 0 {
		return nil
	}
	id := jen.Qual(partitionPath, "ContainerID").Call(jen.Lit(f.Tenant.Selector), f.keyOfArguments(args).Dot(ownMethod).Call())
	return f.checkAll(append(f.checks(f.ownComponents(), valueIn(args)), id))
}

// ownModel writes what the model says of own containers.
//
//	&generated.Own[OrderKey]{
//		Shared: "orders",
//		Parts: []generated.ContainerPart{
//			{Text: "orders-"},
//			{Field: "TenantID"},
//		},
//		Tenant:       func(k OrderKey) string { return k.TenantID },
//		Name:         OrderKey.OwnContainer,
//		Whole:        true,
//		Properties:   orderProperties,
//		EnsureShared: "EnsureOrderContainer",
//		EnsureOwn:    "EnsureOrderOwnContainer",
//	}
func (f *file) ownModel() *jen.Statement {
	tenant := jen.Id("k").Dot(f.tenantField().name)
	items := []jen.Code{
		named("Shared", jen.Lit(f.Container)),
		containerParts(f.Own),
		named("Tenant", oneLine(jen.Id("k").Id(f.keyName()), jen.String(), textOf(*f.Tenant, tenant))),
		named("Name", jen.Id(f.keyName()).Dot(ownMethod)),
	}
	if len(f.Levels) == 1 {
		items = append(items, named("Whole", jen.True()))
	}
	return addr(rows(jen.Qual(generatedPath, "Own").Types(jen.Id(f.keyName())), append(items,
		named("Properties", jen.Id(f.propertiesName())),
		named("EnsureShared", jen.Lit(f.ensureName())),
		named("EnsureOwn", jen.Lit(f.ensureOwnName())),
	)...))
}

// tiers writes the repository, whose only method gives that of one tenant, and its
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
	f.declare(f.repositoryName()+" finds the "+f.Name+" documents of each tenant: in the container "+f.Container+", which tenants share, or in one of the tenant's own"+such+". "+
		"For is the only way to documents, since those of a tenant that moves are in both containers, and its residence says which of them count. It is safe for concurrent use.",
		jen.Type().Id(f.repositoryName()).Struct(
			param("documents", ptr(f.documents())),
		))
	f.declare(f.constructorName()+" returns the repository of the containers of db that "+f.containerName()+" and "+f.ownContainerName()+" describe. "+
		"The directory says in which of them a tenant lives; tenancy.NewTenantDirectory makes one. It sends nothing.",
		jen.Func().Id(f.constructorName()).Params(
			jen.Line().Id("db").Add(ptr(jen.Qual(azcosmosPath, "DatabaseClient"))),
			jen.Line().Id("directory").Qual(tenancyPath, "Directory"),
			jen.Line().Add(variadic("opts", jen.Qual(repositoryPath, "Option"))),
			jen.Line(),
		).Add(ptr(jen.Id(f.repositoryName()))).Block(
			jen.Return(addr(jen.Id(f.repositoryName()).Values(
				jen.Qual(repositoryPath, "NewTiered").Call(jen.Id("db"), addr(jen.Id(f.modelName())), jen.Qual(tenancyPath, "Residences").Call(jen.Id("directory")), spread(jen.Id("opts"))),
			))),
		))
}
