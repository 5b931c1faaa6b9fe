package templates

import (
	"reflect"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// queries writes the queries that the key allows.
//
//	func (r *VehicleEventRepository) ByDate(date string) repository.Query[VehicleEvent] {
//		key := VehicleEventKey{Date: date}
//		return repository.NewQuery(r.Documents, generated.Buckets(400, key.bucket,
//			partition.Text("Date", date),
//		))
//	}
func (f *file) queries() {
	for _, w := range f.keyQueries() {
		keys, before := f.keys(w)
		keys = f.inContainers(keys, w, len(before) > 0)
		for _, c := range f.filters(w) {
			keys = f.where(keys, w, c)
		}
		query := jen.Return(f.lib("NewQuery").Call(jen.Id("r").Dot("Documents"), keys))
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
		return jen.Qual(generatedPath, "Keys").Values(), nil
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
	keys = jen.Qual(generatedPath, function).Call(append(first, f.checksOf(w)...)...)
	if w.open >= 0 && f.prefixed() {
		prefix := jen.Qual(stringsPath, "TrimSuffix").Call(jen.Id("key").Dot("bucket").Call(jen.Lit(1)), jen.Lit("1"))
		keys.Dot("Prefix").Call(prefix)
	}
	return keys, []jen.Code{f.keyOf(w.args)}
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
	return jen.Qual(generatedPath, function).Call(append([]jen.Code{value}, f.checksOf(w)...)...)
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
	taken := f.scope.Inner()
	taken.Add(w.list()...)
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
	var items []jen.Code
	for _, field := range f.fields {
		if field.Selector == w.between.Selector {
			items = append(items, named(field.name, jen.Id(at)))
		}
		for _, a := range w.args {
			if a.name == field.name {
				items = append(items, named(a.name, jen.Id(a.param)))
			}
		}
	}
	key := jen.Id(f.keyName()).Values(items...)
	if f.spread(w) {
		function = "PeriodsAnyOf"
		first = append(first, jen.Lit(f.places()))
	}

	var made *jen.Statement
	switch {
	case f.spread(w):
		list := f.spreadKeys(w)
		result := jen.Index().String()
		if f.Kind == Hierarchical {
			result = jen.Index().Index().Any()
		}
		made = jen.Func().Params(parameters...).Add(result).Block(define("key", key), jen.Return(list))
	case f.Kind == Hierarchical:
		made = jen.Func().Params(parameters...).Index().Any().Block(
			define("key", key), jen.Return(f.levelValues(w, jen.Id(n))))
	case w.open >= 0:
		made = oneLine(jen.List(parameters...), jen.String(), key.Dot("bucket").Call(jen.Id(n)))
	default:
		made = oneLine(jen.List(parameters...), jen.String(), key.Dot("PartitionKey").Call())
	}
	keys := jen.Qual(generatedPath, function).Call(append(first, append([]jen.Code{made}, f.checksOf(w)...)...)...)
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

// where adds to keys the condition that documents have the value of c.
//
//	….Where("/vin", vin)
func (f *file) where(keys *jen.Statement, w keyQuery, c placed) *jen.Statement {
	x := w.value(c.Component)
	if c.Lower {
		return keys.Dot("WhereFold").Call(jen.Lit(c.Pointer), convert(c.Field, "string", x))
	}
	return keys.Dot("Where").Call(jen.Lit(c.Pointer), marshaler(c.Field, x))
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

// keyOf writes the variable key, which the arguments make.
//
//	key := VehicleEventKey{Date: date, VIN: vin}
func (f *file) keyOf(args []argument) *jen.Statement {
	return define("key", f.keyOfArguments(args))
}

// keyOfArguments writes the key that the arguments make.
//
//	VehicleEventKey{Date: date, VIN: vin}
func (f *file) keyOfArguments(args []argument) *jen.Statement {
	fields := make([]assignment, len(args))
	for i, a := range args {
		fields[i] = assignment{name: a.name, value: jen.Id(a.param), width: len(a.param)}
	}
	return f.keyLiteral(fields)
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
		ids := make([]jen.Code, same)
		for i, a := range args[:same] {
			ids[i] = jen.Id(a.param)
		}
		list = append(list, jen.List(ids...).Add(goType(args[0].Type)))
		args = args[same:]
	}
	return list
}
