package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// keyResult is the result type of the methods PartitionKey.
func (f *file) keyResult() *jen.Statement {
	if f.scalar() || f.Kind == Hierarchical {
		return jen.Qual(azcosmosPath, "PartitionKey")
	}
	return jen.String()
}

// keyText writes the method that makes the partition key of a key, and those
// that it calls.
//
//	func (k VehicleEventKey) PartitionKey() string {
//		return k.bucket(partition.Hash{}.Text(k.VIN).Bucket(400))
//	}
func (f *file) keyText() {
	doc := "PartitionKey returns the partition key of the " + f.Name + " that k identifies."
	switch {
	case f.NoMethods:
		doc = "PartitionKey returns " + f.keyDescription("k's")
	case f.random() != nil && f.Kind != Hierarchical:
		doc = "PartitionKey returns the partition key of the " + f.Name + " that k identifies, or \"\" where k has no " + f.suffix + "."
	}
	f.declare(doc, f.keyMethod("PartitionKey").Params().Add(f.keyResult()).Block(f.keyTextBody()...))
	if f.bucket() != nil {
		f.bucketText()
	}
	if f.Kind == Hierarchical {
		f.levelTexts()
	}
}

// keyTextBody is the body of a key's PartitionKey.
func (f *file) keyTextBody() []jen.Code {
	switch {
	case f.Kind == Hierarchical:
		return []jen.Code{jen.Return(f.levelsOfKey())}
	case f.Kind != Synthetic:
		c := *f.Levels[0].Parts[0].Component
		return []jen.Code{jen.Return(partitionKey(c, f.ofKey(c)))}
	case f.bucket() == nil:
		return f.textOfParts(f.Levels[0], nil)
	case f.random() != nil:
		return append([]jen.Code{f.emptyWithoutSuffix()}, f.textOfParts(f.Levels[0], jen.Id("k").Dot(f.suffix))...)
	default:
		return []jen.Code{jen.Return(jen.Id("k").Dot("bucket").Call(f.hash(f.bucket(), f.ofKey)))}
	}
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
		return jen.Qual(azcosmosPath, "NewPartitionKeyBool").Call(convert(c.Field, "bool", x))
	default:
		return jen.Qual(azcosmosPath, "NewPartitionKeyNumber").Call(convert(c.Field, "float64", x))
	}
}

// bucketText writes the method that makes the partition key with a suffix.
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
func (f *file) bucketText() {
	f.declare(fmt.Sprintf("bucket returns the partition key of k with suffix n, from 1 to %d.", f.bucket().Reach()),
		f.keyMethod("bucket").Params(jen.Id("n").Int()).String().Block(f.bucketBody(f.Levels[0], "PartitionKey")...))
}

// same writes the function that compares the components of two keys, text by text.
// It does not compare the ids, which the run time knows to be equal.
//
//	func(a, b ReadingKey) bool {
//		return a.DeviceID == b.DeviceID &&
//			a.Name == b.Name
//	}
func (f *file) same() *jen.Statement {
	var tests []*jen.Statement
	seen := scope.Names{}
	seen.Add(f.ID.Selector)
	for _, c := range f.components() {
		if seen[c.Selector] {
			continue
		}
		seen.Add(c.Selector)
		field := f.keyField(c.Component)
		tests = append(tests, sameText(field, c.Lower, jen.Id("a").Dot(field.name), jen.Id("b").Dot(field.name)))
	}
	var all *jen.Statement
	for _, test := range tests {
		if all != nil && len(tests) > 2 {
			test = jen.Line().Add(test)
		}
		all = infix(all, "&&", test)
	}
	keys := jen.List(jen.Id("a"), jen.Id("b")).Id(f.keyName())
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
			return jen.String().Call(jen.Qual(partitionPath, "AppendText").Call(jen.Nil(), marshaler(field.Field, x)))
		}
		return equal(text(a), text(b))
	}
	return equal(a, b)
}
