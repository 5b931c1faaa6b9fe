package templates

import "github.com/cosmos-pkgen/pkgen/templates/internal/scope"

// elements writes the variables by which queries refer to the properties of elements of lists,
// each with the types of its fields and its guard.
//
//	var LineFields = struct {
//		SKU   documents.String[Line, string]
//		Count documents.Number[Line, int]
//	}{
//		SKU:   "/sku",
//		Count: "/count",
//	}
//
// The first type argument is the type of the elements, so a condition on an element does not
// compile as one on a document.
func (f *file) elements() {
	for _, x := range f.Elements {
		for _, s := range x.Guard.Structs {
			f.guardStruct(s)
		}
		f.guardSelected(x.Guard.Fields, unexported(x.Name)+"Changed_runPkgen", goType(x.Type))
		f.references(x.fieldsName(), "refers to the JSON properties of "+x.Name+" elements in conditions on lists.", f.elementReferences(x))
	}
}

// fieldsName is the name of the variable.
func (x Element) fieldsName() string { return x.Name + "Fields" }

// elementReferences returns the references by which queries name properties of elements. The
// names of structs in them differ from those for documents and for earlier elements.
func (t *Type) elementReferences(x Element) []reference {
	taken := scope.Of(typeNames(t.fieldReferences())...)
	for _, other := range t.Elements {
		taken.Add(other.fieldsName())
	}
	for _, other := range t.Elements {
		all := nameTypesIn(taken, unexported(other.Name), fieldsOf(other.Properties, other.Type), "Fields")
		if other.Name == x.Name {
			return all
		}
	}
	return nil
}
