package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// same writes the function that compares the components of two keys, text by text.
// It does not compare the ids, which the run time knows to be equal.
//
//	func(a, b ReadingKey) bool {
//		return a.DeviceID == b.DeviceID &&
//			a.Name == b.Name
//	}
func (f *file) same() *jen.Statement {
	var test *jen.Statement
	seen := scope.Names{}
	seen.Add(f.ID.Selector)
	for _, c := range f.components() {
		if seen[c.Selector] {
			continue
		}
		seen.Add(c.Selector)
		field := f.keyField(c.Component)
		equal := sameText(field, c.Lower, jen.Id("a").Dot(field.name), jen.Id("b").Dot(field.name))
		if test == nil {
			test = equal
		} else {
			test.Op("&&").Line().Add(equal)
		}
	}
	return jen.Func().Params(jen.List(jen.Id("a"), jen.Id("b")).Id(f.keyName())).Bool().Block(jen.Return(test))
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
	case field.Value == Time:
		return startOfPeriod(a, field.Component).Op("==").Add(startOfPeriod(b, field.Component))
	case field.Value == Text || field.Value == TextPtr:
		text := func(x *jen.Statement) *jen.Statement {
			return jen.String().Call(jen.Qual(partitionPath, "AppendText").Call(jen.Nil(), marshaler(field.Field, x)))
		}
		return text(a).Op("==").Add(text(b))
	}
	return a.Op("==").Add(b)
}
