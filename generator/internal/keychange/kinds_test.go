package keychange

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/generator/internal/sourcetest"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// kindTypes are Go types of components, by what their texts are made of. Those of
// one group make the same text of the same value.
var kindTypes = [][]string{
	{"string", "Name", "Other"},
	{"int", "int64", "uint8", "Count", "Month"},
	{"bool", "Flag"},
	{"Level"},
	{"Code"},
	{"Ref[A]"},
	{"Ref[B]"},
	{"Again"},
}

const kindSource = `
type Name string
type Other = Name
type Count int
type Month uint8
type Flag bool
type Level int
type Code string
type Again = Again2
type Again2 string
type Ref[T any] string
type A struct{}
type B struct{}

func (Level) MarshalText() ([]byte, error) { return nil, nil }
func (*Code) MarshalText() ([]byte, error) { return nil, nil }
func (Again2) MarshalText() ([]byte, error) { return nil, nil }
func (Ref[T]) MarshalText() ([]byte, error) { return nil, nil }
`

// kindLayouts are layouts of components X and Y: how their tags begin.
var kindLayouts = map[string][2]string{
	"natural":         {"pk", ""},
	"one component":   {"pk,concat,hashsuffix=Z,buckets=4", ""},
	"two components":  {"pk,concat", "pk,concat"},
	"hashed":          {"", "pk,hashsuffix=X,buckets=400"},
	"hashed together": {"", "pk,hashsuffix=Z+X,buckets=400"},
	"random":          {"pk,randomsuffix,buckets=4", ""},
	"levels":          {"pk,level=1", "pk,level=2"},
	"a later level":   {"pk,level=2", "pk,level=1"},
	"made levels":     {"pk,level=1,hashsuffix=Z,buckets=4", "pk,level=2"},
}

func kindDocument(typ string, tags [2]string) string {
	field := func(name, typ, tag string) string {
		if tag != "" {
			tag = ` cosmos:"` + tag + `"`
		}
		return fmt.Sprintf("\t%s %s `json:\"%s\"%s`\n", name, typ, strings.ToLower(name), tag)
	}
	return "package x\n" + kindSource + "\ntype T struct {\n\tID string `json:\"id\"`\n" +
		"\tStored string `json:\"partitionKey\" cosmos:\"synthetic\"`\n" +
		field("X", typ, tags[0]) + field("Y", "string", tags[1]) + field("Z", "string", "") + "}\n"
}

// runOf finds and models the types of one file.
func runOf(text string) *Run {
	r := &Run{Report: &diag.Reporter{}, Loaded: &source.Loaded{}}
	u := sourcetest.Unit(text)
	r.Found = model.Find(u, r.Report, func(*source.Declaration) bool { return true })
	r.Found = model.Models(r.Loaded, u, r.Found, nil)
	model.Collide(u, r.Found)
	return r
}

// kindFolder is the folder of a run whose types are compared with a lock.
func kindFolder(g *Run, old lock.Lock) *comparedFolder {
	f := &comparedFolder{folder: &folder{run: g, docs: make(map[string]*model.Candidate), live: make(map[string]bool), complete: true}, old: old}
	for _, d := range g.Found {
		if !d.Failed {
			f.docs[nameOf(d.Declaration)], f.live[nameOf(d.Declaration)] = d, true
			f.entries = append(f.entries, entryOf(d.Model))
		}
	}
	return f
}

// TestChangedKindsAreRefused changes the type of a component in all layouts, and
// expects that it is refused where keys would change, and nowhere else.
func TestChangedKindsAreRefused(t *testing.T) {
	compared := 0
	for name, tags := range kindLayouts {
		for i, group := range kindTypes {
			for _, was := range group {
				old := kindFolder(runOf(withoutStored(kindDocument(was, tags))), nil).entries
				if len(old) == 0 {
					continue // a field that the layout cannot have
				}
				for j, others := range kindTypes {
					for _, now := range others {
						g := runOf(withoutStored(kindDocument(now, tags)))
						f := kindFolder(g, old)
						if len(f.entries) == 0 {
							continue
						}
						compared++
						f.comparison = compare(f.old, f.entries, f.gone)
						f.report()
						refused := slices.ContainsFunc(g.Report.Found, func(d diag.Finding) bool { return d.Severity == diag.Refused })
						if refused != (i != j) {
							t.Errorf("%s: %s to %s: refused is %v: %v", name, was, now, refused, g.Report.Sorted())
						}
						if refused && !strings.Contains(fmt.Sprint(g.Report.Found), "would change, and stored documents would not be found") {
							t.Errorf("%s: %s to %s: %v", name, was, now, g.Report.Found)
						}
					}
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d pairs have been compared", compared)
	}
}

// withoutStored drops the synthetic field where the key is no text that the run
// time makes.
func withoutStored(text string) string {
	if _, ok := storedDropped[text]; !ok {
		storedDropped[text] = text
		if g := runOf(text); len(g.Found) == 0 || g.Found[0].Failed {
			storedDropped[text] = strings.Replace(text, " cosmos:\"synthetic\"", "", 1)
		}
	}
	return storedDropped[text]
}

// storedDropped holds what withoutStored has returned for each text.
var storedDropped = make(map[string]string)

// TestKindOfAlias sees that an alias has the kind of the aliased type.
func TestKindOfAlias(t *testing.T) {
	for typ, want := range map[string]string{
		"Other": lock.Text, "Again": ".Again2", "Ref[A]": ".Ref[.A]", "Ref[Other]": ".Ref[.Name]", "Code": ".Code", "Month": lock.Integer,
	} {
		f := kindFolder(runOf(kindDocument(typ, kindLayouts["two components"])), nil)
		if len(f.entries) != 1 || f.entries[0].Kinds[0] != (lock.PropertyKind{Property: "x", Kind: want}) {
			t.Errorf("%s: got %+v", typ, f.entries)
		}
	}
}
