package templates

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// writeOperations writes the operations that the table says generated code has. They call the
// methods of the embedded Documents, and their comments say what these do for this type.
//
//	func (r *VehicleEventRepository) Create(ctx context.Context, e *VehicleEvent) error {
//		return r.Documents.Create(ctx, e)
//	}
func (f *file) writeOperations() {
	for i := range operations.Operations {
		o := &operations.Operations[i]
		if !o.Written || o.Generated() || !f.has(o) {
			continue
		}
		argument, typ := o.Parameters, jen.Id(f.keyName)
		if o.Parameters == "document" {
			argument, typ = f.doc, ptr(jen.Id(f.Name))
		}
		result := jen.Error()
		if o.Reads {
			result = jen.Params(ptr(jen.Id(f.Name)), jen.Error())
		}
		f.declare(f.operationDoc(o.Cost), f.repositoryMethod(o.Name).Params(f.ctx(), jen.Id(argument).Add(typ)).Add(result).Block(
			jen.Return(jen.Id("r").Dot("Documents").Dot(o.Name).Call(jen.Id("ctx"), jen.Id(argument))),
		))
	}
}

// operationDoc is the comment of an operation.
func (f *file) operationDoc(c operations.Cost) string {
	var doc string
	switch c {
	case operations.Create:
		doc = f.createDoc()
	case operations.Upsert:
		doc = f.upsertDoc()
	case operations.Replace:
		doc = f.replaceDoc()
	case operations.Read:
		doc = f.getDoc()
	default:
		return f.deleteDoc()
	}
	for _, x := range f.features {
		if x.words != nil {
			doc = prose.Sentences(doc, x.words(f, c))
		}
	}
	return doc
}

func (f *file) createDoc() string {
	doc := "Create stores " + f.doc + " as a new document: " + f.prices.create.Words + "."
	if f.random != nil {
		return prose.Sentences(doc,
			"Unless "+f.doc+" has a suffix for this id, Create chooses one, and keeps it in "+f.doc+"."+f.Stored.Selector+" for a second attempt.",
			"It returns "+f.in("ErrAlreadyExists")+" if the "+f.idWord+" is taken in that logical partition.")
	}
	if f.Kind == ItemID {
		return prose.Sentences(doc, "It returns "+f.in("ErrAlreadyExists")+" if the "+f.idWord+" is taken.")
	}
	if f.Alone() {
		return prose.Sentences(doc, "It returns "+f.in("ErrAlreadyExists")+" if the key is taken.")
	}
	return prose.Sentences(doc, "It returns "+f.in("ErrAlreadyExists")+" if the "+f.idWord+" is taken in the logical partition.")
}

func (f *file) upsertDoc() string {
	doc := "Upsert creates or replaces " + f.doc
	if !f.Ambiguous && f.hashed && f.grows() < 0 {
		over := "document"
		if f.looks {
			over = f.Name
		}
		doc = "Upsert creates " + f.doc + ", or replaces the " + over + " with its " + f.idWord + " in the bucket"
	}
	doc += ": " + f.prices.upsert.Words + "."
	if f.looks {
		doc += " It returns " + f.in("ErrAlreadyExists") + " if the id belongs to " + f.stranger() + "."
	}
	if f.api().upserts != "" {
		doc += " It returns " + f.in("ErrAlreadyExists") + " " + f.api().upserts
	}
	moved := ""
	if f.Row != nil && f.Stored != nil {
		moved = "If no field of the partition key has changed, but one of the row key has, " + f.secondCopy()
	}
	if f.Containers != nil {
		moved = "If a field of the container's id has changed since " + f.doc + " was read, " + f.secondCopy()
	}
	switch {
	case f.random != nil:
		doc = prose.Sentences(doc, "It returns a *partition.KeyError if "+f.doc+" has no suffix, and "+f.keyChanged()+".")
		if f.Kind == Hierarchical {
			doc = prose.Sentences(doc, "If another level has changed, "+f.secondCopy())
		}
		return prose.Sentences(doc, moved)
	case f.Stored != nil && f.Kind == Hierarchical:
		return prose.Sentences(doc, "It returns "+f.keyChanged()+".", "If another level has changed, "+f.secondCopy(), moved)
	case f.Stored != nil:
		return prose.Sentences(doc, "It returns "+f.keyChanged()+".", moved)
	default:
		return prose.Sentences(doc, "If "+f.keySource()+" has changed since "+f.doc+" was read, "+f.secondCopy())
	}
}

func (f *file) replaceDoc() string {
	fails, gone := []string{f.in("ErrNotFound")}, f.api().gone
	if f.looks {
		gone = ""
	}
	if f.random != nil {
		fails = append(fails, "a *partition.KeyError if "+f.doc+" has no suffix")
	}
	if f.Stored != nil {
		fails = append(fails, "ErrKeyChanged")
	}
	text := prose.Alternatives(fails)
	if f.ETag != nil {
		text = strings.Join(fails, ", ") + ", or ErrPreconditionFailed if " + f.doc + "'s ETag is old" + gone
	}
	doc := "Replace overwrites the document that has " + f.doc + "'s key: " + f.prices.store.Words + ". It returns " + text + "."
	if f.shares {
		doc = prose.Sentences(doc, "It leaves a document of another type alone.")
	}
	if f.ETag == nil && f.api().replaces != "" {
		doc += " " + fmt.Sprintf(f.api().replaces, f.doc)
	}
	return doc
}

func (f *file) getDoc() string {
	none := []string{"there is none"}
	if f.Ambiguous {
		none = append(none, "the id belongs to "+other)
	}
	if f.Discriminator != nil {
		none = append(none, "the document is of another type")
	}
	return "Get returns the " + f.Name + " that key identifies: " + f.prices.read.Words + ". " +
		"It returns " + f.in("ErrNotFound") + " if " + strings.Join(none, ", or if ") + "."
}

func (f *file) deleteDoc() string {
	if f.Deleted != nil {
		return f.markDoc()
	}
	none := "there is none"
	if f.looks {
		none += ", or if the id belongs to " + f.stranger()
	}
	return prose.Sentences("Delete removes the "+f.Name+" that key identifies"+f.api().removes+": "+f.prices.delete.Words+".",
		"It returns "+f.in("ErrNotFound")+" if "+none+".")
}

// other is a document that an operation may meet if keys are ambiguous.
const other = "another document whose fields make the same partition key"

// stranger is a document that an operation which looks first may meet.
func (f *file) stranger() string {
	switch {
	case f.Ambiguous && f.shares:
		return "a document of another type, or to " + other
	case f.Ambiguous:
		return other
	}
	return "a document of another type"
}

// keyChanged says when a write detects that the stored key differs. Of a hierarchical key, a
// document remembers the level that the run time makes.
func (f *file) keyChanged() string {
	what := "the key"
	for _, level := range f.Levels {
		if f.Kind == Hierarchical && level.Made {
			what = "a field of " + level.Path
		}
	}
	return f.in("ErrKeyChanged") + " if " + what + " has changed"
}

// secondCopy says what happens if no write detects a change of the key.
func (f *file) secondCopy() string {
	return "the stored document stays and " + f.doc + " becomes a second one."
}

// keySource names the fields of the key, and of the container's id.
func (f *file) keySource() string {
	id := ""
	if f.Containers != nil {
		id = ", or a field of the container's id,"
	}
	switch {
	case f.Kind == ItemID:
		return "its id" + id
	case f.Kind == Natural:
		return f.doc + "." + f.Levels[0].Parts[0].Component.Selector + id
	case f.Containers != nil:
		return "a field of the key or of the container's id"
	}
	return "a field of the key"
}

// What operations cost that only the NoSQL API has.
var (
	costUpdate  = cost{Words: "a point read and a conditional write, about 6 request units for 1 KB", Requests: 2, Units: 6}
	costMove    = cost{Words: "a point read and two writes, about 11 request units for 1 KB", Requests: 3, Units: 11}
	costChanges = cost{Words: "one request for each physical partition, about 3 request units a page, or 1 to 2 if there are no changes", Requests: 1, Units: 3, FanOut: true}
)

// prices are what the operations of a type cost.
type prices struct {
	create, upsert, delete, update, read, many, purge cost

	change        cost // a write, after a look if the type needs one
	store         cost // a write that stores a document in place of another
	patch         cost // the type of the document is part of its condition, so that it needs no look
	deleteVersion cost
}

// newPrices returns the API's prices, as the type's features change them.
func (f *plan) newPrices() prices {
	a := f.api().costs
	p := prices{create: a.write, change: a.write, patch: a.write, deleteVersion: a.write, update: costUpdate, read: a.read, many: a.many, purge: costPurge}
	if f.looks {
		p.change = a.verified
	}
	if f.Ambiguous {
		p.patch = a.verified
	}
	p.store = p.change
	if f.knows {
		p.store = a.verified
	}
	p.upsert, p.delete = p.store, p.change
	for _, x := range f.features {
		if x.prices != nil {
			x.prices(f, &p)
		}
	}
	return p
}

// cost is the cost of a query.
func (f *plan) cost(w keyQuery) cost {
	switch {
	case w.level < 0:
		return f.api().costs.scan
	case !f.spread(w) && w.open < 0 && w.between == nil && f.complete(w):
		return f.api().costs.query
	}
	return f.api().costs.fanOut
}

// costFind is the cost of the search under all suffixes.
func (f *plan) costFind() cost {
	c := f.api().costs.find
	c.Words = fmt.Sprintf(c.Words, f.random.Bucket().Reach())
	return c
}

// Method is an operation or a query of the repository.
type Method struct {
	Name       string // ByDateAndVIN
	Parameters string // "date, vin", without the context
	Partitions int    // how many logical partitions it reads or writes; 0 for all of them, or if that is not certain
	Cost       string // "one query, about 3 request units a page"
	FanOut     bool   // it reads several physical partitions
	// Containers says which containers it reads or writes: "the one of the key",
	// "the months between from and to", "all". It is "" if the type has one container. The cost is
	// that of each.
	Containers string

	cost cost
}

// At returns how many requests the method sends in a container of so many
// physical partitions, and about how many request units they cost: for each
// document of 1 KB that it writes or reads by its key, and for one page of each
// query. It is an upper bound if the documents may be in fewer partitions. A query of
// the Table API sends a request for each logical partition that it reads; one of MongoDB
// or Gremlin is one request, which costs more in more partitions.
func (m Method) At(physical int) (requests, units int) {
	n := 1
	if m.FanOut {
		n = physical
		if m.Partitions > 0 {
			n = min(n, m.Partitions)
		}
	}
	switch {
	case m.cost.ByKey && m.Partitions > 0:
		n = m.Partitions
	case m.cost.Inside:
		return m.cost.Requests, n * m.cost.Units
	}
	return n * m.cost.Requests, n * m.cost.Units
}

func newMethod(name, parameters string, partitions int, c cost) Method {
	return Method{Name: name, Parameters: parameters, Partitions: partitions, Cost: c.Words, FanOut: c.FanOut, cost: c}
}

// Methods returns the methods of t's repository, in the order of the file. Two
// methods of one name would not compile.
func (t *Type) Methods() []Method {
	f := newPlan(t)
	if f.Edge != nil {
		return f.edgeMethods()
	}
	methods := f.operations(true)
	if f.Own != nil {
		return append(methods, f.tenantMethods()...)
	}
	for _, u := range f.Unique {
		methods = append(methods, newMethod(u.method(), "value", f.places(), costGetBy))
	}
	for _, w := range f.keyQueries() {
		methods = append(methods, f.queryMethod(w.name, w.list(), w))
	}
	if f.findsInBuckets() {
		methods = append(methods, f.findMethod(f.findQuery().list()))
	}
	return append(methods, f.scanMethod())
}

// IndexMethods returns the queries of the repository of x, which is an index of t.
func (t *Type) IndexMethods(x *Index) []Method {
	f := (&file{plan: newPlan(t)}).index(x).entry
	var methods []Method
	for _, w := range f.keyQueries() {
		methods = append(methods, f.queryMethod(w.name, w.list(), w))
	}
	return append(methods, f.scanMethod())
}

// ScanAndWrite returns the method that reads all documents of t, and a write of one document.
func (t *Type) ScanAndWrite() (scan, write Method) {
	f := newPlan(t)
	return f.scanMethod(), newMethod("", "", 1, f.api().costs.write)
}

// Promoted returns the methods that t's repository has from the Documents of its run time:
// the operations on documents whose keys are known. A query of the same name hides one of
// them.
func (t *Type) Promoted() []Method {
	f := newPlan(t)
	if f.Edge != nil {
		return nil
	}
	return f.operations(false)
}

// operations returns the operations that documents of the type have, besides queries: the
// methods in the file if written is true, or else the methods of the run time.
func (f *plan) operations(written bool) []Method {
	var methods []Method
	for i := range operations.Operations {
		o := &operations.Operations[i]
		if o.Query || o.Written != written || !f.has(o) {
			continue
		}
		reached := 0 // that is not certain
		switch {
		case o.Cost == operations.DeleteVersion:
			reached = 1
		case o.Reach == operations.OfKey:
			reached = f.places()
		case o.Reach == operations.BothKeys:
			reached = 2
		}
		parameters := o.Parameters
		if written {
			parameters = strings.ReplaceAll(parameters, "document", f.doc)
		}
		methods = append(methods, f.method(o, parameters, reached, f.costOf(o.Cost)))
	}
	return methods
}

// method returns the method of an operation.
func (f *plan) method(o *operations.Operation, parameters string, partitions int, c cost) Method {
	m := newMethod(o.Shown(), parameters, partitions, c)
	if f.Containers != nil {
		m.Containers = f.containers(o.Reach)
	}
	return m
}

// queryMethod returns a method with the query w of the repository of all.
func (f *plan) queryMethod(name string, parameters []string, w keyQuery) Method {
	m := newMethod(name, strings.Join(parameters, ", "), f.partitions(w), f.cost(w))
	if f.Containers != nil {
		m.Containers = f.containersRead(w).words
	}
	return m
}

func (f *plan) findMethod(parameters []string) Method {
	return f.method(operations.Named("FindInBuckets"), strings.Join(parameters, ", "), f.random.Bucket().Reach(), f.costFind())
}

func (f *plan) scanMethod() Method {
	return f.method(operations.Named("Scan"), "", 0, f.costOf(operations.Scan))
}

// has reports whether documents of the type have an operation.
func (f *plan) has(o *operations.Operation) bool {
	var met operations.Needs
	meets := func(n operations.Needs, is bool) {
		if is {
			met |= n
		}
	}
	meets(operations.ETag, f.ETag != nil)
	meets(operations.Marks, f.Deleted != nil)
	meets(operations.OnePlace, f.grows() < 0)
	meets(operations.NoUnique, f.Unique == nil)
	meets(operations.NoOwn, f.Own == nil)
	return o.APIs&f.api().number != 0 && o.Needs&^met == 0
}

// costOf returns what an operation costs.
func (f *plan) costOf(c operations.Cost) cost {
	switch c {
	case operations.Read:
		return f.prices.read
	case operations.Create:
		return f.prices.create
	case operations.Upsert:
		return f.prices.upsert
	case operations.Replace:
		c := f.prices.store
		if f.knows && f.ETag != nil && !f.carries && f.Unique == nil {
			c.Words += ", or one write if the ETag is set"
		}
		return c
	case operations.Delete:
		return f.prices.delete
	case operations.DeleteVersion:
		return f.prices.deleteVersion
	case operations.Restore:
		return costRestore
	case operations.Purge:
		return f.prices.purge
	case operations.Update:
		return f.prices.update
	case operations.Patch:
		return f.prices.patch
	case operations.Move:
		return costMove
	case operations.ReadMany:
		return f.prices.many
	case operations.CreateEach:
		return f.each(f.prices.create, "", false)
	case operations.UpsertEach:
		return f.costEach(f.prices.upsert, f.carries || f.Schema != nil, true)
	case operations.DeleteEach:
		return f.costEach(f.prices.delete, f.Deleted != nil, f.Ambiguous)
	case operations.DeleteFound:
		return f.each(f.costOf(operations.DeleteVersion), ", besides the query that finds them", false)
	case operations.Feed:
		return costChanges
	}
	return f.api().costs.scan
}

// costEach is the cost of one of many writes, where a single write costs c. If own is true, each
// of many costs c too, and looks says whether a look comes first. Otherwise each costs a change.
func (f *plan) costEach(c cost, own, looks bool) cost {
	switch {
	case f.grows() >= 0 || f.Unique != nil:
		return f.each(c, "", false)
	case own:
		return f.each(c, "", looks)
	}
	return f.each(f.prices.change, "", f.looks)
}

// each is the cost of one of many documents. more is an additional cost, and looks says that a
// read comes before each write, or a query before each batch.
func (f *plan) each(c cost, more string, looks bool) cost {
	c.Words += ", for each document" + more
	if most := f.inBatches(looks); most > 0 {
		c.Words += fmt.Sprintf("; with InBatches one request for up to %d of a logical partition", most)
		if looks {
			c.Words += ", and one query a batch in place of the reads"
		}
	}
	return c
}

// inBatches is how many documents InBatches sends together, 0 if it has no effect. looks
// says that a read comes before each write.
func (f *plan) inBatches(looks bool) int {
	switch {
	case f.Unique != nil, f.grows() >= 0, f.Alone():
		return 0
	case f.Own != nil:
		return 49 // as repository/internal/write has it: while a tenant moves, each write takes two operations
	case looks:
		return f.api().looking
	}
	return f.api().batch
}

// Scoped returns the queries of the repository of one tenant that For returns, or nil if
// t has none, or no other.
func (t *Type) Scoped() []Method {
	if t.Tenant == nil || t.Own != nil {
		return nil
	}
	f := newPlan(t)
	methods := f.tenantMethods()
	scoped := "For(" + f.scope.Inner().Parameter(f.tenantField().Name) + ")."
	for i := range methods {
		methods[i].Name = scoped + methods[i].Name
	}
	return methods
}

// tenantMethods returns the queries that the repository of one tenant has.
func (f *plan) tenantMethods() []Method {
	var methods []Method
	for _, w := range f.tenantQueries() {
		methods = append(methods, f.queryMethod(w.name, w.list(), w.of))
	}
	if w, found := f.wholeTenant(); found {
		methods = append(methods, f.queryMethod("Scan", nil, w))
	} else if f.Own == nil {
		methods = append(methods, f.scanMethod())
	}
	if f.random != nil {
		methods = append(methods, f.findMethod(f.inTenantFind().list()))
	}
	return methods
}

// partitions returns how many logical partitions w reads, or 0 if that is not known.
func (f *plan) partitions(w keyQuery) int {
	switch {
	case w.between != nil || !f.complete(w):
		return 0
	case w.open >= 0:
		return f.Levels[w.open].Bucket().Reach()
	case f.spread(w):
		return f.places()
	}
	return 1
}
