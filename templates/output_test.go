package templates

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/templates/internal/lines"
)

const widest = lines.Widest // of a line

// generatedLine is how the go command recognises generated files; see go help
// generate.
var generatedLine = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

// TestOutput sees that every output is formatted, commented, and not too long.
func TestOutput(t *testing.T) {
	for _, c := range goldenTypes {
		for _, typ := range c.types {
			t.Run(c.name+"/"+typ.Name, func(t *testing.T) {
				source, err := Render(typ)
				if err != nil {
					t.Fatal(err)
				}
				lines := strings.Split(string(source), "\n")
				if !generatedLine.MatchString(lines[0]) {
					t.Errorf("line 1 is %q, which does not say that the file is generated", lines[0])
				}
				if want := "// Source: " + typ.Source; lines[1] != want {
					t.Errorf("line 2 is %q, want %q", lines[1], want)
				}
				// References to properties grow with the number of properties.
				own := string(source)
				for i := range typ.Indexes { // each has an entry, a repository and queries of its own
					own, _, _ = strings.Cut(own, "\n// "+typ.Indexes[i].names().layoutName+" ")
				}
				before, rest, _ := strings.Cut(own, "\n// "+typ.names().fieldsName+" ")
				_, after, _ := strings.Cut(rest, "\n// "+typ.names().containerName+" ")
				// The methods of one tenant repeat those of all.
				after, ofTenant, _ := strings.Cut(after, "\n// "+typ.Name+"Tenant ")
				// Each field of a container's id but the first is a parameter of every
				// function for windows and queries, on a line of its own, with a check.
				most := 260 + 40*max(0, len(typ.containerComponents())-1)
				if n := strings.Count(before+after, "\n"); n > most {
					t.Errorf("%d lines besides those of fields, patches and one tenant, want %d at most", n, most)
				}
				most = 80
				if typ.Own != nil {
					most = 160 // they are the only methods
				}
				if n := strings.Count(ofTenant, "\n"); n > most {
					t.Errorf("%d lines of one tenant, want %d at most", n, most)
				}
				formatted, err := format.Source(source)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(formatted, source) {
					t.Error("gofmt changes the output")
				}
				if strings.Contains(string(source), "\n\n\n") {
					t.Error("two blank lines follow one another")
				}
				checkDeclarations(t, typ, source)
				checkComments(t, lines)
				for i, line := range lines {
					if len(line) > widest && strings.HasPrefix(line, "func ") {
						t.Errorf("line %d has %d bytes, want %d at most: %s", i+1, len(line), widest, line)
					}
				}
			})
		}
	}
}

// checkDeclarations expects the declarations that the type names, and that each has
// a comment, except the model.
func checkDeclarations(t *testing.T, typ *Type, source []byte) {
	file, err := parser.ParseFile(token.NewFileSet(), typ.FileName(), source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]bool{typ.names().modelName: true}
	for i := range typ.Indexes {
		models[typ.Indexes[i].names().modelName] = true
	}
	var declared, methods []string
	declare := func(name *ast.Ident, doc *ast.CommentGroup) {
		if name.Name == "_" {
			return
		}
		declared = append(declared, name.Name)
		if !models[name.Name] && !strings.HasPrefix(doc.Text(), name.Name+" ") {
			t.Errorf("the comment of %s is %q", name.Name, doc.Text())
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					declare(spec.Names[0], decl.Doc)
				case *ast.TypeSpec:
					declare(spec.Name, decl.Doc)
				}
			}
		case *ast.FuncDecl:
			if decl.Recv == nil {
				declare(decl.Name, decl.Doc)
				continue
			}
			if !strings.HasPrefix(decl.Doc.Text(), decl.Name.Name+" ") {
				t.Errorf("the comment of method %s is %q", decl.Name.Name, decl.Doc.Text())
			}
			if star, ok := decl.Recv.List[0].Type.(*ast.StarExpr); ok && star.X.(*ast.Ident).Name == typ.Name {
				methods = append(methods, decl.Name.Name)
			}
		}
	}
	if names := typ.Names(); !slices.Equal(declared, names) {
		t.Errorf("the file declares %q, Names says %q", declared, names)
	}
	if names := typ.MethodNames(); !slices.Equal(methods, names) {
		t.Errorf("the type gets the methods %q, MethodNames says %q", methods, names)
	}
}

// checkComments expects comments of 96 columns at most, unless a word is longer.
func checkComments(t *testing.T, lines []string) {
	for i, line := range lines {
		if strings.HasPrefix(line, "// ") && len(line) > 96 && strings.Count(line, " ") > 1 {
			t.Errorf("line %d is a comment of %d columns", i+1, len(line))
		}
	}
}

// TestRenderError expects the numbered source if a file is not Go.
func TestRenderError(t *testing.T) {
	typ := vehicleEventType()
	complete(typ, "fleet")
	typ.Name = "Vehicle Event"
	_, err := Render(typ)
	if err == nil {
		t.Fatal("no error for a name that is not an identifier")
	}
	for _, want := range []string{"render Vehicle Event: 26:", "   1  // Code generated by pkgen. DO NOT EDIT.\n", "  26  func _ ("} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not contain %q:\n%v", want, err)
		}
	}
}
