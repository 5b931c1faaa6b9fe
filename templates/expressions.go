package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

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
		return jen.Qual(partitionPath, "TextOf").Call(marshaler(field, x))
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
		return jen.Qual(partitionPath, "Tick").Call(x)
	}
	if name := timelayout.Name(c.Layout); name != "" {
		return jen.Qual(partitionPath, goname.UpperFirst(name)).Call(x)
	}
	return jen.Qual(partitionPath, "Truncate").Call(x, jen.Lit(c.Layout))
}
