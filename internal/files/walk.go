package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const moduleFile = "go.mod"

// CheckModule checks the Go files of the module that contains a folder, or of the folder without a
// module, and returns the first error that matches ErrOdd. It does not read files, and skips the
// folders that patterns such as ./... exclude.
func CheckModule(dir string) error { return CheckBelow(cmp.Or(ModuleRoot(dir), dir)) }

// ModuleRoot returns the folder at or above dir with a go.mod, or "".
func ModuleRoot(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if info, err := os.Stat(filepath.Join(at, moduleFile)); err == nil && !info.IsDir() {
			return at
		}
		above := filepath.Dir(at)
		if above == at {
			return ""
		}
		at = above
	}
}

// CheckBelow is CheckModule for a folder and its subfolders.
func CheckBelow(dir string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil //nolint:nilerr // the go command says what is wrong with the folder
	}
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // as above
		case e.IsDir():
			if path != root && leftOut(path) {
				return fs.SkipDir
			}
		case filepath.Ext(path) == ".go":
			if err := Check(path); errors.Is(err, ErrOdd) {
				return err
			}
		}
		return nil
	})
}

// leftOut reports whether the go command's patterns exclude a folder.
func leftOut(dir string) bool {
	name := filepath.Base(dir)
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, moduleFile))
	return err == nil // another module
}
