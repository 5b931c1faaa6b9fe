package suggest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// insertion is text to insert into a file.
type insertion struct {
	offset int
	text   string
}

// apply returns the text of a Go file with the tags of proposals inserted, and with a go:generate
// directive if generate is set. Nothing else changes, except that the fields of a formatted file
// are aligned again.
func apply(path string, source []byte, proposals []Proposal, generate bool) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("cannot write tags into a file that does not parse, correct it first: %w", err)
	}
	e := editor{source: source, offset: func(p token.Pos) int { return fset.PositionFor(p, false).Offset }, newline: "\n"}
	if bytes.Contains(source, []byte("\r\n")) {
		e.newline = "\r\n"
	}
	if generate {
		e.insert(e.lineEnd(e.offset(file.Name.End())), e.newline+e.newline+directive)
	}
	for spec := range sourceload.TypeSpecs(file) {
		i := slices.IndexFunc(proposals, func(p Proposal) bool { return p.Type == spec.Name.Name })
		if strct, ok := ast.Unparen(spec.Type).(*ast.StructType); ok && i >= 0 && len(strct.Fields.List) > 0 {
			e.tag(strct, proposals[i].Tags)
		}
	}
	return e.formatted()
}

// formatted returns the text, formatted if the source was, ignoring carriage returns.
func (e *editor) formatted() ([]byte, error) {
	out, source := e.text(), e.source
	returned := e.newline == "\r\n" && bytes.Count(source, []byte("\n")) == bytes.Count(source, []byte("\r\n"))
	if returned {
		source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	}
	formatted, err := format.Source(source)
	if err != nil || !bytes.Equal(formatted, source) {
		return out, nil //nolint:nilerr // a file that gofmt does not take is not formatted
	}
	if !returned {
		return format.Source(out)
	}
	if out, err = format.Source(bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n"))); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n")), nil
}

// editor collects insertions into a file.
type editor struct {
	source     []byte
	offset     func(token.Pos) int
	newline    string
	insertions []insertion
}

// tag writes tags into a struct.
func (e *editor) tag(strct *ast.StructType, tags []Tag) {
	for _, t := range tags {
		switch {
		case t.New && t.Field == "_":
			e.first(strct, "_ struct{} `cosmos:"+strconv.Quote(t.Words)+"`")
		case t.New:
			e.last(strct, fmt.Sprintf("%s string `json:%q cosmos:%q`", t.Field, plainProperty, t.Words))
		default:
			for _, f := range strct.Fields.List {
				if len(f.Names) == 1 && f.Names[0].Name == t.Field {
					e.append(f, "cosmos:"+strconv.Quote(t.Words))
				}
			}
		}
	}
}

// append appends a pair to a field's tag.
func (e *editor) append(f *ast.Field, pair string) {
	if f.Tag == nil {
		e.insert(e.offset(f.Type.End()), " `"+pair+"`")
		return
	}
	end := e.offset(f.Tag.End()) - 1
	if f.Tag.Value[0] == '"' {
		quoted := strconv.Quote(pair)
		pair = quoted[1 : len(quoted)-1]
	}
	if value := f.Tag.Value[1 : len(f.Tag.Value)-1]; strings.TrimRight(value, " ") == value && value != "" {
		pair = " " + pair
	}
	e.insert(end, pair)
}

// first inserts the declaration of a field before the others of a struct.
func (e *editor) first(strct *ast.StructType, declaration string) {
	opening := e.offset(strct.Fields.Opening) + 1
	if end := e.lineEnd(opening); end < e.offset(strct.Fields.List[0].Pos()) {
		e.insert(end, e.newline+"\t"+declaration)
		return
	}
	e.insert(opening, " "+declaration+";")
}

// last inserts a declaration after the fields.
func (e *editor) last(strct *ast.StructType, declaration string) {
	field := strct.Fields.List[len(strct.Fields.List)-1]
	end := e.offset(field.End())
	if field.Comment != nil {
		end = e.offset(field.Comment.End())
	}
	if line := e.lineEnd(end); line < e.offset(strct.Fields.Closing) {
		e.insert(line, e.newline+"\t"+declaration)
		return
	}
	e.insert(e.offset(field.End()), "; "+declaration)
}

func (e *editor) insert(offset int, text string) {
	e.insertions = append(e.insertions, insertion{offset, text})
}

// lineEnd returns the end of the line at an offset.
func (e *editor) lineEnd(offset int) int {
	n := bytes.IndexByte(e.source[offset:], '\n')
	switch {
	case n < 0:
		return len(e.source)
	case n > 0 && e.source[offset+n-1] == '\r':
		return offset + n - 1
	}
	return offset + n
}

// text returns the file with all insertions.
func (e *editor) text() []byte {
	slices.SortStableFunc(e.insertions, func(a, b insertion) int { return cmp.Compare(a.offset, b.offset) })
	var out []byte
	at := 0
	for _, i := range e.insertions {
		out = append(append(out, e.source[at:i.offset]...), i.text...)
		at = i.offset
	}
	return append(out, e.source[at:]...)
}
