package templates

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// placed is a Component and its place in the key.
type placed struct {
	pk.Component
	level   int  // the number of its level, from 0
	natural bool // the level is a plain property
	hashed  bool // it is in a bucket
	placing bool // it is in the id of the container, and not in the key
}

// components returns the components of the key in order, with the hashed ones. A
// component that is used twice comes twice.
func (t *Type) components() []placed {
	var all []placed
	for i, level := range t.Levels {
		for _, part := range level.Parts {
			if part.Component != nil {
				all = append(all, placed{Component: *part.Component, level: i, natural: !level.Made})
			}
			if part.Bucket != nil {
				for _, c := range part.Bucket.Hash {
					all = append(all, placed{Component: c, level: i, hashed: true})
				}
			}
		}
	}
	return all
}

// choose returns the components that match.
func choose(all []placed, match func(placed) bool) []placed {
	var chosen []placed
	for _, c := range all {
		if match(c) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// prefixed reports whether a query can read all buckets of a base by the prefix
// that their keys share, without many keys of other bases. That holds if the bucket
// is the last part, after a literal, and the base is made of integers and times:
// their texts do not contain the literal. Only the run time of NoSQL does so.
func (t *Type) prefixed() bool {
	if !t.api().prefixes || t.Kind != Synthetic || len(t.Levels[0].Parts) < 3 {
		return false
	}
	base, last := t.Levels[0].Parts[:len(t.Levels[0].Parts)-1], t.Levels[0].Parts[len(t.Levels[0].Parts)-1]
	return last.Bucket != nil && base[len(base)-1].Literal != "" && !slices.ContainsFunc(base, func(p pk.Part) bool {
		return p.Component != nil && !slices.Contains([]pk.Value{pk.Int, pk.Uint, pk.Time}, p.Component.Value)
	})
}

// allFields returns every field of the document that the file refers to, each
// once: the id, the fields of the key, and the fields that the run time fills in.
func (t *Type) allFields() []pk.Field {
	fields := []pk.Field{t.ID}
	for _, c := range t.keyComponents() {
		fields = append(fields, c.Field)
	}
	if t.Stored != nil {
		fields = append(fields, *t.Stored)
	}
	if t.ETag != nil {
		fields = append(fields, *t.ETag)
	}
	if t.Schema != nil {
		fields = append(fields, t.Schema.Field)
	}
	for _, stamp := range t.stamps() {
		fields = append(fields, *stamp.field)
	}
	if t.Deleted != nil {
		fields = append(fields, t.Deleted.Field)
	}
	seen := scope.Names{}
	var once []pk.Field
	for _, field := range fields {
		if !seen[field.Selector] {
			seen.Add(field.Selector)
			once = append(once, field)
		}
	}
	return once
}
