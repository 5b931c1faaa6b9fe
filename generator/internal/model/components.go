package model

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// AllComponents returns the components of a type's key, including hashed ones, of its containers
// and of its row key.
func AllComponents(t *templates.Type) []*pk.Component {
	return slices.Concat(t.Components(), pk.Level{Parts: t.Containers}.Components(), rowNames(t.Row, t.ID.Selector))
}
