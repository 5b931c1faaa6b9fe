package vet

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// tags reports what is wrong with tags, with fixes where the message names one.
func (c *checker) tags(found []generator.Diagnostic) {
	for _, d := range found {
		if d.Severity != generator.Error {
			continue
		}
		file, pos := c.place(d.Pos)
		if file == nil {
			continue
		}
		report := analysis.Diagnostic{Pos: pos, Message: d.Message}
		if fix := c.respell(d, pos); fix != nil {
			report.SuggestedFixes = []analysis.SuggestedFix{*fix}
		} else if fix := rename(file, pos, d.Message); fix != nil {
			report.SuggestedFixes = []analysis.SuggestedFix{*fix}
		}
		c.pass.Report(report)
	}
}

// place returns the file and the place of a position that the generator has
// found, or nil.
func (c *checker) place(p token.Position) (*ast.File, token.Pos) {
	for _, file := range c.pass.Files {
		f := c.pass.Fset.File(file.FileStart)
		if f.Name() == p.Filename && p.Offset <= f.Size() {
			return file, f.Pos(p.Offset)
		}
	}
	return nil, token.NoPos
}

// respelt is a message that begins with a wrong word and ends with the one that
// was meant.
var respelt = regexp.MustCompile(`^[a-z ]+"([^"]+)"(?: [^"]*)?: did you mean "([^"]+)"\?$`)

// respell returns the fix for a misspelt word at a place, or nil if another
// text stands there.
func (c *checker) respell(d generator.Diagnostic, pos token.Pos) *analysis.SuggestedFix {
	m := respelt.FindStringSubmatch(d.Message)
	if m == nil {
		return nil
	}
	text, err := c.pass.ReadFile(d.Pos.Filename)
	if err != nil || !strings.HasPrefix(string(text[d.Pos.Offset:]), m[1]) {
		return nil
	}
	return &analysis.SuggestedFix{
		Message:   "Replace " + m[1] + " with " + m[2],
		TextEdits: []analysis.TextEdit{{Pos: pos, End: pos + token.Pos(len(m[1])), NewText: []byte(m[2])}},
	}
}

// renamed is a message that ends with the json tag to write.
var renamed = regexp.MustCompile("write `(json:\"[^\"]*\")`")

// jsonPair finds the json tag in a raw string.
var jsonPair = regexp.MustCompile("([` ])json:\"[^\"]*\"")

// rename returns the fix that gives the field at a place the json tag which the
// message names, or nil if the field has no tag in a raw string.
func rename(file *ast.File, pos token.Pos, message string) *analysis.SuggestedFix {
	m := renamed.FindStringSubmatch(message)
	tag := tagAt(file, pos)
	if m == nil || tag == nil || tag.Value[0] != '`' || strings.Contains(tag.Value, "\r") {
		return nil
	}
	if _, err := strconv.Unquote(tag.Value); err != nil {
		return nil
	}
	edit := analysis.TextEdit{Pos: tag.Pos() + 1, End: tag.Pos() + 1, NewText: []byte(m[1] + " ")}
	if at := jsonPair.FindStringIndex(tag.Value); at != nil {
		edit = analysis.TextEdit{Pos: tag.Pos() + token.Pos(at[0]+1), End: tag.Pos() + token.Pos(at[1]), NewText: []byte(m[1])}
	}
	return &analysis.SuggestedFix{Message: "Write " + m[1], TextEdits: []analysis.TextEdit{edit}}
}

// tagAt returns the tag of the field at a place, or nil.
func tagAt(file *ast.File, pos token.Pos) *ast.BasicLit {
	var tag *ast.BasicLit
	ast.Inspect(file, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil && field.Pos() <= pos && pos < field.End() {
			tag = field.Tag
		}
		return true
	})
	return tag
}
