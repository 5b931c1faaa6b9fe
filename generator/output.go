package generator

import (
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// outputPath returns the path of the file that is generated for d.
func outputPath(d *declaration) string {
	return filepath.Join(filepath.Dir(d.file.path), outputName(d.name(), d.file.path))
}

// outputName returns the base name of the file that is generated for a type
// which the source declares.
func outputName(typ, source string) string {
	return (&templates.Type{Name: typ, Source: filepath.Base(source)}).FileName()
}
