package vet

import (
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// tags reports what is wrong with tags, with the fixes that are certain, and a lock that
// tells nothing.
func (c *checker) tags(found []generator.Diagnostic) {
	for _, d := range found {
		if d.Severity == generator.Note {
			continue
		}
		file := c.file(d.Pos.Filename)
		if file == nil || d.Pos.Offset > file.Size() {
			continue
		}
		report := analysis.Diagnostic{Pos: file.Pos(d.Pos.Offset), Message: d.Message}
		if d.Fix != (generator.Fix{}) && d.Fix.End <= file.Size() {
			report.SuggestedFixes = []analysis.SuggestedFix{{
				Message:   "Write " + d.Fix.Text,
				TextEdits: []analysis.TextEdit{{Pos: file.Pos(d.Fix.Start), End: file.Pos(d.Fix.End), NewText: []byte(d.Fix.Text)}},
			}}
		}
		c.pass.Report(report)
	}
}

// file returns the file of the pass that has a name, or nil.
func (c *checker) file(name string) *token.File {
	for _, file := range c.pass.Files {
		if f := c.pass.Fset.File(file.FileStart); f.Name() == name {
			return f
		}
	}
	return nil
}
