package templates

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// keyQuery is a query that the key allows.
type keyQuery struct {
	name  string
	known []placed   // the components whose values are parameters
	args  []argument // these parameters
	level int        // the number of the last known level, from 0; -1 if it knows none of the key
	open  int        // the number of the level whose suffix is unknown, or -1

	between  *placed // of a range: the component whose periods it covers, not among the known ones
	windows  bool    // it is a range over windows, whose periods are not in the key
	from, to string  // of a range: the parameters that bound it
}

// keyQueries returns the queries, in the order of the file. There is no query by
// the item id, because Get reads by it.
func (f *plan) keyQueries() []keyQuery {
	var all []keyQuery
	for i, level := range f.Levels {
		if !level.Made && level.Parts[0].Component.Selector == f.ID.Selector {
			break
		}
		for _, w := range f.queriesTo(i) {
			// Of two queries with the same parameters, keep the one that knows more levels.
			same := slices.IndexFunc(all, func(other keyQuery) bool {
				return other.name == w.name && slices.Equal(other.selectors(), w.selectors())
			})
			switch {
			case same < 0:
				all = append(all, w)
			case all[same].level < w.level:
				all[same] = w
			}
		}
	}
	if f.Containers != nil {
		return f.placedQueries(all)
	}
	return all
}

// queriesTo returns the queries by levels 0 to i of the key: the query that knows
// every suffix, the query that leaves one suffix open, and both over ranges.
func (f *plan) queriesTo(i int) []keyQuery {
	until := choose(f.components(), func(c placed) bool { return c.level <= i })
	open := slices.IndexFunc(f.Levels[:i+1], pk.Level.Random)
	var queries []keyQuery
	if open < 0 {
		queries = append(queries, keyQuery{known: until, level: i, open: -1})
		if f.Levels[i].Bucket() != nil {
			open = i
		}
	}
	if open >= 0 {
		known := choose(until, func(c placed) bool { return !c.hashed || c.level != open })
		queries = append(queries, keyQuery{known: known, level: i, open: open})
	}
	queries = slices.DeleteFunc(queries, func(w keyQuery) bool {
		// No filter can find the documents of one period among the others of a
		// bucket, since the JSON texts of times differ in offset and precision. So
		// there is no query by a time that is hashed.
		return len(w.known) == 0 || slices.ContainsFunc(w.known, func(c placed) bool { return c.hashed && c.Value == pk.Time })
	})
	for _, w := range queries {
		if calendar := w.calendar(); calendar != nil {
			w.between = calendar
			w.known = choose(w.known, func(c placed) bool { return c.Selector != calendar.Selector })
			queries = append(queries, w)
		}
	}
	for n := range queries {
		f.nameQuery(&queries[n])
	}
	return queries
}

// calendar returns the one component of w that is a year, a month, a day or an
// hour. It returns nil if there is none, or more than one.
func (w keyQuery) calendar() *placed {
	found := choose(w.known, func(c placed) bool { return c.Value == pk.Time && timelayout.Period(c.Layout) != "" })
	if len(found) != 1 {
		return nil
	}
	if same := choose(w.known, func(c placed) bool { return c.Selector == found[0].Selector }); len(same) > 1 {
		return nil
	}
	return &found[0]
}

// nameQuery fills in the name of w and its parameters, whose names are not among more.
func (f *plan) nameQuery(w *keyQuery, more ...string) {
	taken := f.scope.Inner(more...)
	w.args = f.arguments(w.known, taken)
	w.name = "By" + strings.Join(collect(w.args, func(a argument) string { return a.Name }), "And")
	if len(w.args) == 0 && w.windows {
		w.name = "Scan"
	}
	if !w.ranges() {
		return
	}
	w.from, w.to = "from", "to"
	if !taken.Free(w.from) || !taken.Free(w.to) {
		w.from, w.to = taken.Take("start", "startTime"), taken.Take("end", "endTime")
	}
	over := w.between
	if w.windows {
		over = f.window()
	} else if len(w.args) == 0 {
		w.name = "By" + w.between.Name
	}
	w.name += "Between"
	if !f.exact(over) {
		w.name += goname.UpperFirst(timelayout.Period(over.Layout)) + "s"
	}
}

// ranges reports whether w is over a range of time.
func (w keyQuery) ranges() bool { return w.between != nil || w.windows }

// exact reports whether a range over a component has exact bounds, and not whole
// periods. For that, stored times must sort as times: the texts of a repository.Time do,
// and the other APIs store times.
func (f *plan) exact(c *placed) bool { return (c.Instant || f.api().typed) && c.Hiding == "" }

// selectors names the fields of w's parameters.
func (w keyQuery) selectors() []string {
	return collect(w.args, func(a argument) string { return a.Selector })
}

// complete reports whether w knows all levels of the key, so that it reads single
// logical partitions.
func (f *plan) complete(w keyQuery) bool { return w.level == len(f.Levels)-1 }

// argument is a field of the key type that is a parameter of a method.
type argument struct {
	keyField
	param string
}

func (a argument) parameter() string { return a.param }

// arguments returns the parameters for components, each once, in order, and
// takes their names.
func (f *plan) arguments(components []placed, taken scope.Scope) []argument {
	return collect(once(components, placed.selector), func(c placed) argument {
		return argument{f.keyField(c.Component), taken.Parameter(c.Name)}
	})
}

// list names the parameters of w, as a call does.
func (w keyQuery) list() []string {
	list := collect(w.args, argument.parameter)
	if w.ranges() {
		list = append(list, w.from, w.to)
	}
	return list
}

// findQuery has the item id and all components of the key as parameters. Their names are not
// among more.
func (f *plan) findQuery(more ...string) keyQuery {
	w := keyQuery{level: len(f.Levels) - 1, open: slices.IndexFunc(f.Levels, pk.Level.Random)}
	w.known = append([]placed{{Component: pk.Component{Field: f.ID}}}, f.keyComponents()...)
	taken := f.scope.Inner(more...)
	w.args = f.arguments(w.known, taken)
	return w
}

// queries writes the queries that the key allows.
//
//	func (r *VehicleEventRepository) ByDate(date string) repository.Query[VehicleEvent] { … }
func (f *file) queries() {
	f.queriesOf("NewQuery", "Documents")
}

// queriesOf writes the queries by a function of the run time, over what the repository embeds.
func (f *file) queriesOf(function, embedded string) {
	for _, w := range f.keyQueries() {
		keys, before := f.keys(w)
		if f.Containers != nil {
			keys = f.inContainers(keys, w, len(before) > 0)
		}
		query := jen.Return(f.lib(function).Call(jen.Id("r").Dot(embedded), f.filtered(keys, w)))
		f.declare(f.queryDoc(w), f.repositoryMethod(w.name).Params(w.parameters()...).
			Add(f.lib("Query")).Types(jen.Id(f.Name)).Block(slices.Concat(before, []jen.Code{query})...))
	}
}

// keys writes the logical partitions of w, and the statements before them.
//
//	generated.Buckets(16, key.bucket,
//		partition.Time("At", at),
//	).Prefix(strings.TrimSuffix(key.bucket(1), "1"))
func (f *file) keys(w keyQuery) (keys *jen.Statement, before []jen.Code) {
	switch {
	case w.level < 0:
		return generated("Keys").Values(), nil
	case w.between != nil:
		return f.periods(w), nil
	case f.Kind == Natural:
		return f.naturalKeys(w), nil
	}
	function := "Partition"
	first := []jen.Code{jen.Id("key").Dot("PartitionKey").Call()}
	switch {
	case f.spread(w):
		function, first = "AnyOf", []jen.Code{f.spreadKeys(w)}
	case w.open >= 0:
		function, first = "Buckets", []jen.Code{jen.Lit(f.Levels[w.open].Bucket().Reach()), f.bucketFunction(w)}
	case f.Kind == Hierarchical && f.complete(w):
		function, first = "Levels", []jen.Code{f.levelValues(w, nil)}
	case f.Kind == Hierarchical:
		function, first = "Prefix", []jen.Code{f.levelValues(w, nil)}
	}
	keys = generated(function).Call(append(first, f.checksOf(w)...)...)
	if w.open >= 0 && f.prefixed() {
		prefix := jen.Qual(stringsPath, "TrimSuffix").Call(jen.Id("key").Dot("bucket").Call(jen.Lit(1)), jen.Lit("1"))
		keys.Dot("Prefix").Call(prefix)
	}
	return keys, []jen.Code{define("key", f.keyOfArguments(w.args))}
}

// naturalKeys writes the one logical partition of a natural key.
//
//	generated.Number(float64(number), partition.Int("Number", int64(number)))
func (f *file) naturalKeys(w keyQuery) *jen.Statement {
	a := w.argumentOf(*f.Levels[0].Parts[0].Component)
	value, function := scalarValue(a.Component, jen.Id(a.param)), "Number"
	switch a.Value {
	case pk.String:
		function = "Partition"
	case pk.Bool:
		function = "Bool"
	}
	return generated(function).Call(append([]jen.Code{value}, f.checksOf(w)...)...)
}

// levelValues writes the values of the variable key, up to the last known level of
// w. The open level has suffix n.
//
//	[]any{key.TenantID, key.level2()}
func (f *file) levelValues(w keyQuery, n jen.Code) *jen.Statement {
	values := make([]jen.Code, w.level+1)
	for i := range values {
		values[i] = f.levelOf("key", i)
		if i == w.open {
			values[i] = jen.Id("key").Dot(bucketMethod(i)).Call(n)
		}
	}
	return jen.Index().Any().Values(values...)
}

// bucketFunction writes the function that makes the key of suffix n from the
// variable key.
//
//	key.bucket
//	func(n int) []any { return []any{key.TenantID, key.bucket2(n)} }
func (f *file) bucketFunction(w keyQuery) *jen.Statement {
	if f.Kind != Hierarchical {
		return jen.Id("key").Dot("bucket")
	}
	return oneLine(jen.Id("n").Int(), jen.Index().Any(), f.levelValues(w, jen.Id("n")))
}

// periods writes the logical partitions of a range.
//
//	generated.Periods(from, to, "2006-01-02",
//		func(at time.Time) string { return ReadingKey{DeviceID: deviceID, At: at}.PartitionKey() },
//		partition.Text("DeviceID", deviceID),
//	).Sorted()
func (f *file) periods(w keyQuery) *jen.Statement {
	taken := f.scope.Inner(w.list()...)
	if f.Own != nil {
		taken.Add("t") // the receiver, of which the tenant is a field
	}
	at := taken.Parameter(w.between.Name)
	n := taken.Take("n", "bucket")

	function := "Periods"
	first := []jen.Code{jen.Id(w.from), jen.Id(w.to), jen.Lit(w.between.Layout)}
	parameters := []jen.Code{jen.Id(at).Qual(timePath, "Time")}
	if w.open >= 0 {
		function = "PeriodBuckets"
		first = append(first, jen.Lit(f.Levels[w.open].Bucket().Reach()))
		parameters = append(parameters, jen.Id(n).Int())
	}
	key := jen.Id(f.keyName).Values(collect(f.fields, func(field keyField) jen.Code {
		i := slices.IndexFunc(w.args, func(a argument) bool { return a.name == field.name })
		switch {
		case i >= 0:
			return named(field.name, jen.Id(w.args[i].param))
		case field.Selector == w.between.Selector:
			return named(field.name, jen.Id(at))
		}
		return jen.Null()
	})...)
	var made *jen.Statement
	switch {
	case f.spread(w):
		function = "PeriodsAnyOf"
		first = append(first, jen.Lit(f.places()))
		made = jen.Func().Params(parameters...).Add(f.keyList()).Block(define("key", key), jen.Return(f.spreadKeys(w)))
	case f.Kind == Hierarchical:
		made = jen.Func().Params(parameters...).Index().Any().Block(define("key", key), jen.Return(f.levelValues(w, jen.Id(n))))
	case w.open >= 0:
		made = oneLine(jen.List(parameters...), jen.String(), key.Dot("bucket").Call(jen.Id(n)))
	default:
		made = oneLine(jen.List(parameters...), jen.String(), key.Dot("PartitionKey").Call())
	}
	keys := generated(function).Call(append(first, append([]jen.Code{made}, f.checksOf(w)...)...)...)
	if f.sorted(w) {
		keys.Dot("Sorted").Call()
	}
	if f.exact(w.between) {
		keys.Dot("Within").Call(jen.Lit(w.between.Pointer))
	}
	return keys
}

// sorted reports whether, in the order of texts, few other keys are between the
// first and the last key of a range. That holds if the time is the last component,
// its coarser units come first, and the query reads all buckets after it.
func (t *Type) sorted(w keyQuery) bool {
	if !t.api().prefixes || t.Kind != Synthetic {
		return false
	}
	var last *pk.Component
	for _, part := range t.Levels[0].Parts {
		if part.Bucket != nil && w.open < 0 {
			return false
		}
		if part.Component != nil {
			last = part.Component
		}
	}
	return last != nil && last.Selector == w.between.Selector && timelayout.CoarseFirst(last.Layout)
}

// filtered adds to keys the conditions that documents have the values of components: of hashed
// components, since other values have the same bucket, and of the components of an ambiguous key.
// Times of an ambiguous key need no condition: documents of one key whose other components are equal
// have equal times.
//
//	….Where("/vin", vin)
func (f *file) filtered(keys *jen.Statement, w keyQuery) *jen.Statement {
	filters := func(c placed) bool {
		return !c.placing && (c.hashed || f.Ambiguous && !c.natural && c.Value != pk.Time)
	}
	for _, c := range once(choose(w.known, filters), placed.selector) {
		x := w.value(c.Component)
		if c.Lower {
			keys.Dot("WhereFold").Call(jen.Lit(c.Pointer), convert(c.Field, "string", x))
		} else {
			keys.Dot("Where").Call(jen.Lit(c.Pointer), marshaler(c.Field, x))
		}
	}
	return keys
}

// argumentOf returns the parameter of w for a component.
func (w keyQuery) argumentOf(c pk.Component) argument {
	return w.args[slices.IndexFunc(w.args, func(a argument) bool { return a.Selector == c.Selector })]
}

// value writes the parameter of w for a component.
func (w keyQuery) value(c pk.Component) *jen.Statement { return jen.Id(w.argumentOf(c).param) }

// checksOf writes the checks of w's arguments in the key.
func (f *file) checksOf(w keyQuery) []jen.Code {
	return f.checks(choose(w.known, func(c placed) bool { return !c.placing }), w.value)
}

// parameters writes the parameters of w, those of a range last.
func (w keyQuery) parameters() []jen.Code {
	list := parameters(w.args)
	if w.ranges() {
		list = append(list, jen.List(jen.Id(w.from), jen.Id(w.to)).Qual(timePath, "Time"))
	}
	return list
}

// keyOfArguments writes the key that the arguments make.
//
//	VehicleEventKey{Date: date, VIN: vin}
func (f *file) keyOfArguments(args []argument) *jen.Statement {
	return f.keyLiteral(collect(args, func(a argument) assignment {
		return assignment{name: a.name, value: jen.Id(a.param), width: len(a.param)}
	}))
}

// parameters writes the list of parameters. Neighbours of one type share it:
//
//	date, vin string, line int
func parameters(args []argument) []jen.Code {
	var list []jen.Code
	for len(args) > 0 {
		same := 1
		for same < len(args) && reflect.DeepEqual(args[same].Type, args[0].Type) {
			same++
		}
		list = append(list, jen.List(ids(collect(args[:same], argument.parameter))...).Add(goType(args[0].Type)))
		args = args[same:]
	}
	return list
}

// queryDoc is the comment of a query.
func (f *file) queryDoc(w keyQuery) string {
	what := w.name + " selects the " + f.noun
	if len(w.args) > 0 {
		what += " of " + prose.Enumerate(w.list()[:len(w.args)])
	}
	if f.Containers != nil {
		return f.placedDoc(w, what)
	}
	return what + f.whereDoc(w)
}

// whereDoc says in which logical partitions the documents of w are, and what it costs
// to read them.
func (f *file) whereDoc(w keyQuery) string {
	where := ", in one logical partition"
	switch complete := f.complete(w); {
	case w.between != nil:
		return f.rangeDoc(w) + ": " + f.cost(w).Words + "."
	case !complete && f.spread(w):
		where = fmt.Sprintf(", under one of %d key prefixes while the number of buckets grows", f.places())
	case f.spread(w):
		where = fmt.Sprintf(", in one of %d logical partitions while the number of buckets grows", f.places())
	case !complete && w.open < 0:
		where = ", under one key prefix"
	case !complete:
		where = fmt.Sprintf(", under %d key prefixes", f.Levels[w.open].Bucket().Reach())
	case w.open >= 0:
		where = fmt.Sprintf(", in %d logical partitions", f.Levels[w.open].Bucket().Reach())
	}
	return where + ": " + f.cost(w).Words + "."
}

// rangeDoc says which documents a range selects, and in which logical partitions.
func (f *file) rangeDoc(w keyQuery) string {
	unit := timelayout.Period(w.between.Layout)
	what := wholePeriods(unit, w)
	if f.exact(w.between) {
		what = exactly(w.between, w) + fmt.Sprintf(", in the logical partitions of these UTC %ss", unit)
	}
	if w.open >= 0 {
		what += fmt.Sprintf(", each in %d buckets", f.Levels[w.open].Bucket().Reach())
	}
	return what
}

// wholePeriods says which documents a range of whole periods selects.
func wholePeriods(unit string, w keyQuery) string {
	return fmt.Sprintf(" in whole UTC %ss, from the %s of %s through the %s of %s", unit, unit, w.from, unit, w.to)
}

// exactly says which documents a range with exact bounds selects.
func exactly(c *placed, w keyQuery) string {
	written := ""
	if c.Instant {
		written = ", as a repository.Time writes it,"
	}
	return fmt.Sprintf(" whose %s%s is in [%s, %s)", c.Property, written, w.from, w.to)
}

// find writes the search for an item id under all the suffixes of a base, if the
// suffix is random.
//
//	func (r *ClickRepository) FindInBuckets(ctx context.Context, id, date string) (*Click, error) { … }
func (f *file) find() {
	w := f.findQuery()
	f.findMethodOf(f.repositoryMethod("FindInBuckets"), f.findDoc(w), w, w, jen.Id("r").Dot("Documents"))
}

// findMethodOf writes the search by w, as a method that has the parameters of another query.
func (f *file) findMethodOf(method *jen.Statement, doc string, with, w keyQuery, documents jen.Code, before ...jen.Code) {
	key, id, keys := f.findKeys(w)
	f.declare(doc, method.Params(append([]jen.Code{f.ctx()}, with.parameters()...)...).Params(ptr(jen.Id(f.Name)), jen.Error()).
		Block(append(before, key, jen.Return(f.lib("FindInBuckets").Call(jen.Id("ctx"), documents, id, keys)))...))
}

// findsInBuckets reports whether there is a search under all suffixes: not in a table
// whose row keys hold more than the id.
func (f *plan) findsInBuckets() bool { return f.random != nil && f.Row == nil }

// findDoc is the comment of the search by w.
func (f *file) findDoc(w keyQuery) string {
	return fmt.Sprintf("FindInBuckets returns the %s of %s, under any suffix: %s. It returns %s "+
		"if no suffix has it, and ErrAmbiguous if several do.", f.Name, prose.Enumerate(w.list()), f.costFind().Words, f.in("ErrNotFound"))
}

// findKeys returns the statement that makes the key of a base, the text of the item id,
// and the keys of all suffixes.
func (f *file) findKeys(w keyQuery) (key, id, keys jen.Code) {
	base := f.baseOf(w)
	level := *f.random
	checks := append([]jen.Code{f.checkID(jen.Id(w.args[0].param))}, f.checksOf(base)...)
	all := generated("Buckets").Call(append([]jen.Code{jen.Lit(level.Bucket().Reach()), f.bucketFunction(base)}, checks...)...)
	all = f.filtered(all, base)
	if f.Containers != nil {
		all = f.inContainers(all, base, true)
	}
	return define("key", f.keyOfArguments(base.args)), textOf(f.ID, jen.Id(w.args[0].param)), all
}

// baseOf returns w without the item id, unless that is part of the key.
func (f *file) baseOf(w keyQuery) keyQuery {
	w.known = f.keyComponents()
	w.args = slices.DeleteFunc(slices.Clone(w.args), func(a argument) bool {
		return !slices.ContainsFunc(w.known, func(c placed) bool { return c.Selector == a.Selector })
	})
	return w
}
