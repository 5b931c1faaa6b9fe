package templates

import "github.com/dave/jennifer/jen"

// model writes what the run time knows of the type.
//
//	var vehicleEventModel = generated.Model[VehicleEvent, VehicleEventKey]{
//		Type:      "VehicleEvent",
//		Path:      "/partitionKey",
//		Key:       (*VehicleEvent).Key,
//		ID:        func(k VehicleEventKey) string { return k.ID },
//		Text:      VehicleEventKey.PartitionKey,
//		Synthetic: true,
//		ETag:      func(e *VehicleEvent) *string { return &e.ETag },
//	}
func (f *file) model() {
	key := jen.Parens(jen.Op("*").Id(f.Name)).Dot("Key")
	if f.NoMethods {
		key = jen.Id(f.keyOfName())
	}
	id := convert(f.ID, "string", jen.Id("k").Dot(f.fields[0].name))
	items := []jen.Code{
		jen.Id("Type").Op(":").Lit(f.Name),
		jen.Id("Path").Op(":").Lit(f.Path),
		jen.Id("Key").Op(":").Add(key),
		jen.Id("ID").Op(":").Add(oneLine(jen.Id("k").Id(f.keyName()), jen.String(), id)),
		f.modelValue(),
	}
	if f.Kind == Synthetic {
		items = append(items, jen.Id("Synthetic").Op(":").True())
	}
	if f.Stored != nil {
		items = append(items, jen.Id("Stored").Op(":").Add(f.pointerTo(*f.Stored)))
	}
	if f.ETag != nil {
		items = append(items, jen.Id("ETag").Op(":").Add(f.pointerTo(*f.ETag)))
	}
	if f.random() {
		items = append(items, jen.Id("Random").Op(":").Add(f.randomModel()))
	}
	f.out.Line()
	f.out.Var().Id(f.modelName()).Op("=").Qual(generatedPath, "Model").
		Types(jen.Id(f.Name), jen.Id(f.keyName())).Custom(multiLine, items...)
}

// modelValue is how the run time gets the partition key of a key.
//
//	Text: VehicleEventKey.PartitionKey
//	Value: func(k ReadingKey) any { return float64(k.Number) }
func (f *file) modelValue() *jen.Statement {
	if !f.scalar() {
		return jen.Id("Text").Op(":").Id(f.keyName()).Dot("PartitionKey")
	}
	c := *f.Parts[0].Component
	return jen.Id("Value").Op(":").Add(oneLine(jen.Id("k").Id(f.keyName()), jen.Any(), scalarValue(c, f.ofKey(c))))
}

// scalarValue writes x, which is the natural key c, as the run time takes it.
func scalarValue(c Component, x *jen.Statement) *jen.Statement {
	if c.Value == Bool {
		return convert(c.Field, "bool", x)
	}
	return convert(c.Field, "float64", x)
}

// pointerTo writes the function that finds a field of a document.
//
//	func(e *VehicleEvent) *string { return &e.ETag }
//
// or, behind pointers,
//
//	func(e *VehicleEvent) *string {
//		if e.Meta == nil {
//			return nil
//		}
//		return &e.Meta.ETag
//	}
func (f *file) pointerTo(field Field) *jen.Statement {
	document := jen.Id(f.doc).Op("*").Id(f.Name)
	result := jen.Op("*").String()
	pointer := jen.Op("&").Id(f.doc).Dot(field.Selector)
	if field.Type.Path != "" || field.Type.Name != "string" {
		pointer = jen.Parens(jen.Op("*").String()).Call(pointer)
	}
	if len(field.Pointers) == 0 {
		return oneLine(document, result, pointer)
	}
	return jen.Func().Params(document).Add(result).Block(
		jen.If(f.nilTest(field.Pointers, "==", "||")).Block(jen.Return(jen.Nil())),
		jen.Return(pointer),
	)
}

// randomModel describes a random suffix.
//
//	&generated.Random[ClickKey]{
//		Buckets: 400,
//		Suffix:  func(k *ClickKey) *int { return &k.Suffix },
//	}
func (f *file) randomModel() *jen.Statement {
	suffix := oneLine(jen.Id("k").Op("*").Id(f.keyName()), jen.Op("*").Int(), jen.Op("&").Id("k").Dot(f.suffix))
	return jen.Op("&").Qual(generatedPath, "Random").Types(jen.Id(f.keyName())).Custom(multiLine,
		jen.Id("Buckets").Op(":").Lit(f.bucket.Count),
		jen.Id("Suffix").Op(":").Add(suffix),
	)
}

// oneLine is a function literal that returns an expression, on one line.
//
//	func(k VehicleEventKey) string { return k.ID }
func oneLine(parameter, result, expression jen.Code) *jen.Statement {
	return jen.Func().Params(parameter).Add(result).Op("{").Return(expression).Op("}")
}
