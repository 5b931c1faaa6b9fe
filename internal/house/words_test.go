//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// out are the phrases that the section "English" of docs/decisions/words.md is against, as
// regular expressions in which a space is any white space, each with what to
// write instead.
var out = []struct{ phrase, instead string }{
	{`behind`, "say after, or name the place"},
	{`beside`, "say with, next to, or compared with; besides is for: in addition"},
	{`stand|stands|stood|standing`, "say is, means, appears, or may be used"},
	{`can be had|cannot be had`, "say who returns it, or who cannot"},
	{`lesson|lessons`, "name what is learnt"},
	{`of (which|what|whom) (there|nobody|one)`, "begin a new sentence with the noun"},
	{`as it is,? is|as they are,? are`, "say unchanged, or plain"},
	{`what is not`, "name the thing"},
	{`what (can|cannot) be \w+ (is|are)`, "name the thing"},
	{`looks? past`, "say ignores"},
	{`lies? about`, "name the thing"},
	{`is told by an error`, "say: returns an error"},
	{`nothing is left`, "say what has ended"},
	{`in silence, which`, "begin a new sentence"},
}

// none is the phrase "… is none", which is out unless "there" comes before it.
var none = regexp.MustCompile(`(?i)\b(\w+)` + space + `(?:is|are|was|were)` + space + `none\b`)

// space is the white space between two words, which are perhaps on two lines of
// a comment.
const space = `[\s/*]+`

// TestWords looks for phrases that are out in every page, and in every comment and
// text of the Go files.
func TestWords(t *testing.T) {
	err := walk("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > 2 || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		found, err := phrasesIn(path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
		for _, f := range found {
			t.Errorf("%s:%d: %q: %s", name, f.line, f.phrase, f.instead)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPhrases(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       string
	}{
		{"plain", "The answer comes after the request.", ""},
		{"a word in another", "It understands the standard, besides.", ""},
		{"behind", "one\ntwo\nwhat is Behind it", "3: Behind"},
		{"over two lines of a comment", "// A price that cannot\n// be had.", "1: cannot be had"},
		{"none", "Its error is none.", "1: error is none"},
		{"there is none", "nil if there is none", ""},
		{"two on a line", "it stands beside it", "1: beside, 1: stands"},
	} {
		var got []string
		for _, f := range phrases(test.text, 1) {
			got = append(got, fmt.Sprintf("%d: %s", f.line, f.phrase))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

type finding struct {
	line            int
	phrase, instead string
}

// phrasesIn returns the findings in a file, if it is one with words.
func phrasesIn(path string) ([]finding, error) {
	slash := filepath.ToSlash(path)
	if slash == "../../internal/house/words_test.go" {
		return nil, nil
	}
	switch filepath.Ext(path) {
	case ".md":
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return phrases(withoutQuotes(string(text)), 1), nil
	case ".go":
		if !strings.Contains(slash, "/testdata/") {
			return phrasesInGo(path)
		}
	}
	return nil, nil
}

// withoutQuotes returns a page with the section that quotes what is out blanked.
func withoutQuotes(page string) string {
	begin := strings.Index(page, "\n## English\n")
	if begin < 0 {
		return page
	}
	end := begin + 1 + strings.Index(page[begin+1:]+"\n## ", "\n## ")
	return page[:begin] + strings.Repeat("\n", strings.Count(page[begin:end], "\n")) + page[end:]
}

// phrasesInGo returns the findings in the comments and texts of a file that nobody
// has generated.
func phrasesInGo(path string) ([]finding, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	var found []finding
	for _, group := range file.Comments {
		// The comments of a group are on lines that follow each other.
		var text strings.Builder
		for _, c := range group.List {
			text.WriteString(c.Text + "\n")
		}
		found = append(found, phrases(text.String(), files.Position(group.Pos()).Line)...)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			found = append(found, phrases(literal.Value, files.Position(literal.Pos()).Line)...)
		}
		return true
	})
	return found, nil
}

// patterns are the phrases of out, compiled.
var patterns = func() []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(out))
	for i, o := range out {
		all[i] = regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(o.phrase, " ", space) + `)\b`)
	}
	return all
}()

// phrases returns the findings in a text that begins on a line.
func phrases(text string, line int) []finding {
	var found []finding
	add := func(at []int, instead string) {
		found = append(found, finding{
			line:    line + strings.Count(text[:at[0]], "\n"),
			phrase:  regexp.MustCompile(space).ReplaceAllString(text[at[0]:at[1]], " "),
			instead: instead,
		})
	}
	for i, pattern := range patterns {
		for _, at := range pattern.FindAllStringIndex(text, -1) {
			add(at, out[i].instead)
		}
	}
	for _, at := range none.FindAllStringSubmatchIndex(text, -1) {
		if !strings.EqualFold(text[at[2]:at[3]], "there") {
			add(at, "say: there is no …, or: is not a …")
		}
	}
	return found
}
