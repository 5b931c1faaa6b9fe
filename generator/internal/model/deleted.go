package model

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// deleted returns the field that marks documents as deleted, or nil if deletion removes them. The
// rest of r must be complete.
func (k *key) deleted(r *templates.Type) *templates.Deleted {
	const word, what = "deleted", "the time of the deletion"
	t := k.filled(r, word, what, func(t *facts.Tagged) bool { return t.Deleted },
		func(t *facts.Tagged) string { return k.noTime(t.Ref.Field().Type()) })
	if t == nil {
		return nil
	}
	ref, pos := t.Ref, t.Word(word)
	if !ref.JSON.OmitZero {
		name := ref.Property[0]
		k.Fixable(k.JSONPosition(ref, pos), k.JSONFix(ref, name+",omitzero"),
			fmt.Sprintf("field %s cannot hold %s: a document that is not deleted would be written with the year 1; write `json:\"%s,omitzero\"`", ref.Selector, what, name))
		return nil
	}
	own := k.ByProperty(facts.TTLProperty)
	f, ok := k.field(ref, pk.Time, pos)
	if !ok {
		return nil
	}
	return &templates.Deleted{Field: f, Seconds: t.Purge, OwnTTL: own != nil}
}
