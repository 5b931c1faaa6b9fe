package generator

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
// make no difference: git writes those of Windows where it is told to.
func (f File) Stale() bool {
	return (f.Old == nil) != (f.New == nil) || !sameLines(f.Old, f.New)
}

// sameLines reports whether a text that was read has the lines of one that was
// rendered.
func sameLines(old, rendered []byte) bool {
	return bytes.Equal(old, rendered) || bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), rendered)
}

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
	files := slices.Clone(r.Files)
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.order(), b.order()) })
	var pending []replacement
	defer func() {
		for _, p := range pending {
			_ = os.Remove(p.temp) // what has been renamed is not there anymore
		}
	}()
	removeLeft(files)
	for _, f := range files {
		if !f.Stale() {
			continue
		}
		done, err := f.unchanged()
		if err != nil {
			return err
		}
		if done || f.New == nil {
			continue
		}
		p, err := prepare(f)
		if err != nil {
			return err
		}
		pending = append(pending, p)
	}
	for _, p := range pending {
		if err := os.Rename(p.temp, p.path); err != nil {
			return fmt.Errorf("cannot replace a file: %w", err)
		}
	}
	for _, f := range files {
		if f.New != nil || f.Old == nil {
			continue
		}
		if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot remove a generated file whose type is gone: %w", err)
		}
	}
	return nil
}

// order says when it is the turn of a file: of locks that are written, of other
// files, of locks that are removed.
func (f File) order() int {
	switch {
	case filepath.Base(f.Path) != lock.FileName:
		return 1
	case f.New != nil:
		return 0
	}
	return 2
}

// unchanged returns an error if the file is not what it was, unless another run
// has made of it what it should be at the same time: it is done then.
func (f File) unchanged() (done bool, err error) {
	now, err := files.ReadIfThere(f.Path)
	switch {
	case err != nil:
		return false, err
	case now != nil && f.New != nil && sameLines(now, f.New) && (source.IsOutput(now) || filepath.Base(f.Path) == lock.FileName):
		return true, nil
	case (now == nil) != (f.Old == nil) || !bytes.Equal(now, f.Old):
		return false, fmt.Errorf("%s has changed since it was read: run pkgen again", f.Path)
	}
	return false, nil
}

// replacement is a file that is written and waits for its name.
type replacement struct{ temp, path string }

// prepare writes the new text of a file beside it.
func prepare(f File) (p replacement, err error) {
	path, mode := f.Path, fs.FileMode(0)
	if target, err := filepath.EvalSymlinks(f.Path); err == nil {
		info, err := os.Stat(target)
		if err != nil {
			return p, err
		}
		path, mode = target, info.Mode().Perm()
	}
	temp, err := createBeside(path)
	if err != nil {
		return p, fmt.Errorf("cannot write a file: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name())
		}
	}()
	_, err = temp.Write(f.New)
	if mode != 0 && err == nil {
		err = temp.Chmod(mode)
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return p, fmt.Errorf("cannot write a file: %w", err)
	}
	return replacement{temp: temp.Name(), path: path}, nil
}
