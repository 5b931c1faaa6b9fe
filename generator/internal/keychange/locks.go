package keychange

import (
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// File is the old and new text of a lock.
type File struct {
	Path     string
	Old, New []byte // nil if there is none
}

// Compare compares the types of each folder with its lock and reports forbidden changes. It returns
// the states of the layouts, and the locks. All has all types of the run, including those that
// Options.Types does not name.
func (r *Run) Compare(all []*model.Candidate) (layouts Layouts, written []File) {
	forgotten := make(map[string]bool)
	var compared []*comparedFolder
	for _, f := range r.folders(all) {
		compared = append(compared, f.compare())
	}
	outside := r.outside(compared)
	old := others(r, outside, compared, func(c *comparedFolder) lock.Lock { return c.old })
	layouts = Layouts{Drafts: make(map[*model.Model]bool), Sealed: make(map[*model.Model]bool)}
	bound := make([]*boundFolder, len(compared))
	for i, c := range compared {
		bound[i] = c.bind(old, layouts)
	}
	live := others(r, withoutGone(outside), bound, (*boundFolder).live)
	merged := make([]*mergedFolder, len(bound))
	for i, b := range bound {
		merged[i] = b.merge(live, forgotten)
	}
	next := others(r, outside, merged, func(m *mergedFolder) lock.Lock { return m.next })
	layouts.Unseen = r.unseenOutside(outside)
	for _, m := range merged {
		m.judge(next)
		layouts.Unseen = append(layouts.Unseen, m.unseen()...)
		file := File{Path: m.path, Old: m.text}
		if len(m.next) > 0 {
			file.New = m.next.Format()
		}
		if file.Old != nil || file.New != nil {
			written = append(written, file)
		}
	}
	r.unforgotten(forgotten)
	return layouts, written
}

// read returns the entries of the lock. It returns false if the lock is missing or broken, so that
// the stored keys are unknown.
func (f *folder) read() (lock.Lock, bool) {
	if f.text == nil {
		if outputs := f.run.Loaded.Outputs[f.dir]; len(outputs) > 0 {
			f.refuse(token.Position{Filename: f.path, Line: 1, Column: 1},
				fmt.Sprintf("%s, which records how stored keys are made, is missing next to %s", lock.FileName, filepath.Base(outputs[0].Path)),
				restoreLock)
			return nil, false
		}
		return nil, true
	}
	old, err := lock.Parse(f.text)
	if err != nil {
		f.refuse(token.Position{Filename: f.path, Line: err.Line, Column: 1},
			"this file does not show how stored keys are made: "+err.Message, restoreLock)
		return nil, false
	}
	return old, true
}

const restoreLock = "\n\trestore the lock from version control, as it was when the code was last generated;" +
	"\n\tif that is not possible, -accept-key-change writes a new lock: compare its layouts with the stored documents"

// compare compares the types with the entries of the lock, if these are known, and reports the
// differences.
func (f *folder) compare() *comparedFolder {
	old, known := f.read()
	c := &comparedFolder{folder: f, old: old}
	for _, name := range slices.Sorted(maps.Keys(f.docs)) {
		d := f.docs[name]
		if d.Failed {
			continue
		}
		if d.Model.Rendered.Edge != nil {
			f.refuseEdge(d, old)
		} else {
			c.entries = append(c.entries, entryOf(d.Model))
		}
	}
	if known {
		c.comparison = compare(c.old, c.entries, f.gone)
		c.report()
	}
	return c
}

// merge makes the next lock. Others are the types of other packages. It adds the gone types of
// Options.Forget to forgotten.
func (f *boundFolder) merge(others []other, forgotten map[string]bool) *mergedFolder {
	whole := len(f.run.Options.Types) == 0 // a run for some types cannot detect gone types
	forget := f.forgets(forgotten)
	f.forgetsIndexes(forgotten)
	left := func(typ string) bool {
		e, _ := f.old.Find(typ)
		if d := f.docs[typ]; d != nil && d.Model != nil && d.Model.Rendered.Edge != nil {
			return true
		}
		return whole && f.gone(typ) && (f.replaced(typ) || f.livesOn(e, others)) || forget[typ]
	}
	next := lock.Merge(f.old, f.now, func(typ string) bool { return whole && f.gone(typ) }, left)
	f.withoutForgotten(next)
	for _, e := range next {
		if was, known := f.old.FindIn(e.Container, e.Type); known && e.Gone && !was.Gone {
			f.noteGone(e)
		}
	}
	if a, b, found := next.Conflict(); found && !f.refused && len(f.now) == f.withKeys() {
		f.conflict(a, b)
	}
	f.judgeNames(next)
	return &mergedFolder{boundFolder: f, next: next}
}

func compare(old, now lock.Lock, gone func(typ string) bool) comparison {
	changes, renamed, added := lock.Compare(old, now, gone)
	return comparison{changes, renamed, added}
}

// report reports forbidden changes, and notes others.
func (f *comparedFolder) report() {
	f.rekeyed()
	for _, change := range f.changes {
		f.refuseChange(change)
	}
	for _, e := range f.added {
		f.addition(e)
	}
	f.lostSeals()
	f.refuseSchemas()
	f.judgeProperties()
	f.judgeIndexes()
}

// addition refuses a type that was generated before and is not in the lock.
func (f *folder) addition(e lock.Entry) {
	d := f.docs[e.Type]
	if !f.run.Loaded.IsOutput(model.OutputPath(d.Declaration)) {
		return
	}
	f.refuse(d.Position(), fmt.Sprintf("type %s is not in %s, although %s was generated, so pkgen cannot tell how stored keys are made",
		d.Name(), lock.FileName, filepath.Base(model.OutputPath(d.Declaration))), restoreLock)
}

// conflict reports two types that define one container differently.
func (f *folder) conflict(a, b lock.Entry) {
	pos := token.Position{Filename: f.path, Line: 1, Column: 1}
	for _, e := range []lock.Entry{a, b} {
		if d := f.docs[e.Type]; d != nil {
			pos = d.Position()
		}
	}
	f.run.Report.Errorf(pos, "types %s and %s share the container %q, which has one partition key path and kind, and theirs are %s (%s) and %s (%s): give one a different container, or both one path",
		a.Type, b.Type, a.Container, a.Path, a.Kind, b.Path, b.Kind)
}
