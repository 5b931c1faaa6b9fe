package templates

import "slices"

// plan is what the file of a type is made by: its names, and the values of its key.
// The queries and their costs follow from it, before anything is written.
type plan struct {
	*Type
	imports []importName
	scope   scope      // what a parameter may not be called
	doc     string     // what functions call a document
	fields  []keyField // the fields of the key type, a random suffix excluded
	suffix  string     // the name of the random suffix in the key type, or ""
}

func newPlan(t *Type) *plan {
	p := &plan{Type: t, scope: scope{names{}, t.Reserved}}
	p.scope.add(t.Name)
	p.scope.add(t.Names()...)
	p.imports = importNames(t, p.scope)
	p.scope.add("ctx", "key", "r")
	p.doc = p.scope.document(t.Name)
	p.fields = keyFields(t)
	if p.random() != nil {
		p.suffix = suffixName(p.fields)
	}
	return p
}

// random returns the value of the key that ends with a random suffix, or nil.
func (f *plan) random() *Level {
	if i := slices.IndexFunc(f.Levels, Level.Random); i >= 0 {
		return &f.Levels[i]
	}
	return nil
}

// bucket returns the suffix of a key of one value, or nil.
func (f *plan) bucket() *Bucket {
	if f.Kind == Hierarchical {
		return nil
	}
	return f.Levels[0].Bucket()
}
