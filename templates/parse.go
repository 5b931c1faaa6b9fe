package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// parse writes the function that returns the components of an escaped key.
//
//	func ParseReadingPartitionKey(key string) (ReadingKey, error) {
//		var k ReadingKey
//		p := partition.Parse("Reading", key, "-")
//		k.DeviceID = p.Text("DeviceID")
//		p.Literal("-")
//		k.Date = partition.ParseInt[int](p, "Date")
//		return k, p.Err()
//	}
func (f *file) parse() {
	level := f.Levels[0]
	taken := f.scope.Inner() // the function names types, which nothing may hide
	key, p := taken.Take("k", "made"), taken.Take("p", "parser")
	body := []jen.Code{
		jen.Var().Id(key).Id(f.keyName()),
		define(p, jen.Qual(partitionPath, "Parse").Call(jen.Lit(f.Name), jen.Id("key"), jen.Lit(level.Separators()))),
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
	f.declare(f.parseDoc(), jen.Func().Id(f.parseName()).Params(jen.Id("key").String()).Params(jen.Id(f.keyName()), jen.Error()).Block(body...))
}

// parseDoc is the comment of the function that parses a key.
func (f *file) parseDoc() string {
	doc := f.parseName() + " returns what a partition key of " + f.Name + " documents is made of. "
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
	switch len(absent) {
	case 0:
	case 1:
		doc += "The key does not hold " + absent[0] + ", which stays empty. "
	default:
		doc += "The key does not hold " + prose.Enumerate(absent) + ", which stay empty. "
	}
	return doc + "It returns a *partition.KeyError, and a key that is not complete, if no PartitionKey returns key."
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
