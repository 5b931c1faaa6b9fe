package templates

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// scalar reports whether the partition key is a JSON number or boolean: a natural
// key that is not a string.
func (f *file) scalar() bool {
	return f.Kind == Natural && f.Levels[0].Parts[0].Component.Value != String
}

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
		doc = "PartitionKey returns k's partition key" + f.keyDescription()
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

// keyMethod begins a method of the key type.
func (f *file) keyMethod(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("k").Id(f.keyName())).Id(name)
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

// emptyWithoutSuffix writes the statement that returns no text while no suffix has
// been chosen.
//
//	if k.Suffix == 0 {
//		return ""
//	}
func (f *file) emptyWithoutSuffix() *jen.Statement {
	return jen.If(jen.Id("k").Dot(f.suffix).Op("==").Lit(0)).Block(jen.Return(jen.Lit("")))
}

// partitionKey writes x, the natural key c, as a partition key.
//
//	string(k.TenantID)
//	partition.TextOf(k.ID)
//	azcosmos.NewPartitionKeyNumber(float64(k.Number))
func partitionKey(c Component, x *jen.Statement) *jen.Statement {
	switch c.Value {
	case String, Text, TextPtr:
		return textOf(c.Field, x)
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
//
// or, for a random suffix,
//
//	func (k ClickKey) bucket(n int) string {
//		k.Suffix = n
//		return k.PartitionKey()
//	}
func (f *file) bucketText() {
	f.declare(fmt.Sprintf("bucket returns the partition key of k with suffix n, from 1 to %d.", f.bucket().Count),
		f.keyMethod("bucket").Params(jen.Id("n").Int()).String().Block(f.bucketBody(f.Levels[0], "PartitionKey")...))
}

// bucketBody is the body of a method that makes a value with suffix n. The other
// method makes it with the suffix of k.
func (f *file) bucketBody(level Level, other string) []jen.Code {
	if !level.Random() {
		return f.textOfParts(level, jen.Id("n"))
	}
	return []jen.Code{
		jen.Id("k").Dot(f.suffix).Op("=").Id("n"),
		jen.Return(jen.Id("k").Dot(other).Call()),
	}
}

// textOfParts joins the parts of a value, with the number of its bucket if it
// has one.
func (f *file) textOfParts(level Level, bucket *jen.Statement) []jen.Code {
	body := []jen.Code{jen.Var().Id("buf").Index(jen.Lit(64)).Byte()}
	if f.copies(level) {
		body = []jen.Code{jen.Var().List(jen.Id("buf"), jen.Id("text")).Index(jen.Lit(64)).Byte()}
	}
	to, assign := jen.Id("buf").Index(jen.Empty(), jen.Lit(0)), ":="
	for _, part := range level.Parts {
		var appended *jen.Statement
		switch {
		case part.Component != nil:
			appended = f.appendComponent(to, level, *part.Component, f.ofKey(*part.Component))
		case part.Bucket != nil:
			appended = jen.Qual(strconvPath, "AppendInt").Call(to, jen.Int64().Call(bucket), jen.Lit(10))
		case len(part.Literal) == 1:
			appended = jen.Append(to, jen.LitRune(rune(part.Literal[0])))
		default:
			appended = jen.Append(to, jen.Lit(part.Literal).Op("..."))
		}
		body = append(body, jen.Id("b").Op(assign).Add(appended))
		to, assign = jen.Id("b"), "="
	}
	return append(body, jen.Return(jen.String().Call(jen.Id("b"))))
}

// copies reports whether the text of a component has to be made in a buffer of its
// own before it can be escaped.
func (f *file) copies(level Level) bool {
	for _, part := range level.Parts {
		if c := part.Component; c != nil && f.Escape && level.Made && (c.Lower || c.Value == Text || c.Value == TextPtr) {
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
func (f *file) appendComponent(to *jen.Statement, level Level, c Component, x *jen.Statement) *jen.Statement {
	escaped := func(text *jen.Statement) *jen.Statement {
		return jen.Qual(partitionPath, "AppendEscaped").Call(to, text, jen.Lit(level.Separators()))
	}
	switch {
	case f.Escape && c.Value == Int && strings.Contains(level.Separators(), "-"):
		return jen.Qual(partitionPath, "AppendEscapedInt").Call(to, convert(c.Field, "int64", x), jen.Lit(level.Separators()))
	case !f.Escape || !level.Made || c.Value != String && c.Value != Text && c.Value != TextPtr:
		return appendComponent(to, c, x)
	case c.Value == String && !c.Lower:
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
		return jen.Qual(partitionPath, "AppendText").Call(to, marshaler(c.Field, x))
	}
	if c.Lower {
		return jen.Qual(partitionPath, "AppendLower").Call(to, convert(c.Field, "string", x))
	}
	return jen.Append(to, x.Op("..."))
}

// marshaler writes x, or a pointer to it if the pointer has the method.
func marshaler(field Field, x *jen.Statement) *jen.Statement {
	if field.Value == TextPtr {
		return jen.Op("&").Add(x)
	}
	return x
}

// textOf writes x, an item id or a natural key, as a string.
//
//	string(k.ID)
//	partition.TextOf(k.ID)
func textOf(field Field, x *jen.Statement) *jen.Statement {
	if field.Value == Text || field.Value == TextPtr {
		return jen.Qual(partitionPath, "TextOf").Call(marshaler(field, x))
	}
	return convert(field, "string", x)
}

// hash writes the bucket of a key. Value writes its components.
//
//	partition.Hash{}.Text(k.VIN).Bucket(400)
//	partition.HashText(partition.Hash{}.Text(k.VIN), k.Owner).Bucket(400)
func (f *file) hash(bucket *Bucket, value func(Component) *jen.Statement) *jen.Statement {
	h := jen.Qual(partitionPath, "Hash").Values()
	for _, c := range bucket.Hash {
		x := value(c)
		switch {
		case c.Value == Int:
			h.Dot("Int").Call(convert(c.Field, "int64", x))
		case c.Value == Uint:
			h.Dot("Uint").Call(convert(c.Field, "uint64", x))
		case c.Value == Bool:
			h.Dot("Bool").Call(convert(c.Field, "bool", x))
		case c.Value == Time:
			h.Dot("Time").Call(x, jen.Lit(c.Layout))
		case c.Value == Text || c.Value == TextPtr:
			h = jen.Qual(partitionPath, "HashText").Call(h, marshaler(c.Field, x))
		case c.Lower:
			h.Dot("Lower").Call(convert(c.Field, "string", x))
		default:
			h.Dot("Text").Call(convert(c.Field, "string", x))
		}
	}
	return h.Dot("Bucket").Call(jen.Lit(bucket.Count))
}
