package layout

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// compile makes a layout without paths.
func compile(template string, escape bool, known lock.Entry) (*Layout, error) {
	t, problem := annotations.ParseTemplate(template)
	if problem != nil {
		return nil, problem
	}
	l := &Layout{template: t.String(), reads: node{slot: -1}}
	for _, from := range t.Levels {
		to := level{escape: escape}
		for i, p := range from {
			switch {
			case p.Component == nil:
				to.parts = append(to.parts, part{literal: p.Literal})
				to.separate(i, p.Literal)
			case p.Component.Buckets > 0:
				b, err := l.bucket(p.Component, known)
				if err != nil {
					return nil, err
				}
				if len(b.hash) == 0 && i > 0 {
					b.separator = from[i-1].Literal
				}
				to.parts = append(to.parts, part{bucket: b})
			default:
				c, err := l.component(p.Component.Fields[0], p.Component, known)
				if err != nil {
					return nil, err
				}
				c.escape = escape
				to.parts = append(to.parts, part{component: &c})
			}
		}
		l.levels = append(l.levels, to)
	}
	return l, nil
}

// separate adds the first character of a literal that follows a component, the part
// before i, to those that components do not hold.
func (l *level) separate(i int, literal string) {
	r, _ := utf8.DecodeRuneInString(literal)
	if i > 0 && !strings.ContainsRune(l.separators, r) {
		l.separators += string(r)
	}
}

// bucket makes a suffix.
func (l *Layout) bucket(from *annotations.Component, known lock.Entry) (*bucket, error) {
	b := &bucket{count: from.Buckets, stored: -1}
	for _, property := range from.Fields {
		c, err := l.component(property, from, known)
		if err != nil {
			return nil, err
		}
		b.hash = append(b.hash, c)
	}
	// A format applies to times alone, and lower to texts alone.
	for i := range b.hash {
		c := &b.hash[i]
		if len(b.hash) == 1 || c.kind == anyKind {
			continue
		}
		if c.kind != instant {
			c.format = ""
		}
		if c.kind != text {
			c.lower = false
		}
	}
	return b, nil
}

// component makes a component of a property.
func (l *Layout) component(property string, from *annotations.Component, known lock.Entry) (component, error) {
	c := component{property: property, format: from.Format, lower: from.Lower}
	i := slices.IndexFunc(known.Kinds, func(k lock.PropertyKind) bool { return k.Property == property })
	switch {
	case i >= 0:
		c.kind, c.method = kindOf(known.Kinds[i].Kind), strings.TrimPrefix(known.Kinds[i].Kind, ".")
	case property == idProperty && known.Type != "": // of a lock
		c.kind = text
	case len(from.Fields) == 1 && from.Format != "":
		c.kind = instant
	}
	single := len(from.Fields) == 1
	switch {
	case single && c.format != "" && c.kind != instant:
		return c, fmt.Errorf("property %s has a format, and is no time: remove %q", property, "|"+c.format)
	case single && c.kind == instant && c.format == "":
		return c, fmt.Errorf("property %s is a time without a format: write {%[1]s|day}, or year, month, hour, or a Go layout", property)
	case single && c.lower && c.kind != text && c.kind != anyKind:
		return c, fmt.Errorf("property %s is in lower case, and is no string: remove \"|lower\"", property)
	}
	c.slot = l.reads.add(names(property, "."), &l.slots)
	return c, nil
}

// bare reports whether a level is one property and nothing more.
func (l *level) bare() bool {
	if len(l.parts) != 1 || l.parts[0].component == nil {
		return false
	}
	c := l.parts[0].component
	return c.format == "" && !c.lower
}

// place says where the service finds the level of a layout.
func (l *level) place(of *Layout, path string) {
	l.path = path
	l.plain = l.bare() && path == "/"+strings.ReplaceAll(l.parts[0].component.property, ".", "/")
	if l.plain {
		l.parts[0].component.escape = false
	}
	for _, p := range l.parts {
		if p.bucket != nil && len(p.bucket.hash) == 0 {
			p.bucket.property = strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")
			p.bucket.stored = of.reads.add(names(path, "/"), &of.slots)
		}
	}
}

// judge checks the kinds of the components.
func (l *level) judge() error {
	for _, p := range l.parts {
		var components []component
		switch {
		case p.component != nil:
			components = []component{*p.component}
		case p.bucket != nil:
			components = p.bucket.hash
		}
		for _, c := range components {
			switch {
			case c.kind == anyKind:
				return fmt.Errorf("the lock does not say how the text of property %s is made: restore %s from version control", c.property, lock.FileName)
			case c.kind == float && p.component != nil && !l.plain:
				return fmt.Errorf("the lock says that property %s is a float, which has no one text: restore %s from version control", c.property, lock.FileName)
			}
		}
	}
	return nil
}
