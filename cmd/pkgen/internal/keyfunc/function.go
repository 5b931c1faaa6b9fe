package keyfunc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// function is what all languages write: parameters, and the values made from them.
type function struct {
	*templates.Type
	params []*param   // in the order of their first use in the key
	values []pk.Level // one, or those of a hierarchical key

	hashes   bool     // a bucket is computed
	lowers   bool     // a text is converted to lower case
	escapers []string // the sets of separators, one for each escape function
}

// param is a parameter of the function: a field of the document, or the random
// suffix of its key.
type param struct {
	pk.Field
	name   string   // in the language
	words  []string // of the name
	layout string   // the longest layout of a time
	lower  bool     // every use is in lower case
	count  int      // the number of random suffixes; 0 for a field
}

// newFunction returns the function for t.
func newFunction(t *templates.Type) *function {
	f := &function{Type: t, values: t.Levels}
	for _, v := range f.values {
		for _, p := range v.Parts {
			switch {
			case p.Component != nil:
				f.use(*p.Component)
				if separators := v.Separators(); f.escapes(v, *p.Component) && !slices.Contains(f.escapers, separators) {
					f.escapers = append(f.escapers, separators)
				}
			case p.Bucket != nil && p.Bucket.Hash == nil:
				f.params = append(f.params, &param{count: p.Bucket.Count, words: []string{"suffix"}})
			case p.Bucket != nil:
				f.hashes = true
				for _, c := range p.Bucket.Hash {
					f.use(c)
				}
			}
		}
	}
	return f
}

// use records that the key needs a component.
func (f *function) use(c pk.Component) {
	f.lowers = f.lowers || c.Lower
	p := f.param(c.Field)
	if p == nil {
		p = &param{Field: c.Field, lower: true, words: words(c.Property)}
		f.params = append(f.params, p)
	}
	p.lower = p.lower && c.Lower
	if len(c.Layout) > len(p.layout) {
		p.layout = c.Layout
	}
}

// param returns the parameter of a field, or nil.
func (f *function) param(field pk.Field) *param {
	for _, p := range f.params {
		if p.count == 0 && p.Property == field.Property {
			return p
		}
	}
	return nil
}

// escapes reports whether a component of v is percent-encoded: texts are, and integers if a
// separator is a minus sign. Nothing else can contain characters to encode.
func (f *function) escapes(v pk.Level, c pk.Component) bool {
	if !v.Made || !f.Escape {
		return false
	}
	switch c.Value {
	case pk.String, pk.Text, pk.TextPtr:
		return true
	case pk.Int:
		return strings.Contains(v.Separators(), "-")
	}
	return false
}

// plain returns the component of a value that is a number or a boolean, and nil for a text.
func plain(v pk.Level) *pk.Component {
	if v.Made {
		return nil
	}
	switch c := v.Parts[0].Component; c.Value {
	case pk.Int, pk.Uint, pk.Float, pk.Bool:
		return c
	}
	return nil
}

// has reports whether a parameter has one of the kinds.
func (f *function) has(values ...pk.Value) bool {
	return slices.ContainsFunc(f.params, func(p *param) bool {
		return p.count == 0 && slices.Contains(values, p.Value)
	})
}

// exact reports whether the key, or a level of it, is an integer of one of the kinds, which must be
// stored as a double.
func (f *function) exact(values ...pk.Value) bool {
	return slices.ContainsFunc(f.values, func(v pk.Level) bool {
		c := plain(v)
		return c != nil && slices.Contains(values, c.Value)
	})
}

// texts reports whether every value of the key is a text.
func (f *function) texts() bool {
	return !slices.ContainsFunc(f.values, func(v pk.Level) bool { return plain(v) != nil })
}

// numbered returns the name of one of several similar helpers: escape, escape2.
func numbered(name string, index int) string {
	if index == 0 {
		return name
	}
	return name + strconv.Itoa(index+1)
}
