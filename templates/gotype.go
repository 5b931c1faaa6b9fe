package templates

import "path"

// GoType is a type as generated code writes it.
type GoType struct {
	Path    string // import path, "" for predeclared types and those of the package itself
	Package string // name of the package at Path; "" if it is the last element of Path
	Name    string
	Args    []GoType // type arguments
}

// packageName is the name of the package that declares g.
func (g GoType) packageName() string {
	if g.Package != "" {
		return g.Package
	}
	return path.Base(g.Path)
}
