package templates

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// validate writes the method that checks a key as Cosmos DB would.
//
//	func (k VehicleEventKey) Validate() error {
//		return partition.Check("VehicleEvent",
//			partition.ID(k.ID),
//			partition.Text("Date", k.Date),
//			partition.Text("VIN", k.VIN),
//			partition.Key(k.PartitionKey()),
//		)
//	}
func (f *file) validate() {
	id := jen.Id("k").Dot(f.fields[0].name)
	checks := []jen.Code{f.checkID(id)}
	if f.Prefix != "" && f.api().checkID != "" {
		checks = append(checks, jen.Qual(partitionPath, "IDPrefix").Call(textOf(f.ID, id.Clone()), jen.Id(f.prefixName())))
	}
	checks = append(checks, f.checks(f.keyComponents(), f.ofKey)...)
	if level := f.random(); level != nil {
		checks = append(checks, jen.Qual(partitionPath, "RandomSuffix").Call(
			jen.Lit(f.suffix), jen.Id("k").Dot(f.suffix), jen.Lit(level.Bucket().Reach())))
	}
	if text := f.wholeText(); text != nil {
		checks = append(checks, jen.Qual(partitionPath, f.api().check).Call(text))
	}
	if f.Row != nil {
		checks = append(checks, jen.Qual(partitionPath, "RowKey").Call(jen.Id("k").Dot("RowKey").Call()))
	}
	checks = append(checks, f.checkContainerID(jen.Id("k").Dot("Container").Call())...)
	why := ""
	if f.Prefix != "" {
		why = ", or if the id does not begin with " + strconv.Quote(f.Prefix)
	}
	f.declare("Validate returns a *partition.KeyError if Cosmos DB would refuse k"+why+", else nil.",
		f.keyMethod("Validate").Params().Error().Block(
			jen.Return(jen.Qual(partitionPath, "Check").Call(append([]jen.Code{jen.Lit(f.Name)}, checks...)...)),
		))
}

// wholeText writes the text of key k that Cosmos DB limits in length, or is nil if
// no key can be too long. A hierarchical key has one limit for all its values.
//
//	k.PartitionKey()
//	k.TenantID + k.level2()
func (f *file) wholeText() *jen.Statement {
	if f.Kind != Hierarchical {
		if f.Kind == ItemID || f.scalar() { // a legal id is never too long for a key
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
		return jen.Qual(partitionPath, own).Call(textOf(f.ID, x))
	}
	function, id := "ID", convert(f.ID, "string", x)
	if f.ID.Value == pk.Text || f.ID.Value == pk.TextPtr {
		function, id = "MarshaledID", marshaler(f.ID, x)
	}
	if f.Prefix != "" {
		return jen.Qual(partitionPath, "Prefixed"+function).Call(id, jen.Id(f.prefixName()))
	}
	return jen.Qual(partitionPath, function).Call(id)
}

// checks writes the checks of components, each once. Value writes their values.
func (f *file) checks(all []placed, value func(pk.Component) *jen.Statement) []jen.Code {
	var checks []jen.Code
	seen := scope.Names{}
	for _, c := range all {
		function, x := f.check(c, value(c.Component))
		if function == "" || seen[function+c.Selector] {
			continue
		}
		seen.Add(function + c.Selector)
		args := []jen.Code{jen.Lit(c.Selector), x}
		checks = append(checks, jen.Qual(partitionPath, function).Call(args...))
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
