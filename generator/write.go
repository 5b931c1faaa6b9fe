package generator

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// File is a generated file as it is and as it should be.
type File struct {
	Path string // absolute
	Old  []byte // what is there; nil if nothing is
	New  []byte // what should be there; nil if nothing should
}

// Stale reports whether the file on disk is not what it should be. Ends of lines
// make no difference, since git may write those of Windows.
func (f File) Stale() bool { return f.change().Stale() }

// change is the file for package files.
func (f File) change() files.Change {
	ours := f.isLock() || source.IsOutput(f.New)
	return files.Change{Path: f.Path, Old: f.Old, New: f.New, Generated: ours}
}

func (f File) isLock() bool { return filepath.Base(f.Path) == lock.FileName }

// Commit makes the files on disk what they should be: it writes those that are
// new or different, and removes those whose type is gone. It does not touch equal
// files. It writes each file under a temporary name in the same folder and then
// renames it, so that no reader sees half of one. A file keeps its permissions, and
// a symbolic link stays one. Commit replaces no file before all are written. It
// replaces the locks first and removes them last, so that after a run that was
// interrupted the lock knows every generated file.
//
// It does nothing and returns the error of Err if a diagnostic is an error or
// Refused. It also refuses if a file has changed since Generate read it, unless
// another run has generated that file at the same time.
//
// A run that was killed may have left temporary files. Commit removes those that
// are older than ten minutes.
func (r *Result) Commit() error {
	if err := r.Err(); err != nil {
		return err
	}
	inOrder := slices.Clone(r.Files)
	slices.SortStableFunc(inOrder, func(a, b File) int { return cmp.Compare(a.order(), b.order()) })
	changes := make([]files.Change, len(inOrder))
	for i, f := range inOrder {
		changes[i] = f.change()
	}
	return files.Commit(changes)
}

// order sorts files for writing: first locks that are written, then other files,
// then locks that are removed.
func (f File) order() int {
	switch {
	case !f.isLock():
		return 1
	case f.New != nil:
		return 0
	}
	return 2
}
