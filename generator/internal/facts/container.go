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
	level := slices.Clone(d.Options.Containers.Levels[0])
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
