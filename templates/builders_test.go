package templates

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

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
		t.Levels = []pk.Level{{Path: "/id", Parts: []pk.Part{{Component: &pk.Component{Field: t.ID}}}}}
	case Natural:
		value := &t.Levels[0]
		value.Path = "/" + value.Parts[0].Component.Property
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
func propertiesOf(fields []pk.Field) []Property {
	kinds := map[pk.Value]string{pk.String: "String", pk.Int: "Number", pk.Uint: "Number", pk.Bool: "Bool", pk.Float: "Number"}
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
func field(selector, property string, value pk.Value, typ string) pk.Field {
	name := selector[strings.LastIndex(selector, ".")+1:]
	return pk.Field{
		Selector: selector, Name: name, Property: property, Pointer: "/" + strings.ReplaceAll(property, ".", "/"), Type: typeOf(typ), Value: value,
	}
}

// typeOf makes a type of its import path and name.
func typeOf(typ string) pk.GoType {
	if at := strings.LastIndex(typ, "."); at > 0 {
		return pk.GoType{Path: typ[:at], Name: typ[at+1:]}
	}
	return pk.GoType{Name: typ}
}

// kindOf makes a kind of fields or patches, of values of a type as field has it.
func kindOf(name, typ string) FieldKind { return FieldKind{Name: name, Value: typeOf(typ)} }

func text(name, property string) pk.Field { return field(name, property, pk.String, "string") }

func id() pk.Field { return text("ID", "id") }

func part(f pk.Field) pk.Part { return pk.Part{Component: &pk.Component{Field: f}} }

func timePart(f pk.Field, layout string) pk.Part {
	return pk.Part{Component: &pk.Component{Field: f, Layout: layout}}
}

func literal(s string) pk.Part { return pk.Part{Literal: s} }

func random(count int) pk.Part { return pk.Part{Bucket: &pk.Bucket{Count: count}} }

func hashed(count int, fields ...pk.Field) pk.Part {
	b := &pk.Bucket{Count: count}
	for _, f := range fields {
		b.Hash = append(b.Hash, pk.Component{Field: f})
	}
	return pk.Part{Bucket: b}
}

func natural(name, example string, f pk.Field) *Type {
	return &Type{Name: name, ExampleKey: example, Kind: Natural, ID: id(), Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(f)}}}}}
}
