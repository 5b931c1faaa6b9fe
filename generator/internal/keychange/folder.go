package keychange

import (
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// Run is a run whose types are compared with the locks of their folders.
type Run struct {
	Options Options
	Report  *diag.Reporter
	Loaded  *source.Loaded
	Found   []*model.Candidate // the types that get a file
}

// Options are the options of package generator that concern locks.
type Options struct {
	Patterns        []string
	Types           []string
	Forget          []string
	Seal            bool
	Rekeyed         bool
	AcceptKeyChange bool
	Alone           bool // do not compare packages with others
}

// folder is a folder with its lock, and the types that are in it.
type folder struct {
	run      *Run
	dir      string
	path     string                      // the path of the lock
	text     []byte                      // the text of the lock; nil if there is none
	docs     map[string]*model.Candidate // the types that get a file, by name in the lock
	live     map[string]bool             // all types, also in files of another build, by name in the lock
	complete bool                        // live is complete
	refused  bool                        // a change was refused
}

// folders returns the folders of the run that have, or may have had, types of Options.Types.
func (r *Run) folders(all []*model.Candidate) []*folder {
	var out []*folder
	for _, dir := range slices.Sorted(maps.Keys(r.Loaded.Outputs)) {
		if r.Loaded.Broken[dir] {
			continue // its types are unknown, and nothing is written
		}
		f := &folder{run: r, dir: dir, path: filepath.Join(dir, lock.FileName), docs: make(map[string]*model.Candidate), live: make(map[string]bool)}
		var err error
		if f.text, err = files.ReadIfThere(f.path); err != nil {
			r.Report.Unreadable(f.path, err)
			continue
		}
		for _, d := range all {
			if filepath.Dir(d.File.Path) == dir {
				f.live[nameOf(d.Declaration)] = true
			}
		}
		for _, d := range r.Found {
			if filepath.Dir(d.File.Path) == dir {
				f.docs[nameOf(d.Declaration)] = d
			}
		}
		if len(f.docs) == 0 && len(r.Options.Types) > 0 {
			continue
		}
		f.addExcluded()
		out = append(out, f)
	}
	return out
}

// addExcluded adds the types in files outside of this build.
func (f *folder) addExcluded() {
	declared, complete := f.run.Loaded.ExcludedDeclarations(f.dir)
	for _, d := range declared {
		f.live[nameOf(d)] = true
	}
	f.complete = complete
}

// gone reports whether a type of the lock is gone.
func (f *folder) gone(typ string) bool { return f.complete && !f.live[typ] }

// position returns the position of a type, or of the lock.
func (f *folder) position(typ string) token.Position {
	if d := f.docs[typ]; d != nil {
		return d.Position()
	}
	return token.Position{Filename: f.path, Line: 1, Column: 1}
}

// refuse reports a reason not to write, with advice. If the run accepts changes, it notes only the
// reason.
func (f *folder) refuse(pos token.Position, reason, advice string) {
	if f.run.Options.AcceptKeyChange {
		f.run.Report.Add(pos, diag.Note, reason)
		return
	}
	f.refused = true
	f.run.Report.Add(pos, diag.Refused, reason+advice)
}

// Layouts says which layouts of a run may still change.
type Layouts struct {
	Drafts map[*model.Model]bool // layouts that may change
	Sealed map[*model.Model]bool // layouts that the run seals
	Unseen []Unseen              // drafts in files outside of this build
}

// comparedFolder is a folder whose types have been compared with its lock.
type comparedFolder struct {
	*folder
	old     lock.Lock // the entries of the lock; nil if unknown
	entries lock.Lock // the entries of the types of the run, before drafts are marked
	comparison
}

// mergedFolder is a folder whose next lock is known.
type mergedFolder struct {
	*boundFolder
	next lock.Lock
}

// comparison has the changes of a lock's types.
type comparison struct {
	changes, renamed []lock.Change
	added            []lock.Entry
}

// replaced reports whether a type of the lock has a new name in its container.
func (c comparison) replaced(typ string) bool {
	return slices.ContainsFunc(slices.Concat(c.changes, c.renamed), func(c lock.Change) bool {
		return c.Old.Type == typ && c.Renamed() && c.Old.Container == c.New.Container
	})
}

// boundFolder is a folder whose drafts are known.
type boundFolder struct {
	*comparedFolder
	now lock.Lock // the new entries of the types of the run
}

// isNew reports whether the lock has neither the type nor one that it renames.
func (f *comparedFolder) isNew(e lock.Entry) bool {
	return slices.ContainsFunc(f.added, func(a lock.Entry) bool { return a.Type == e.Type })
}

// nameOf returns the name of a document in the lock: its own name, after the name of the package
// for a type of an external test package.
func nameOf(d *source.Declaration) string { return lockName(d.File.Path, d.Unit.Name, d.Name()) }

func lockName(path, pkg, typ string) string {
	if strings.HasSuffix(path, "_test.go") && strings.HasSuffix(pkg, "_test") {
		return pkg + "." + typ
	}
	return typ
}
