package model

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// visible reports the components of an ambiguous key whose properties are missing in documents,
// because queries distinguish the documents of such a key by its components. It returns false after
// an error.
func (k *key) visible(layout string) bool {
	for _, c := range k.Components() {
		ref := k.ByName(c.Selector)
		if ref == nil || c.Value == pk.Time {
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
