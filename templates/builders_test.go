package templates

import "strings"

// complete fills in what the types of a case have in common.
func complete(t *Type, pkg string) {
	if t.Package == "" {
		t.Package = pkg
		t.PackagePath = goldenPath + pkg
	}
	if t.Source == "" {
		t.Source = "types.go"
	}
	if t.Container == "" {
		t.Container = strings.ToLower(t.Name)
	}
	switch t.Kind {
	case ItemID:
		t.Levels = []Level{{Path: "/id", Parts: []Part{{Component: &Component{Field: t.ID}}}}}
		t.Layout = "{id}"
	case Natural:
		value := &t.Levels[0]
		value.Path = "/" + value.Parts[0].Component.Property
		t.Layout = "{" + value.Parts[0].Component.Property + "}"
	case Synthetic:
		if value := &t.Levels[0]; value.Path == "" {
			value.Path = "/partitionKey"
		}
	}
	if t.Properties == nil {
		t.Properties = propertiesOf(t.allFields())
	}
}

// propertiesOf makes properties of fields, without structs around them.
func propertiesOf(fields []Field) []Property {
	kinds := map[Value]string{String: "String", Int: "Number", Uint: "Number", Bool: "Bool", Float: "Number"}
	var properties []Property
	for _, f := range fields {
		kind := FieldKind{Name: "Opaque"}
		if name := kinds[f.Value]; name != "" {
			kind = FieldKind{Name: name, Value: f.Type}
		}
		properties = append(properties, Property{Name: strings.ReplaceAll(f.Selector, ".", ""), Pointer: f.Pointer, Kind: kind})
	}
	return properties
}

func ref[T any](v T) *T { return &v }

// field makes a field; typ is "string", "time.Time" or "net/netip.Addr".
func field(selector, property string, value Value, typ string) Field {
	name := selector[strings.LastIndex(selector, ".")+1:]
	return Field{
		Selector: selector, Name: name, Property: property, Pointer: "/" + strings.ReplaceAll(property, ".", "/"), Type: typeOf(typ), Value: value,
	}
}

// typeOf makes a type of its import path and name.
func typeOf(typ string) GoType {
	if at := strings.LastIndex(typ, "."); at > 0 {
		return GoType{Path: typ[:at], Name: typ[at+1:]}
	}
	return GoType{Name: typ}
}

// kindOf makes a kind of fields or patches, of values of a type as field has it.
func kindOf(name, typ string) FieldKind { return FieldKind{Name: name, Value: typeOf(typ)} }

func text(name, property string) Field { return field(name, property, String, "string") }

func id() Field { return text("ID", "id") }

func part(f Field) Part { return Part{Component: &Component{Field: f}} }

func timePart(f Field, layout string) Part {
	return Part{Component: &Component{Field: f, Layout: layout}}
}

func literal(s string) Part { return Part{Literal: s} }

func random(count int) Part { return Part{Bucket: &Bucket{Count: count}} }

func hashed(count int, fields ...Field) Part {
	b := &Bucket{Count: count}
	for _, f := range fields {
		b.Hash = append(b.Hash, Component{Field: f})
	}
	return Part{Bucket: b}
}

func natural(name, example string, f Field) *Type {
	return &Type{Name: name, ExampleKey: example, Kind: Natural, ID: id(), Levels: []Level{{Parts: []Part{part(f)}}}}
}
