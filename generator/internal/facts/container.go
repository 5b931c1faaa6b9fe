package facts

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// Container returns the id of the container or, if the document has several, the
// template of their ids, by JSON properties. A field that is not a property keeps its
// Go name.
func (d *Document) Container() string {
	if !d.Placed() {
		return d.Stated.Container()
	}
	return d.byProperties(d.Options.Containers)
}

// Own returns the template of the ids of own containers, by JSON properties, or "" if
// the document has none.
func (d *Document) Own() string {
	if !d.Tiered() {
		return ""
	}
	return d.byProperties(d.Options.Own)
}

// byProperties returns a template of ids by Go field paths as one by JSON properties. A
// field that is not a property keeps its Go name.
func (d *Document) byProperties(t annotations.Template) string {
	level := slices.Clone(t.Levels[0])
	for i, part := range level {
		if part.Component == nil {
			continue
		}
		if path, _, _ := d.Follow(strings.Split(part.Component.Fields[0], ".")); path != nil {
			if ref := d.reference(path); ref.Property != nil {
				level[i].Component = &annotations.Component{Fields: []string{ref.PropertyPath()}, Format: part.Component.Format}
			}
		}
	}
	return annotations.Template{Levels: []annotations.Level{level}}.String()
}
