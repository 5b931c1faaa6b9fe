package templates

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// emptyWithoutSuffix writes the statement that returns no text while no suffix has
// been chosen.
//
//	if k.Suffix == 0 {
//		return ""
//	}
func (f *file) emptyWithoutSuffix() *jen.Statement {
	return jen.If(equal(jen.Id("k").Dot(f.suffix), jen.Lit(0))).Block(jen.Return(jen.Lit("")))
}

// bucketBody is the body of a method that makes a value with suffix n. The other
// method makes it with the suffix of k.
func (f *file) bucketBody(level pk.Level, other string) []jen.Code {
	if !level.Random() {
		return f.textOfParts(level, jen.Id("n"))
	}
	return []jen.Code{
		assign(jen.Id("k").Dot(f.suffix), jen.Id("n")),
		jen.Return(jen.Id("k").Dot(other).Call()),
	}
}

// textOfParts joins the parts of a value, with the number of its bucket if it
// has one.
func (f *file) textOfParts(level pk.Level, bucket *jen.Statement) []jen.Code {
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
			appended = jen.Append(to, spread(jen.Lit(part.Literal)))
		}
		body = append(body, jen.Id("b").Op(assign).Add(appended))
		to, assign = jen.Id("b"), "="
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
		return jen.Qual(partitionPath, "AppendEscaped").Call(to, text, jen.Lit(level.Separators()))
	}
	switch {
	case f.Escape && c.Value == pk.Int && strings.Contains(level.Separators(), "-"):
		return jen.Qual(partitionPath, "AppendEscapedInt").Call(to, convert(c.Field, "int64", x), jen.Lit(level.Separators()))
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
			return jen.Qual(partitionPath, "AppendNewest").Call(to, x)
		}
		return jen.Qual(partitionPath, "AppendTime").Call(to, x, jen.Lit(c.Layout))
	case pk.Text, pk.TextPtr:
		return jen.Qual(partitionPath, "AppendText").Call(to, marshaler(c.Field, x))
	}
	if c.Lower {
		return jen.Qual(partitionPath, "AppendLower").Call(to, convert(c.Field, "string", x))
	}
	return jen.Append(to, spread(x))
}

// hash writes the bucket of a key. Value writes its components.
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
			h = jen.Qual(partitionPath, "HashText").Call(h, marshaler(c.Field, x))
		case c.Lower:
			h.Dot("Lower").Call(convert(c.Field, "string", x))
		default:
			h.Dot("Text").Call(convert(c.Field, "string", x))
		}
	}
	return h.Dot("Bucket").Call(jen.Lit(bucket.Count))
}
