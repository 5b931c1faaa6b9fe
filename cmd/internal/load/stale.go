package load

import (
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// Why a file is stale; scripts depend on them.
const (
	staleMissing = "missing" // it was never written, or is not checked in
	staleDiffers = "differs" // tags, pkgen or the file itself have changed
	staleGone    = "gone"    // its type, or its whole package, is gone
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
		return "its type is gone"
	}
	return "the types of its package are gone"
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
