package keychange

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// refuseSchemas reports types whose stored documents may have a form that programs of this release
// do not know, or cannot detect.
func (f *comparedFolder) refuseSchemas() {
	for _, now := range f.entries {
		name := now.Type
		if i := slices.IndexFunc(f.renamed, func(c lock.Change) bool { return c.New.Type == name }); i >= 0 {
			name = f.renamed[i].Old.Type
		}
		was, known := f.old.Find(name)
		if known && was.SkipsSchema(now) {
			f.refuseSkipped(was, now)
			continue
		}
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
			reason = fmt.Sprintf("documents of type %s have their schema numbers in the property %q, up to %d, but no field is tagged \"schema\" any more", d.Name(), at, n)
			effect = "old documents would be read as if they had the current form"
		case at != there:
			reason = fmt.Sprintf("documents of type %s have their schema numbers in the property %q, but the tag \"schema\" is on %q", d.Name(), at, there)
			effect = "every document would be read as form 1"
		}
		f.refuse(d.Position(), reason+", and "+effect, fmt.Sprintf(
			"\n\ttag the field of the property %q with \"schema=%d\", or with a greater number;\n\tif no document of form %d is stored, -accept-key-change is enough", at, n, n))
	}
}

// refuseSkipped reports a form that is written while running programs of the earlier release cannot
// read it.
func (f *comparedFolder) refuseSkipped(was, now lock.Entry) {
	d := f.docs[now.Type]
	n, _ := was.SchemaNumber()
	m, _ := now.SchemaNumber()
	reason := fmt.Sprintf("the schema number of type %s was %d and would be %d, and running programs of the previous release cannot read documents of form %d", d.Name(), n, m, m)
	if n == 0 {
		n = 1
		reason = fmt.Sprintf("documents of type %s have no schema number and would get %d, and running programs of the previous release would read and replace a document of form %d as form 1", d.Name(), m, m)
	}
	steps := fmt.Sprintf("first release \"schema=%d,next=%d\" with a method Downgrade, and after it \"schema=%[2]d\"", n, n+1)
	if next := was.NextSchema(); next > 0 {
		steps = fmt.Sprintf("release \"schema=%d,next=%d\" first", next, next+1)
	}
	f.refuse(d.Position(), reason,
		"\n\tgo one step at a time: "+steps+";\n\tif no program of the previous release runs when the first of this one starts, as in a maintenance window, -accept-key-change is enough")
}
