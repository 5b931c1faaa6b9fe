package templates

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// queries writes the queries that the key allows: those of one logical
// partition, those of all buckets, and the search for an item id.
func (f *file) queries() {
	byKey, byBase := f.ways()
	if byKey != nil {
		f.byKey(byKey)
	}
	if byBase != nil {
		f.byBase(byBase)
	}
	if f.random() {
		f.find()
	}
}

// ways returns the arguments of the query of one logical partition, and of that
// of all the buckets of a base; nil where there is none.
func (f *file) ways() (byKey, byBase []argument) {
	if f.Kind == ItemID {
		return nil, nil // Get does it
	}
	base, all := f.arguments(f.base()), f.arguments(f.components())
	if len(base) == 0 {
		base = nil // Scan reads all the buckets
	}
	switch {
	case f.random():
		return nil, base
	case len(base) < len(all):
		return all, base
	}
	return all, nil // what is hashed, if anything, is known whenever the base is
}

// byKey writes the query of one logical partition. It may hold others, which
// have the same bucket.
//
//	func (r *VehicleEventRepository) ByDateAndVIN(date, vin string) repository.Query[VehicleEvent] {
//		key := VehicleEventKey{Date: date, VIN: vin}
//		return repository.NewQuery(r.Documents, generated.Partition(key.PartitionKey(),
//			partition.Text("Date", date),
//			partition.Text("VIN", vin),
//		).Where("/vin", vin))
//	}
//
// or, for a natural key,
//
//	func (r *OrderRepository) ByNumber(number int) repository.Query[Order] {
//		return repository.NewQuery(r.Documents, generated.Number(float64(number),
//			partition.Int("Number", int64(number)),
//		))
//	}
func (f *file) byKey(args []argument) {
	name := methodName(args)
	doc := fmt.Sprintf("%s selects the %s documents of %s, which are in one logical partition: %s.",
		name, f.Name, parameterList(args), costQuery)
	if f.Kind == Natural {
		f.query(name, doc, args, f.naturalKeys(args[0]))
		return
	}
	keys := callLines(jen.Qual(generatedPath, "Partition"),
		[]jen.Code{jen.Id("key").Dot("PartitionKey").Call()}, f.checks(args))
	if f.bucket != nil {
		for _, a := range f.arguments(f.bucket.Hash) {
			keys = keys.Dot("Where").Call(jen.Lit(a.Pointer), jen.Id(a.param))
		}
	}
	f.query(name, doc, args, keys, f.keyOf(args))
}

// naturalKeys writes the one logical partition of the natural key a.
//
//	generated.Number(float64(number), partition.Int("Number", int64(number)))
func (f *file) naturalKeys(a argument) *jen.Statement {
	value, function := scalarValue(a.Component, jen.Id(a.param)), "Number"
	switch a.Value {
	case String:
		value, function = convert(a.Field, "string", jen.Id(a.param)), "Partition"
	case Bool:
		function = "Bool"
	}
	return callLines(jen.Qual(generatedPath, function), []jen.Code{value}, f.checks([]argument{a}))
}

// byBase writes the query of all the buckets of one base.
//
//	func (r *VehicleEventRepository) ByDate(date string) repository.Query[VehicleEvent] {
//		key := VehicleEventKey{Date: date}
//		return repository.NewQuery(r.Documents, generated.Buckets(400, key.bucket,
//			partition.Text("Date", date),
//		))
//	}
func (f *file) byBase(args []argument) {
	name := methodName(args)
	doc := fmt.Sprintf("%s selects the %s documents of %s, which are in %d logical partitions: %s.",
		name, f.Name, parameterList(args), f.bucket.Count, f.costFanOut())
	f.query(name, doc, args, f.buckets(f.checks(args)), f.keyOf(args))
}

// buckets writes all the logical partitions of a base, that of the variable key.
//
//	generated.Buckets(400, key.bucket, partition.Text("Date", date))
func (f *file) buckets(checks []jen.Code) *jen.Statement {
	return callLines(jen.Qual(generatedPath, "Buckets"),
		[]jen.Code{jen.Lit(f.bucket.Count), jen.Id("key").Dot("bucket")}, checks)
}

// query writes a method that returns the query of keys, an expression, after
// the statements that it needs.
func (f *file) query(name, doc string, args []argument, keys jen.Code, before ...jen.Code) {
	f.declare(doc, f.repositoryMethod(name).Params(parameters(args)...).Qual(repositoryPath, "Query").Types(jen.Id(f.Name)).
		Block(append(before, jen.Return(jen.Qual(repositoryPath, "NewQuery").Call(jen.Id("r").Dot("Documents"), keys)))...))
}

// find writes the search for an item id under all the suffixes of a base.
//
//	func (r *ClickRepository) Find(ctx context.Context, id, date string) (*Click, error) {
//		key := ClickKey{Date: date}
//		return repository.Find(ctx, r.Documents, id, generated.Buckets(400, key.bucket,
//			partition.ID(id),
//			partition.Text("Date", date),
//		))
//	}
func (f *file) find() {
	args := f.findArguments()
	id := convert(f.ID, "string", jen.Id(args[0].param))
	base := slices.DeleteFunc(slices.Clone(args), func(a argument) bool {
		return !slices.ContainsFunc(f.base(), func(c Component) bool { return c.Selector == a.Selector })
	})
	checks := append([]jen.Code{checkID(f.ID, jen.Id(args[0].param))}, f.checks(base)...)

	doc := fmt.Sprintf("Find returns the %s of this %s, whichever suffix it has: %s. It returns repository.ErrNotFound "+
		"if no suffix has it, and repository.ErrAmbiguous if several do.", f.Name, parameterList(args), f.costFind())
	f.declare(doc, f.repositoryMethod("Find").Params(append([]jen.Code{f.ctx()}, parameters(args)...)...).
		Params(jen.Op("*").Id(f.Name), jen.Error()).Block(
		f.keyOf(base),
		jen.Return(jen.Qual(repositoryPath, "Find").Call(jen.Id("ctx"), jen.Id("r").Dot("Documents"), id, f.buckets(checks))),
	))
}

// findArguments returns the parameters of Find but the context.
func (f *file) findArguments() []argument {
	return f.arguments(append([]Component{{Field: f.ID}}, f.base()...))
}

// argument is a field of the key type that is a parameter of a method.
type argument struct {
	keyField
	param string
}

// arguments returns the parameters for components, each once, in order.
func (f *file) arguments(components []Component) []argument {
	var all []argument
	taken, seen := maps.Clone(f.scope), names{}
	for _, c := range components {
		if !seen[c.Selector] {
			seen.add(c.Selector)
			all = append(all, argument{f.keyField(c), taken.parameter(c.Name)})
		}
	}
	return all
}

// keyOf writes the key of which the arguments are known.
//
//	key := VehicleEventKey{Date: date, VIN: vin}
func (f *file) keyOf(args []argument) *jen.Statement {
	fields := make([]assignment, len(args))
	for i, a := range args {
		fields[i] = assignment{name: a.name, value: jen.Id(a.param), width: len(a.param)}
	}
	return jen.Id("key").Op(":=").Add(f.keyLiteral(fields))
}

// checks looks at the arguments.
func (f *file) checks(args []argument) []jen.Code {
	var checks []jen.Code
	for _, a := range args {
		if check := f.check(a.Component, jen.Id(a.param)); check != nil {
			checks = append(checks, check)
		}
	}
	return checks
}

// parameters writes the list of parameters, where neighbours share a type:
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

// methodName is the name of the query by args: ByDateAndVIN.
func methodName(args []argument) string {
	fields := make([]string, len(args))
	for i, a := range args {
		fields[i] = a.Name
	}
	return "By" + strings.Join(fields, "And")
}

// parameterList names the parameters in a comment.
func parameterList(args []argument) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a.param
	}
	return enumerate(list)
}

// callLines writes a call with the first arguments on its line, and the others
// each on one of its own:
//
//	partition.Check("VehicleEvent",
//		partition.ID(k.ID),
//	)
func callLines(function *jen.Statement, first, others []jen.Code) *jen.Statement {
	if len(others) == 0 {
		return function.Call(first...)
	}
	return function.Op("(").List(first...).Op(",").
		Custom(jen.Options{Close: ")", Separator: ",", Multi: true}, others...)
}
