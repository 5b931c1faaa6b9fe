package templates

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// validate writes the method that checks a key as Cosmos DB would.
//
//	func (k VehicleEventKey) Validate() error { … }
func (f *file) validate() {
	id := jen.Id("k").Dot(f.fields[0].name)
	checks := []jen.Code{f.checkID(id)}
	if f.Prefix != "" && f.api().checkID != "" {
		checks = append(checks, partition("IDPrefix", textOf(f.ID, id.Clone()), jen.Id(f.prefixName)))
	}
	checks = append(checks, f.checks(f.keyComponents(), f.ofKey)...)
	if level := f.random; level != nil {
		checks = append(checks, partition("RandomSuffix", jen.Lit(f.suffix), jen.Id("k").Dot(f.suffix), jen.Lit(level.Bucket().Reach())))
	}
	if text := f.wholeText(); text != nil {
		checks = append(checks, partition(f.api().check, text))
	}
	for _, x := range f.features {
		if x.checks != nil {
			checks = append(checks, x.checks(f)...)
		}
	}
	why := ""
	if f.Prefix != "" {
		why = ", or if the id does not begin with " + strconv.Quote(f.Prefix)
	}
	f.declare("Validate returns a *partition.KeyError if Cosmos DB would refuse k"+why+", else nil.",
		f.keyMethod("Validate").Params().Error().Block(jen.Return(f.checkOf(checks))))
}

// checkOf writes checks of a key.
func (f *file) checkOf(checks []jen.Code) *jen.Statement {
	return partition("Check", append([]jen.Code{jen.Lit(f.Name)}, checks...)...)
}

// wholeText writes the text of key k that Cosmos DB limits in length, or is nil if
// no key can be too long. A hierarchical key has one limit for all its values.
//
//	k.PartitionKey()
//	k.TenantID + k.level2()
func (f *file) wholeText() *jen.Statement {
	if f.Kind != Hierarchical {
		if f.Kind == ItemID || f.scalar { // a legal id is never too long for a key
			return nil
		}
		return jen.Id("k").Dot("PartitionKey").Call()
	}
	var text *jen.Statement
	for i, level := range f.Levels {
		switch {
		case !level.Textual() && level.Value() != pk.String:
		default:
			text = infix(text, "+", f.levelOf("k", i))
		}
	}
	return text
}

// checkID writes the check of the item id x.
//
//	partition.ID(k.ID)
//	partition.PrefixedID(k.ID, OrderIDPrefix)
//	partition.MarshaledID(k.ID)
//	partition.TableID(k.ID)
//	partition.MongoID(k.ID)
//
// The last two have no prefix: [file.validate] checks it by IDPrefix.
func (f *file) checkID(x *jen.Statement) *jen.Statement {
	if own := f.api().checkID; own != "" {
		return partition(own, textOf(f.ID, x))
	}
	function, id := "ID", convert(f.ID, "string", x)
	if f.ID.Value == pk.Text || f.ID.Value == pk.TextPtr {
		function, id = "MarshaledID", marshaler(f.ID, x)
	}
	if f.Prefix != "" {
		return partition("Prefixed"+function, id, jen.Id(f.prefixName))
	}
	return partition(function, id)
}

// checks writes the checks of components, each once. value writes their values.
func (f *file) checks(all []placed, value func(pk.Component) *jen.Statement) []jen.Code {
	var checks []jen.Code
	seen := scope.Names{}
	for _, c := range all {
		function, x := f.check(c, value(c.Component))
		if function != "" && !seen[function+c.Selector] {
			seen.Add(function + c.Selector)
			checks = append(checks, partition(function, jen.Lit(c.Selector), x))
		}
	}
	return checks
}

// check names the function of package partition that checks x, the component c, and
// writes its argument. The name is "" if every value of c is legal.
//
//	partition.Text("Date", k.Date)
//	partition.Time("At", k.At)
//	partition.Int("Number", int64(k.Number))
func (f *file) check(c placed, x *jen.Statement) (function string, argument *jen.Statement) {
	escaped := f.Escape && !c.natural && !c.hashed && !c.placing
	switch {
	case c.Value == pk.String && c.Lower && escaped:
		return "EscapedLowerText", convert(c.Field, "string", x)
	case c.Value == pk.String && c.Lower:
		return "LowerText", convert(c.Field, "string", x)
	case c.Value == pk.String && escaped:
		return "EscapedText", convert(c.Field, "string", x)
	case c.Value == pk.String:
		return "Text", convert(c.Field, "string", x)
	case c.Value == pk.Time:
		return "Time", x
	case (c.Value == pk.Text || c.Value == pk.TextPtr) && escaped:
		return "EscapedMarshaled", marshaler(c.Field, x)
	case c.NonZero:
		return "MarshaledKey", marshaler(c.Field, x)
	case c.Value == pk.Text || c.Value == pk.TextPtr:
		return "Marshaled", marshaler(c.Field, x)
	case c.natural && c.Value == pk.Int:
		return "Int", convert(c.Field, "int64", x)
	case c.natural && c.Value == pk.Uint:
		return "Uint", convert(c.Field, "uint64", x)
	case c.natural && c.Value == pk.Float:
		return "Float", convert(c.Field, "float64", x)
	}
	return "", nil
}

// parse writes the function that returns the components of an escaped key.
//
//	func ParseReadingPartitionKey(key string) (ReadingKey, error) { … }
func (f *file) parse() {
	level := f.Levels[0]
	taken := f.scope.Inner() // the function names types, which nothing may hide
	key, p := taken.Take("k", "made"), taken.Take("p", "parser")
	body := []jen.Code{
		jen.Var().Id(key).Id(f.keyName),
		define(p, partition("Parse", jen.Lit(f.Name), jen.Id("key"), jen.Lit(level.Separators()))),
	}
	for _, part := range level.Parts {
		switch {
		case part.Component != nil:
			body = append(body, f.parseComponent(*part.Component, jen.Id(key), p))
		case part.Bucket == nil:
			body = append(body, jen.Id(p).Dot("Literal").Call(jen.Lit(part.Literal)))
		default:
			bucket := jen.Id(p).Dot("Bucket").Call(jen.Lit("Suffix"), jen.Lit(part.Bucket.Reach()))
			if f.suffix != "" {
				bucket = assign(jen.Id(key).Dot(f.suffix), jen.Id(p).Dot("Bucket").Call(jen.Lit(f.suffix), jen.Lit(part.Bucket.Reach())))
			}
			body = append(body, bucket)
		}
	}
	body = append(body, jen.Return(jen.Id(key), jen.Id(p).Dot("Err").Call()))
	f.declare(f.parseDoc(), jen.Func().Id(f.parseName).Params(jen.Id("key").String()).Params(jen.Id(f.keyName), jen.Error()).Block(body...))
}

// parseDoc is the comment of the function that parses a key.
func (f *file) parseDoc() string {
	doc := f.parseName + " parses a partition key of " + f.Name + " documents. "
	inKey := scope.Names{}
	for _, c := range f.components() {
		if !c.hashed {
			inKey.Add(c.Selector)
		}
	}
	var absent []string
	for _, field := range f.fields {
		if !inKey[field.Selector] {
			absent = append(absent, field.name)
		}
	}
	if len(absent) > 0 {
		doc += "It leaves " + prose.Enumerate(absent) + " zero. "
	}
	return doc + "It returns a *partition.KeyError if key is not a result of PartitionKey."
}

// parseComponent reads component c into its field of the variable key.
//
//	k.Region = Region(p.Text("Region"))
//	p.Unmarshal("Owner", &k.Owner)
func (f *file) parseComponent(c pk.Component, key *jen.Statement, p string) *jen.Statement {
	field := key.Dot(f.keyField(c).name)
	read := func(method, result string, more ...jen.Code) *jen.Statement {
		x := jen.Id(p).Dot(method).Call(append([]jen.Code{jen.Lit(c.Selector)}, more...)...)
		if result == "" || c.Type.Path == "" && c.Type.Name == result {
			return assign(field, x)
		}
		return assign(field, goType(c.Type).Call(x))
	}
	generic := func(function string) *jen.Statement {
		return assign(field, jen.Qual(partitionPath, function).Types(goType(c.Type)).Call(jen.Id(p), jen.Lit(c.Selector)))
	}
	switch {
	case c.Value == pk.Int:
		return generic("ParseInt")
	case c.Value == pk.Uint:
		return generic("ParseUint")
	case c.Value == pk.Bool:
		return read("Bool", "bool")
	case c.Value == pk.Time:
		return read("Time", "", jen.Lit(c.Layout))
	case c.Value == pk.Text || c.Value == pk.TextPtr:
		return jen.Id(p).Dot("Unmarshal").Call(jen.Lit(c.Selector), addr(field))
	case c.Lower:
		return read("LowerText", "string")
	default:
		return read("Text", "string")
	}
}
