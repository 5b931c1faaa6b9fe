package templates

import "github.com/dave/jennifer/jen"

// validate writes the method that finds what Cosmos DB would refuse.
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
	checks := []jen.Code{checkID(f.ID, jen.Id("k").Dot(f.fields[0].name))}
	seen := names{}
	for _, c := range f.components() {
		if check := f.check(c, f.ofKey(c)); check != nil && !seen[c.Selector] {
			checks = append(checks, check)
		}
		seen.add(c.Selector)
	}
	if f.random() {
		checks = append(checks, jen.Qual(partitionPath, "RandomSuffix").Call(
			jen.Lit(f.suffix), jen.Id("k").Dot(f.suffix), jen.Lit(f.bucket.Count)))
	}
	if f.Kind != ItemID && !f.scalar() { // an id is never too long for a key
		checks = append(checks, jen.Qual(partitionPath, "Key").Call(jen.Id("k").Dot("PartitionKey").Call()))
	}
	f.declare("Validate returns a *partition.KeyError if Cosmos DB would refuse k, else nil.",
		f.keyMethod("Validate").Params().Error().Block(
			jen.Return(callLines(jen.Qual(partitionPath, "Check"), []jen.Code{jen.Lit(f.Name)}, checks)),
		))
}

// checkID looks at the item id x.
//
//	partition.ID(k.ID)
func checkID(id Field, x *jen.Statement) *jen.Statement {
	return jen.Qual(partitionPath, "ID").Call(convert(id, "string", x))
}

// check looks at x, which is the component c, or is nil where every value of it
// is legal.
//
//	partition.Text("Date", k.Date)
//	partition.Time("At", k.At)
//	partition.Int("Number", int64(k.Number))
func (f *file) check(c Component, x *jen.Statement) jen.Code {
	field := jen.Lit(c.Selector)
	switch {
	case c.Value == String:
		return jen.Qual(partitionPath, "Text").Call(field, convert(c.Field, "string", x))
	case c.Value == Time:
		return jen.Qual(partitionPath, "Time").Call(field, x)
	case c.Value == Text || c.Value == TextPtr:
		return jen.Qual(partitionPath, "Marshaled").Call(field, marshaler(c, x))
	case f.scalar() && c.Value == Int:
		return jen.Qual(partitionPath, "Int").Call(field, convert(c.Field, "int64", x))
	case f.scalar() && c.Value == Uint:
		return jen.Qual(partitionPath, "Uint").Call(field, convert(c.Field, "uint64", x))
	case f.scalar() && c.Value == Float:
		return jen.Qual(partitionPath, "Float").Call(field, convert(c.Field, "float64", x))
	}
	return nil
}
