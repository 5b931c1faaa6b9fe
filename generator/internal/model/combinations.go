package model

import (
	"go/token"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/combinations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// combines reports features that exclude each other, by the table of package combinations.
func (k *key) combines() bool {
	if k.API() != "" { // other APIs refuse words by a table of their own
		return true
	}
	has := k.features()
	fits := true
	for i := range combinations.Refusals {
		r := &combinations.Refusals[i]
		if _, here := has[r.Feature]; !here || r.By != "" {
			continue
		}
		for _, with := range r.With {
			if pos, here := has[with]; here {
				k.Errorf(pos, "%s", r.Message(with))
				fits = false
			}
		}
	}
	return fits
}

// features returns the features of the type that may exclude others, with the positions of their
// tags.
func (k *key) features() map[combinations.Feature]token.Position {
	has := map[combinations.Feature]token.Position{}
	option := func(f combinations.Feature, is bool, word string) {
		if is {
			has[f] = k.Options.At(k.Options.ValueOffset(word))
		}
	}
	option(combinations.Windows, k.Placed(), "container")
	option(combinations.Own, k.Tiered(), "own")
	option(combinations.Formerly, k.Options.Formerly != "", "formerly")
	option(combinations.Conflict, k.Options.Conflict != "", "conflict")
	if len(k.Indexes) > 0 {
		has[combinations.Index] = k.Indexes[0].Word("index")
	}
	made := &templates.Type{Key: k.Key}
	if moving(made) {
		has[combinations.Growing] = k.KeyPosition()
	}
	if random(made) {
		has[combinations.Random] = k.KeyPosition()
	}
	for _, t := range k.Roles {
		for _, role := range []struct {
			feature combinations.Feature
			is      bool
			word    string
		}{
			{combinations.Deleted, t.Deleted && t.Purge == 0, "deleted"},
			{combinations.Purged, t.Purge > 0, "purge"},
			{combinations.Unique, t.Unique, "unique"},
			{combinations.Schema, t.Schema > 0, "schema"},
			{combinations.NextForm, t.Upcoming > 0, "next"},
			{combinations.Tenant, t.Tenant, "tenant"},
			{combinations.Computed, t.Computed != "", "computed"},
		} {
			if role.is {
				has[role.feature] = t.Word(role.word)
			}
		}
	}
	if k.ByProperty(facts.TTLProperty) != nil {
		has[combinations.TTL] = k.Position()
	}
	return has
}
