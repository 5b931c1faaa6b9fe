package model

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// visible reports a component that documents of an ambiguous key are told apart
// by, and whose property they do not have. It returns false if there is one.
func (k *key) visible(layout string) bool {
	for _, c := range Components(k.levels) {
		ref := k.ByName(c.Selector)
		if ref == nil || c.Value == templates.Time {
			continue
		}
		if by := k.Hiding(ref); by != "" {
			k.Errorf(k.KeyPosition(), "key %s is ambiguous, and queries cannot tell its documents apart by %s, since %s writes JSON of its own: put \"escape\" on the blank field, or keep %[2]s in a field of the document",
				layout, c.Selector, by)
			return false
		}
	}
	return true
}

// unasked says why a field cannot be the key or hashed, where documents lack its
// property: the container looks for the one, and queries for the other. It
// returns "" where they have it, and for parts of a key, which is written.
func (d *subject) unasked(ref *facts.FieldRef, u use) string {
	by := d.Hiding(ref)
	if u == part || by == "" {
		return ""
	}
	return fmt.Sprintf("%s writes JSON of its own, so documents do not have this property, by which they are looked for; keep it in a field of the document", by)
}
