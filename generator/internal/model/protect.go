package model

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// protect removes the patches of properties that no patch may change: the id, the partition key and
// the properties in it and in the ids of containers, the discriminator, the stamps, the time of the
// deletion, the schema number, unique properties, the texts of keys of indexes, the properties that
// the service sets, and the objects that contain one of these.
func protect(m *templates.Type) {
	var fixed []string
	for _, name := range facts.SystemProperties {
		if name != facts.TTLProperty {
			fixed = append(fixed, jsonpointer.Of(name))
		}
	}
	for _, c := range AllComponents(m) {
		fixed = append(fixed, c.Pointer)
	}
	fixed = append(fixed, m.Paths()...) // names need no escapes, so a path is a pointer
	for _, u := range m.Unique {
		fixed = append(fixed, jsonpointer.Of(u.Property))
	}
	if m.Discriminator != nil {
		fixed = append(fixed, jsonpointer.Of(m.Discriminator.Property))
	}
	for _, f := range stampFields(m) {
		fixed = append(fixed, f.Pointer)
	}
	if m.Deleted != nil {
		fixed = append(fixed, m.Deleted.Field.Pointer)
	}
	if m.Schema != nil {
		fixed = append(fixed, m.Schema.Field.Pointer)
	}
	for _, x := range m.Indexes {
		if x.Field != nil {
			fixed = append(fixed, x.Field.Pointer)
		}
	}
	protectAll(m.Properties, fixed)
}

func protectAll(properties []templates.Property, fixed []string) {
	for i := range properties {
		p := &properties[i]
		if slices.ContainsFunc(fixed, func(at string) bool {
			return jsonpointer.Contains(p.Pointer, at) || jsonpointer.Contains(at, p.Pointer)
		}) {
			p.Patch = templates.FieldKind{}
		}
		protectAll(p.Properties, fixed)
	}
}
