package model

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Components returns the components of a key, with the hashed ones.
func Components(levels []pk.Level) []*pk.Component {
	var all []*pk.Component
	for _, level := range levels {
		for _, p := range level.Parts {
			if p.Component != nil {
				all = append(all, p.Component)
			}
			if p.Bucket != nil {
				for i := range p.Bucket.Hash {
					all = append(all, &p.Bucket.Hash[i])
				}
			}
		}
	}
	return all
}

// partComponents returns the components of a template of containers.
func partComponents(parts []pk.Part) []*pk.Component {
	var all []*pk.Component
	for _, p := range parts {
		if p.Component != nil {
			all = append(all, p.Component)
		}
	}
	return all
}

// AllComponents returns the components of a type's key, with the hashed ones, and
// those of its containers and of its row key.
func AllComponents(t *templates.Type) []*pk.Component {
	return slices.Concat(Components(t.Levels), partComponents(t.Containers), rowNames(t.Row, t.ID.Selector))
}

// IsText reports whether a method makes the text of a component.
func IsText(v pk.Value) bool { return v == pk.Text || v == pk.TextPtr }
