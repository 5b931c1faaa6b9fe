package source

import (
	"bytes"
	"go/build"
	"go/build/constraint"
	"io"
	"path/filepath"
	"strings"
)

// ConstraintOf returns the build constraint of a file: its go:build line, and the
// tags of a name such as event_linux_test.go. It returns "" if there is none.
func ConstraintOf(f *File) string {
	var expr constraint.Expr
	for _, group := range f.Syntax.Comments {
		if group.Pos() > f.Syntax.Package {
			break
		}
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) {
				continue
			}
			if parsed, err := constraint.Parse(c.Text); err == nil && expr == nil {
				expr = parsed
			}
		}
	}
	for _, tag := range impliedTags(filepath.Base(f.Path)) {
		named := &constraint.TagExpr{Tag: tag}
		if expr == nil {
			expr = named
		} else {
			expr = &constraint.AndExpr{X: expr, Y: named}
		}
	}
	if expr == nil {
		return ""
	}
	return expr.String()
}

// impliedTags returns the operating system and the architecture that the name of a
// file implies. It asks package go/build for their names, whose list grows.
func impliedTags(name string) []string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")
	_, rest, found := strings.Cut(name, "_")
	if !found {
		return nil
	}
	words := strings.Split(rest, "_")
	last := words[len(words)-1]
	if included("x_"+last+".go", "", "") {
		return nil
	}
	if len(words) > 1 {
		before := words[len(words)-2]
		pair := "x_" + before + "_" + last + ".go"
		if included(pair, before, last) && !included(pair, "", last) {
			return []string{before, last}
		}
	}
	return []string{last}
}

// included reports whether a build for the system and architecture contains a file
// of the name, if its text has no constraint.
func included(name, goos, goarch string) bool {
	ctxt := build.Context{
		GOOS: goos, GOARCH: goarch, Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader([]byte("package x\n"))), nil
		},
	}
	match, err := ctxt.MatchFile("", name)
	return err == nil && match
}
