package generator

import (
	"path/filepath"
	"slices"
)

// candidate is a type with cosmos tags, as far as its phases have come: each takes
// what the one before has made.
type candidate struct {
	*stated
	document *document // nil where the type is not known
	model    *model    // nil where too much is wrong
}

// find finds the types of a unit that have cosmos tags, and resolves them. What is
// wrong with those that are not selected is not reported.
func find(u *unit, r *reporter, selected func(*declaration) bool) []*candidate {
	var found []*candidate
	for _, f := range u.files {
		for _, d := range scan(u, f, r) {
			report := r
			if !selected(d) {
				report = &reporter{} // it matters for what others may be called
			}
			s := state(d, report)
			found = append(found, &candidate{stated: s, document: resolve(s)})
		}
	}
	return found
}

// parts returns the documents that are a part of others of the run.
func parts(found []*candidate) map[*document]bool {
	var documents []*document
	for _, c := range found {
		if c.document != nil {
			documents = append(documents, c.document)
		}
	}
	return partsOf(documents)
}

// models models the documents of a unit that are not within others, and returns
// them.
func models(l *loaded, u *unit, found []*candidate, within map[*document]bool) []*candidate {
	found = slices.DeleteFunc(found, func(c *candidate) bool { return within[c.document] })
	types := make([]*peer, len(found))
	var valid []int
	for i, c := range found {
		if c.spec.TypeParams != nil {
			c.lacksf(c.position(), "type %s has type parameters, and the documents of a container have one type: declare a struct without them for each kind of document; it may embed a generic one for what they share", c.name())
		}
		if !c.failed {
			valid = append(valid, i)
		}
		types[i] = peerOf(c.stated, c.document)
	}
	kept := containersOf(slices.Concat(types, elsewhere(l, u)))
	for _, i := range valid {
		m := &member{subject: &subject{found[i].document}, peers: kept.peersOf(types[i])}
		found[i].model = m.model()
	}
	return found
}

// elsewhere returns the types of u's package in files that are not part of this
// build.
func elsewhere(l *loaded, u *unit) []*peer {
	dir := filepath.Dir(u.files[0].path)
	if _, ours := l.outputs[dir]; !ours {
		return nil
	}
	var out []*peer
	declared, _ := l.excludedDeclarations(dir)
	for _, d := range declared {
		if d.unit.name == u.name {
			out = append(out, peerOf(state(d, &reporter{}), nil))
		}
	}
	return out
}
