package model

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// noteHashedID notes that ids which are unique only per value of a hashed field are not unique
// within a bucket, because the key contains only the bucket, which other values share. It reports
// whether writes must check the stored document, because the tag does not declare that ids are
// unique.
func (k *key) noteHashedID(id pk.Field) (looks bool) {
	if slices.ContainsFunc(k.Roles, func(t *facts.Tagged) bool { return t.Unique && t.Ref.Selector == id.Selector }) {
		return false
	}
	told := map[string]bool{id.Selector: true}
	for _, p := range k.row {
		if p.Component != nil {
			told[p.Component.Selector] = true
		}
	}
	var hashed []string
	for _, l := range k.Levels {
		for _, p := range l.Parts {
			if p.Component != nil {
				told[p.Component.Selector] = true
			}
		}
	}
	for _, l := range k.Levels {
		b := l.Bucket()
		if b == nil {
			continue
		}
		for _, c := range b.Hash {
			if !told[c.Selector] && !slices.Contains(hashed, c.Selector) {
				hashed = append(hashed, c.Selector)
			}
		}
	}
	t := k.ByProperty(facts.IDProperty)
	if len(hashed) == 0 || t == nil || k.Silent(annotations.NoteHashedID, t.Path...) {
		return false
	}
	why := "so Upsert, Replace and Delete read first, which costs a point read: put %[1]s in the id, or acknowledge that ids are unique, such as random ids"
	if looks = k.API() != annotations.Gremlin; !looks {
		why = "and Upsert, Replace and Delete then change the wrong one: put %[1]s in the id, unless ids are unique, such as random ids"
	}
	k.NoteOf(annotations.NoteHashedID, t.Path, k.DeclaredAt(t), fmt.Sprintf(
		"documents with different %s can share a bucket and an id, "+why, plain.And(hashed)))
	return looks
}
