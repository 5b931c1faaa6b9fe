package keychange

import (
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// Pages that tell how to change properties in safe steps.
const (
	evolutionPage = "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/evolution.md"
	uniquePage    = "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/unique.md"
)

// noteAliases notes aliases of properties that are not read any more.
func noteAliases(d *model.Model, was, now lock.Entry) {
	read := make(map[string]bool) // by pointer
	for _, p := range now.AliasedProperties() {
		for _, alias := range p.Aliases {
			read[jsonpointer.Of(alias)] = true
		}
	}
	for _, p := range now.Properties {
		read[p.Pointer] = true
	}
	for _, p := range was.AliasedProperties() {
		for _, alias := range p.Aliases {
			if read[jsonpointer.Of(alias)] {
				continue
			}
			d.Report.Notef(d.Position(), "alias=%s is gone from the property %s of type %s: if pkgen-data upgrade, or Upgrade, has not yet rewritten all documents, the others are read without it, and %s; see %s",
				alias, jsonpointer.Of(p.Name), d.Name(), fate(d), evolutionPage)
		}
	}
}

// fate says what becomes of a property that stored documents have and the type has not.
func fate(d *model.Model) string {
	if d.Rendered.Rest != nil {
		return "keep it among the unknown properties"
	}
	return "lose it when Upsert, Replace or Update writes them again"
}

// noteUnique notes properties whose values have become unique.
func noteUnique(d *model.Model, was, now lock.Entry) {
	for _, name := range (lock.Change{Old: now, New: was}).NoLongerUnique() {
		d.Report.Notef(d.Position(), "the property %s of type %s is unique now: other documents can get the values of those that are stored already, until pkgen-data verify -mend has reserved them; see %s",
			name, d.Name(), uniquePage)
	}
}
