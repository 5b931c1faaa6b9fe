package model

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// otherCase reports properties whose names differ only in case from a property of the run time or
// the service. If no field has the exact name, encoding/json ignores case (foldName in
// encoding/json/fold.go), so each read would overwrite the field.
func (d *subject) otherCase(levels []pk.Level, discriminator *templates.Discriminator) {
	for _, name := range facts.SystemProperties {
		d.foldsTo([]string{name}, "which has a meaning for the service")
	}
	for _, level := range levels {
		d.foldsTo(strings.Split(level.Path[1:], "/"), "where the partition key is")
	}
	if discriminator != nil {
		d.foldsTo([]string{discriminator.Property}, "which holds the type of a document")
	}
}

// foldsTo reports the properties that differ only in case from a property on a path.
func (d *subject) foldsTo(path []string, what string) {
	var at []string
	for _, name := range path {
		at = append(at, name)
		all := d.PropertiesAt(at[:len(at)-1])
		if slices.ContainsFunc(all, func(p facts.Property) bool { return p.Name == name }) {
			continue // encoding/json prefers a field with the exact name
		}
		for _, p := range all {
			if !strings.EqualFold(p.Name, name) {
				continue
			}
			ref := d.ByPropertyPath(append(slices.Clone(at[:len(at)-1]), p.Name))
			d.Errorf(d.JSONPosition(ref, d.DeclaredAt(ref)),
				"field %s has the property %q, which differs only in case from %q, %s: encoding/json confuses the two, so reads overwrite the field; give it another JSON name",
				ref.Selector, p.Name, strings.Join(at, "."), what)
		}
	}
}
