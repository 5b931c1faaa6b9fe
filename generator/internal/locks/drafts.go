package locks

import (
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// A layout that the lock has not had is a draft, until it is sealed: it can
// change, and the run time keeps documents of it from being stored where they
// last.

// bind says which of the types are drafts: those that were, and those that are
// new. What is another name for a type that is gone has documents already, and so
// may what has been generated without a lock that says how, or is stored by
// another package in the same way.
func (f *folderLock) bind(others []neighbour, sealed map[*model.Model]bool) {
	for i, e := range f.now {
		d := f.docs[e.Type]
		if was, known := f.old.Find(e.Type); known {
			f.now[i].Draft = was.Draft
		} else {
			f.now[i].Draft = f.isNew(e) && !f.run.Loaded.IsOutput(facts.OutputPath(d.Declaration)) && !f.boundElsewhere(e, others)
		}
		if f.now[i].Draft && f.run.Options.Seal {
			f.now[i].Draft, sealed[d.Model] = false, true
		}
		d.Model.Rendered.Draft = f.now[i].Draft
	}
}

// isNew reports whether the lock has neither a type nor what it is another name
// for.
func (f *folderLock) isNew(e lock.Entry) bool {
	return slices.ContainsFunc(f.compared.added, func(a lock.Entry) bool { return a.Type == e.Type })
}

// noteDraft notes that the layout of a draft changes.
func (f *folderLock) noteDraft(c lock.Change) {
	d := f.docs[c.New.Type]
	was, now := examples(d.Document, c)
	f.run.Report.Add(d.Position(), diag.Note, fmt.Sprintf("the draft of type %s changes in %s: what has been stored by it on this machine is not found any more\n\twas %s\n\tnow %s%s",
		c.New.Type, c.What(), describeKey(c.Old, was), describeKey(c.New, now), kindLines(c)))
}

// noteGone notes that the layout of a type which is gone stays.
func (f *folderLock) noteGone(e lock.Entry) {
	f.run.Report.Add(token.Position{Filename: f.path, Line: 1, Column: 1}, diag.Note,
		fmt.Sprintf("type %s is gone, and its layout stays here, since documents of it may be stored in container %s; if there are none, %s drops it", e.Type, e.Container, f.forgetting(e.Type)))
}

// forgetting is the command that drops the layout of a type.
func (f *folderLock) forgetting(typ string) string {
	pattern := "."
	if rel := diag.Relative(f.run.Report.Dir, f.dir); rel != "." {
		pattern = "./" + filepath.ToSlash(rel)
		if filepath.IsAbs(rel) {
			pattern = rel
		}
	}
	return fmt.Sprintf("pkgen forget -type %s %s", typ, pattern)
}

// forgets returns the types that the lock is to forget, which have to be gone.
func (f *folderLock) forgets() map[string]bool {
	forget := make(map[string]bool)
	for _, e := range f.old {
		if !slices.Contains(f.run.Options.Forget, e.Type) {
			continue
		}
		f.forgotten[e.Type] = true
		if forget[e.Type] = f.gone(e.Type); !forget[e.Type] {
			f.run.Report.Errorf(f.position(e.Type), "type %s is not gone, and its layout is in use: remove its cosmos tags first", e.Type)
		}
	}
	return forget
}

// unforgotten reports types of Options.Forget that are in no lock of the run.
func (r *Run) unforgotten(forgotten map[string]bool) {
	for _, name := range r.Options.Forget {
		if !forgotten[name] {
			r.Report.Errorf(token.Position{}, "no %s of %s has a type %s that is gone: name it as the lock does", lock.FileName, strings.Join(r.Options.Patterns, " "), name)
		}
	}
}
