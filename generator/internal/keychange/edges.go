package keychange

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// Edges have no keys of their own: they are stored with their source vertices. The lock has only
// the vertices, and an edge is a draft if one of its ends is.

// withKeys returns the number of types in the folder that have an entry in the lock.
func (f *folder) withKeys() int {
	n := 0
	for _, d := range f.docs {
		if d.Model == nil || d.Model.Rendered.Edge == nil {
			n++
		}
	}
	return n
}

// refuseEdge reports an edge that was a vertex, or a document of another API.
func (f *folder) refuseEdge(d *model.Candidate, old lock.Lock) {
	was, known := old.Find(nameOf(d.Declaration))
	if !known || was.Draft {
		return
	}
	f.refuse(d.Position(), fmt.Sprintf("type %s is an edge now, but its documents are stored under their own keys, by the layout %s, and would not be found", d.Name(), was.Summary()),
		"\n\tif this is unintended, remove \"edge\", \"from\" and \"to\" from the blank field;\n\tif it is, declare the edge under another name;\n\tif nothing is stored yet, -accept-key-change is enough")
}

// bindEdges marks the edges that are drafts.
func (f *boundFolder) bindEdges(layouts Layouts) {
	for _, d := range f.docs {
		if d.Model == nil || d.Model.Rendered.Edge == nil {
			continue
		}
		for _, end := range []string{d.Options.From, d.Options.To} {
			for _, e := range f.now {
				if v := f.docs[e.Type]; v != nil && v.Name() == end && e.Draft {
					layouts.Drafts[d.Model] = true
				}
			}
		}
	}
}
