package generator

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/lock"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// File is a generated file as it is and as it should be.
type File struct {
	Path string // absolute
	Old  []byte // what is there; nil if nothing is
	New  []byte // what should be there; nil if nothing should
}

// Stale reports whether the file on disk is not what it should be. Ends of lines
// make no difference: git writes those of Windows where it is told to.
func (f File) Stale() bool { return f.change().Stale() }

// change is the file for package files.
func (f File) change() files.Change {
	ours := f.isLock() || source.IsOutput(f.New)
	return files.Change{Path: f.Path, Old: f.Old, New: f.New, Generated: ours}
}

func (f File) isLock() bool { return filepath.Base(f.Path) == lock.FileName }

// Commit makes the files on disk what they should be: it writes those that are
// new or different, and removes those whose type is gone. Files that are equal
// are not touched. Each file is written beside its place and then renamed, so
// that no reader sees half of one; a file keeps its permissions, and a symbolic
// link stays one. No file is replaced before all are written, and the locks are
// replaced first and removed last, so that a run which is broken off leaves
// nothing that the lock does not know of.
//
// It refuses to do anything when a diagnostic is an error or Refused, with the
// error of Err, or when a file has changed since Generate read it, but for what
// another run has generated at the same time.
//
// A run that was killed may have left files beside those that it was about to
// replace. Commit removes them when they are older than ten minutes.
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

// order says when it is the turn of a file: of locks that are written, of other
// files, of locks that are removed.
func (f File) order() int {
	switch {
	case !f.isLock():
		return 1
	case f.New != nil:
		return 0
	}
	return 2
}
