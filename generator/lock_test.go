package generator

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestLockEntry sees all in the lock that a stored key depends on.
func TestLockEntry(t *testing.T) {
	property := func(v templates.Value) []templates.Part {
		return []templates.Part{{Component: &templates.Component{Field: templates.Field{Selector: "ID", Property: "a", Value: v}}}}
	}
	for _, tt := range []struct {
		name  string
		model templates.Type
		want  string
	}{
		{"string", templates.Type{Path: "/a", Layout: "{a}", Parts: property(templates.String)}, "{a} /a Hash"},
		{"integer", templates.Type{Path: "/a", Layout: "{a}", Parts: property(templates.Int)}, "{a} values=number /a Hash"},
		{"unsigned", templates.Type{Path: "/a", Layout: "{a}", Parts: property(templates.Uint)}, "{a} values=number /a Hash"},
		{"float", templates.Type{Path: "/a", Layout: "{a}", Parts: property(templates.Float)}, "{a} values=number /a Hash"},
		{"bool", templates.Type{Path: "/a", Layout: "{a}", Parts: property(templates.Bool)}, "{a} values=boolean /a Hash"},
		{"id", templates.Type{Kind: templates.ItemID, Path: "/id", Layout: "{id}", Parts: property(templates.String)}, "{id} /id Hash"},
		{"text of an integer", templates.Type{Kind: templates.Synthetic, Path: "/k", Layout: "{a}", Parts: property(templates.Int)}, "{a} /k Hash"},
		{"escaped", templates.Type{Kind: templates.Synthetic, Path: "/k", Layout: "{a}-{b}", Escape: true}, "{a}-{b} escape /k Hash"},
		{"discriminator", templates.Type{
			Kind: templates.Synthetic, Path: "/k", Layout: "{a}-{b}", Escape: true,
			Discriminator: &templates.Discriminator{Property: "type", Value: "t"},
		}, "{a}-{b} escape as=t /k Hash"},
		{"the one without", templates.Type{
			Path: "/a", Layout: "{a}", Parts: property(templates.String),
			Discriminator: &templates.Discriminator{Property: "type", Others: []string{"u"}},
		}, "{a} /a Hash"},
		{"levels", templates.Type{Kind: templates.Hierarchical, Layout: "{a},{b},{c}.{d%4}", Levels: []templates.Level{
			{Path: "/a", Parts: property(templates.String)},
			{Path: "/b", Parts: property(templates.Int)},
			{Path: "/partitionKey", Made: true, Parts: append(property(templates.Int), templates.Part{Literal: "."}, templates.Part{Bucket: &templates.Bucket{Count: 4}})},
		}}, "{a},{b},{c}.{d%4} values=string,number,string /a,/b,/partitionKey MultiHash"},
		{"levels of strings", templates.Type{Kind: templates.Hierarchical, Layout: "{a},{b}", Levels: []templates.Level{
			{Path: "/a", Parts: property(templates.String)}, {Path: "/b", Parts: property(templates.String)},
		}}, "{a},{b} /a,/b MultiHash"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := generationOf("package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n").found[0]
			d.model.rendered = &tt.model
			d.model.rendered.Container = "c"
			e := d.model.lockEntry()
			if got := e.Summary() + " " + e.Path + " " + e.Kind; got != tt.want || e.Type != "T" || e.Container != "c" || e.Version != 2 {
				t.Errorf("got %q, %+v", got, e)
			}
			if _, err := lock.Parse(lock.Lock{e}.Format()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestKeyChangeIsToldApart sees what the error of a result matches.
func TestKeyChangeIsToldApart(t *testing.T) {
	refused, wrong, note := Diagnostic{Severity: Refused, Message: "r"}, Diagnostic{Message: "e"}, Diagnostic{Severity: Note, Message: "n"}
	for _, tt := range []struct {
		found     []Diagnostic
		keyChange bool
		want      string
	}{
		{nil, false, ""},
		{[]Diagnostic{note}, false, ""},
		{[]Diagnostic{note, refused, refused}, true, "a partition key would change:\nrefused: r\nrefused: r"},
		{[]Diagnostic{refused, note, wrong}, false, "r\ne"},
	} {
		r := &Result{Diagnostics: tt.found}
		err, commit := r.Err(), r.Commit()
		if (err != nil) != (tt.want != "") || (commit != nil) != (err != nil) {
			t.Errorf("%v: got %v, %v", tt.found, err, commit)
		}
		if errors.Is(err, ErrKeyChange) != tt.keyChange || errors.Is(commit, ErrKeyChange) != tt.keyChange {
			t.Errorf("%v: %v matches ErrKeyChange", tt.found, err)
		}
		if err != nil && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("got %q, want %q", err, tt.want)
		}
	}
}

// TestCommitOrder sees that a lock is written before what it is about, and
// removed after it.
func TestCommitOrder(t *testing.T) {
	file := func(name, text string) File {
		f := File{Path: filepath.Join("folder", name)}
		if text != "" {
			f.New = []byte(text)
		}
		return f
	}
	want := []File{file(lock.FileName, "x"), file("a.go", "x"), file("z.go", ""), file(lock.FileName, "")}
	for i := range want[1:] {
		if want[i].order() > want[i+1].order() {
			t.Errorf("%+v before %+v", want[i], want[i+1])
		}
	}
	if want[0].order() == want[1].order() || want[2].order() == want[3].order() {
		t.Error("a lock is a file like others")
	}
}

func TestLockName(t *testing.T) {
	for _, tt := range []struct{ path, pkg, want string }{
		{"a.go", "p", "T"}, {"a_test.go", "p", "T"}, {"a_test.go", "p_test", "p_test.T"}, {"a.go", "p_test", "T"},
	} {
		if got := lockName(tt.path, tt.pkg, "T"); got != tt.want {
			t.Errorf("%s in package %s: got %s", tt.path, tt.pkg, got)
		}
	}
}
