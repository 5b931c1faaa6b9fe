package templates

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// nosql is the API that package repository uses.
var nosql = api{
	emitter: containers{}, number: operations.NoSQL, runtime: repositoryPath, in: "repository", errors: "repository", imports: []string{azcosmosPath},
	container: "container",
	fields:    "refers to the JSON properties of %s documents in queries.",
	check:     "Key", prefixes: true, batch: 100, looking: 100,
	costs: costs{
		write:    cost{Words: "one write, about 5 request units for 1 KB", Requests: 1, Units: 5},
		verified: cost{Words: "a read and a conditional write, about 6 request units for 1 KB", Requests: 2, Units: 6},
		read:     cost{Words: "one point read, 1 request unit for 1 KB", Requests: 1, Units: 1},
		many:     cost{Words: "one query for each physical partition involved, about 3 request units and 1 for each KB", Requests: 1, Units: 3, FanOut: true},
		query:    cost{Words: "one query, about 3 request units a page", Requests: 1, Units: 3},
		fanOut:   cost{Words: "one query for each physical partition involved, about 3 request units a page", Requests: 1, Units: 3, FanOut: true},
		scan:     cost{Words: "one query for each physical partition, about 3 request units a page", Requests: 1, Units: 3, FanOut: true},
		find:     cost{Words: "one request to each physical partition that has any of the %d logical partitions, about 3 request units each", Requests: 1, Units: 3, FanOut: true},
	},
}

type containers struct{}

func (containers) names(t *Type) []string {
	n := t.names()
	var all []string
	if patches := t.patchReferences(); len(patches) > 0 {
		all = append([]string{n.patchName}, typeNames(patches)...)
	}
	switch {
	case t.Own != nil:
		all = append(all, n.containerName, n.ownContainerName, n.propertiesName, n.ensureName, n.ensureOwnName)
	case t.Containers != nil:
		all = append(all, n.containerName, n.propertiesName, n.ensureName)
	default:
		all = append(all, n.containerName, n.ensureName)
	}
	if !t.Alone() {
		all = append(all, n.pendingName)
	}
	if t.moves() {
		all = append(all, n.moveStateName)
	}
	return all
}

// provide also writes the function that creates or checks the container, and the same for a
// tenant's own container.
//
//	func EnsureVehicleEventContainer(
//		ctx context.Context,
//		db *azcosmos.DatabaseClient,
//		throughput admin.Throughput,
//		opts ...admin.EnsureOption,
//	) (*azcosmos.ContainerClient, error) {
//		return admin.Ensure(ctx, db, VehicleEventContainer(), throughput, opts...)
//	}
//
// For a draft it calls admin.EnsureDraft[VehicleEvent]. With several containers it
// takes the fields that name one, like ReadingContainer. It adds an option if the type relies
// on one write region.
func (containers) provide(f *file) {
	f.patches()
	f.container()
	f.ensureFunction(f.ensureName, f.containerName, f.containerComponents(), f.ensureDoc(f.ensureName, f.containerName))
	if f.Own != nil {
		f.ensureFunction(f.ensureOwnName, f.ownContainerName, f.ownComponents(),
			f.ensureDoc(f.ensureOwnName, f.ownContainerName)+" tenancy.Move moves the tenant into it.")
	}
	f.variables()
}

// variables writes aliases for variables that programs declare: a read in a transaction, whose
// result comes with Commit, and the state of a move, which a program may read from a file.
//
//	type OrderPendingRead = repository.Pending[Order]
//
//	type OrderMoveState = repository.MoveState[OrderKey]
func (f *file) variables() {
	alias := func(name, doc string, generic *jen.Statement) {
		f.declare(name+doc, jen.Type().Add(assign(jen.Id(name), generic)))
	}
	if !f.Alone() {
		alias(f.pendingName, " is a read in a transaction. It has the document after Commit.", repository("Pending").Types(jen.Id(f.Name)))
	}
	if f.moves() {
		alias(f.moveStateName, " is the state that PrepareMove returns and ResumeMove takes. It marshals to JSON and back.", repository("MoveState").Types(jen.Id(f.keyName)))
	}
}

// moves reports whether documents of the type can get another key by Move.
func (t *Type) moves() bool { return t.Unique == nil && t.grows() < 0 }

func (containers) references(t *Type) []reference { return fieldsOf(t.Properties, pk.GoType{}) }

func (containers) model(f *file) members { return members{}.when(f.Integers, "Integers", jen.True()) }

// repository writes the repository and its constructor. With several containers it takes a
// database, and calls repository.NewIn.
//
//	type VehicleEventRepository struct {
//		*repository.Documents[VehicleEvent, VehicleEventKey]
//	}
//
//	func NewVehicleEventRepository(c *azcosmos.ContainerClient, opts ...repository.Option) *VehicleEventRepository {
//		return &VehicleEventRepository{repository.New(c, &vehicleEventModel, opts...)}
//	}
func (containers) repository(f *file) {
	of, constructed, client, parameter, function := "one container", "container c", "ContainerClient", "c", "New"
	switch {
	case f.Own != nil:
		f.tiers()
		return
	case f.Containers != nil:
		of, constructed = "the containers "+f.Container+" of one database", "containers of db that "+f.containerName+" describes"
		client, parameter, function = "DatabaseClient", "db", "NewIn"
	}
	f.repositoryOf(" reads and writes the "+f.Name+" documents of "+of+f.ofType(), f.documents(),
		" returns the repository of the "+constructed+".", azcosmos(client), parameter, function, addr(jen.Id(f.modelName)))
}

// container writes the function that describes the container.
//
//	func VehicleEventContainer() azcosmos.ContainerProperties { … }
//
// It sets kind and version, because azcosmos takes their zero values for version 1,
// whose keys hash differently.
func (f *file) container() {
	body := f.containerBody()
	switch {
	case f.Containers != nil:
		f.containerOf(body)
		return
	case f.Own != nil:
		f.ownContainers(body)
		return
	}
	f.described(f.containerDoc(), body)
}

// described writes the function that describes the one container, with its body.
func (f *file) described(doc string, body []jen.Code) {
	f.declare(doc, jen.Func().Id(f.containerName).Params().Add(azcosmos("ContainerProperties")).Block(body...))
}

// containerBody returns the container's properties. The id is a variable of that name if there
// are several containers.
func (f *file) containerBody() []jen.Code {
	kind := "PartitionKeyKindHash"
	if f.Kind == Hierarchical {
		kind = "PartitionKeyKindMultiHash"
	}
	id := jen.Lit(f.Container)
	if f.Containers != nil || f.Own != nil {
		id = jen.Id("id")
	}
	properties := []jen.Code{
		named("ID", id),
		named("PartitionKeyDefinition", rows(azcosmos("PartitionKeyDefinition"), jen.List(
			named("Kind", azcosmos(kind)), named("Paths", texts(f.Paths())), named("Version", jen.Lit(2)),
		))),
	}
	var body []jen.Code
	if f.TTL != nil {
		body = append(body, define("ttl", jen.Lit(int32(*f.TTL))))
		properties = append(properties, named("DefaultTimeToLive", addr(jen.Id("ttl"))))
	}
	if f.Conflict != "" {
		properties = append(properties, f.conflictPolicy())
	}
	if len(f.Composites)+len(f.Vectors)+len(f.Texts)+len(f.Computed) > 0 {
		properties = append(append(properties, named("IndexingPolicy", f.indexingPolicy())), f.searchPolicies()...)
	}
	return append(body, jen.Return(rows(azcosmos("ContainerProperties"), properties...)))
}

// containerOf writes the function that describes the container with an id, with its body,
// and the function that describes the container of fields.
//
//	func ReadingContainer(at time.Time) azcosmos.ContainerProperties {
//		return readingProperties(ReadingKey{At: at}.Container())
//	}
//
//	func readingProperties(id string) azcosmos.ContainerProperties { … }
func (f *file) containerOf(body []jen.Code) {
	args := f.arguments(f.containerComponents(), f.scope.Inner())
	f.declare(f.containerDoc(), jen.Func().Id(f.containerName).Params(parameters(args)...).Add(azcosmos("ContainerProperties")).Block(
		jen.Return(jen.Id(f.propertiesName).Call(f.keyOfArguments(args).Dot("Container").Call())),
	))
	f.propertiesOf(body)
}

// propertiesOf writes the function that describes the container with an id, with its body.
func (f *file) propertiesOf(body []jen.Code) {
	f.declare(f.propertiesName+" describes the container of "+f.Name+" documents with an id.",
		jen.Func().Id(f.propertiesName).Params(jen.Id("id").String()).Add(azcosmos("ContainerProperties")).Block(body...))
}

// containerOfArguments names the documents of one container by the arguments of a
// function: "of the month of at and region".
func (f *file) containerOfArguments() string {
	args := f.arguments(f.containerComponents(), f.scope.Inner())
	return "of " + prose.Enumerate(collect(args, func(a argument) string {
		if a.Value == pk.Time {
			return "the " + timelayout.Period(a.Layout) + " of " + a.param
		}
		return a.param
	}))
}

// containerDoc is the comment of the function that describes the container.
func (f *file) containerDoc() string {
	var expire, order, search, computed, conflict string
	switch {
	case f.TTL == nil:
	case *f.TTL < 0:
		expire = "Only documents with their own ttl expire, that many seconds after their last write."
	default:
		expire = "Documents expire " + strconv.Itoa(*f.TTL) + " seconds after their last write, unless they have their own ttl."
	}
	if len(f.Composites) > 0 {
		order = "Queries can sort by each of its composite indexes, in either direction."
	}
	documents := "the container of " + f.Name + " documents"
	if f.Own != nil {
		documents = "the shared container of " + f.Name + " documents"
	}
	if f.Containers != nil {
		documents = "the container of the " + f.Name + " documents " + f.containerOfArguments()
	}
	if len(f.Vectors) > 0 {
		search = "Its vector policies and vector indexes cannot be changed after its creation."
	}
	if f.Computed != nil {
		computed = "azcosmos does not support its computed properties: " + f.ensureName + " adds them."
	}
	if f.Conflict != "" {
		conflict = "Of two writes in two regions at once, it keeps the one with the greater " + f.Conflict + ". This policy cannot be changed after its creation."
	}
	return prose.Sentences(f.containerName+" describes "+documents+".", order, search, computed, conflict, expire)
}

// indexingPolicy writes the policy that has composite indexes. Otherwise it is the
// policy that the service gives to a container without one (Microsoft, "Indexing
// policies in Azure Cosmos DB").
func (f *file) indexingPolicy() *jen.Statement {
	indexes := collect(f.Composites, func(composite []IndexPath) jen.Code {
		return jen.Custom(multiLine, collect(composite, func(path IndexPath) jen.Code {
			order := "CompositeIndexAscending"
			if path.Descending {
				order = "CompositeIndexDescending"
			}
			return jen.Values(pathItem(path.Path), named("Order", azcosmos(order)))
		})...)
	})
	excluded := []jen.Code{jen.Values(pathItem(`/"_etag"/?`))}
	for _, v := range f.Vectors {
		excluded = append(excluded, jen.Values(pathItem(v.Excluded())))
	}
	included := []jen.Code{jen.Values(pathItem("/*"))}
	for _, c := range f.Computed {
		included = append(included, jen.Values(pathItem(c.Included())))
	}
	policy := []jen.Code{
		named("Automatic", jen.True()),
		named("IndexingMode", azcosmos("IndexingModeConsistent")),
		named("IncludedPaths", jen.Index().Add(azcosmos("IncludedPath")).Values(included...)),
		named("ExcludedPaths", jen.Index().Add(azcosmos("ExcludedPath")).Values(excluded...)),
	}
	if len(indexes) > 0 {
		policy = append(policy, named("CompositeIndexes", rows(jen.Index().Index().Add(azcosmos("CompositeIndex")), indexes...)))
	}
	return addr(rows(azcosmos("IndexingPolicy"), append(policy, f.searchIndexes()...)...))
}

// pathItem writes a path of an indexing policy. A path that contains quotes is in
// back quotes.
//
//	Path: `/"my-prop"`
func pathItem(path string) *jen.Statement {
	return named("Path", textLiteral(path))
}

// textLiteral writes a text: in back quotes if it contains quotes.
func textLiteral(text string) *jen.Statement {
	if strconv.CanBackquote(text) && strconv.Quote(text) != `"`+text+`"` {
		return raw("`" + text + "`")
	}
	return jen.Lit(text)
}

// ensureFunction writes the function that creates or checks the container that another
// function describes, for the values of components.
func (f *file) ensureFunction(name, describes string, of []placed, doc string) {
	ensure := f.ensuring()
	taken := f.scope.Inner("db", "throughput", "opts")
	args := f.arguments(of, taken)
	var checks []jen.Code
	if len(args) > 0 {
		checks = f.checkArguments(args)
	}
	params := append([]jen.Code{f.ctx(), param("db", ptr(azcosmos("DatabaseClient")))}, parameters(args)...)
	f.declare(doc, jen.Func().Id(name).Params(append(params,
		param("throughput", admin("Throughput")),
		options(admin("EnsureOption")),
	)...).Params(ptr(azcosmos("ContainerClient")), jen.Error()).Block(append(checks,
		jen.Return(ensure.Call(
			jen.Id("ctx"), jen.Id("db"), jen.Id(describes).Call(ids(collect(args, argument.parameter))...), jen.Id("throughput"), f.ensureOptions(),
		)),
	)...))
}

// ensuring is the function of the run time that ensures a container of the type, or an index of it.
//
//	admin.Ensure
//	admin.EnsureDraft[VehicleEvent]
func (f *file) ensuring() *jen.Statement {
	if f.Draft {
		return admin("EnsureDraft").Types(jen.Id(f.Name))
	}
	return admin("Ensure")
}

// ensureDoc is the comment of the function that creates or checks the container that
// another function describes.
func (f *file) ensureDoc(name, describes string) string {
	return name + " creates the container that " + describes + " describes, or checks the existing one: one to five requests. " +
		"A *admin.ContainerError names each difference."
}

// checkArguments writes the check of the values that name a container, before its creation.
//
//	if err := partition.Check("Reading",
//		partition.Time("At", at),
//	); err != nil {
//		return nil, err
//	}
func (f *file) checkArguments(args []argument) []jen.Code {
	var checks []jen.Code
	if f.Own != nil {
		checks = append(f.checks(f.ownComponents(), valueIn(args)), partition("ContainerID", jen.Lit(f.Tenant.Selector), f.keyOfArguments(args).Dot(ownMethod).Call()))
	} else {
		checks = append(f.checks(f.containerComponents(), valueIn(args)), f.checkContainerID(f.keyOfArguments(args).Dot("Container").Call())...)
	}
	if len(checks) == 0 {
		return nil
	}
	return []jen.Code{jen.If(define("err", f.checkOf(checks)), infix(jen.Id("err"), "!=", jen.Nil())).Block(jen.Return(jen.Nil(), jen.Id("err")))}
}

// valueIn writes the argument for a component.
func valueIn(args []argument) func(pk.Component) *jen.Statement {
	return func(c pk.Component) *jen.Statement {
		i := slices.IndexFunc(args, func(a argument) bool { return a.Selector == c.Selector })
		return jen.Id(args[i].param)
	}
}
