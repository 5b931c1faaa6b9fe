package model

import (
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// Candidate is a type with cosmos tags, and the results of the phases so far. Each phase uses the
// previous one.
type Candidate struct {
	*facts.Stated
	Document *facts.Document // nil if the type is unknown
	Model    *Model          // nil after too many errors
}

// Find finds and resolves the types of a unit with cosmos tags. It reports mistakes only in
// selected ones.
func Find(u *source.Unit, r *diag.Reporter, selected func(*source.Declaration) bool) []*Candidate {
	var found []*Candidate
	for _, d := range u.Documents(r) {
		report := r
		if !selected(d) {
			report = &diag.Reporter{} // only its names and containers matter
		}
		s := facts.State(d, report)
		found = append(found, &Candidate{Stated: s, Document: facts.Resolve(s)})
	}
	return found
}

// Parts returns the documents that are part of other documents of the run.
func Parts(found []*Candidate) map[*facts.Document]bool {
	var documents []*facts.Document
	for _, c := range found {
		if c.Document != nil {
			documents = append(documents, c.Document)
		}
	}
	return facts.PartsOf(documents)
}

// Models makes the models of the documents of a unit that are not part of others, and returns these
// documents.
func Models(l *source.Loaded, u *source.Unit, found []*Candidate, within map[*facts.Document]bool) []*Candidate {
	found = slices.DeleteFunc(found, func(c *Candidate) bool { return within[c.Document] })
	types := make([]*peer, len(found))
	var valid []int
	for i, c := range found {
		if c.Spec.TypeParams != nil {
			c.Lacksf(c.Position(), "type %s has type parameters, which the type of a document cannot have: declare a struct for each kind of document; it may embed a generic struct", c.Name())
		}
		if !c.Failed {
			valid = append(valid, i)
		}
		types[i] = peerOf(c.Stated, c.Document)
	}
	kept := containersOf(slices.Concat(types, elsewhere(l, u)))
	for _, i := range valid {
		m := &member{subject: &subject{found[i].Document}, peers: kept.peersOf(types[i]), all: kept}
		found[i].Model = m.model()
	}
	return found
}

// elsewhere returns the types of u's package in files outside of this build.
func elsewhere(l *source.Loaded, u *source.Unit) []*peer {
	dir := filepath.Dir(u.Files[0].Path)
	if _, ours := l.Outputs[dir]; !ours {
		return nil
	}
	var out []*peer
	declared, _ := l.ExcludedDeclarations(dir)
	for _, d := range declared {
		if d.Unit.Name == u.Name {
			out = append(out, peerOf(facts.State(d, &diag.Reporter{}), nil))
		}
	}
	return out
}
