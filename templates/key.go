package templates

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// layout writes the constant with the layout of the key.
//
//	const VehicleEventKeyLayout = "{date}.{vin%400}"
func (f *file) layout() {
	f.declare(f.layoutName+" is the layout of the partition key. Stored documents depend on it.",
		constant(f.layoutName, jen.Lit(f.Layout())))
}

// prefixes are the beginnings of all ids of a type.
var prefixes = feature{
	in:        func(t *Type) bool { return t.Prefix != "" },
	constants: (*file).prefix,
	model:     func(f *file) members { return members{{"Prefix", jen.Id(f.prefixName)}} },
}

// prefix writes the constant that every id begins with.
//
//	const OrderIDPrefix = "order-"
func (f *file) prefix() {
	f.declare(f.prefixName+" is the prefix of the id of every "+f.Name+". Stored documents depend on it.",
		constant(f.prefixName, jen.Lit(f.Prefix)))
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
		f.declare(f.keyOfName+f.keyDoc(), jen.Func().Id(f.keyOfName).Params(receiver).Id(f.keyName).Block(f.keyBody()...))
		return
	}
	f.declare("PartitionKey returns "+f.keyDescription(f.doc+"'s"),
		jen.Func().Params(receiver).Id("PartitionKey").Params().Add(f.keyResult()).Block(
			jen.Return(f.keyForText().Dot("PartitionKey").Call()),
		))
	f.declare("Key"+f.keyDoc(), jen.Func().Params(receiver.Clone()).Id("Key").Params().Id(f.keyName).Block(f.keyBody()...))
}

// keyDoc is the comment of the function that returns a document's key, without the
// function's name.
func (f *file) keyDoc() string {
	doc := []string{" returns the key of " + f.doc + "."}
	for _, field := range f.fields {
		switch {
		case field.Newest:
			doc = append(doc, field.name+" is in UTC, in whole ticks of 100 ns, as tables store it.")
		case field.Value == pk.Time:
			doc = append(doc, field.name+" is the start of its "+cmp.Or(timelayout.Name(field.Layout), "period")+" in UTC.")
		}
	}
	if f.random != nil {
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

// assignments returns the fields that Key sets, with their values.
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
	if level := f.random; level != nil {
		separator := level.Parts[len(level.Parts)-2].Literal
		stored := convert(*f.Stored, "string", jen.Id(f.doc).Dot(f.Stored.Selector))
		all = append(all, assignment{
			name:     f.suffix,
			value:    partition("Suffix", stored, jen.Lit(separator), jen.Lit(level.Bucket().Reach())),
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
	width := len("	return {}") + len(f.keyName)
	var items []jen.Code
	for _, a := range fields {
		width += len(a.name) + len(": e., ") + a.width
		items = append(items, named(a.name, a.value))
	}
	if width <= prose.Width {
		return jen.Id(f.keyName).Values(items...)
	}
	return rows(jen.Id(f.keyName), items...)
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
	doc := f.keyName + " identifies one " + f.Name
	switch {
	case f.Containers != nil && f.Kind == ItemID:
		doc += ": its id, which is also its partition key, and the fields of its container's id."
	case f.Containers != nil && f.Kind == Natural:
		doc += ": its id, its partition key, and the fields of its container's id."
	case f.Containers != nil:
		doc += ": its id, and the fields of its partition key and of its container's id."
	case f.Row != nil && f.Kind == ItemID:
		doc += ": its id, which is also its partition key, and the fields of its row key."
	case f.Row != nil:
		doc += ": its id, and the fields of its partition key and of its row key."
	case f.Kind == ItemID:
		doc += ": its id, which is also its partition key."
	case f.Kind == Natural:
		doc += ": its id and its partition key."
	case f.Alone():
		doc += ": its id, which is the last level of its partition key, and the fields of the other levels."
	default:
		doc += ": its id and the fields of its partition key."
	}
	if level := f.random; level != nil {
		doc += " " + f.suffix + " is the number that Create has chosen, from 1 to " + strconv.Itoa(level.Bucket().Reach()) + "."
	}
	doc += f.caseDoc()
	fields := parameters(collect(f.fields, func(field keyField) argument { return argument{field, field.name} }))
	if f.random != nil {
		fields = append(fields, param(f.suffix, jen.Int()))
	}
	f.declare(doc, jen.Type().Id(f.keyName).Struct(fields...))
}

// caseDoc says which fields of the key ignore case.
func (f *file) caseDoc() string {
	lower := choose(f.components(), func(c placed) bool { return c.Lower })
	if len(lower) == 0 {
		return ""
	}
	fields := collect(once(lower, placed.selector), func(c placed) string { return f.keyField(c.Component).name })
	return " Keys that differ only in the case of " + prose.Enumerate(fields) + " identify the same document."
}

// keyResult is the result type of the methods PartitionKey.
func (f *file) keyResult() *jen.Statement {
	if f.scalar || f.Kind == Hierarchical {
		return azcosmos("PartitionKey")
	}
	return jen.String()
}

// keyText writes the method that makes the partition key of a key, and the
// methods that it calls.
//
//	func (k VehicleEventKey) PartitionKey() string {
//		return k.bucket(partition.Hash{}.Text(k.VIN).Bucket(400))
//	}
func (f *file) keyText() {
	doc := "PartitionKey returns the partition key of the " + f.Name + " that k identifies."
	switch {
	case f.NoMethods:
		doc = "PartitionKey returns " + f.keyDescription("k's")
	case f.random != nil && f.Kind != Hierarchical:
		doc = "PartitionKey returns the partition key of the " + f.Name + " that k identifies, or \"\" if k has no " + f.suffix + "."
	}
	f.keyTextOf(doc)
}

// keyTextOf writes the method PartitionKey with its comment, and the methods that it calls.
func (f *file) keyTextOf(doc string) {
	var body []jen.Code
	switch c := f.Levels[0].Parts[0].Component; f.Kind {
	case Hierarchical:
		key := azcosmos("NewPartitionKey").Call()
		for i, level := range f.Levels {
			key = key.Dot(appendMethod(level)).Call(f.levelOf("k", i))
		}
		body = []jen.Code{jen.Return(key)}
	case Synthetic:
		body = f.valueBody(f.Levels[0], "bucket")
	default:
		body = []jen.Code{jen.Return(partitionKey(*c, f.ofKey(*c)))}
	}
	f.declare(doc, f.keyMethod("PartitionKey").Params().Add(f.keyResult()).Block(body...))
	if f.bucket != nil {
		f.bucketText(f.Levels[0], "the partition key of k", "PartitionKey", "bucket")
	}
	if f.Kind == Hierarchical {
		f.levelTexts()
	}
}

// valueBody is the body of a method that makes the text of a level, empty while no suffix has been
// chosen.
//
//	if k.Suffix == 0 {
//		return ""
//	}
func (f *file) valueBody(level pk.Level, bucketMethod string) []jen.Code {
	switch bucket := level.Bucket(); {
	case bucket == nil:
		return f.textOfParts(level, nil)
	case !level.Random():
		return []jen.Code{jen.Return(jen.Id("k").Dot(bucketMethod).Call(f.hash(bucket, f.ofKey)))}
	}
	suffix := jen.Id("k").Dot(f.suffix)
	return append([]jen.Code{jen.If(equal(suffix.Clone(), jen.Lit(0))).Block(jen.Return(jen.Lit("")))}, f.textOfParts(level, suffix)...)
}

// partitionKey writes x, the natural key c, as a partition key.
//
//	string(k.TenantID)
//	partition.TextOf(k.ID)
//	azcosmos.NewPartitionKeyNumber(float64(k.Number))
func partitionKey(c pk.Component, x *jen.Statement) *jen.Statement {
	switch c.Value {
	case pk.String, pk.Text, pk.TextPtr:
		return textOf(c.Field, x)
	case pk.Bool:
		return azcosmos("NewPartitionKeyBool").Call(convert(c.Field, "bool", x))
	default:
		return azcosmos("NewPartitionKeyNumber").Call(convert(c.Field, "float64", x))
	}
}

// bucketText writes the method that makes a text with a suffix.
//
//	func (k VehicleEventKey) bucket(n int) string {
//		var buf [64]byte
//		b := append(buf[:0], k.Date...)
//		b = append(b, '.')
//		b = strconv.AppendInt(b, int64(n), 10)
//		return string(b)
//	}
//
// or, for a random suffix,
//
//	func (k ClickKey) bucket(n int) string {
//		k.Suffix = n
//		return k.PartitionKey()
//	}
func (f *file) bucketText(level pk.Level, what, method, bucketMethod string) {
	body := f.textOfParts(level, jen.Id("n"))
	if level.Random() {
		body = []jen.Code{assign(jen.Id("k").Dot(f.suffix), jen.Id("n")), jen.Return(jen.Id("k").Dot(method).Call())}
	}
	f.declare(fmt.Sprintf("%s returns %s with suffix n, from 1 to %d.", bucketMethod, what, level.Bucket().Reach()),
		f.keyMethod(bucketMethod).Params(param("n", jen.Int())).String().Block(body...))
}

// same writes the function that compares the components of two keys, text by text.
// It does not compare the ids, which the run time knows to be equal.
//
//	func(a, b ReadingKey) bool {
//		return a.DeviceID == b.DeviceID &&
//			a.Name == b.Name
//	}
func (f *file) same() *jen.Statement {
	others := choose(f.components(), func(c placed) bool { return c.Selector != f.ID.Selector })
	tests := collect(once(others, placed.selector), func(c placed) *jen.Statement {
		field := f.keyField(c.Component)
		return sameText(field, c.Lower, jen.Id("a").Dot(field.name), jen.Id("b").Dot(field.name))
	})
	var all *jen.Statement
	for _, test := range tests {
		if all != nil && len(tests) > 2 {
			test = jen.Line().Add(test)
		}
		all = infix(all, "&&", test)
	}
	keys := jen.List(jen.Id("a"), jen.Id("b")).Id(f.keyName)
	if len(tests) > 2 {
		return jen.Func().Params(keys).Bool().Block(jen.Return(all))
	}
	return oneLine(keys, jen.Bool(), all)
}

// sameText compares two values of a field of the key by their texts.
//
//	a.DeviceID == b.DeviceID
//	strings.EqualFold(a.VIN, b.VIN)
//	partition.Day(a.At) == partition.Day(b.At)
func sameText(field keyField, lower bool, a, b *jen.Statement) *jen.Statement {
	switch {
	case lower:
		return jen.Qual(stringsPath, "EqualFold").Call(convert(field.Field, "string", a), convert(field.Field, "string", b))
	case field.Value == pk.Time:
		return equal(startOfPeriod(a, field.Component), startOfPeriod(b, field.Component))
	case field.Value == pk.Text || field.Value == pk.TextPtr:
		text := func(x *jen.Statement) *jen.Statement {
			return jen.String().Call(partition("AppendText", jen.Nil(), marshaler(field.Field, x)))
		}
		return equal(text(a), text(b))
	}
	return equal(a, b)
}

// appendMethod is the method of azcosmos.PartitionKey that appends a value.
func appendMethod(level pk.Level) string {
	switch level.Value() {
	case pk.Bool:
		return "AppendBool"
	case pk.Int, pk.Uint, pk.Float:
		return "AppendNumber"
	default:
		return "AppendString"
	}
}

// levelOf writes value i of the hierarchical key in the variable key, as the run
// time takes it: a string, a float64 or a bool.
//
//	k.TenantID
//	float64(k.Number)
//	k.level2()
func (f *file) levelOf(key string, i int) *jen.Statement {
	level := f.Levels[i]
	if level.Textual() {
		return jen.Id(key).Dot(levelMethod(i)).Call()
	}
	c := *level.Parts[0].Component
	return scalarValue(c, jen.Id(key).Dot(f.keyField(c).name))
}

// levelMethod is the method that makes value i, counted from 0, of a
// hierarchical key.
func levelMethod(i int) string { return fmt.Sprintf("level%d", i+1) }

// levelTexts writes the methods that make the textual values.
//
//	func (k EventKey) level3() string {
//		var buf [64]byte
//		b := partition.AppendTime(buf[:0], k.At, "2006-01")
//		return string(b)
//	}
//
// or, with a suffix,
//
//	func (k EventKey) level1() string {
//		return k.bucket1(partition.Hash{}.Text(k.VIN).Bucket(400))
//	}
//
//	func (k EventKey) bucket1(n int) string { … }
func (f *file) levelTexts() {
	for i, level := range f.Levels {
		if !level.Textual() {
			continue
		}
		doc := fmt.Sprintf("%s returns the value at %s: %s", levelMethod(i), level.Path, describeLevel(level))
		if level.Random() {
			doc += ", or \"\" if k has no " + f.suffix
		}
		f.declare(doc+".", f.keyMethod(levelMethod(i)).Params().String().Block(f.valueBody(level, bucketMethod(i))...))
		if level.Bucket() != nil {
			f.bucketText(level, "the value at "+level.Path, levelMethod(i), bucketMethod(i))
		}
	}
}

// bucketMethod is the method that makes value i, counted from 0, of a
// hierarchical key with a given suffix.
func bucketMethod(i int) string { return fmt.Sprintf("bucket%d", i+1) }

// textOfParts joins the parts of a value, with the number of its bucket if it
// has one.
func (f *file) textOfParts(level pk.Level, bucket *jen.Statement) []jen.Code {
	return joined(level.Parts, f.copies(level), func(to *jen.Statement, p pk.Part) *jen.Statement {
		if p.Component != nil {
			return f.appendComponent(to, level, *p.Component, f.ofKey(*p.Component))
		}
		return jen.Qual(strconvPath, "AppendInt").Call(to, jen.Int64().Call(bucket), jen.Lit(10))
	})
}

// joined writes statements that append parts to a buffer, and return the text. appended
// appends a part other than a literal, with a second buffer if copies is true.
func joined(parts []pk.Part, copies bool, appended func(to *jen.Statement, p pk.Part) *jen.Statement) []jen.Code {
	body := []jen.Code{jen.Var().Id("buf").Index(jen.Lit(64)).Byte()}
	if copies {
		body = []jen.Code{jen.Var().List(jen.Id("buf"), jen.Id("text")).Index(jen.Lit(64)).Byte()}
	}
	to := jen.Id("buf").Index(jen.Empty(), jen.Lit(0))
	for i, part := range parts {
		var x *jen.Statement
		switch {
		case part.Component != nil || part.Bucket != nil:
			x = appended(to, part)
		case len(part.Literal) == 1:
			x = jen.Append(to, jen.LitRune(rune(part.Literal[0])))
		default:
			x = jen.Append(to, spread(jen.Lit(part.Literal)))
		}
		if to = jen.Id("b"); i == 0 {
			body = append(body, define("b", x))
		} else {
			body = append(body, assign(to, x))
		}
	}
	return append(body, jen.Return(jen.String().Call(jen.Id("b"))))
}

// copies reports whether the text of a component has to be made in a buffer of its
// own before it can be escaped.
func (f *file) copies(level pk.Level) bool {
	for _, part := range level.Parts {
		if c := part.Component; c != nil && f.Escape && level.Made && (c.Lower || c.Value == pk.Text || c.Value == pk.TextPtr) {
			return true
		}
	}
	return false
}

// appendComponent appends the text of x, the component c of a level, to the bytes
// to, escaped if the key is.
//
//	append(b, k.Date...)
//	partition.AppendEscaped(b, k.Date, "-")
//	partition.AppendEscapedInt(b, int64(k.Line), "-")
//	partition.AppendEscaped(b, partition.AppendText(text[:0], k.Owner), "-")
func (f *file) appendComponent(to *jen.Statement, level pk.Level, c pk.Component, x *jen.Statement) *jen.Statement {
	escaped := func(text *jen.Statement) *jen.Statement {
		return partition("AppendEscaped", to, text, jen.Lit(level.Separators()))
	}
	switch {
	case f.Escape && c.Value == pk.Int && strings.Contains(level.Separators(), "-"):
		return partition("AppendEscapedInt", to, convert(c.Field, "int64", x), jen.Lit(level.Separators()))
	case !f.Escape || !level.Made || c.Value != pk.String && c.Value != pk.Text && c.Value != pk.TextPtr:
		return appendComponent(to, c, x)
	case c.Value == pk.String && !c.Lower:
		return escaped(convert(c.Field, "string", x))
	default:
		return escaped(appendComponent(jen.Id("text").Index(jen.Empty(), jen.Lit(0)), c, x))
	}
}

// appendComponent appends the text of x, the component c, to the bytes to.
//
//	append(b, k.Date...)
//	partition.AppendLower(b, k.VIN)
//	strconv.AppendInt(b, int64(k.Line), 10)
//	partition.AppendTime(b, k.At, "2006-01-02")
//	partition.AppendNewest(buf[:0], k.At)
func appendComponent(to *jen.Statement, c pk.Component, x *jen.Statement) *jen.Statement {
	switch c.Value {
	case pk.Int:
		return jen.Qual(strconvPath, "AppendInt").Call(to, convert(c.Field, "int64", x), jen.Lit(10))
	case pk.Uint:
		return jen.Qual(strconvPath, "AppendUint").Call(to, convert(c.Field, "uint64", x), jen.Lit(10))
	case pk.Bool:
		return jen.Qual(strconvPath, "AppendBool").Call(to, convert(c.Field, "bool", x))
	case pk.Time:
		if c.Newest {
			return partition("AppendNewest", to, x)
		}
		return partition("AppendTime", to, x, jen.Lit(c.Layout))
	case pk.Text, pk.TextPtr:
		return partition("AppendText", to, marshaler(c.Field, x))
	}
	if c.Lower {
		return partition("AppendLower", to, convert(c.Field, "string", x))
	}
	return jen.Append(to, spread(x))
}

// hash writes the bucket of a key. value writes its components.
//
//	partition.Hash{}.Text(k.VIN).Bucket(400)
//	partition.HashText(partition.Hash{}.Text(k.VIN)…
func (f *file) hash(bucket *pk.Bucket, value func(pk.Component) *jen.Statement) *jen.Statement {
	h := jen.Qual(partitionPath, "Hash").Values()
	for _, c := range bucket.Hash {
		x := value(c)
		switch {
		case c.Value == pk.Int:
			h.Dot("Int").Call(convert(c.Field, "int64", x))
		case c.Value == pk.Uint:
			h.Dot("Uint").Call(convert(c.Field, "uint64", x))
		case c.Value == pk.Bool:
			h.Dot("Bool").Call(convert(c.Field, "bool", x))
		case c.Value == pk.Time:
			h.Dot("Time").Call(x, jen.Lit(c.Layout))
		case c.Value == pk.Text || c.Value == pk.TextPtr:
			h = partition("HashText", h, marshaler(c.Field, x))
		case c.Lower:
			h.Dot("Lower").Call(convert(c.Field, "string", x))
		default:
			h.Dot("Text").Call(convert(c.Field, "string", x))
		}
	}
	return h.Dot("Bucket").Call(jen.Lit(bucket.Count))
}

// ofKey writes c as a field of the key k.
func (f *file) ofKey(c pk.Component) *jen.Statement {
	return jen.Id("k").Dot(f.keyField(c).name)
}

// convert writes x, a value of a field, as a value of a predeclared type.
func convert(field pk.Field, to string, x *jen.Statement) *jen.Statement {
	if field.Type.Path == "" && field.Type.Name == to {
		return x
	}
	return jen.Id(to).Call(x)
}

// marshaler writes x, or a pointer to it if the pointer has the method.
func marshaler(field pk.Field, x *jen.Statement) *jen.Statement {
	if field.Value == pk.TextPtr {
		return addr(x)
	}
	return x
}

// textOf writes x, an item id or a natural key, as a string.
//
//	string(k.ID)
//	partition.TextOf(k.ID)
func textOf(field pk.Field, x *jen.Statement) *jen.Statement {
	if field.Value == pk.Text || field.Value == pk.TextPtr {
		return partition("TextOf", marshaler(field, x))
	}
	return convert(field, "string", x)
}

// scalarValue writes x, the natural key c, as the run time takes it.
func scalarValue(c pk.Component, x *jen.Statement) *jen.Statement {
	switch c.Value {
	case pk.String:
		return convert(c.Field, "string", x)
	case pk.Bool:
		return convert(c.Field, "bool", x)
	default:
		return convert(c.Field, "float64", x)
	}
}

// startOfPeriod writes the start of the period of the time x.
//
//	partition.Day(e.At)
//	partition.Truncate(e.At, "200601")
//	partition.Tick(e.At)
func startOfPeriod(x *jen.Statement, c pk.Component) *jen.Statement {
	if c.Newest {
		return partition("Tick", x)
	}
	if name := timelayout.Name(c.Layout); name != "" {
		return partition(goname.UpperFirst(name), x)
	}
	return partition("Truncate", x, jen.Lit(c.Layout))
}

// keyDescription says in words what the partition key of a document or a key is made of, such
// as: date, ".", and the bucket of vin among 400.
func (f *file) keyDescription(of string) string {
	what := of + " partition key"
	switch f.Kind {
	case ItemID:
		what += ", which is its id"
	case Natural:
		what += ", the property " + f.Levels[0].Parts[0].Component.Property
	case Hierarchical:
		levels := collect(f.Levels, func(l pk.Level) string { return l.Path + " is " + describeLevel(l) })
		what += ", level by level: " + strings.Join(levels, "; ")
	default:
		what = describeLevel(f.Levels[0])
	}
	if f.ExampleKey != "" {
		what += ", such as " + f.example()
	}
	what += "."
	switch level := f.random; {
	case level == nil:
	case f.Kind == Hierarchical:
		what += " The value at " + level.Path + " is \"\" until Create has chosen the number."
	default:
		what += " It is \"\" until Create has chosen the number."
	}
	return what
}

// describeLevel names the parts of a value.
func describeLevel(l pk.Level) string { return prose.Enumerate(collect(l.Parts, describePart)) }

// example is the example key, as Go writes it.
func (f *file) example() string {
	if f.scalar || f.Kind == Hierarchical {
		return f.ExampleKey
	}
	return strconv.Quote(f.ExampleKey)
}

// describePart names a part of a key by its JSON properties.
func describePart(p pk.Part) string {
	switch {
	case p.Component != nil:
		return describeComponent(*p.Component)
	case p.Bucket == nil:
		return strconv.Quote(p.Literal)
	case p.Bucket.Hash == nil:
		return fmt.Sprintf("a random number from 1 to %d", p.Bucket.Count)
	}
	return fmt.Sprintf("the bucket of %s among %d", prose.Enumerate(collect(p.Bucket.Hash, describeComponent)), p.Bucket.Count)
}

func describeComponent(c pk.Component) string {
	switch {
	case c.Newest:
		return c.Property + " counted backwards"
	case c.Lower:
		return c.Property + " in lower case"
	case c.Value != pk.Time:
		return c.Property
	case timelayout.Name(c.Layout) != "":
		return "the " + timelayout.Name(c.Layout) + " of " + c.Property
	}
	return c.Property + " as " + strconv.Quote(c.Layout)
}
