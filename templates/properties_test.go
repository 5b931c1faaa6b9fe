package templates

import (
	"slices"
	"testing"
)

// tripwireType has properties of each kind, structs within each other, and names
// that make two types of one name.
func tripwireType() *Type {
	object := FieldKind{Name: "Object"}
	number := FieldKind{Name: "Number", Value: GoType{Name: "float64"}}
	count := Property{Name: "Count", Pointer: "/meta/inner/count", Omitted: true, Holder: 2, Kind: FieldKind{Name: "Number", Value: GoType{Name: "int"}}}
	return &Type{
		Name: "Tripwire", Layout: "{id}", Kind: ItemID, ID: id(),
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: FieldKind{Name: "String", Value: GoType{Name: "string"}}},
			{Name: "Armed", Pointer: "/armed", Omitted: true, Kind: FieldKind{Name: "Bool", Value: GoType{Name: "Switch"}}},
			{Name: "At", Pointer: "/at", Omitted: true, Kind: FieldKind{Name: "Instant"}},
			{Name: "Rest", Pointer: "/rest", Omitted: true, Kind: FieldKind{Name: "Opaque"}},
			{Name: "Tags", Pointer: "/tags", Kind: FieldKind{Name: "List", Value: GoType{Path: goldenPath + "fields/tag", Name: "Tag"}}},
			{Name: "Sums", Pointer: "/sums", Kind: FieldKind{Name: "Map", Element: &FieldKind{Name: "Map", Element: &number}}},
			{Name: "Meta", Pointer: "/meta", Kind: object, Properties: []Property{
				{Name: "Inner", Pointer: "/meta/inner", Kind: object, Properties: []Property{count}},
				{Name: "ObjectValue", Pointer: "/meta/object", Kind: number},
			}},
			{Name: "MetaInner", Pointer: "/metaInner", Kind: object, Properties: []Property{
				{Name: "Odd", Pointer: "/metaInner/a.b~1c", Kind: number},
			}},
			{Name: "Order", Pointer: "/order", Kind: number},
		},
	}
}

// wireType is unexported, and gets no methods.
func wireType() *Type {
	return &Type{
		Name: "wire", Layout: "{id}", Kind: ItemID, ID: id(), NoMethods: true,
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: FieldKind{Name: "String", Value: GoType{Name: "string"}}},
			{Name: "End", Pointer: "/end", Kind: FieldKind{Name: "Object"}, Properties: []Property{
				{Name: "Range", Pointer: "/end/range", Kind: FieldKind{Name: "Number", Value: GoType{Name: "int"}}},
			}},
		},
	}
}

func TestNamesOfNestedFields(t *testing.T) {
	for _, test := range []struct {
		typ  *Type
		want []string
	}{
		{tripwireType(), []string{"TripwireFields", "tripwireMetaFields", "tripwireMetaInnerFields", "tripwireMetaInnerFieldsValue"}},
		{wireType(), []string{"wireFields", "wireEndFields"}},
	} {
		names := test.typ.Names()
		at := slices.Index(names, test.want[0])
		if at < 0 || !slices.Equal(names[at:at+len(test.want)], test.want) {
			t.Errorf("%s: names %q, want %q among them", test.typ.Name, names, test.want)
		}
	}
}
