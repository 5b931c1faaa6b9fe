package templates

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// indexes are the global secondary indexes of the container.
var indexes = feature{
	in: func(t *Type) bool { return t.Indexes != nil },
	fields: func(t *Type) (all []*pk.Field) {
		for _, x := range t.Indexes {
			all = append(all, x.Field)
			for _, c := range x.Entry.Components() {
				all = append(all, &c.Field)
			}
		}
		return all
	},
	model: (*file).indexed,
	types: func(f *file) {
		for i := range f.Indexes {
			f.index(&f.Indexes[i]).write()
		}
	},
}

// base begins the names that the file declares for an index: the name of the type, and then
// of the index.
func (x *Index) base() string { return strings.TrimSuffix(x.Entry.Name, "Entry") }

// names returns the names that the file declares for an index. Programs do not need the type of
// its keys, which has no id.
func (x *Index) names() names {
	n := x.Entry.namesOf(x.base())
	n.keyName = unexported(x.base()) + "Key"
	n.keyOfName = n.keyName + "Of"
	return n
}

// entryKeyName is the function that returns the key of an entry's document, where the type gets no
// methods.
func (x *Index) entryKeyName() string { return x.Entry.Name + "KeyOf" }

// keyed reports whether a type has the fields of the index's key.
func (x *Index) keyed() bool { return x.Entry.Kind != Natural }

// references returns the references by which queries name properties of entries.
func (x *Index) references() []reference {
	return x.Entry.nameTypes(fieldsOf(x.Entry.Properties, pk.GoType{}), x.names().fieldsName, "Fields")
}

// declaredFor returns the identifiers that the file declares for an index, in its order.
func (t *Type) declaredFor(x *Index) []string {
	n := x.names()
	all := []string{n.layoutName}
	if x.keyed() {
		all = append(all, n.keyName)
	}
	if x.Field != nil {
		all = append(all, n.keyOfName)
	}
	if x.Later {
		return all
	}
	all = append(all, x.Entry.Name)
	if t.NoMethods {
		all = append(all, x.entryKeyName())
	}
	all = append(all, n.fieldsName)
	all = append(all, typeNames(x.references())...)
	return append(all, n.containerName, n.ensureName, n.modelName, n.repositoryName, n.constructorName)
}

// index is an index whose part of the file is written.
type index struct {
	*Index
	source *file // of the documents
	key    *file // the key of the index, made of documents
	entry  *file // the entries
}

func (f *file) index(x *Index) index {
	part := func(name string) *file {
		t := *x.Entry
		t.Name = name
		p := keyPlan(&t, x.names(), f.scope)
		p.noun = "entries"
		if !slices.ContainsFunc(t.components(), func(c placed) bool { return c.Selector == t.ID.Selector }) {
			p.fields = p.fields[1:] // an index is not read by ids
		}
		return &file{plan: p, out: f.out}
	}
	out := index{Index: x, source: f, key: part(f.Name), entry: part(x.Entry.Name)}
	out.key.doc, out.entry.doc = f.doc, f.scope.Inner().Document("Entry")
	return out
}

// write writes the declarations for the index. If documents may still lack its property, these
// only make the property.
func (x index) write() {
	x.layout()
	if x.keyed() {
		x.keyType()
	}
	if x.Field != nil {
		x.keyOf()
	}
	if x.Later {
		return
	}
	x.entryType()
	x.entryKey()
	x.entry.references(x.entry.fieldsName, "refers to the JSON properties of the entries of "+x.Name+" in queries.", x.references())
	x.container()
	x.ensure()
	x.model()
	x.entry.repositoryOf(" reads the entries of the index "+x.Name+". It has no writes: see repository.Index.",
		repository("Index").Types(jen.Id(x.entry.Name)), " returns the repository of the index c.",
		azcosmos("ContainerClient"), "c", "NewIndex", addr(jen.Id(x.entry.modelName)))
	x.entry.queriesOf("IndexQuery", "Index")
}

// layout writes the constant with the layout of the index's key.
//
//	const OrderByCustomerKeyLayout = "{customerId}-{at|2006-01}"
func (x index) layout() {
	doc := x.key.layoutName + " is the layout of the partition key of the index " + x.Name + "."
	if x.Field != nil {
		doc += " The property " + x.Field.Property + " of stored documents depends on it."
	}
	x.source.declare(doc, constant(x.key.layoutName, jen.Lit(x.Entry.Layout())))
}

// keyType writes the type with the fields of the index's key, and the methods that make its text.
//
//	type orderByCustomerKey struct {
//		CustomerID string
//		At         time.Time
//	}
//
//	func (k orderByCustomerKey) PartitionKey() string { … }
func (x index) keyType() {
	f := x.key
	fields := parameters(collect(f.fields, func(field keyField) argument { return argument{field, field.name} }))
	f.declare(f.keyName+" has the fields of the partition key of the index "+x.Name+".", jen.Type().Id(f.keyName).Struct(fields...))
	if f.Kind == Hierarchical {
		f.levelTexts()
		return
	}
	f.keyTextOf("PartitionKey returns " + f.keyDescription("k's"))
}

// keyOf writes the function that returns the index's key of a document, and the key's check.
//
//	func orderByCustomerKeyOf(o *Order) orderByCustomerKey {
//		return orderByCustomerKey{CustomerID: o.CustomerID, At: partition.Month(o.At)}
//	}
//
//	func (k orderByCustomerKey) Validate() error { … }
func (x index) keyOf() {
	f := x.key
	f.declare(f.keyOfName+" returns the key of "+f.doc+" in the index "+x.Name+".",
		jen.Func().Id(f.keyOfName).Params(param(f.doc, ptr(jen.Id(f.Name)))).Id(f.keyName).Block(f.keyBody()...))
	checks := append(f.checks(f.components(), f.ofKey), partition("Key", f.wholeText()))
	f.declare("Validate returns a *partition.KeyError if Cosmos DB would refuse k, else nil.",
		f.keyMethod("Validate").Params().Error().Block(jen.Return(f.checkOf(checks))))
}

// made writes the text of the key k that the run time writes into documents.
//
//	k.PartitionKey()
//	k.level2()
func (x index) made(k string) *jen.Statement {
	if x.Entry.Kind != Hierarchical {
		return jen.Id(k).Dot("PartitionKey").Call()
	}
	return x.key.levelOf(k, slices.IndexFunc(x.Entry.Levels, func(l pk.Level) bool { return l.Made }))
}

// indexed writes the properties that the run time writes for indexes.
//
//	[]generated.Indexed[Order, OrderKey]{{
//		Index:      "ByCustomer",
//		Property:   "byCustomer",
//		Components: []string{"/customerId", "/at"},
//		Set:        func(o *Order) error { … },
//		Text:       func(o *Order) string { return o.ByCustomer },
//		Known:      func(k OrderKey) *Order { … },
//	}}
func (f *file) indexed() members {
	var all []jen.Code
	for i := range f.Indexes {
		if x := f.index(&f.Indexes[i]); x.Field != nil {
			all = append(all, jen.Custom(multiLine, x.indexed().sorted()...))
		}
	}
	return members{}.when(all != nil, "Indexed", jen.Index().Add(generated("Indexed")).Types(jen.Id(f.Name), jen.Id(f.keyName)).Values(all...))
}

// indexed describes the property of the index.
func (x index) indexed() members {
	f := x.source
	document := param(f.doc, ptr(jen.Id(f.Name)))
	pointers := collect(once(x.key.components(), placed.selector), func(c placed) string {
		if c.Selector == f.ID.Selector { // which entries have at another place
			return f.ID.Pointer
		}
		return c.Pointer
	})
	field := jen.Id(f.doc).Dot(x.Field.Selector)
	set := jen.Func().Params(document).Error().Block(
		define("key", jen.Id(x.key.keyOfName).Call(jen.Id(f.doc))),
		jen.If(define("err", jen.Id("key").Dot("Validate").Call()), infix(jen.Id("err"), "!=", jen.Nil())).Block(jen.Return(jen.Id("err"))),
		assign(field.Clone(), convertTo(*x.Field, x.made("key"))),
		jen.Return(jen.Nil()),
	)
	known := x.known()
	return members{
		{"Index", jen.Lit(x.Name)},
		{"Property", jen.Lit(x.Field.Property)},
		{"Components", texts(pointers)},
		{"Set", set},
		{"Text", oneLine(document.Clone(), jen.String(), convert(*x.Field, "string", field.Clone()))},
	}.when(known != nil, "Known", known)
}

// known writes the function that returns a document with the components of the index's key that
// the key of a document tells; nil if it tells none. It tells no times, which are starts of
// periods there, and no texts whose case it ignores.
//
//	func(k OrderKey) *Order {
//		var o Order
//		o.CustomerID = k.CustomerID
//		return &o
//	}
func (x index) known() *jen.Statement {
	f := x.source
	var assigned []jen.Code
	for _, c := range once(x.key.components(), placed.selector) {
		i := slices.IndexFunc(f.fields, func(field keyField) bool { return field.Selector == c.Selector })
		if i < 0 || c.Value == pk.Time || len(c.Pointers) > 0 {
			continue
		}
		if slices.ContainsFunc(f.components(), func(own placed) bool { return own.Selector == c.Selector && own.Lower && !c.Lower }) {
			continue
		}
		assigned = append(assigned, assign(jen.Id(f.doc).Dot(c.Selector), jen.Id("k").Dot(f.fields[i].name)))
	}
	if assigned == nil {
		return nil
	}
	body := append([]jen.Code{jen.Var().Id(f.doc).Id(f.Name)}, assigned...)
	return jen.Func().Params(param("k", jen.Id(f.keyName))).Add(ptr(jen.Id(f.Name))).Block(append(body, jen.Return(addr(jen.Id(f.doc))))...)
}

// convertTo writes a text as a value of a field, whose underlying type is string.
func convertTo(field pk.Field, x *jen.Statement) *jen.Statement {
	if field.Type.Path == "" && field.Type.Name == "string" {
		return x
	}
	return goType(field.Type).Call(x)
}

// entryType writes the type of entries.
//
//	type OrderByCustomerEntry struct {
//		ID         string `json:"id"`
//		CustomerID string `json:"customerId"`
//	}
func (x index) entryType() {
	doc := x.entry.Name + " is the copy of " + article(x.source.Name) + " in the index " + x.Name + ". It may be out of date, and cannot be written."
	if x.sources() {
		doc += " Source reads the document for a write."
	}
	x.source.declare(doc, jen.Type().Id(x.entry.Name).StructFunc(func(g *jen.Group) {
		for _, field := range x.Fields {
			line := field.Type.write()
			if field.Name != "" {
				line = jen.Id(field.Name).Add(line)
			}
			g.Add(line, raw(quotedTag(field.Tag)))
		}
	}))
}

// article is a name with its indefinite article.
func article(name string) string {
	if strings.ContainsRune("AEIOUaeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// fieldName returns Go's name of a field: an embedded field has the name of its type, without its
// package.
func fieldName(field StructField) string {
	if field.Name != "" {
		return field.Name
	}
	name, _, _ := strings.Cut(field.Type.String(), "[")
	return strings.TrimLeft(name, "*")
}

// sources reports whether entries have a method Source: a field may have the name.
func (x index) sources() bool {
	return !x.source.NoMethods && !slices.ContainsFunc(x.Fields, func(field StructField) bool { return fieldName(field) == "Source" })
}

// entryKey writes the methods that lead from an entry to its document.
//
//	func (e *OrderByCustomerEntry) Key() OrderKey {
//		return OrderKey{ID: e.ID, TenantID: e.TenantID}
//	}
//
//	func (e *OrderByCustomerEntry) Source(ctx context.Context, from *OrderRepository) (*Order, error) {
//		return from.Get(ctx, e.Key())
//	}
func (x index) entryKey() {
	own := *x.source.plan
	own.doc = x.entry.doc
	f := &file{plan: &own, out: x.source.out}
	receiver := param(f.doc, ptr(jen.Id(x.entry.Name)))
	doc := " returns the key of the " + f.Name + " of " + f.doc + "."
	if f.NoMethods {
		f.declare(x.entryKeyName()+doc, jen.Func().Id(x.entryKeyName()).Params(receiver).Id(f.keyName).Block(f.keyBody()...))
		return
	}
	f.declare("Key"+doc, jen.Func().Params(receiver).Id("Key").Params().Id(f.keyName).Block(f.keyBody()...))
	if !x.sources() {
		return
	}
	from := f.scope.Inner().Take("from", "source")
	f.declare("Source returns the current "+f.Name+" of "+f.doc+", which can be written: "+f.prices.read.Words+
		". It returns "+f.in("ErrNotFound")+" if it was deleted.",
		jen.Func().Params(receiver.Clone()).Id("Source").Params(f.ctx(), param(from, ptr(jen.Id(f.repositoryName)))).
			Params(ptr(jen.Id(f.Name)), jen.Error()).Block(jen.Return(jen.Id(from).Dot("Get").Call(jen.Id("ctx"), jen.Id(f.doc).Dot("Key").Call()))))
}

// container writes the function that describes the container of the index.
func (x index) container() {
	order := ""
	if len(x.Entry.Composites) > 0 {
		order = "Queries can sort by each of its composite indexes, in either direction."
	}
	x.entry.described(prose.Sentences(x.entry.containerName+" describes the container of the index "+x.Name+" over "+x.source.Name+" documents.", order),
		x.entry.containerBody())
}

// ensure writes the function that creates or checks the index. If the run time makes the key, all
// documents must have it first.
//
//	func EnsureOrderByCustomerContainer(
//		ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...admin.EnsureOption,
//	) (*azcosmos.ContainerClient, error) {
//		source, err := db.NewContainer("orders")
//		if err != nil {
//			return nil, err
//		}
//		if err := repository.CheckIndexed(ctx, NewOrderRepository(source).Documents, "ByCustomer"); err != nil {
//			return nil, err
//		}
//		index := []admin.EnsureOption{admin.IndexOf("orders")}
//		return admin.Ensure(ctx, db, OrderByCustomerContainer(), throughput, append(index, opts...)...)
//	}
func (x index) ensure() {
	f := x.entry
	doc := f.ensureName + " creates the index that " + f.containerName + " describes, or checks the existing one: one to five requests. A *admin.ContainerError names each difference. The throughput is autoscale. Ensure the container of " +
		x.source.Name + " documents first."
	failed, failure := infix(jen.Id("err"), "!=", jen.Nil()), jen.Return(jen.Nil(), jen.Id("err"))
	var body []jen.Code
	if x.Field != nil {
		doc += " It returns " + f.in("ErrNotIndexed") + " if a document lacks the property " + x.Field.Property + "; this check costs about 3 request units for each physical partition."
		body = []jen.Code{
			try("source", jen.Id("db").Dot("NewContainer").Call(jen.Lit(x.source.Container))),
			jen.If(failed).Block(failure),
			jen.If(define("err", repository("CheckIndexed").Call(jen.Id("ctx"), jen.Id(x.source.constructorName).Call(jen.Id("source")).Dot("Documents"), jen.Lit(x.Name))), failed.Clone()).Block(failure),
		}
	}
	indexOf := admin("IndexOf").Call(append([]jen.Code{jen.Lit(x.source.Container)}, collect(x.Selected, func(p string) jen.Code { return jen.Lit(p) })...)...)
	body = append(body,
		define("index", jen.Index().Add(admin("EnsureOption")).Values(indexOf)),
		jen.Return(x.source.ensuring().Call(jen.Id("ctx"), jen.Id("db"), jen.Id(f.containerName).Call(), jen.Id("throughput"), spread(jen.Append(jen.Id("index"), spread(jen.Id("opts")))))))
	f.declare(doc, jen.Func().Id(f.ensureName).Params(
		f.ctx(), param("db", ptr(azcosmos("DatabaseClient"))), param("throughput", admin("Throughput")), options(admin("EnsureOption")),
	).Params(ptr(azcosmos("ContainerClient")), jen.Error()).Block(body...))
}

// model writes the variable that tells the run time about the index.
//
//	var orderByCustomerModel = generated.Index[OrderByCustomerEntry, Order, OrderKey]{
//		Type:   "OrderByCustomerEntry",
//		Source: &orderModel,
//		Path:   "/byCustomer",
//		Entry:  func(o *Order) *OrderByCustomerEntry { … },
//		Key:    (*OrderByCustomerEntry).Key,
//	}
func (x index) model() {
	f := x.source
	path := member{"Path", jen.Lit(x.Entry.Levels[0].Path)}
	if x.Entry.Kind == Hierarchical {
		path = member{"Paths", texts(x.Entry.Paths())}
	}
	key := jen.Parens(ptr(jen.Id(x.entry.Name))).Dot("Key")
	if f.NoMethods {
		key = jen.Id(x.entryKeyName())
	}
	entry := addr(rows(jen.Id(x.entry.Name), collect(x.Fields, func(field StructField) jen.Code {
		return named(fieldName(field), jen.Id(f.doc).Dot(fieldName(field)))
	})...))
	m := members{
		{"Type", jen.Lit(x.entry.Name)},
		{"Source", addr(jen.Id(f.modelName))},
		path,
		{"Entry", jen.Func().Params(param(f.doc, ptr(jen.Id(f.Name)))).Add(ptr(jen.Id(x.entry.Name))).Block(jen.Return(entry))},
		{"Key", key},
	}.when(f.grows() >= 0 || f.Former != nil, "Marks", jen.True())
	f.out.Line()
	f.out.Add(variable(x.entry.modelName, rows(generated("Index").Types(jen.Id(x.entry.Name), jen.Id(f.Name), jen.Id(f.keyName)),
		collect(m, func(x member) jen.Code { return named(x.name, x.value) })...)))
}
