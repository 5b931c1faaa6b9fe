package sourceload

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// outline parses a source and prints its declarations with empty bodies, and
// their places.
func outline(text []byte) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if body, ok := n.(*ast.BlockStmt); ok { // of a function, or of one that is a value
			body.List = nil
		}
		return true
	})
	var out bytes.Buffer
	err = ast.Fprint(&out, fset, file, nil)
	return out.String(), err
}

// sameOutline sees that a source with and without bodies declares the same at
// the same places.
func sameOutline(t *testing.T, path string, text []byte) {
	t.Helper()
	want, err := outline(text)
	if err != nil {
		return // the generator loads it as a whole
	}
	blank := withoutBodies(text)
	if got, err := outline(blank); err != nil || got != want {
		t.Errorf("%s: %v, or other declarations, in\n%.2000s", path, err, blank)
	}
}

var functions = []string{
	"package p\n\nfunc f() struct{ a int } { return struct{ a int }{1} }\n",
	"package p\n\nfunc f(x interface{ m() }) interface{} {\n\treturn `}` + \"}\\\"}\" + string('}') + string('\\'')\n}\n\nfunc g()\n\nfunc h() (x, y int) { /* } */ return // }\n}\n",
	"package p\n\nfunc f[T interface{ ~int }](x [3]struct{}) map[struct{ a int }]func() struct{} {\n\treturn nil\n}\n",
	"package p\n\nvar f =\nfunc() { g() }\n\ntype t struct {\nfunc_ int }\n",
	"package p\n\nfunc f() *\nint { return nil }\n\nfunc (t) g(\n\ta int,\n) error {\n\treturn nil }\n\nfunc h() chan\nint { return nil }\n",
	"package p\n\nfunc\nf() { if a { b() } }; func g() { { } }\nfunc h() {}; var x = struct{ y int }{1}\n",
	"package p\n\nfunc f(); var x = [...]int{1}\n",
	"package p\r\n\r\nfunc f() {\r\n\tx := `\r\n`\r\n}\r\n",
	"package p\n\nfunc f() func() struct {\n\ta int\n} {\n\treturn nil\n}\n",
	"package p\n\nfunc f() /* { */ int // {\n\nfunc g() int /*\n*/ { return 1 }\n",
}

func TestWithoutBodies(t *testing.T) {
	for _, text := range functions {
		sameOutline(t, text, []byte(text))
	}
	text := "package p\n\nfunc f(a int) error {\n\tif a > 0 {\n\t}\n}\n"
	if got, want := string(withoutBodies([]byte(text))), "package p\n\nfunc f(a int) error {\n           \n  \n}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWithoutBodiesStandardLibrary is about all that Go code can look like, with
// -short in three packages of nine.
func TestWithoutBodiesStandardLibrary(t *testing.T) {
	folders := []string{"bytes", "encoding/json", "go/parser", "net/http", "reflect", "text/template", "time", "unicode", "math/big"}
	if testing.Short() {
		folders = folders[:3]
	}
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", folder, "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files: %v", folder, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			sameOutline(t, path, text)
		}
	}
}

// FuzzWithoutBodies looks for sources that have other declarations without
// bodies.
func FuzzWithoutBodies(f *testing.F) {
	for _, text := range functions {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameOutline(t, "x.go", []byte(text)) })
}
