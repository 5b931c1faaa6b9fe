package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// scalar reports whether the partition key is a JSON number or boolean: a
// natural key that is no string.
func (f *file) scalar() bool {
	return f.Kind == Natural && f.Parts[0].Component.Value != String
}

// keyResult is the type that the methods PartitionKey return.
func (f *file) keyResult() *jen.Statement {
	if f.scalar() {
		return jen.Qual(azcosmosPath, "PartitionKey")
	}
	return jen.String()
}

// keyText writes the method that makes the partition key of a key.
//
//	func (k VehicleEventKey) PartitionKey() string {
//		return k.bucket(partition.Hash{}.Text(k.VIN).Bucket(400))
//	}
func (f *file) keyText() {
	doc := "PartitionKey returns the partition key of the " + f.Name + " that k identifies."
	switch {
	case f.NoMethods:
		doc = "PartitionKey returns k's partition key" + f.keyDescription()
	case f.random():
		doc = "PartitionKey returns the partition key of the " + f.Name + " that k identifies, or \"\" where k has no " + f.suffix + "."
	}
	f.declare(doc, f.keyMethod("PartitionKey").Params().Add(f.keyResult()).Block(f.keyTextBody()...))
	if f.bucket != nil {
		f.bucketText()
	}
}

// keyMethod begins a method of the key type.
func (f *file) keyMethod(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("k").Id(f.keyName())).Id(name)
}

// keyTextBody is the body of a key's PartitionKey.
func (f *file) keyTextBody() []jen.Code {
	if f.Kind != Synthetic {
		c := *f.Parts[0].Component
		return []jen.Code{jen.Return(partitionKey(c, f.ofKey(c)))}
	}
	switch {
	case f.bucket == nil:
		return f.textOfParts()
	case f.random():
		suffix := jen.Id("k").Dot(f.suffix)
		return []jen.Code{
			jen.If(suffix.Clone().Op("==").Lit(0)).Block(jen.Return(jen.Lit(""))),
			jen.Return(jen.Id("k").Dot("bucket").Call(suffix)),
		}
	default:
		return []jen.Code{jen.Return(jen.Id("k").Dot("bucket").Call(f.hash()))}
	}
}

// partitionKey writes a natural key, the component c, of x.
//
//	string(k.TenantID)
//	azcosmos.NewPartitionKeyNumber(float64(k.Number))
func partitionKey(c Component, x *jen.Statement) *jen.Statement {
	switch c.Value {
	case String:
		return convert(c.Field, "string", x)
	case Bool:
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
func (f *file) bucketText() {
	f.declare(fmt.Sprintf("bucket returns the partition key of k with suffix n, from 1 to %d.", f.bucket.Count),
		f.keyMethod("bucket").Params(jen.Id("n").Int()).String().Block(f.textOfParts()...))
}

// textOfParts joins the parts of the key.
func (f *file) textOfParts() []jen.Code {
	body := []jen.Code{jen.Var().Id("buf").Index(jen.Lit(64)).Byte()}
	to, assign := jen.Id("buf").Index(jen.Empty(), jen.Lit(0)), ":="
	for _, part := range f.Parts {
		body = append(body, jen.Id("b").Op(assign).Add(f.appendPart(to, part)))
		to, assign = jen.Id("b"), "="
	}
	return append(body, jen.Return(jen.String().Call(jen.Id("b"))))
}

// appendPart appends a part of the key to the bytes to.
//
//	append(b, '.')
//	strconv.AppendInt(b, int64(n), 10)
func (f *file) appendPart(to *jen.Statement, part Part) *jen.Statement {
	switch {
	case part.Component != nil:
		return appendComponent(to, *part.Component, f.ofKey(*part.Component))
	case part.Bucket != nil:
		return jen.Qual(strconvPath, "AppendInt").Call(to, jen.Int64().Call(jen.Id("n")), jen.Lit(10))
	case len(part.Literal) == 1:
		return jen.Append(to, jen.LitRune(rune(part.Literal[0])))
	default:
		return jen.Append(to, jen.Lit(part.Literal).Op("..."))
	}
}

// appendComponent appends the text of x, which is the component c, to the bytes
// to.
//
//	append(b, k.Date...)
//	strconv.AppendInt(b, int64(k.Line), 10)
//	partition.AppendTime(b, k.At, "2006-01-02")
func appendComponent(to *jen.Statement, c Component, x *jen.Statement) *jen.Statement {
	switch c.Value {
	case Int:
		return jen.Qual(strconvPath, "AppendInt").Call(to, convert(c.Field, "int64", x), jen.Lit(10))
	case Uint:
		return jen.Qual(strconvPath, "AppendUint").Call(to, convert(c.Field, "uint64", x), jen.Lit(10))
	case Bool:
		return jen.Qual(strconvPath, "AppendBool").Call(to, convert(c.Field, "bool", x))
	case Time:
		return jen.Qual(partitionPath, "AppendTime").Call(to, x, jen.Lit(c.Layout))
	case Text, TextPtr:
		return jen.Qual(partitionPath, "AppendText").Call(to, marshaler(c, x))
	default:
		return jen.Append(to, x.Op("..."))
	}
}

// marshaler writes x, or a pointer to it where that is what has the method.
func marshaler(c Component, x *jen.Statement) *jen.Statement {
	if c.Value == TextPtr {
		return jen.Op("&").Add(x)
	}
	return x
}

// hash chooses the bucket of a key.
//
//	partition.Hash{}.Text(k.VIN).Bucket(400)
//	partition.HashText(partition.Hash{}.Text(k.VIN), k.Owner).Bucket(400)
func (f *file) hash() *jen.Statement {
	h := jen.Qual(partitionPath, "Hash").Values()
	for _, c := range f.bucket.Hash {
		x := f.ofKey(c)
		switch c.Value {
		case Int:
			h.Dot("Int").Call(convert(c.Field, "int64", x))
		case Uint:
			h.Dot("Uint").Call(convert(c.Field, "uint64", x))
		case Bool:
			h.Dot("Bool").Call(convert(c.Field, "bool", x))
		case Time:
			h.Dot("Time").Call(x, jen.Lit(c.Layout))
		case Text, TextPtr:
			h = jen.Qual(partitionPath, "HashText").Call(h, marshaler(c, x))
		default:
			h.Dot("Text").Call(convert(c.Field, "string", x))
		}
	}
	return h.Dot("Bucket").Call(jen.Lit(f.bucket.Count))
}
