package templates

import (
	"go/parser"
	"go/token"
	"regexp"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// model writes the variable that tells the run time about the type.
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
	key := jen.Parens(ptr(jen.Id(f.Name))).Dot("Key")
	if f.NoMethods {
		key = jen.Id(f.keyOfName())
	}
	id := textOf(f.ID, jen.Id("k").Dot(f.fields[0].name))
	items := []jen.Code{
		named("Type", jen.Lit(f.Name)),
		f.modelPath(),
		named("Key", key),
		named("ID", oneLine(jen.Id("k").Id(f.keyName()), jen.String(), id)),
		f.modelValue(),
	}
	if f.Draft {
		items = append(items, named("Draft", jen.True()))
	}
	if level := f.grows(); level >= 0 {
		items = append(items, named("Others", jen.Id(f.keyName()).Dot("otherKeys")))
		if f.Levels[level].Bucket().Next > 0 {
			items = append(items, named("Later", jen.Lit(1)))
		}
	}
	if made := f.made(); len(made) > 0 {
		items = append(items, named("Made", jen.Index().Int().Values(made...)))
	}
	if f.Ambiguous || f.hashes() {
		items = append(items, named("Same", f.same()))
	}
	if f.Ambiguous {
		items = append(items, named("Ambiguous", jen.True()))
	}
	if f.Kind == Synthetic {
		items = append(items, named("Synthetic", jen.True()))
	}
	if f.Stored != nil {
		items = append(items, named("Stored", f.textPointer(*f.Stored)))
	}
	if f.ETag != nil {
		items = append(items, named("ETag", f.textPointer(*f.ETag)))
	}
	if f.random() != nil {
		items = append(items, named("Random", f.randomModel()))
	}
	if len(f.Written) > 0 {
		written := make([]jen.Code, len(f.Written))
		for i, path := range f.Written {
			written[i] = jen.Lit(path)
		}
		items = append(items, named("Written", jen.Index().String().Values(written...)))
	}
	if f.Discriminator != nil {
		items = append(items, named("Discriminator", f.Discriminator.model()))
	}
	if f.Prefix != "" {
		items = append(items, named("Prefix", jen.Id(f.prefixName())))
	}
	if f.Rest != nil {
		items = append(items,
			named("Rest", f.pointerTo(*f.Rest, restType(), addr(jen.Id(f.doc).Dot(f.Rest.Selector)))),
			named("Known", rows(jen.Index().String(), f.known()...)),
		)
	}
	items = append(items, f.keptModel()...)
	items = append(items, f.api().model(f)...)
	if aliases := f.aliasModel(); aliases != nil {
		items = append(items, aliases)
	}
	items = append(items, f.placingModel()...)
	f.out.Line()
	f.out.Add(variable(f.modelName(), rows(jen.Qual(generatedPath, "Model").Types(jen.Id(f.Name), jen.Id(f.keyName())), items...)))
}

// IsDraft reports whether generated code says that the layout is a draft.
func IsDraft(text []byte) bool { return draftLine.Match(text) }

// IsBound reports whether generated code says that the layout is no draft. Code that is not
// whole, as after a merge, says nothing.
func IsBound(text []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	return err == nil && modelLine.Match(text) && !IsDraft(text)
}

// modelLine begins the variable of a model.
var modelLine = regexp.MustCompile(`(?m)^var \w+ = generated\.Model\[`)

// draftLine is the line of a model that says so.
var draftLine = regexp.MustCompile(`(?m)^\tDraft: +true,\r?$`)

// keptModel writes what the run time keeps in documents of the type, or about them: nothing
// for most types.
func (f *file) keptModel() []jen.Code {
	var items []jen.Code
	if f.Stamps != nil {
		items = append(items, named("Stamps", f.stampsModel()))
	}
	if f.Deleted != nil {
		items = append(items, named("Deleted", f.deletedModel()))
	}
	if f.Schema != nil {
		items = append(items, named("Schema", f.schemaModel()))
	}
	if f.Unique != nil {
		names := make([]jen.Code, len(f.Unique))
		for i, u := range f.Unique {
			names[i] = jen.Lit(u.Property)
		}
		items = append(items, named("Unique", jen.Index().String().Values(names...)))
	}
	return items
}

// placingModel writes what the run time knows of a type with vectors, several containers or
// tenants: nothing for other types.
func (f *file) placingModel() []jen.Code {
	var items []jen.Code
	if vectors := f.vectorsModel(); vectors != nil {
		items = append(items, vectors)
	}
	if f.Containers != nil {
		items = append(items, named("Containers", f.containersModel()))
		if c := f.window(); c != nil {
			items = append(items, named("At", oneLine(param(f.doc, ptr(jen.Id(f.Name))), jen.Qual(timePath, "Time"), f.timeOf(keyField{Component: c.Component}))))
		}
	}
	if f.Tenant != nil {
		items = append(items, named("Tenant", f.tenantModel()))
	}
	if f.Own != nil {
		items = append(items, named("Own", f.ownModel()))
	}
	return items
}

// modelValue writes the function that gives the run time the partition key of a
// key.
//
//	Text: VehicleEventKey.PartitionKey
//	Value: func(k ReadingKey) any { return float64(k.Number) }
//	Values: func(k EventKey) []any { return []any{k.TenantID, k.level2()} }
func (f *file) modelValue() *jen.Statement {
	if f.Kind == Hierarchical {
		values := make([]jen.Code, len(f.Levels))
		for i := range f.Levels {
			values[i] = f.levelOf("k", i)
		}
		return named("Values", jen.Add(oneLine(jen.Id("k").Id(f.keyName()), jen.Index().Any(), jen.Index().Any().Values(values...))))
	}
	if !f.scalar() {
		return named("Text", jen.Id(f.keyName()).Dot("PartitionKey"))
	}
	c := *f.Levels[0].Parts[0].Component
	return named("Value", oneLine(jen.Id("k").Id(f.keyName()), jen.Any(), scalarValue(c, f.ofKey(c))))
}

// modelPath writes the path of the key, or of each level.
//
//	Path: "/partitionKey"
//	Paths: []string{"/tenantId", "/partitionKey"}
func (f *file) modelPath() *jen.Statement {
	if f.Kind != Hierarchical {
		return named("Path", jen.Lit(f.Levels[0].Path))
	}
	paths := make([]jen.Code, len(f.Levels))
	for i, level := range f.Levels {
		paths[i] = jen.Lit(level.Path)
	}
	return named("Paths", jen.Index().String().Values(paths...))
}

// made returns the numbers, from 0, of the levels of a hierarchical key that the
// run time writes into documents.
func (f *file) made() []jen.Code {
	var made []jen.Code
	for i, level := range f.Levels {
		if f.Kind == Hierarchical && level.Made {
			made = append(made, jen.Lit(i))
		}
	}
	return made
}

// textPointer writes the function that finds a field of a document as a string.
//
//	func(e *VehicleEvent) *string { return &e.ETag }
//	func(e *VehicleEvent) *string { return (*string)(&e.ETag) }
func (f *file) textPointer(field pk.Field) *jen.Statement {
	pointer := addr(jen.Id(f.doc).Dot(field.Selector))
	if field.Type.Path != "" || field.Type.Name != "string" {
		pointer = jen.Parens(ptr(jen.String())).Call(pointer)
	}
	return f.pointerTo(field, ptr(jen.String()), pointer)
}

// pointerTo writes the function that finds a field of a document, on one line. If
// pointers lead to the field, it writes
//
//	func(e *VehicleEvent) *string {
//		if e.Meta == nil {
//			return nil
//		}
//		return &e.Meta.ETag
//	}
func (f *file) pointerTo(field pk.Field, result, pointer *jen.Statement) *jen.Statement {
	document := param(f.doc, ptr(jen.Id(f.Name)))
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
	suffix := oneLine(param("k", ptr(jen.Id(f.keyName()))), ptr(jen.Int()), addr(jen.Id("k").Dot(f.suffix)))
	return addr(rows(jen.Qual(generatedPath, "Random").Types(jen.Id(f.keyName())),
		named("Buckets", jen.Lit(f.random().Bucket().Count)),
		named("Suffix", suffix),
	))
}
