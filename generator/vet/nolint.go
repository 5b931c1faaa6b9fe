package vet

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// quieted returns a pass that reports nothing on lines with a comment in the form
// of golangci-lint: //nolint:pkgen.
func quieted(pass *analysis.Pass) *analysis.Pass {
	type line struct {
		file *token.File
		line int
	}
	at := func(pos token.Pos) line {
		file := pass.Fset.File(pos)
		return line{file, file.PositionFor(pos, false).Line}
	}
	meant := make(map[line]bool)
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if isNolint(comment) {
					meant[at(comment.Pos())] = true
				}
			}
		}
	}
	if len(meant) == 0 {
		return pass
	}
	out := *pass
	out.Report = func(d analysis.Diagnostic) {
		if !meant[at(d.Pos)] {
			pass.Report(d)
		}
	}
	return &out
}

// isNolint reports whether a comment is about all linters, or names this one.
func isNolint(comment *ast.Comment) bool {
	rest, ok := strings.CutPrefix(comment.Text, "//nolint")
	if !ok {
		return false
	}
	if rest == "" || rest[0] == ' ' {
		return true
	}
	names, ok := strings.CutPrefix(rest, ":")
	names, _, _ = strings.Cut(names, "//") // what follows says why
	return ok && slices.ContainsFunc(strings.Split(names, ","), func(name string) bool {
		words := strings.Fields(name)
		return len(words) > 0 && (words[0] == "pkgen" || words[0] == "all")
	})
}
