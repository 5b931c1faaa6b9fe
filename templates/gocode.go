package templates

import "github.com/dave/jennifer/jen"

// This file has Go that jennifer has no words for, so that an emitter reads like the Go that it
// writes.

// ptr is the type *T.
func ptr(typ jen.Code) *jen.Statement { return jen.Op("*").Add(typ) }

// addr is &x.
func addr(x jen.Code) *jen.Statement { return jen.Op("&").Add(x) }

// spread is x... in a call.
func spread(x jen.Code) *jen.Statement { return jen.Add(x).Op("...") }

// param is a parameter, and options is the last one: opts ...Option.
func param(name string, typ jen.Code) *jen.Statement { return jen.Id(name).Add(typ) }
func options(typ jen.Code) *jen.Statement            { return jen.Id("opts").Op("...").Add(typ) }

// named is a field of a literal: Name: value.
func named(name string, value jen.Code) *jen.Statement { return jen.Id(name).Op(":").Add(value) }

// define is name := value, try is name, err := value, and assign x = value.
func define(name string, value jen.Code) *jen.Statement { return jen.Id(name).Op(":=").Add(value) }
func try(name string, value jen.Code) *jen.Statement {
	return jen.List(jen.Id(name), jen.Id("err")).Op(":=").Add(value)
}
func assign(x, value jen.Code) *jen.Statement { return jen.Add(x).Op("=").Add(value) }

// constant is const name = value, and variable var name = value.
func constant(name string, value jen.Code) *jen.Statement {
	return jen.Const().Add(assign(jen.Id(name), value))
}

func variable(name string, value jen.Code) *jen.Statement {
	return jen.Var().Add(assign(jen.Id(name), value))
}

// infix is x op y; without x it is y.
func infix(x *jen.Statement, op string, y jen.Code) *jen.Statement {
	if x == nil {
		return jen.Add(y)
	}
	return x.Op(op).Add(y)
}

// equal is x == y.
func equal(x *jen.Statement, y jen.Code) *jen.Statement { return infix(x, "==", y) }

// dot is x.name, with the name on a line of its own if broken says so.
func dot(x *jen.Statement, name string, broken bool) *jen.Statement {
	if broken {
		return x.Op(".").Line().Id(name)
	}
	return x.Dot(name)
}

// raw is a text that is Go by itself.
func raw(text string) *jen.Statement { return jen.Op(text) }

// multiLine is a composite literal with a line for each value.
var multiLine = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}

// rows is a composite literal of a type, with a line for each value.
func rows(typ *jen.Statement, values ...jen.Code) *jen.Statement {
	return typ.Custom(multiLine, values...)
}

// texts is []string{"a", "b"}.
func texts(all []string) *jen.Statement {
	return jen.Index().String().Values(collect(all, func(x string) jen.Code { return jen.Lit(x) })...)
}

// ids are identifiers.
func ids(names []string) []jen.Code {
	return collect(names, func(name string) jen.Code { return jen.Id(name) })
}

// collect returns the results of a function for each element.
func collect[T, U any](all []T, of func(T) U) []U {
	list := make([]U, len(all))
	for i, x := range all {
		list[i] = of(x)
	}
	return list
}

// oneLine is a function literal that returns an expression, on one line.
func oneLine(parameter, result, expression jen.Code) *jen.Statement {
	return jen.Func().Params(parameter).Add(result).Op("{").Return(expression).Op("}")
}

// doing is a function literal without a result, on one line if it has one statement.
func doing(statements []jen.Code, params ...jen.Code) *jen.Statement {
	if len(statements) == 1 {
		return jen.Func().Params(params...).Op("{").Add(statements...).Op("}")
	}
	return jen.Func().Params(params...).Block(statements...)
}

// when is code, or nothing.
func when(is bool, code jen.Code) jen.Code {
	if is {
		return code
	}
	return jen.Null()
}

// partition is a call of package partition. The others name something of a package.
func partition(function string, args ...jen.Code) *jen.Statement {
	return jen.Qual(partitionPath, function).Call(args...)
}

func azcosmos(name string) *jen.Statement   { return jen.Qual(azcosmosPath, name) }
func admin(name string) *jen.Statement      { return jen.Qual(adminPath, name) }
func generated(name string) *jen.Statement  { return jen.Qual(generatedPath, name) }
func repository(name string) *jen.Statement { return jen.Qual(repositoryPath, name) }
