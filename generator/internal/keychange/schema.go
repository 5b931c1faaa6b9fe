package keychange

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// refuseSchemas reports types of which stored documents may have a form that programs of
// this release would not know, or would not find in the document.
func (f *comparedFolder) refuseSchemas() {
	for _, now := range f.entries {
		name := now.Type
		if i := slices.IndexFunc(f.renamed, func(c lock.Change) bool { return c.New.Type == name }); i >= 0 {
			name = f.renamed[i].Old.Type
		}
		was, known := f.old.Find(name)
		if !known || !was.LosesSchema(now) {
			continue
		}
		d := f.docs[now.Type]
		n, at := was.SchemaNumber()
		m, there := now.SchemaNumber()
		reason := fmt.Sprintf("the schema number of type %s was %d and would be %d", d.Name(), n, m)
		effect := fmt.Sprintf("every read of a document of form %d would fail", n)
		switch {
		case m == 0:
			reason = fmt.Sprintf("documents of type %s have the numbers of their forms in the property %q, up to %d, and no field is tagged \"schema\" any more", d.Name(), at, n)
			effect = "old documents would be read as if they had the present form"
		case at != there:
			reason = fmt.Sprintf("documents of type %s have the numbers of their forms in the property %q, and the tag \"schema\" is on %q", d.Name(), at, there)
			effect = "every document would be taken for one of form 1"
		}
		f.refuse(d.Position(), reason+", and "+effect, fmt.Sprintf(
			"\n\ttag the field of the property %q with \"schema=%d\", or with a greater number;\n\tif no document of form %d is stored, -accept-key-change is enough", at, n, n))
	}
}
