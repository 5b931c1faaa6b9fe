package templates

import (
	"slices"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// keyField is a field of the key type.
type keyField struct {
	Component
	name string // what the key type calls it
}

// keyFields returns the fields of the key type: the id, and then the fields that
// make the partition key, each once, in order. A time with several layouts has the
// finest one. A repository.Time of the document is a time.Time here, since the
// start of a period is not an instant that a document stores.
func keyFields(t *Type) []keyField {
	fields := []keyField{{Component: Component{Field: t.ID}}}
	for _, c := range t.components() {
		at := slices.IndexFunc(fields, func(field keyField) bool { return field.Selector == c.Selector })
		switch {
		case at < 0:
			fields = append(fields, keyField{Component: c.Component})
		case digits(c.Layout) > digits(fields[at].Layout):
			fields[at].Layout = c.Layout
		}
	}
	for i := range fields {
		if fields[i].Instant {
			fields[i].Type = timeType
		}
	}
	nameFields(fields)
	return fields
}

var timeType = GoType{Path: timePath, Name: "Time"}

// nameFields names the fields of a key type by their Go names. The first field is
// the id: its name is ID, unless another field has that name. The names of the key
// type's methods are taken.
func nameFields(fields []keyField) {
	taken := names{}
	taken.add("PartitionKey", "Validate")
	for i := range fields[1:] {
		fields[1+i].name = taken.take(fields[1+i].Name)
	}
	fields[0].name = taken.take("ID", fields[0].Name, "ItemID")
}

// suffixName is the name of the random suffix in a key type with these fields.
func suffixName(fields []keyField) string {
	taken := names{}
	for _, field := range fields {
		taken.add(field.name)
	}
	return taken.take("Suffix", "RandomSuffix")
}

// digits counts the digits of a time layout, with those that an element without
// padding may have. The more digits, the finer the period.
func digits(layout string) int {
	n := unpadded(layout)
	for _, r := range layout {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// allFields returns every field of the document that the file refers to, each
// once: the id, the fields of the key, and the fields that the run time fills in.
func (t *Type) allFields() []Field {
	fields := []Field{t.ID}
	for _, c := range t.components() {
		fields = append(fields, c.Field)
	}
	if t.Stored != nil {
		fields = append(fields, *t.Stored)
	}
	if t.ETag != nil {
		fields = append(fields, *t.ETag)
	}
	seen := names{}
	var once []Field
	for _, field := range fields {
		if !seen[field.Selector] {
			seen.add(field.Selector)
			once = append(once, field)
		}
	}
	return once
}

// keyField returns the field of the key type that holds c, a component of the
// key or the id.
func (f *plan) keyField(c Component) keyField {
	return f.fields[slices.IndexFunc(f.fields, func(field keyField) bool { return field.Selector == c.Selector })]
}

// ofKey writes c as a field of the key k.
func (f *file) ofKey(c Component) *jen.Statement {
	return jen.Id("k").Dot(f.keyField(c).name)
}

// convert writes x, a value of a field, as a value of a predeclared type.
func convert(field Field, to string, x *jen.Statement) *jen.Statement {
	if field.Type.Path == "" && field.Type.Name == to {
		return x
	}
	return jen.Id(to).Call(x)
}
