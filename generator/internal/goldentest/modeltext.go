package goldentest

import (
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// ModelText writes a model as text, one fact a line, in the order of the fields
// of [templates.Type]. It leaves zero values out. A test sees that the text has
// every field.
//
//	Name: Trip
//	Layout: {day}.{vin%400}
//	ID: ID string at /id
//	Level: /partitionKey made
//		Component: Day string at /day
//		Literal: "."
//		Bucket: 400
//			Hash: VIN string at /vin
//	Property: VIN String[string] at /vin, patch PatchValue[string]
//	Struct: Trip
//		ID string `json:"id"`
func ModelText(t *templates.Type) []byte {
	w := &writer{}
	w.model(t)
	return []byte(w.text.String())
}

// model writes all facts of a model.
func (w *writer) model(t *templates.Type) {
	v := reflect.ValueOf(*t)
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		switch name { // for readability, because the key occurs in three fields
		case "NoMethods":
			w.field("Layout", reflect.ValueOf(t.Layout()))
		case "Ambiguous":
			w.field("Escape", reflect.ValueOf(t.Escape))
		case "Key":
			name, field = "Levels", reflect.ValueOf(t.Levels)
		}
		w.field(name, field)
	}
}

// writer writes facts, indented by their depth in the model.
type writer struct {
	text   strings.Builder
	indent int
}

// line writes one line.
func (w *writer) line(text string) {
	w.text.WriteString(strings.TrimRight(strings.Repeat("\t", w.indent)+text, " ") + "\n")
}

// within writes something one level deeper.
func (w *writer) within(write func()) {
	w.indent++
	write()
	w.indent--
}

// fields writes the fields of a struct that are not zero.
func (w *writer) fields(v reflect.Value) {
	for i := range v.NumField() {
		w.field(v.Type().Field(i).Name, v.Field(i))
	}
}

// elements are the labels of the elements of lists.
var elements = map[string]string{
	"Levels": "Level", "Composites": "Composite", "Properties": "Property",
	"Structs": "Struct", "Fields": "Field", "Vectors": "Vector", "Texts": "Text",
	"Indexes": "Index", "Elements": "Element", "Computed": "Computed",
}

// field writes one field; a list has a line for each element.
func (w *writer) field(name string, v reflect.Value) {
	if v.IsZero() {
		return
	}
	if element, ok := elements[name]; ok {
		name = element
	}
	switch x := v.Interface().(type) {
	case *templates.Type: // an entry, or a type with a text of its own
		w.line(name + ": " + x.Name)
		if name == "Entry" {
			w.within(func() { w.model(x) })
		}
	case []string:
		w.line(name + ": " + strings.Join(x, " "))
	case []pk.Part:
		w.line(name + ":")
		w.within(func() { w.parts(x) })
	case []templates.IndexPath:
		w.line(name + ": " + indexText(x))
	case templates.Vector:
		w.line(fmt.Sprintf("%s: %d %s at %s by %s, %s", name, x.Dimensions, x.DataType, x.Path, x.Metric, vectorIndexText(x)))
	case templates.FullText:
		w.line(fmt.Sprintf("%s: %s in %s", name, x.Path, x.Language))
	case templates.Computed:
		w.line(fmt.Sprintf("%s: %s by %s%s", name, x.Name, x.Query, given(", own", x.Own)))
	case *int:
		w.line(fmt.Sprintf("%s: %d", name, *x))
	case templates.API:
		w.line(name + ": " + apis[x])
	case templates.Kind:
		w.line(name + ": " + kinds[x])
	case templates.Guard:
		w.fields(v)
	default:
		w.value(name, v)
	}
}

// value writes a text or a struct, or several of these.
func (w *writer) value(name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			w.field(name, v.Index(i))
		}
		return
	case reflect.Pointer:
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case pk.Field:
		w.line(name + ": " + fieldText(x))
	case pk.Component:
		w.line(name + ": " + componentText(x))
	case templates.Schema:
		text := fmt.Sprintf("%s: %d in %s", name, x.Number, fieldText(x.Field))
		if x.Next > 0 {
			text += fmt.Sprintf(", next %d", x.Next)
		}
		w.line(text)
	case templates.Stamps, templates.Deleted:
		w.line(name + ":")
		w.within(func() { w.fields(reflect.ValueOf(x)) })
	case templates.Edge:
		w.line(name + ": from " + x.From + " to " + x.To)
	case templates.Discriminator:
		w.line(name + ": " + discriminatorText(x))
	case pk.Level:
		w.line(name + ": " + x.Path + given(" made", x.Made))
		w.within(func() { w.parts(x.Parts) })
	case pk.Bucket:
		w.line(fmt.Sprintf("%s: %d", name, x.Count) + countsText(x))
		w.within(func() { w.field("Hash", reflect.ValueOf(x.Hash)) })
	case templates.Property:
		w.line(name + ": " + propertyText(x))
		w.within(func() {
			w.field(name, reflect.ValueOf(x.Properties))
			w.field(name, reflect.ValueOf(x.Element))
		})
	case templates.Element:
		w.line(name + ": " + x.Name + " of " + goType(x.Type))
		w.within(func() {
			w.field("Properties", reflect.ValueOf(x.Properties))
			w.field("Guard", reflect.ValueOf(x.Guard))
		})
	case templates.GuardedStruct:
		w.line(name + ": " + typeText(x.Name))
		w.within(func() { w.structFields(x.Fields) })
	case templates.Index:
		w.line(name + ": " + x.Name)
		w.within(func() {
			w.field("Entry", reflect.ValueOf(x.Entry))
			w.field("Field", reflect.ValueOf(x.Field))
			w.field("Selected", reflect.ValueOf(x.Selected))
			w.field("Later", reflect.ValueOf(x.Later))
			w.line("Struct:")
			w.within(func() { w.structFields(x.Fields) })
		})
	case templates.GuardedField:
		w.line(name + ": " + x.Selector + " " + typeText(x.Type))
	default:
		w.line(fmt.Sprintf("%s: %v", name, x))
	}
}

// parts writes the parts of a level, literals in quotes.
func (w *writer) parts(all []pk.Part) {
	for _, p := range all {
		if p.Literal != "" {
			w.line(fmt.Sprintf("Literal: %q", p.Literal))
		}
		w.field("Component", reflect.ValueOf(p.Component))
		w.field("Bucket", reflect.ValueOf(p.Bucket))
	}
}

// structFields writes the fields of a struct as Go declares them.
func (w *writer) structFields(all []templates.StructField) {
	for _, f := range all {
		text := typeText(f.Type)
		if f.Name != "" {
			text = f.Name + " " + text
		}
		if f.Tag != "" {
			text += " `" + f.Tag + "`"
		}
		w.line(text)
	}
}

// kinds are the names of [templates.Kind].
var kinds = [...]string{"Natural", "ItemID", "Synthetic", "Hierarchical"}

// apis are the names of [templates.API].
var apis = [...]string{"NoSQL", "Table", "Mongo", "Gremlin"}

// values are the names of [templates.Value].
var values = [...]string{"String", "Int", "Uint", "Bool", "Float", "Time", "Text", "TextPtr", "Any"}

// fieldText writes "Meta.VIN string at /meta/vin", followed by the facts that not every field has.
func fieldText(f pk.Field) string {
	text := fmt.Sprintf("%s %s at %s", f.Selector, goType(f.Type), f.Pointer)
	if f.Pointer == "" {
		text = strings.TrimSpace(f.Selector + " " + goType(f.Type))
	}
	if f.Property != strings.ReplaceAll(strings.TrimPrefix(f.Pointer, "/"), "/", ".") {
		text += ", property " + f.Property
	}
	if f.Name != f.Selector {
		text += ", named " + f.Name
	}
	if f.Value != pk.String {
		text += ", as " + values[f.Value]
	}
	if f.Pointers != nil {
		text += ", through pointers " + strings.Join(f.Pointers, " ")
	}
	if f.Hiding != "" {
		text += ", hidden by " + f.Hiding
	}
	return text + given(", an instant", f.Instant)
}

// componentText writes a component: its field, and how its text is made.
func componentText(c pk.Component) string {
	text := fieldText(c.Field)
	if c.Layout != "" {
		text += ", layout " + c.Layout
	}
	return text + given(", newest", c.Newest) + given(", lower", c.Lower) + given(", zero is empty", c.NonZero)
}

// propertyText writes "Lat Number[float64] at /position/lat", followed by the patch and the facts
// that not every property has.
func propertyText(p templates.Property) string {
	text := fmt.Sprintf("%s %s at %s", p.Name, kindText(p.Kind), p.Pointer)
	if p.Patch.Name != "" {
		text += ", patch " + kindText(p.Patch)
	}
	if p.Holder != 0 {
		text += fmt.Sprintf(", holder %d", p.Holder)
	}
	if p.Aliases != nil {
		text += ", alias " + strings.Join(p.Aliases, ", ")
	}
	if p.Vector != nil {
		text += fmt.Sprintf(", %d %s by %s, %s", p.Vector.Dimensions, p.Vector.DataType, p.Vector.Metric, vectorIndexText(*p.Vector))
		if p.Vector.Path != "" {
			text += " of " + p.Vector.Path
		}
	}
	if p.Language != "" {
		text += ", in " + p.Language
	}
	if p.Computed != "" {
		text += ", computed by " + p.Computed
	}
	return text + given(", omitted", p.Omitted)
}

// kindText writes "Map[string, Number[int]]".
func kindText(k templates.FieldKind) string {
	text := goType(k.Value)
	if k.Element != nil {
		text += ", " + kindText(*k.Element)
	}
	if text == "" {
		return k.Name
	}
	return k.Name + "[" + text + "]"
}

// goType writes "net/netip.Addr", with the name of the package if the path does not end with it.
func goType(t pk.GoType) string {
	text := t.Name
	if t.Path != "" {
		text = t.Path + "." + t.Name
	}
	if t.Package != "" && t.Package != path.Base(t.Path) {
		text = t.Package + "=" + text
	}
	if t.Args == nil {
		return text
	}
	args := make([]string, len(t.Args))
	for i, arg := range t.Args {
		args[i] = goType(arg)
	}
	return text + "[" + strings.Join(args, ", ") + "]"
}

// typeText writes a type of any form.
func typeText(t templates.TypeText) string {
	var text strings.Builder
	for _, part := range t {
		text.WriteString(part.Text + goType(part.Type))
	}
	return text.String()
}

// indexText writes "/day, /speed descending".
func indexText(paths []templates.IndexPath) string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = p.Path + given(" descending", p.Descending)
	}
	return strings.Join(out, ", ")
}

// discriminatorText writes `type = "alarm"`, or `type, others "alarm"`.
func discriminatorText(d templates.Discriminator) string {
	text := d.Property
	if d.Value != "" {
		text += fmt.Sprintf(" = %q", d.Value)
	}
	if d.Others != nil {
		text += fmt.Sprintf(", others %q", d.Others)
	}
	return text
}

// countsText writes the counts of other releases: ", was [200 100], next 800".
func countsText(b pk.Bucket) string {
	text := ""
	if b.Was != nil {
		text = fmt.Sprintf(", was %v", b.Was)
	}
	if b.Next != 0 {
		text += fmt.Sprintf(", next %d", b.Next)
	}
	return text
}

// given returns text if holds is true.
func given(text string, holds bool) string {
	if holds {
		return text
	}
	return ""
}

// vectorIndexText writes the index of a vector and its tuning.
func vectorIndexText(v templates.Vector) string {
	text := v.Index
	if v.Quantizer != "" {
		text += " " + v.Quantizer
	}
	if v.QuantizationBytes > 0 {
		text += fmt.Sprintf(" to %d bytes", v.QuantizationBytes)
	}
	if v.SearchList > 0 {
		text += fmt.Sprintf(" with a list of %d", v.SearchList)
	}
	if v.ShardKey != "" {
		text += " divided by " + v.ShardKey
	}
	return text
}
