package model

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// aliasSystem refuses aliases that equal the properties of the key or of the type.
func (d *subject) aliasSystem(k *key, r *templates.Type) {
	var own []string
	for _, path := range k.Paths() {
		if names := jsonpointer.Names(path); len(names) > 0 {
			own = append(own, names[0])
		}
	}
	if r.Discriminator != nil {
		own = append(own, r.Discriminator.Property)
	}
	for _, t := range d.Roles {
		for _, name := range t.Aliases() {
			if slices.Contains(own, name) && !slices.Equal(t.Ref.Property, []string{name}) && d.ByPropertyPath([]string{name}) == nil {
				d.Errorf(t.At(t.ValueOffset(t.AliasWord())), "field %s cannot be called %q in another release: each document has this property for its key or its type; remove %q", t.Ref.Selector, name, t.AliasWord())
			}
		}
	}
}
