package templates

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// cartType has lists of texts, of lists, and of structs: one struct is of another package, and the
// fields of another one would be called like fields of the document.
func cartType() *Type {
	text, number := kindOf("String", "string"), kindOf("Number", "int")
	list := func(name, property, of string, element *Property) Property {
		return Property{Name: name, Pointer: property, Kind: kindOf("List", of), Element: element}
	}
	element := func(kind FieldKind, of *Property) *Property {
		return &Property{Name: "Element", Pointer: ElementPointer, Kind: kind, Element: of}
	}
	return &Type{
		Name: "Cart", Kind: ItemID, ID: id(),
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: text},
			{Name: "Lines", Pointer: "/lines", Omitted: true, Kind: kindOf("List", "cartLine")},
			list("Parts", "/parts", goldenPath+"elements/part.Part", nil),
			list("Tags", "/tags", "string", element(text, nil)),
			list("Grid", "/grid", "any", element(kindOf("List", "int"), element(number, nil))),
			{Name: "Line", Pointer: "/line", Kind: FieldKind{Name: "Object"}, Properties: []Property{{Name: "SKU", Pointer: "/line/sku", Kind: text}}},
		},
		Elements: []Element{
			{
				Name: "cartLine", Type: pk.GoType{Name: "cartLine"},
				Properties: []Property{
					{Name: "SKU", Pointer: "/sku", Kind: text},
					{Name: "Count", Pointer: "/count", Omitted: true, Kind: number},
					{Name: "Size", Pointer: "/size", Kind: FieldKind{Name: "Object"}, Properties: []Property{{Name: "Width", Pointer: "/size/width", Kind: number}}},
					list("Within", "/within", "cartLine", nil),
				},
				Guard: Guard{Structs: []GuardedStruct{{Name: TypeText{{Type: pk.GoType{Name: "cartLine"}}}, Fields: []StructField{
					{Name: "SKU", Type: TypeText{{Type: pk.GoType{Name: "string"}}}, Tag: `json:"sku"`},
					{Name: "Count", Type: TypeText{{Type: pk.GoType{Name: "int"}}}, Tag: `json:"count,omitempty"`},
					{Name: "Size", Type: TypeText{{Text: "struct{ Width int `json:\"width\"` }"}}, Tag: `json:"size"`},
					{Name: "Within", Type: TypeText{{Text: "[]"}, {Type: pk.GoType{Name: "cartLine"}}}, Tag: `json:"within"`},
				}}}},
			},
			{
				Name: "Part", Type: pk.GoType{Path: goldenPath + "elements/part", Name: "Part"},
				Properties: []Property{{Name: "Name", Pointer: "/name", Kind: text}},
				Guard:      Guard{Fields: []GuardedField{{Selector: "Name", Type: TypeText{{Type: pk.GoType{Name: "string"}}}}}},
			},
		},
	}
}

// TestElementPointer holds the text of generated code to the one that the run time reads.
func TestElementPointer(t *testing.T) {
	if ElementPointer != condition.Element {
		t.Errorf("%q is not %q", ElementPointer, condition.Element)
	}
}

// tripwireType has properties of each kind, structs within each other, and names
// that would make two types, or two fields of a type, with one name.
func tripwireType() *Type {
	object := FieldKind{Name: "Object"}
	sum, sumPatch := kindOf("Number", "float64"), kindOf("PatchNumber", "float64")
	sums := FieldKind{Name: "Map", Element: &sum}
	sumsPatch := FieldKind{Name: "PatchMap", Value: pk.GoType{Name: "float64"}, Element: &sumPatch}
	return &Type{
		Name: "Tripwire", Kind: ItemID, ID: id(),
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: kindOf("String", "string")},
			{Name: "Armed", Pointer: "/armed", Omitted: true, Kind: kindOf("Bool", "Switch"), Patch: kindOf("PatchValue", "Switch")},
			{Name: "At", Pointer: "/at", Omitted: true, Kind: FieldKind{Name: "Instant"}, Patch: kindOf("PatchValue", repositoryPath+".Time")},
			{Name: "Rest", Pointer: "/rest", Omitted: true, Kind: FieldKind{Name: "Opaque"}, Patch: kindOf("PatchValue", "time.Time")},
			{
				Name: "Tags", Pointer: "/tags",
				Kind:  kindOf("List", goldenPath+"fields/tag.Tag"),
				Patch: kindOf("PatchList", goldenPath+"fields/tag.Tag"),
			},
			{
				Name: "Sums", Pointer: "/sums",
				Kind:  FieldKind{Name: "Map", Element: &sums},
				Patch: FieldKind{Name: "PatchMap", Value: pk.GoType{Name: "any"}, Element: &sumsPatch},
			},
			{Name: "Meta", Pointer: "/meta", Kind: object, Patch: kindOf("PatchValue", "Meta"), Properties: []Property{
				{Name: "Inner", Pointer: "/meta/inner", Kind: object, Patch: kindOf("PatchValue", "Inner"), Properties: []Property{{
					Name: "Count", Pointer: "/meta/inner/count", Omitted: true, Holder: 2,
					Kind: kindOf("Number", "int"), Patch: kindOf("PatchNumber", "int"),
				}}},
				{Name: "ObjectValue", Pointer: "/meta/object", Kind: sum, Patch: sumPatch},
				{Name: "PatchValue", Pointer: "/meta/patchValue", Kind: sum, Patch: sumPatch},
			}},
			{Name: "MetaInner", Pointer: "/metaInner", Kind: object, Properties: []Property{
				{Name: "Odd", Pointer: "/metaInner/a.b~1c", Kind: sum, Patch: sumPatch},
			}},
			{Name: "Order", Pointer: "/order", Kind: sum, Patch: sumPatch},
			{Name: "Self", Pointer: "/_self", Kind: kindOf("String", "string")},
		},
	}
}

// wireType is unexported, gets no methods, and has no property that a patch can
// change.
func wireType() *Type {
	return &Type{
		Name: "wire", Kind: ItemID, ID: id(), NoMethods: true,
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: kindOf("String", "string")},
			{Name: "End", Pointer: "/end", Kind: FieldKind{Name: "Object"}, Properties: []Property{
				{Name: "Range", Pointer: "/end/range", Kind: kindOf("Number", "int")},
			}},
		},
	}
}

func TestNamesOfNestedFields(t *testing.T) {
	for _, test := range []struct {
		typ  *Type
		want []string
	}{
		{tripwireType(), []string{
			"TripwireFields", "tripwireMetaFields", "tripwireMetaInnerFields", "tripwireMetaInnerFieldsValue",
			"TripwirePatch", "tripwireMetaPatch", "tripwireMetaInnerPatch", "tripwireMetaInnerPatchValue",
		}},
		{wireType(), []string{"wireFields", "wireEndFields", "wireContainer", "ensureWireContainer"}},
	} {
		names := test.typ.Names()
		at := slices.Index(names, test.want[0])
		if at < 0 || !slices.Equal(names[at:at+len(test.want)], test.want) {
			t.Errorf("%s: names %q, want %q among them", test.typ.Name, names, test.want)
		}
	}
}

// TestAnotherProperty expects a new property to add lines of its own, and to
// change no other but for blanks, by which gofmt aligns.
func TestAnotherProperty(t *testing.T) {
	lines := func(typ *Type) []string {
		t.Helper()
		complete(typ, "shared")
		source, err := Render(typ)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(source), "\n")
		for i, line := range lines {
			lines[i] = strings.Join(strings.Fields(line), " ")
		}
		return lines
	}
	const where = 3 // among the others
	typ := probeType()
	typ.Properties = slices.Insert(typ.Properties, where, Property{
		Name: "LongerThanTheOthers", Pointer: "/longer", Kind: kindOf("Number", "float64"), Patch: kindOf("PatchNumber", "float64"),
	})
	old := lines(probeType())
	var added []string
	for _, line := range lines(typ) {
		if len(old) > 0 && line == old[0] {
			old = old[1:]
		} else {
			added = append(added, line)
		}
	}
	if len(old) > 0 {
		t.Errorf("the output lacks the line %q", old[0])
	}
	want := []string{
		"LongerThanTheOthers documents.Number[Probe, float64]",
		`LongerThanTheOthers: "/longer",`,
		"LongerThanTheOthers repository.PatchNumber[Probe, float64]",
		`LongerThanTheOthers: "/longer",`,
		`"longer",`,
	}
	if diff := cmp.Diff(want, added); diff != "" {
		t.Errorf("added lines (-want +got):\n%s", diff)
	}
}
