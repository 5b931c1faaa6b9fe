package source

import (
	"go/ast"
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// ExcludedDeclarations returns the types with cosmos tags in files of a folder that
// are not part of this build, and false if a file cannot be read. Call it after all
// packages are loaded.
func (l *Loaded) ExcludedDeclarations(dir string) ([]*Declaration, bool) {
	e := l.excludedIn(dir)
	return e.declared, e.complete
}

// ExcludedNames returns the names that are declared in files of a unit's package
// which are not part of this build. Another build compiles these files together with
// the generated code.
func (l *Loaded) ExcludedNames(u *Unit) []string {
	dir := filepath.Dir(u.Files[0].Path)
	if _, ours := l.Outputs[dir]; !ours {
		return nil
	}
	return l.excludedIn(dir).names[u.Name]
}

func (l *Loaded) excludedIn(dir string) excludedFiles {
	e, known := l.excluded[dir]
	if !known {
		e = l.readExcluded(dir)
		l.excluded[dir] = e
	}
	return e
}

func (l *Loaded) readExcluded(dir string) excludedFiles {
	e := excludedFiles{names: make(map[string][]string), complete: true}
	parsed := l.parsed()
	for _, path := range goFiles(dir) {
		if parsed[path] || l.IsOutput(path) {
			continue
		}
		text, err := files.ReadIfThere(path)
		if err != nil {
			e.complete = false
			continue
		}
		if IsOutputName(filepath.Base(path)) && IsOutput(text) {
			continue // another run has written it since
		}
		f, declared := scanText(path, text)
		if f == nil {
			e.complete = false
			continue
		}
		e.declared = append(e.declared, declared...)
		pkg := f.Syntax.Name.Name
		e.names[pkg] = append(e.names[pkg], declaredNames(f.Syntax)...)
	}
	return e
}

// declaredNames returns the identifiers that a file declares in its package.
func declaredNames(file *ast.File) []string {
	var names []string
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				names = append(names, decl.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// parsed returns the paths of the files that are part of this build.
func (l *Loaded) parsed() map[string]bool {
	if l.built == nil {
		l.built = make(map[string]bool)
		for _, u := range l.Units {
			for _, f := range u.Files {
				l.built[f.Path] = true
			}
		}
	}
	return l.built
}
