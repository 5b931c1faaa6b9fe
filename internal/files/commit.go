package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Change is the old and new content of a file.
type Change struct {
	Path string
	Old  []byte // as it was read; nil if there was no file
	New  []byte // the new content; nil for a generated file whose type was removed
	// Generated is set if a concurrent run may have written New.
	Generated bool
}

// Stale reports whether Old differs from New. It ignores the kind of line ends, since git may write
// those of Windows.
func (c Change) Stale() bool {
	return (c.Old == nil) != (c.New == nil) || !SameLines(c.Old, c.New)
}

// SameLines reports whether read equals made, whose lines end as on Unix, apart from line ends.
func SameLines(read, made []byte) bool {
	return bytes.Equal(read, made) || bytes.Equal(bytes.ReplaceAll(read, []byte("\r\n"), []byte("\n")), made)
}

// Commit writes the stale changes, in order, replacements before removals. It writes each file to a
// temporary one in the same folder and renames it, so no reader sees a partial file. Permissions
// and symbolic links are kept. No file is replaced before all are written.
//
// Commit changes nothing and returns an error if a file has changed since it was read. A generated
// file that another run has made equal to New is not an error.
//
// Commit removes temporary files of killed runs from the folders, if they are older than ten
// minutes.
func Commit(changes []Change) error {
	var pending []replacement
	defer func() {
		for _, p := range pending {
			_ = os.Remove(p.temp)
		}
	}()
	removeLeft(changes)
	for _, c := range changes {
		if !c.Stale() {
			continue
		}
		done, err := c.unchanged()
		if err != nil {
			return err
		}
		if done || c.New == nil {
			continue
		}
		p, err := prepare(c)
		if err != nil {
			return err
		}
		pending = append(pending, p)
	}
	for len(pending) > 0 {
		p := pending[0]
		if err := os.Rename(p.temp, p.path); err != nil {
			return fmt.Errorf("cannot replace a file: %w", err)
		}
		pending = pending[1:] // another run in this process may by now use the temporary name
	}
	for _, c := range changes {
		if c.New != nil || c.Old == nil {
			continue
		}
		if err := os.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot remove a generated file whose type is gone: %w", err)
		}
	}
	return nil
}

// unchanged returns an error if the file differs from what was read. Done is true if another run
// has written New.
func (c Change) unchanged() (done bool, err error) {
	now, err := ReadIfThere(c.Path)
	switch {
	case err != nil:
		return false, err
	case c.Generated && now != nil && c.New != nil && SameLines(now, c.New):
		return true, nil
	case (now == nil) != (c.Old == nil) || !bytes.Equal(now, c.Old):
		return false, fmt.Errorf("%s has changed since it was read: run pkgen again", c.Path)
	}
	return false, nil
}

// replacement is a written file that awaits its rename.
type replacement struct{ temp, path string }

// prepare writes the new content to a temporary file in the same folder.
func prepare(c Change) (p replacement, err error) {
	path, mode := c.Path, fs.FileMode(0)
	if target, err := filepath.EvalSymlinks(c.Path); err == nil {
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
	_, err = temp.Write(c.New)
	if mode != 0 && err == nil {
		err = temp.Chmod(mode)
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return p, fmt.Errorf("cannot write a file: %w", err)
	}
	return replacement{temp: temp.Name(), path: path}, nil
}
