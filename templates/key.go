package templates

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// layout writes the constant with the layout of the key.
//
//	const VehicleEventKeyLayout = "{date}.{vin%400}"
func (f *file) layout() {
	f.declare(f.layoutName()+" is the layout of the partition key. Stored documents depend on it.",
		constant(f.layoutName(), jen.Lit(f.Layout)))
}

// prefixes are what every id begins with.
var prefixes = feature{
	in:        func(t *Type) bool { return t.Prefix != "" },
	constants: (*file).prefix,
	model:     func(f *file) members { return members{{"Prefix", jen.Id(f.prefixName())}} },
}

// prefix writes the constant that every id begins with.
//
//	const OrderIDPrefix = "order-"
func (f *file) prefix() {
	f.declare(f.prefixName()+" is what the id of every "+f.Name+" begins with. Stored documents depend on it.",
		constant(f.prefixName(), jen.Lit(f.Prefix)))
}

// documentMethods writes the methods of the document type, or the function that
// replaces them.
//
//	func (e *VehicleEvent) PartitionKey() string {
//		return e.Key().PartitionKey()
//	}
func (f *file) documentMethods() {
	receiver := param(f.doc, ptr(jen.Id(f.Name)))
	if f.NoMethods {
		f.declare(f.keyOfName()+f.keyDoc(), jen.Func().Id(f.keyOfName()).Params(receiver).Id(f.keyName()).Block(f.keyBody()...))
		return
	}
	f.declare("PartitionKey returns "+f.keyDescription(f.doc+"'s"),
		jen.Func().Params(receiver).Id("PartitionKey").Params().Add(f.keyResult()).Block(
			jen.Return(f.keyForText().Dot("PartitionKey").Call()),
		))
	f.declare("Key"+f.keyDoc(), jen.Func().Params(receiver.Clone()).Id("Key").Params().Id(f.keyName()).Block(f.keyBody()...))
}

// keyDoc is the comment of the function that returns a document's key, without the
// function's name.
func (f *file) keyDoc() string {
	doc := []string{" returns what identifies " + f.doc + "."}
	for _, field := range f.fields {
		switch {
		case field.Newest:
			doc = append(doc, field.name+" is in UTC, in whole ticks of 100 ns, as tables store it.")
		case field.Value == pk.Time:
			doc = append(doc, field.name+" is the start of its "+cmp.Or(timelayout.Name(field.Layout), "period")+" in UTC.")
		}
	}
	if f.random() != nil {
		doc = append(doc, f.suffix+" is 0 until Create has chosen one.")
	}
	return strings.Join(doc, " ")
}

// keyForText writes a key of the document that is good enough to make the partition
// key. Key finds the start of each period, which costs about as much as writing the
// time, and the partition key does not need it.
//
//	e.Key()
//	DailyKey{At: e.At}
func (f *file) keyForText() *jen.Statement {
	literal := f.assignments()
	inKey := func(field keyField) bool {
		return slices.ContainsFunc(f.components(), func(c placed) bool { return c.Selector == field.Selector })
	}
	isTime := func(field keyField) bool { return field.Value == pk.Time }
	indirect := func(a assignment) bool { return len(a.pointers) > 0 }
	if !slices.ContainsFunc(f.fields, isTime) || slices.ContainsFunc(literal, indirect) {
		return jen.Id(f.doc).Dot("Key").Call()
	}
	for i, field := range f.fields {
		if isTime(field) {
			literal[i] = assignment{name: field.name, value: f.timeOf(field), width: len(field.Selector)}
		}
	}
	for i, field := range slices.Backward(f.fields) {
		if !inKey(field) {
			literal = slices.Delete(literal, i, i+1)
		}
	}
	return f.keyLiteral(literal)
}

// assignment is a field of the key type and its value, with the pointers that lead
// to the value.
type assignment struct {
	name     string
	value    *jen.Statement
	pointers []string
	width    int // of the value, about
}

// keyBody makes a key of the fields of a document. It leaves out a field that a nil
// pointer leads to, so that Validate reports the field as empty.
//
//	return VehicleEventKey{ID: e.ID, Date: e.Date, VIN: e.VIN}
//
// or
//
//	key := VehicleEventKey{ID: e.ID}
//	if e.Meta != nil {
//		key.Date = e.Meta.Date
//	}
//	return key
func (f *file) keyBody() []jen.Code {
	var direct, indirect []assignment
	for _, a := range f.assignments() {
		if len(a.pointers) == 0 {
			direct = append(direct, a)
		} else {
			indirect = append(indirect, a)
		}
	}
	literal := f.keyLiteral(direct)
	if len(indirect) == 0 {
		return []jen.Code{jen.Return(literal)}
	}
	body := []jen.Code{define("key", literal)}
	for len(indirect) > 0 {
		same := 1
		for same < len(indirect) && slices.Equal(indirect[same].pointers, indirect[0].pointers) {
			same++
		}
		body = append(body, jen.If(f.nilTest(indirect[0].pointers, "!=", "&&")).BlockFunc(func(g *jen.Group) {
			for _, a := range indirect[:same] {
				g.Add(assign(jen.Id("key").Dot(a.name), a.value))
			}
		}))
		indirect = indirect[same:]
	}
	return append(body, jen.Return(jen.Id("key")))
}

// assignments returns what Key assigns.
func (f *file) assignments() []assignment {
	var all []assignment
	for _, field := range f.fields {
		a := assignment{name: field.name, value: jen.Id(f.doc).Dot(field.Selector), pointers: field.Pointers, width: len(field.Selector)}
		if field.Value == pk.Time {
			a.value = startOfPeriod(f.timeOf(field), field.Component)
			a.width += len("partition.Month()")
		}
		all = append(all, a)
	}
	if level := f.random(); level != nil {
		separator := level.Parts[len(level.Parts)-2].Literal
		stored := convert(*f.Stored, "string", jen.Id(f.doc).Dot(f.Stored.Selector))
		all = append(all, assignment{
			name:     f.suffix,
			value:    jen.Qual(partitionPath, "Suffix").Call(stored, jen.Lit(separator), jen.Lit(level.Bucket().Reach())),
			pointers: f.Stored.Pointers,
			width:    prose.Width,
		})
	}
	return all
}

// timeOf writes a time of the document as a time.Time.
//
//	e.At
//	e.At.Time()
func (f *file) timeOf(field keyField) *jen.Statement {
	x := jen.Id(f.doc).Dot(field.Selector)
	if field.Instant {
		x.Dot("Time").Call()
	}
	return x
}

// keyLiteral writes a key on one line or, if that would be too long, with a line
// for each field.
//
//	VehicleEventKey{ID: e.ID, Date: e.Date, VIN: e.VIN}
func (f *file) keyLiteral(fields []assignment) *jen.Statement {
	width := len("	return {}") + len(f.keyName())
	var items []jen.Code
	for _, a := range fields {
		width += len(a.name) + len(": e., ") + a.width
		items = append(items, named(a.name, a.value))
	}
	if width <= prose.Width {
		return jen.Id(f.keyName()).Values(items...)
	}
	return rows(jen.Id(f.keyName()), items...)
}

// nilTest compares pointers of the document with nil, such as
//
//	e.Meta != nil && e.Meta.Source != nil
func (f *file) nilTest(pointers []string, compare, join string) *jen.Statement {
	var test *jen.Statement
	for _, pointer := range pointers {
		test = infix(test, join, infix(jen.Id(f.doc).Dot(pointer), compare, jen.Nil()))
	}
	return test
}

// keyType writes the type whose values identify documents.
//
//	type VehicleEventKey struct {
//		ID, Date, VIN string
//	}
func (f *file) keyType() {
	doc := f.keyName() + " identifies one " + f.Name
	switch {
	case f.Containers != nil && f.Kind == ItemID:
		doc += ": its id, which is its partition key too, and what the id of its container is made of."
	case f.Containers != nil && f.Kind == Natural:
		doc += ": its id, its partition key, and what the id of its container is made of."
	case f.Containers != nil:
		doc += ": its id, and what its partition key and the id of its container are made of."
	case f.Row != nil && f.Kind == ItemID:
		doc += ": its id, which is its partition key too, and what its row key is made of."
	case f.Row != nil:
		doc += ": its id, and what its partition key and its row key are made of."
	case f.Kind == ItemID:
		doc += ": its id, which is its partition key too."
	case f.Kind == Natural:
		doc += ": its id and its partition key."
	default:
		doc += ": its id and what its partition key is made of."
	}
	if level := f.random(); level != nil {
		doc += " " + f.suffix + " is the number that Create has chosen, from 1 to " + strconv.Itoa(level.Bucket().Reach()) + "."
	}
	doc += f.caseDoc()
	f.declare(doc, jen.Type().Id(f.keyName()).StructFunc(func(g *jen.Group) {
		for i := 0; i < len(f.fields); {
			typ, names := f.fields[i].Type, []jen.Code{}
			for ; i < len(f.fields) && reflect.DeepEqual(f.fields[i].Type, typ); i++ {
				names = append(names, jen.Id(f.fields[i].name))
			}
			g.List(names...).Add(goType(typ))
		}
		if f.random() != nil {
			g.Id(f.suffix).Int()
		}
	}))
}

// caseDoc says which fields of the key ignore case.
func (f *file) caseDoc() string {
	lower := choose(f.components(), func(c placed) bool { return c.Lower })
	if len(lower) == 0 {
		return ""
	}
	var fields []string
	for _, c := range lower {
		if name := f.keyField(c.Component).name; !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	return " Keys that differ in the case of " + prose.Enumerate(fields) + " alone identify the same document."
}
