package templates

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// plan is what is decided about the file of a type before anything is written: its
// names, and the fields of its key. The queries and their costs follow from it.
type plan struct {
	*Type
	imports  []importName
	scope    scope.Scope // the names that a parameter may not have
	doc      string      // the name of a document in functions
	fields   []keyField  // of the key type, without a random suffix
	features []*feature
	prices   prices
	suffix   string // the name of the random suffix in the key type, or ""
}

func newPlan(t *Type) *plan {
	p := &plan{Type: t, scope: scope.Scope{Names: scope.Names{}, Reserved: t.Reserved}}
	p.scope.Add(t.Name)
	p.scope.Add(t.Names()...)
	p.imports = importNames(t, p.scope)
	p.scope.Add("ctx", "key", "r")
	p.doc = p.scope.Document(t.Name)
	p.fields = keyFields(t)
	if p.random() != nil {
		p.suffix = suffixName(p.fields)
	}
	p.features = t.features()
	p.prices = p.newPrices()
	return p
}

// random returns the level that ends with a random suffix, or nil.
func (f *plan) random() *pk.Level {
	if i := slices.IndexFunc(f.Levels, pk.Level.Random); i >= 0 {
		return &f.Levels[i]
	}
	return nil
}

// bucket returns the suffix of a key of one level, or nil.
func (f *plan) bucket() *pk.Bucket {
	if f.Kind == Hierarchical {
		return nil
	}
	return f.Levels[0].Bucket()
}

// keyField returns the field of the key type that holds c, a component of the
// key or the id.
func (f *plan) keyField(c pk.Component) keyField {
	return f.fields[slices.IndexFunc(f.fields, func(field keyField) bool { return field.Selector == c.Selector })]
}

// looks reports whether Upsert, Replace and Delete first look whose document is
// there.
func (f *plan) looks() bool { return f.Ambiguous || f.shares() }

// shares reports whether a document of another type may have the id of one of
// this type.
func (f *plan) shares() bool { return f.Discriminator != nil && f.Prefix == "" }

// hashes reports whether a bucket is made of fields that are neither text of the key
// nor the id. Then documents of other values can be in the same bucket.
func (f *plan) hashes() bool {
	tells := scope.Names{}
	tells.Add(f.ID.Selector)
	for _, c := range f.components() {
		if !c.hashed {
			tells.Add(c.Selector)
		}
	}
	return len(choose(f.components(), func(c placed) bool { return !tells[c.Selector] })) > 0
}

// scalar reports whether the partition key is a JSON number or boolean: a natural
// key that is not a string.
func (f *plan) scalar() bool {
	return f.Kind == Natural && f.Levels[0].Parts[0].Component.Value != pk.String
}
