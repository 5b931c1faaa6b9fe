package templates

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// What operations cost that only the NoSQL API has.
var (
	costUpdate  = cost{Words: "a point read and a write on condition, 2 requests and about 6 request units for 1 KB", Requests: 2, Units: 6}
	costMove    = cost{Words: "a point read and two writes, about 11 request units for 1 KB", Requests: 3, Units: 11}
	costChanges = cost{Words: "one request for each physical partition, about 3 request units a page, and 1 or 2 for one without changes", Requests: 1, Units: 3, FanOut: true}
)

// costChange is the cost of a write that may first look whose document is there.
func (f *plan) costChange() cost {
	if f.Unique != nil {
		return costChangeUnique(len(f.Unique))
	}
	if f.grows() >= 0 {
		n := f.tries()
		return cost{Words: fmt.Sprintf("a point read for each of up to %d logical partitions until one has it, and a write on condition, %d requests and about %d request units for 1 KB at most", f.places(), n+1, n+5), Requests: n + 1, Units: n + 5}
	}
	if f.looks() {
		return f.api().costs.verified
	}
	return f.api().costs.write
}

// costDelete is the cost of a deletion, which looks into every logical partition
// where the document may be.
func (f *plan) costDelete() cost {
	if f.Deleted != nil { // the mark has its condition, and keeps unique values
		return f.costPatch()
	}
	if f.Unique != nil {
		return costDeleteUnique(len(f.Unique))
	}
	if f.grows() < 0 {
		return f.costChange()
	}
	n := f.places()
	return cost{Words: fmt.Sprintf("a point read for each of %d logical partitions, and a write on condition where the document is, %d requests and about %d request units for 1 KB", n, n+1, n+5), Requests: n + 1, Units: n + 5}
}

// costPatch is the cost of a patch. The type of the document is part of the patch's
// condition, so that it needs no look for it.
func (f *plan) costPatch() cost {
	if f.Unique != nil && !f.Ambiguous {
		return f.api().costs.write
	}
	if f.grows() >= 0 {
		return f.costChange()
	}
	if f.Ambiguous {
		return f.api().costs.verified
	}
	return f.api().costs.write
}

// costRead is the cost of a read by key.
func (f *plan) costRead() cost {
	if f.grows() < 0 {
		return f.api().costs.read
	}
	n := f.tries()
	return cost{Words: fmt.Sprintf("one point read, 1 request unit for 1 KB, or up to %d while documents are under other numbers of buckets", n), Requests: n, Units: n}
}

// costCreate is the cost of a creation, which looks under other numbers of buckets
// before and after it writes.
func (f *plan) costCreate() cost {
	if f.Unique != nil {
		return costCreateUnique(len(f.Unique))
	}
	if f.grows() < 0 {
		return f.api().costs.write
	}
	n := 2 * (f.places() - 1)
	return cost{Words: fmt.Sprintf("one write and %d point reads, %d requests and about %d request units for 1 KB", n, n+1, n+5), Requests: n + 1, Units: n + 5}
}

// costUpsert is the cost of an upsert, which creates what it does not find.
func (f *plan) costUpsert() cost {
	if f.Unique != nil {
		c := costChangeUnique(len(f.Unique))
		c.Words += "; if there is none, those of Create"
		return c
	}
	if f.grows() < 0 {
		return f.costStore()
	}
	n := f.tries() + f.places()
	return cost{Words: fmt.Sprintf("a point read for each of up to %d logical partitions until one has it, and a write on condition; if none has it, up to %d requests and about %d request units for 1 KB", f.places(), n+1, n+5), Requests: n + 1, Units: n + 5}
}

// costMany is the cost of a read of many keys, which asks under one number of buckets
// after the other for those that are missing.
func (f *plan) costMany() cost {
	c := f.api().costs.many
	if n := f.tries(); n > 1 {
		c.Words += fmt.Sprintf("; up to %d times while documents are under other numbers of buckets", n)
		c.Requests, c.Units = n*c.Requests, n*c.Units
	}
	return c
}

// costUpdate is the cost of an update.
func (f *plan) costUpdate() cost {
	if f.grows() < 0 && f.Unique == nil {
		return costUpdate
	}
	return f.costChange()
}

// cost is the cost of a query.
func (f *plan) cost(w keyQuery) cost {
	if w.level < 0 {
		return f.api().costs.scan
	}
	if f.spread(w) {
		return f.api().costs.fanOut
	}
	if w.open < 0 && w.between == nil && f.complete(w) {
		return f.api().costs.query
	}
	return f.api().costs.fanOut
}

// costFind is the cost of the search under all suffixes.
func (f *plan) costFind() cost {
	c := f.api().costs.find
	c.Words = fmt.Sprintf(c.Words, f.random().Bucket().Reach())
	return c
}

// Method is an operation or a query of the repository.
type Method struct {
	Name       string // ByDateAndVIN
	Parameters string // "date, vin", without the context
	Partitions int    // how many logical partitions it reads or writes; 0 for all of them, or if that is not certain
	Cost       string // "one query, about 3 request units a page"
	FanOut     bool   // it reads several physical partitions
	// Containers are those that it reads or writes, in words: "the one of the key",
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
		m := newMethod(w.name, strings.Join(w.list(), ", "), f.partitions(w), f.cost(w))
		if f.Containers != nil {
			m.Containers = f.containersRead(w).words
		}
		methods = append(methods, m)
	}
	if f.findsInBuckets() {
		methods = append(methods, f.findMethod(f.findQuery().list()))
	}
	return append(methods, f.scanMethod())
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

// operations returns the operations that documents of the type have, besides queries. Written
// chooses between methods in the file and methods of the run time.
func (f *plan) operations(written bool) []Method {
	var methods []Method
	for i := range operations.Operations {
		o := &operations.Operations[i]
		if o.Query || o.Written != written || !f.has(o) {
			continue
		}
		parameters := o.Parameters
		if written {
			parameters = strings.ReplaceAll(parameters, "document", f.doc)
		}
		methods = append(methods, f.method(o, parameters, f.reached(o), f.costOf(o.Cost)))
	}
	return methods
}

// method returns the method of an operation.
func (f *plan) method(o *operations.Operation, parameters string, partitions int, c cost) Method {
	m := newMethod(o.Shown(), parameters, partitions, c)
	m.Containers = f.containers(o.Reach)
	return m
}

func (f *plan) findMethod(parameters []string) Method {
	return f.method(operations.Named("FindInBuckets"), strings.Join(parameters, ", "), f.random().Bucket().Reach(), f.costFind())
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

// reached returns how many logical partitions an operation reads or writes, 0 if that is not
// certain.
func (f *plan) reached(o *operations.Operation) int {
	switch {
	case o.Cost == operations.DeleteVersion:
		return 1
	case o.Reach == operations.OfKey:
		return f.places()
	case o.Reach == operations.BothKeys:
		return 2
	}
	return 0
}

// costOf returns what an operation costs.
func (f *plan) costOf(c operations.Cost) cost {
	costs := f.api().costs
	switch c {
	case operations.Read:
		return f.costRead()
	case operations.Create:
		return f.costCreate()
	case operations.Upsert:
		return f.costUpsert()
	case operations.Replace:
		return f.costReplace()
	case operations.Delete:
		return f.costDelete()
	case operations.DeleteVersion:
		if f.Unique != nil {
			return f.costDelete()
		}
		return costs.write
	case operations.Restore:
		return costRestore
	case operations.Purge:
		return f.costPurge()
	case operations.Update:
		return f.costUpdate()
	case operations.Patch:
		return f.costPatch()
	case operations.Move:
		return costMove
	case operations.ReadMany:
		return f.costMany()
	case operations.CreateEach:
		return f.each(f.costCreate(), "", false)
	case operations.UpsertEach:
		return f.costEach(f.costUpsert(), f.carries() || f.Schema != nil, true)
	case operations.DeleteEach:
		return f.costEach(f.costDelete(), f.Deleted != nil, f.Ambiguous)
	case operations.DeleteFound:
		return f.each(f.costOf(operations.DeleteVersion), ", besides the query that finds them", false)
	case operations.Feed:
		return costChanges
	}
	return costs.scan
}

// costReplace is the cost of a replacement.
func (f *plan) costReplace() cost {
	c := f.costStore()
	if f.knows() && f.ETag != nil && !f.carries() && f.Unique == nil {
		c.Words += ", or one write if the ETag is set"
	}
	return c
}

// costEach is the cost of one of many writes, each of which costs c alone. Own says that many
// cost the same, and looks is that of each. Others cost a change.
func (f *plan) costEach(c cost, own, looks bool) cost {
	switch {
	case f.grows() >= 0 || f.Unique != nil:
		return f.each(c, "", false)
	case own:
		return f.each(c, "", looks)
	}
	return f.each(f.costChange(), "", f.looks())
}

// each is the cost of one of many documents. More is what comes besides, and looks says
// that a read comes before each write, or a query before each batch.
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

// inBatches is how many documents InBatches sends together, 0 if it has no effect. Looks
// says that a read comes before each write.
func (f *plan) inBatches(looks bool) int {
	switch {
	case f.Unique != nil, f.grows() >= 0:
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
	add := func(name string, w tenantQuery) {
		m := newMethod(name, strings.Join(w.list(), ", "), f.partitions(w.of), f.cost(w.of))
		if f.Containers != nil {
			m.Containers = f.containersRead(w.of).words
		}
		methods = append(methods, m)
	}
	for _, w := range f.tenantQueries() {
		add(w.name, w)
	}
	if w, found := f.wholeTenant(); found {
		add("Scan", tenantQuery{of: w})
	} else if f.Own == nil {
		methods = append(methods, f.scanMethod())
	}
	if f.random() != nil {
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
