package templates

import "slices"

// plan is what is decided about the file of a type before anything is written: its
// names, and the fields of its key. The queries and their costs follow from it.
type plan struct {
	*Type
	imports []importName
	scope   scope      // the names that a parameter may not have
	doc     string     // the name of a document in functions
	fields  []keyField // of the key type, without a random suffix
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

// random returns the level that ends with a random suffix, or nil.
func (f *plan) random() *Level {
	if i := slices.IndexFunc(f.Levels, Level.Random); i >= 0 {
		return &f.Levels[i]
	}
	return nil
}

// bucket returns the suffix of a key of one level, or nil.
func (f *plan) bucket() *Bucket {
	if f.Kind == Hierarchical {
		return nil
	}
	return f.Levels[0].Bucket()
}
