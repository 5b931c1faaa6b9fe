package load

import (
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// Why a file is stale; scripts depend on them.
const (
	staleMissing = "missing" // it was never written, or is not checked in
	staleDiffers = "differs" // other tags, another pkgen, or somebody has changed it
	staleGone    = "gone"    // its type is removed, or all of its package
)

// StaleFile is a file that a run would change.
type StaleFile struct {
	Path   string // absolute
	reason string
}

// why returns the reason in words.
func (s StaleFile) why() string {
	if s.reason != staleGone {
		return s.reason
	}
	if filepath.Ext(s.Path) == ".go" {
		return "its type is removed"
	}
	return "the types of its package are removed"
}

// StaleFiles returns the files that a run would change, by path.
func StaleFiles(result *generator.Result) []StaleFile {
	var files []StaleFile
	for _, f := range result.Files {
		switch {
		case !f.Stale():
		case f.Old == nil:
			files = append(files, StaleFile{f.Path, staleMissing})
		case f.New == nil:
			files = append(files, StaleFile{f.Path, staleGone})
		default:
			files = append(files, StaleFile{f.Path, staleDiffers})
		}
	}
	return files
}
