package generator

import (
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/generator/internal/sourcetest"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// generationOf runs everything between loading and writing on one file.
func generationOf(text string) *generation {
	g := newGeneration(Options{})
	u := sourcetest.Unit(text)
	found := model.Find(u, g.report, g.selected)
	g.unit(u, slices.Clone(found), nil)
	model.Needless(found)
	return g
}

// typeOf returns the type that is rendered of a document.
func (g *generation) typeOf(d *model.Candidate) *templates.Type {
	return d.Model.Type(g.reserved[d.Unit], false)
}

// checkGeneration checks what holds for any source: positions lie within it,
// what has no errors renders and reads back, what has some says so. The loaders,
// which are not asked here, report syntax errors.
func checkGeneration(t *testing.T, text string, g *generation) {
	t.Helper()
	for _, d := range g.report.Sorted() {
		if d.Message == "" || d.Pos.Offset < 0 || d.Pos.Offset > len(text) || d.Pos.Line < 1 || d.Pos.Column < 1 {
			t.Errorf("bad diagnostic %+v", d)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution); err != nil {
		return
	}
	for _, d := range g.found {
		if d.Failed {
			continue
		}
		if d.Model == nil {
			t.Fatalf("type %s: no error and no model", d.Name())
		}
		out, err := templates.Render(g.typeOf(d))
		if err != nil {
			t.Fatalf("render: %v", err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "out.go", out, parser.AllErrors); err != nil {
			t.Errorf("output does not parse: %v\n%s", err, out)
		}
	}
}

// FuzzTag puts any tag on a field of any kind, and looks for panics and for
// positions outside the source.
func FuzzTag(f *testing.F) {
	for _, seed := range []struct {
		tag, typ string
		raw      bool
	}{
		{`json:"date" cosmos:"pk"`, "string", true},
		{`json:"date" cosmos:"pk,concat,hashsuffix=ID+Sub.A,buckets=4"`, "int", true},
		{`json:"n,omitempty" cosmos:"pk,\x63oncat"`, "float64", false},
		{`cosmos: "pk"`, "bool", true},
		{`cosmos:"synthetic" json:"partitionKey"`, "S", true},
		{`json:"a{b" cosmos:"id,pk"`, "struct{ A string `cosmos:\"pk\"` }", true},
		{"cosmos:\"pk,format=day\"\r\n", "[]T", true},
		{`json:"é" cosmos:"pk,randomsuffix,buckets=2"`, "func()", false},
		{`cosmos:"pk`, "Undefined", true},
		{`json:"ttl,omitempty" cosmos:"ttl"`, "*int", true},
		{`json:"_ts" cosmos:"ts"`, "uintptr", true},
		{`json:"-" cosmos:"rest"`, "map[string]Undefined", true},
		{`json:"type"`, "[]map[string]*T", true},
		{"cosmos:\"\\377\"", "*T", true},
	} {
		f.Add(seed.tag, seed.typ, seed.raw)
	}
	f.Fuzz(func(t *testing.T, tag, typ string, raw bool) {
		quote := strconv.Quote
		if raw && !strings.Contains(tag, "`") {
			quote = func(s string) string { return "`" + s + "`" }
		}
		text := "package x\n\ntype S string\n\ntype Sub struct{ A string }\n\ntype T struct {\n\tSub `json:\"sub\"`\n\tID string `json:\"id\"`\n\tF " +
			typ + " " + quote(tag) + "\n\tG string `json:\"g\" cosmos:\"pk,concat\"`\n}\n"
		checkGeneration(t, text, generationOf(text))
	})
}

// FuzzSource is about sources that are anything but what is expected.
func FuzzSource(f *testing.F) {
	for _, seed := range []string{
		"package x\n\ntype T struct {\n\tT\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n",
		"package x\n\ntype A struct {\n\t*B\n\tN string `cosmos:\"pk\"`\n}\n\ntype B struct {\n\t*A\n\tID string `json:\"id\" cosmos:\"id\"`\n}\n",
		"package x\n\ntype T[P any] struct { F P `cosmos:\"pk\"` }\n\ntype U = T[int]\n",
		"package x\n\ntype T struct { A, B string `cosmos:\"pk,concat\"`; ID string `json:\"id\"`; _ struct{} `cosmos:\"sep=\"` }\n",
		"package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n\tM M\n\tP *P\n\tN N[int]\n\tG *G[int]\n\tL L\n}\n\n" +
			"type M map[string]map[int]M\n\ntype P *P\n\ntype N[A any] map[string]N[[]A]\n\ntype G[A any] struct { G *G[[]A]; A A }\n\ntype L []L\n",
		"package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n\tG *G[int]\n}\n\ntype P[A, B any] struct{}\n\ntype G[A any] struct { G *G[P[A, A]]; A A }\n",
		"package x\n\ntype T struct {\n\t_ struct{} `cosmos:\"container=c,orders=A+B.C:desc,ttl=-1\"`\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n\tA int\n\tB *T\n\tC string\n}\n\n" +
			"type U struct {\n\t_ struct{} `cosmos:\"container=c,type=u,path=/type,orders=T.T+A\"`\n\t*T\n\tTTL *int `json:\"ttl\"`\n}\n",
		"package x\n\nfunc f() { type T struct { A string `cosmos:\"pk\"` } }\n\nvar v struct { B string \"cosmos:\\\"pk\\\"\" }",
		"package x\n\ntype T struct { F string `cosmos:\"pk",
		"package",
		"//line y.go:70\npackage x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pkk\"`\n}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		fset := token.NewFileSet()
		syntax, _ := parser.ParseFile(fset, "x.go", text, source.ParseMode)
		if syntax == nil || syntax.Name == nil {
			return
		}
		checkGeneration(t, text, generationOf(text))
	})
}
