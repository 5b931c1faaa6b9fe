package model

import (
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// OutputPath returns the path of the generated file of d.
func OutputPath(d *source.Declaration) string {
	return filepath.Join(filepath.Dir(d.File.Path), OutputName(d.Name(), d.File.Path))
}

// OutputName returns the base name of the generated file of a type declared in source.
func OutputName(typ, source string) string {
	return (&templates.Type{Name: typ, Source: filepath.Base(source)}).FileName()
}
