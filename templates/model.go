package templates

import (
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
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
		key = jen.Id(f.keyOfName)
	}
	id := textOf(f.ID, jen.Id("k").Dot(f.fields[0].name))
	m := append(f.modelKey(),
		member{"Type", jen.Lit(f.Name)},
		member{"Key", key},
		member{"ID", oneLine(param("k", jen.Id(f.keyName)), jen.String(), id)},
	).when(f.Draft, "Draft", jen.True()).when(f.Ambiguous, "Ambiguous", jen.True()).when(f.Kind == Synthetic, "Synthetic", jen.True()).
		when(f.Written != nil, "Written", texts(f.Written))
	if f.Ambiguous || f.hashed {
		m = append(m, member{"Same", f.same()})
	}
	if f.Stored != nil {
		m = append(m, member{"Stored", f.textPointer(*f.Stored)})
	}
	if f.ETag != nil {
		m = append(m, member{"ETag", f.textPointer(*f.ETag)})
	}
	if f.random != nil {
		m = append(m, member{"Random", f.randomModel()})
	}
	m = append(m, f.api().model(f)...)
	for _, x := range f.features {
		if x.model != nil {
			m = append(m, x.model(f)...)
		}
	}
	f.out.Line()
	f.out.Add(variable(f.modelName, rows(generated("Model").Types(jen.Id(f.Name), jen.Id(f.keyName)), m.sorted()...)))
}

// IsDraft reports whether generated code says that the layout is a draft.
func IsDraft(text []byte) bool { return draftLine.Match(text) }

// IsBound reports whether generated code says that the layout is no draft. It returns false for
// code that does not parse, such as after a merge.
func IsBound(text []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	return err == nil && modelLine.Match(text) && !IsDraft(text)
}

// modelLine begins the variable of a model.
var modelLine = regexp.MustCompile(`(?m)^var \w+ = generated\.Model\[`)

// draftLine is the line of a model of a draft.
var draftLine = regexp.MustCompile(`(?m)^\tDraft: +true,\r?$`)

// modelKey writes the path of the key, or of each level, and the function that gives the run time
// the partition key of a key.
//
//	Path: "/partitionKey"
//	Text: VehicleEventKey.PartitionKey
//	Value: func(k ReadingKey) any { return float64(k.Number) }
//	Paths: []string{"/tenantId", "/partitionKey"}
//	Values: func(k EventKey) []any { return []any{k.TenantID, k.level2()} }
//
// Made are the numbers, from 0, of the levels that the run time writes into documents.
func (f *file) modelKey() members {
	key := param("k", jen.Id(f.keyName))
	if f.Kind != Hierarchical {
		m := members{{"Path", jen.Lit(f.Levels[0].Path)}}
		if !f.scalar {
			return append(m, member{"Text", jen.Id(f.keyName).Dot("PartitionKey")})
		}
		c := *f.Levels[0].Parts[0].Component
		return append(m, member{"Value", oneLine(key, jen.Any(), scalarValue(c, f.ofKey(c)))})
	}
	var paths, values, made []jen.Code
	for i, level := range f.Levels {
		paths, values = append(paths, jen.Lit(level.Path)), append(values, f.levelOf("k", i))
		if level.Made {
			made = append(made, jen.Lit(i))
		}
	}
	return members{
		{"Paths", jen.Index().String().Values(paths...)},
		{"Values", oneLine(key, jen.Index().Any(), jen.Index().Any().Values(values...))},
	}.when(made != nil, "Made", jen.Index().Int().Values(made...))
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
	suffix := oneLine(param("k", ptr(jen.Id(f.keyName))), ptr(jen.Int()), addr(jen.Id("k").Dot(f.suffix)))
	return addr(rows(generated("Random").Types(jen.Id(f.keyName)),
		named("Buckets", jen.Lit(f.random.Bucket().Count)),
		named("Suffix", suffix),
	))
}

// The features below describe more of documents than their key: which documents are of
// the type, and which field keeps unknown properties.

// discriminators tell the documents of a type from other documents of the container.
var discriminators = feature{
	in:    func(t *Type) bool { return t.Discriminator != nil },
	model: func(f *file) members { return members{{"Discriminator", f.Discriminator.model()}} },
}

// rest keeps unknown properties in a field.
var rest = feature{
	in:      func(t *Type) bool { return t.Rest != nil },
	imports: []string{jsonPath},
	model: func(f *file) members {
		return members{
			{"Rest", f.pointerTo(*f.Rest, restType(), addr(jen.Id(f.doc).Dot(f.Rest.Selector)))},
			{"Known", rows(jen.Index().String(), collect(f.Properties, func(p Property) jen.Code { return jen.Lit(jsonpointer.Names(p.Pointer)[0]) })...)},
		}
	},
}

// model writes the discriminator.
//
//	&generated.Discriminator{Property: "type", Value: "reading"}
//
// If the type has no value of its own, Others are the values of the other types.
func (d *Discriminator) model() *jen.Statement {
	return addr(generated("Discriminator").Values(
		named("Property", jen.Lit(d.Property)),
		when(d.Value != "", named("Value", jen.Lit(d.Value))),
		when(d.Value == "", named("Others", texts(d.Others))),
	))
}

// ofType ends the first sentence of the repository's comment, and says which documents are of the
// type.
func (f *file) ofType() string {
	d := f.Discriminator
	if d == nil {
		return "."
	}
	is := "is " + strconv.Quote(d.Value)
	if d.Value == "" {
		is = "is not " + strings.Join(collect(d.Others, strconv.Quote), " or ")
	}
	if !f.shares {
		return ". Their property " + strconv.Quote(d.Property) + " " + is + ", and their ids begin with " + strconv.Quote(f.Prefix) + "."
	}
	look := "Upsert, Replace, and Delete"
	if f.Deleted != nil { // the mark has the type in its condition
		look = "Upsert and Replace"
	}
	return ". Their property " + strconv.Quote(d.Property) + " " + is + ". All types share the ids of a logical partition, so " + look +
		" first read the stored document. They do not if the id of each type has a prefix= in its tag."
}

// restType is the type of a pointer to the unknown properties.
//
//	*map[string]json.RawMessage
func restType() *jen.Statement {
	return ptr(jen.Map(jen.String()).Qual(jsonPath, "RawMessage"))
}
