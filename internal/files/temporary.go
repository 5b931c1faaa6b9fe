package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// createBeside creates a file of a name that is free, in the folder of path and
// with the permissions of any new file. The name begins with a point, which
// hides it from the go command, and leftName knows it.
func createBeside(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.%d.pkgen", filepath.Base(path), os.Getpid(), i))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // as any source file
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// leftName matches the names that createBeside gives: those of Go files and locks,
// with the number of a process.
var leftName = regexp.MustCompile(`^\..+\.(go|lock)\.[0-9]+\.[0-9]+\.pkgen$`)

// leftAfter is the age from which a file of createBeside is one that was left. A
// run writes its files within seconds.
const leftAfter = 10 * time.Minute

// removeLeft removes what runs that were killed have left in the folders of
// changes. It tells of no error: such a file does no harm.
func removeLeft(changes []Change) {
	seen := make(map[string]bool)
	for _, c := range changes {
		dir := filepath.Dir(c.Path)
		if target, err := filepath.EvalSymlinks(c.Path); err == nil {
			dir = filepath.Dir(target) // as prepare writes it
		}
		if seen[dir] {
			continue
		}
		seen[dir] = true
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !e.Type().IsRegular() || !leftName.MatchString(e.Name()) {
				continue
			}
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftAfter {
				_ = os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}
