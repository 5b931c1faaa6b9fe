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

// createBeside creates a file with an unused name in the folder of path, with the permissions of
// any new file. The name begins with a dot, which hides it from the go command, and matches
// leftName.
func createBeside(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.%d.pkgen", filepath.Base(path), os.Getpid(), i))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // as any source file
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// leftName matches names from createBeside: the name of a Go file or a lock, and the number of a
// process.
var leftName = regexp.MustCompile(`^\..+\.(go|lock)\.[0-9]+\.[0-9]+\.pkgen$`)

// leftAfter is the age from which a temporary file is abandoned. A run writes its files within
// seconds.
const leftAfter = 10 * time.Minute

// removeLeft removes abandoned temporary files from the folders of changes. It ignores errors,
// because these files are harmless.
func removeLeft(changes []Change) {
	seen := make(map[string]bool)
	for _, c := range changes {
		dir := filepath.Dir(c.Path)
		if target, err := filepath.EvalSymlinks(c.Path); err == nil {
			dir = filepath.Dir(target) // where prepare writes it
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
