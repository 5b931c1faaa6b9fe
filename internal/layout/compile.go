package layout

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// compile makes a layout from a key and its template.
func compile(template string, key pk.Key) (*Layout, error) {
	l := &Layout{template: template, model: key, reads: node{slot: -1}}
	for _, from := range key.Levels {
		to := level{Level: from}
		separators := from.Separators()
		for _, p := range from.Parts {
			components := p.Components()
			for _, c := range components {
				if err := fits(c, len(components) == 1); err != nil {
					return nil, err
				}
				made := component{Component: c, slot: l.slot(c.Property, ".")}
				if p.Component != nil && from.Made && key.Escape {
					made.escape, made.separators = true, separators
				}
				to.components = append(to.components, made)
			}
		}
		if from.Random() && from.Path != "" {
			property := strings.ReplaceAll(strings.TrimPrefix(from.Path, "/"), "/", ".")
			to.stored = &component{Component: &pk.Component{Field: pk.Field{Property: property}}, slot: l.slot(from.Path, "/")}
		}
		l.levels = append(l.levels, to)
	}
	return l, nil
}

// slot returns the slot of the property at a path.
func (l *Layout) slot(path, separator string) int {
	return l.reads.add(names(path, separator), &l.slots)
}

// fits checks that a time has a format, and no other component does. Of several hashed components,
// not every time needs one.
func fits(c *pk.Component, single bool) error {
	switch {
	case !single:
	case c.Layout != "" && c.Value != pk.Time:
		return fmt.Errorf("property %s has a format, but is not a time: remove %q", c.Property, "|"+c.Layout)
	case c.Layout == "" && c.Value == pk.Time:
		return fmt.Errorf("property %s is a time without a format: write {%[1]s|day}, or year, month, hour, or a Go layout", c.Property)
	case c.Lower && c.Value != pk.String && c.Value != pk.Any:
		return fmt.Errorf("property %s is in lower case, but is not a string: remove \"|lower\"", c.Property)
	}
	return nil
}

// judge checks that the lock has the kinds of the components.
func (l *level) judge() error {
	for _, p := range l.Parts {
		for _, c := range p.Components() {
			switch {
			case c.Value == pk.Any:
				return fmt.Errorf("the lock does not say how the text of property %s is made: restore %s from version control", c.Property, lock.FileName)
			case c.Value == pk.Float && p.Component != nil && l.Made:
				return fmt.Errorf("property %s is a float in the lock, which has no unique text: restore %s from version control", c.Property, lock.FileName)
			}
		}
	}
	return nil
}
