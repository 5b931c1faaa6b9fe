package pk

import (
	"cmp"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// Key is a partition key.
type Key struct {
	Levels []Level // one value, or up to four of a hierarchical key, in order
	Escape bool    // components are percent-encoded, so the key can be parsed
}

// Of returns the key of a template. The function field returns the field with a name in the
// template. A level that is a single field is a plain property.
func Of(t annotations.Template, field func(name string) Field) Key {
	var k Key
	for _, from := range t.Levels {
		var level Level
		for _, p := range from {
			level.Parts = append(level.Parts, PartOf(p, func(i int) Component {
				return componentOf(field(p.Component.Fields[i]), p.Component)
			}))
		}
		level.Made = !level.bare()
		k.Levels = append(k.Levels, level)
	}
	return k
}

// PartOf returns a part of a template, with a component for each of its fields.
func PartOf(p annotations.Part, component func(i int) Component) Part {
	switch {
	case p.Component == nil:
		return Part{Literal: p.Literal}
	case p.Component.Buckets == 0:
		c := component(0)
		return Part{Component: &c}
	}
	bucket := &Bucket{Count: p.Component.Buckets}
	for i := range p.Component.Fields {
		bucket.Hash = append(bucket.Hash, component(i))
	}
	return Part{Bucket: bucket}
}

// componentOf returns a field as a component of a template. Of several hashed fields, a format
// applies only to times, and lower only to texts.
func componentOf(f Field, as *annotations.Component) Component {
	c := Component{Field: f, Layout: as.Format, Newest: as.Newest, Lower: as.Lower}
	several := len(as.Fields) > 1
	switch {
	case c.Value == Any && !several && c.Layout != "":
		c.Value = Time
	case c.Value != Any && several:
		if c.Value != Time {
			c.Layout = ""
		}
		c.Lower = c.Lower && c.Value == String
	}
	return c
}

// Layout returns the notation of the key in templates, by JSON properties.
func (k Key) Layout() string { return k.Template().String() }

// Layout returns the notation of the level in templates, by JSON properties.
func (l Level) Layout() string { return Key{Levels: []Level{l}}.Layout() }

// Template returns the key as a template, by JSON properties.
func (k Key) Template() annotations.Template {
	var t annotations.Template
	for _, level := range k.Levels {
		var parts annotations.Level
		for _, p := range level.Parts {
			part := annotations.Part{Literal: p.Literal}
			switch {
			case p.Component != nil:
				part.Component = notationOf(0, *p.Component)
			case p.Bucket != nil:
				part.Component = notationOf(p.Bucket.Count, p.Bucket.Hash...)
			}
			parts = append(parts, part)
		}
		t.Levels = append(t.Levels, parts)
	}
	return t
}

// notationOf returns the notation of a component, or of several in a bucket.
func notationOf(buckets int, components ...Component) *annotations.Component {
	out := &annotations.Component{Buckets: buckets}
	for _, c := range components {
		out.Fields = append(out.Fields, c.Property)
		out.Format = cmp.Or(out.Format, c.Layout)
		out.Newest = out.Newest || c.Newest
		out.Lower = out.Lower || c.Lower
	}
	return out
}

// Fan returns the number of logical partitions of a base: the product of the counts of the key's
// suffixes.
func (k Key) Fan() int {
	fan := 1
	for _, level := range k.Levels {
		if bucket := level.Bucket(); bucket != nil {
			fan *= bucket.Count
		}
	}
	return fan
}

// Alone reports whether each document has its own logical partition, because the last level is the
// item id.
func (k Key) Alone() bool {
	n := len(k.Levels)
	return n > 0 && k.Levels[n-1].Layout() == annotations.IDLevel
}

// Paths returns the paths of the levels, as in the definition of a container; nil if there are
// none.
func (k Key) Paths() []string {
	var paths []string
	for _, level := range k.Levels {
		paths = append(paths, level.Path)
	}
	return paths
}

// Components returns the components of the key, including hashed ones.
func (k Key) Components() []*Component {
	var all []*Component
	for _, level := range k.Levels {
		all = append(all, level.Components()...)
	}
	return all
}

// Components returns the components of the level, including hashed ones.
func (l Level) Components() []*Component {
	var all []*Component
	for _, p := range l.Parts {
		all = append(all, p.Components()...)
	}
	return all
}

// Components returns the component of the part, or the ones that it hashes.
func (p Part) Components() []*Component {
	if p.Component != nil {
		return []*Component{p.Component}
	}
	var all []*Component
	if p.Bucket != nil {
		for i := range p.Bucket.Hash {
			all = append(all, &p.Bucket.Hash[i])
		}
	}
	return all
}

// bare reports whether the level is a single plain field.
func (l Level) bare() bool {
	if len(l.Parts) != 1 || l.Parts[0].Component == nil {
		return false
	}
	c := l.Parts[0].Component
	return c.Layout == "" && !c.Newest && !c.Lower
}
