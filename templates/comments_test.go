package templates

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommentsShowOutput finds the Go that comments of emitters show in golden output: the same
// tokens, where types, fields and literals may have other names. Where a comment leaves
// something out, each of the parts around it is found. Lines may be alternatives.
func TestCommentsShowOutput(t *testing.T) {
	var outputs strings.Builder
	for _, pattern := range []string{"testdata/*.txtar", "../generator/testdata/success/*.txtar", "../internal/fixtures/*_cosmos.go", "../internal/fixtures/*/*_cosmos.go", "../internal/layout/layouttest/*_cosmos.go", "../internal/simulation/shapes/*/*_cosmos.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			outputs.WriteString(shape(string(text)) + " ")
		}
	}
	golden := outputs.String()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, source, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range file.Comments {
			for at, text := range shownIn(fset, group) {
				for part := range strings.SplitSeq(text, "…") {
					if shown++; in(golden, part) {
						continue
					}
					for line := range strings.Lines(part) { // which are one of several, each
						if !in(golden, line) {
							t.Errorf("%s: no golden output has the form of\n%s", at, line)
						}
					}
				}
			}
		}
	}
	if shown < 100 {
		t.Errorf("%d comments show Go, want 100 or more", shown)
	}
}

// in reports whether golden output has the form of a text.
func in(golden, text string) bool {
	wanted := shape(text)
	return wanted == "" || strings.Contains(golden, " "+wanted+" ")
}

// shownIn returns the indented blocks of a comment by their places.
func shownIn(fset *token.FileSet, group *ast.CommentGroup) map[string]string {
	blocks := map[string]string{}
	at, text := "", ""
	for _, line := range append(group.List, &ast.Comment{Text: "//"}) {
		code, ok := strings.CutPrefix(line.Text, "//\t")
		switch {
		case ok && text == "":
			at, text = fmt.Sprint(fset.Position(line.Slash)), code
		case ok, line.Text == "//" && text != "" && line.Slash != token.NoPos:
			text += "\n" + code
		case text != "":
			blocks[at], text = text, ""
		}
	}
	return blocks
}

// packages are those that generated code imports.
var packages = map[string]bool{
	"admin": true, "azcosmos": true, "context": true, "documents": true, "generated": true, "gremlin": true, "mongo": true,
	"partition": true, "repository": true, "strconv": true, "strings": true, "table": true, "tenancy": true, "time": true, "errors": true,
}

// shape returns the tokens of Go text, each after a blank, without what differs between types:
// names other than those of packages, of what they have and of methods that are called, the
// values of literals, and commas before a bracket that closes.
func shape(text string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(text)), []byte(text), func(token.Position, string) {}, 0)
	var all []string
	qualified, last := false, ""
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.TrimSuffix(strings.Join(all, " "), " ,")
		case tok == token.SEMICOLON:
			continue
		case tok == token.RPAREN || tok == token.RBRACE || tok == token.RBRACK:
			if n := len(all) - 1; n >= 0 && all[n] == "," {
				all = all[:n]
			}
			all = append(all, tok.String())
		case tok == token.LPAREN:
			if n := len(all) - 2; n >= 0 && all[n] == "." && all[n+1] == "name" {
				all[n+1] = last // a method
			}
			all = append(all, tok.String())
		case tok == token.IDENT && qualified:
			all = append(all, lit)
		case tok == token.IDENT:
			name := "name"
			if packages[lit] || types.Universe.Lookup(lit) != nil {
				name = lit
			}
			all, last = append(all, name), lit
		case tok.IsLiteral():
			all = append(all, "literal")
		default:
			all = append(all, tok.String())
		}
		qualified = tok == token.PERIOD && len(all) > 1 && packages[all[len(all)-2]]
	}
}
