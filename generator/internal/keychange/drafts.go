package keychange

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// A layout that is new to the lock is a draft until it is sealed. It may change, and the run time
// stores its documents on this machine only.

// bind marks the drafts: types that were drafts, new types, and types whose changed keys
// Options.AcceptKeyChange accepts. A new type that may have documents is no draft: it renames a
// type that is gone, it was generated without a lock, or another package stores the same keys.
// Others are the old locks of other packages. bind adds drafts, and drafts that Options.Seal seals,
// to layouts.
func (f *comparedFolder) bind(others []other, layouts Layouts) *boundFolder {
	now := slices.Clone(f.entries)
	for i, e := range now {
		d := f.docs[e.Type]
		if was, known := f.old.Find(e.Type); known {
			now[i].Draft = was.Draft && !f.comesBack(e) || f.accepted(e)
		} else if f.accepted(e) {
			now[i].Draft = true
		} else {
			now[i].Draft = f.isNew(e) && !f.run.Loaded.IsOutput(model.OutputPath(d.Declaration)) && !f.boundElsewhere(e, others)
		}
		if now[i].Draft && f.run.Options.Seal {
			now[i].Draft, layouts.Sealed[d.Model] = false, true
		}
		layouts.Drafts[d.Model] = now[i].Draft
		f.growth(e, now[i].Draft || layouts.Sealed[d.Model])
	}
	bound := &boundFolder{comparedFolder: f, now: now}
	bound.bindEdges(layouts)
	return bound
}

// accepted reports whether the run accepts that documents of e have another place or other keys
// from now on, because nothing that matters is stored there. Earlier numbers of buckets in the tag
// contradict that.
func (f *comparedFolder) accepted(e lock.Entry) bool {
	return f.run.Options.AcceptKeyChange && e.Was+e.Next == "" && slices.ContainsFunc(f.changes, func(c lock.Change) bool {
		return c.New.Type == e.Type && !c.Old.Draft && onlyChange(c) == nil
	})
}

// comesBack reports whether a type has returned to a container that it had left.
func (f *comparedFolder) comesBack(e lock.Entry) bool {
	was, known := f.old.FindIn(e.Container, e.Type)
	return known && was.Gone
}

// live returns the types of the lock that still exist.
func (f *boundFolder) live() lock.Lock { return lock.Merge(f.old, f.now, f.gone, f.gone) }

// noteGone notes that the layout of a gone type stays in the lock.
func (f *folder) noteGone(e lock.Entry) {
	if d := f.docs[e.Type]; d != nil {
		f.run.Report.Add(d.Position(), diag.Note,
			fmt.Sprintf("type %s leaves container %s; its layout there stays in %s, so pkgen-data verify covers both containers; once no document is left there, %s drops it", d.Name(), e.Container, lock.FileName, f.run.forgetting(f.dir, e.Type)))
		return
	}
	f.run.Report.Add(token.Position{Filename: f.path, Line: 1, Column: 1}, diag.Note,
		fmt.Sprintf("type %s is removed; its layout stays here, because its documents may still be in container %s; once none is left, %s drops it", e.Type, e.Container, f.run.forgetting(f.dir, e.Type)))
}

// forgets returns the types that the lock forgets, and adds them to forgotten. It reports a type
// that still exists.
func (f *comparedFolder) forgets(forgotten map[string]bool) map[string]bool {
	forget := make(map[string]bool)
	for _, e := range f.old {
		if !slices.Contains(f.run.Options.Forget, e.Type) {
			continue
		}
		forgotten[e.Type] = true
		forget[e.Type] = forget[e.Type] || e.Gone || f.gone(e.Type)
	}
	for _, e := range f.old {
		if slices.Contains(f.run.Options.Forget, e.Type) && !forget[e.Type] {
			f.run.Report.Errorf(f.position(e.Type), "type %s still exists, and uses its layout: remove its cosmos tags first", e.Type)
		}
	}
	return forget
}

// unforgotten reports types of Options.Forget that no lock of the run has.
func (r *Run) unforgotten(forgotten map[string]bool) {
	for _, name := range r.Options.Forget {
		if !forgotten[name] {
			r.Report.Errorf(token.Position{}, "no %s of %s has a removed type %s, or an index of this name: write the name as in the lock", lock.FileName, strings.Join(r.Options.Patterns, " "), name)
		}
	}
}
