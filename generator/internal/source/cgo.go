package source

import (
	"bytes"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// refuseCgo reports the documents in files that import "C". The type checker reads
// the output of cgo for such a file: there tags are in other places, and types may
// differ on another machine.
func refuseCgo(o Options, r *diag.Reporter, folders map[string][]output, pkgs []*packages.Package) {
	for _, p := range pkgs {
		for _, path := range p.GoFiles {
			if _, ours := folders[filepath.Dir(path)]; !ours {
				continue
			}
			text, ok := o.Overlay[path]
			if !ok {
				text, _ = files.ReadIfThere(path) // a file that cannot be read has no documents
			}
			if !bytes.Contains(text, []byte(`"C"`)) {
				continue
			}
			_, docs := scanText(path, text)
			for _, d := range docs {
				if ImportsC(d.File.Syntax) && (len(o.Types) == 0 || slices.Contains(o.Types, d.Name())) {
					r.Errorf(d.Position(), "type %s is declared in a file that imports \"C\", which pkgen does not read: declare it in another file of the package", d.Name())
				}
			}
		}
	}
}

// MadeByCgo reports whether the go command has made the file at a path for a package
// that uses cgo: in a folder of its own, or in its cache without an ending. A
// package has no files with such names itself.
func MadeByCgo(path string) bool {
	name := filepath.Base(path)
	return !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, ".cgo1.go")
}

// ImportsC reports whether a file uses cgo.
func ImportsC(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}
