package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Change is a file as it was read, and as it should be.
type Change struct {
	Path string
	Old  []byte // what was read; nil if there was nothing
	New  []byte // what should be there; nil for a generated file whose type is gone
	// Generated says that another run may have written New at the same time.
	Generated bool
}

// Stale reports whether the file that was read is not what it should be. Ends of
// lines make no difference: git writes those of Windows where it is told to.
func (c Change) Stale() bool {
	return (c.Old == nil) != (c.New == nil) || !SameLines(c.Old, c.New)
}

// SameLines reports whether a text that was read has the lines of one that was
// made, whose lines end as those of Unix.
func SameLines(read, made []byte) bool {
	return bytes.Equal(read, made) || bytes.Equal(bytes.ReplaceAll(read, []byte("\r\n"), []byte("\n")), made)
}

// Commit makes the changes that are stale, in their order, replacements before
// removals. Each file is written under a temporary name in its folder and then
// renamed, so that no reader sees half of a file. A file keeps its permissions, and
// a symbolic link stays a link. No file is replaced before all are written.
//
// It does nothing, and returns an error, if a file has changed since it was read,
// unless another run has given a generated file the text that it should have.
//
// A run that was killed may have left temporary files in the folders. Commit
// removes them when they are older than ten minutes.
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
		pending = pending[1:] // its temporary name may be that of another run of this process by now
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

// unchanged returns an error if the file is not what was read, unless another run
// has made of it what it should be at the same time: it is done then.
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

// replacement is a file that is written and waits for its name.
type replacement struct{ temp, path string }

// prepare writes the new text of a file to a temporary one in its folder.
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
