package layout

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// TestCandidateOfGenerated takes the templates of generated types for candidates: they
// make the keys that generated code makes, but for random suffixes.
func TestCandidateOfGenerated(t *testing.T) {
	for folder, documents := range generatedTypes {
		for _, doc := range documents {
			typ := reflect.TypeOf(doc).Elem()
			_, entry := layoutOf(t, folder, typ.Name())
			candidate, err := Candidate(entry.Layout, entry.Escape, entry)
			if err != nil {
				t.Fatal(err)
			}
			rng, legal := rand.New(rand.NewPCG(3, 4)), 0
			for range 1000 {
				v := reflect.New(typ)
				fill(rng, v.Elem())
				text, err := json.Marshal(v.Interface())
				if err != nil || validate(v) != nil {
					continue
				}
				legal++
				got, err := candidate.Key(text)
				if err != nil {
					t.Fatalf("%s: %s: %v", typ.Name(), text, err)
				}
				want := partitionKey(v)
				if !strings.Contains(entry.Layout, "{*%") && !reflect.DeepEqual(azure(got), want) {
					t.Fatalf("%s: %s: %s, and the generated code makes %v", typ.Name(), text, got, want)
				}
			}
			if legal < 20 && entry.Prefix == "" {
				t.Errorf("%s: %d documents were legal, which are too few", typ.Name(), legal)
			}
		}
	}
}

// A drawnProperty is a property of random documents.
type drawnProperty struct {
	name, kind string
	values     []string // JSON, the first half of which are legal
}

var drawnProperties = []drawnProperty{
	{"id", lock.Text, []string{`"1"`, `"order-1"`, `"é-7"`, `"a/b"`, `""`, `7`}},
	{"tenant", lock.Text, []string{`"a"`, `"A-b.C"`, `"\u00e4/_%3:x"`, `"\u0000"`, `null`, `[]`}},
	{"meta.device", lock.Text, []string{`"d-1"`, `"Dev:2"`, `"100%"`, `"\ud800"`, `{"x":1}`, `true`}},
	{"n", lock.Integer, []string{`0`, `-17`, `1e3`, `1.5`, `"1"`, `9007199254740993`}},
	{"meta.long", lock.Integer, []string{`7`, `-9007199254740991`, `12.0`, `1e300`, `null`, `{}`}},
	{"on", lock.Bool, []string{`true`, `false`, `true`, `"true"`, `1`, `null`}},
	{"at", lock.Time, []string{`"2018-08-09T12:30:00Z"`, `"2018-08-09T00:30:00.123456789+05:30"`, `"0001-01-01T00:00:01Z"`, `"2018-08-09"`, `17`, `null`}},
	{"host", "net/netip.Addr", []string{`"192.0.2.1"`, `"2001:db8::1"`, `"fe80::1%eth0"`, `7`, `""`, `null`}},
}

// drawnTemplate is a template that tags could say, with the kinds of its properties.
func drawnTemplate(rng *rand.Rand, escape bool) (annotations.Template, []lock.PropertyKind) {
	var template annotations.Template
	var kinds []lock.PropertyKind
	field := func() drawnProperty {
		p := drawnProperties[rng.IntN(len(drawnProperties))]
		if !slices.ContainsFunc(kinds, func(k lock.PropertyKind) bool { return k.Property == p.name }) {
			kinds = append(kinds, lock.PropertyKind{Property: p.name, Kind: p.kind})
		}
		return p
	}
	one := func() *annotations.Component {
		p := field()
		c := &annotations.Component{Fields: []string{p.name}}
		switch {
		case p.kind == lock.Time:
			c.Format = []string{"2006-01-02", "2006", "2006-01-02T15:04:05.000"}[rng.IntN(3)]
		case p.kind == lock.Text && rng.IntN(4) == 0:
			c.Lower = true
		}
		return c
	}
	separator := func() annotations.Part {
		all := []string{"-", ".", "::", "_a", "/é", "| |"}
		if !escape {
			all = append(all, "x", "%", "7_")
		}
		return annotations.Part{Literal: all[rng.IntN(len(all))]}
	}
	random := false
	for range 1 + rng.IntN(3) {
		var level annotations.Level
		if rng.IntN(5) == 0 {
			level = append(level, separator())
		}
		bucket := rng.IntN(3)
		for i := range 1 + rng.IntN(3) {
			if i > 0 {
				level = append(level, separator())
			}
			c := one()
			if i == bucket {
				c.Buckets = 1 + rng.IntN(400)
				if rng.IntN(2) == 0 {
					for range rng.IntN(3) {
						c.Fields = append(c.Fields, field().name)
					}
					slices.Sort(c.Fields)
					c.Fields = slices.Compact(c.Fields)
				}
			}
			level = append(level, annotations.Part{Component: c})
		}
		if !random && rng.IntN(6) == 0 && !strings.Contains(fmt.Sprint(annotations.Template{Levels: []annotations.Level{level}}), "%") {
			level = append(level, separator(), annotations.Part{Component: &annotations.Component{Buckets: 9}})
			random = true
		}
		template.Levels = append(template.Levels, level)
	}
	return template, kinds
}

// drawnDocument is a document, most of whose values are legal.
func drawnDocument(rng *rand.Rand, template annotations.Template) []byte {
	doc := map[string]any{}
	for _, p := range drawnProperties {
		n := len(p.values) / 2
		if rng.IntN(10) == 0 {
			n = len(p.values)
		}
		if rng.IntN(60) == 0 {
			continue
		}
		within := doc
		name := p.name
		if outer, inner, nested := strings.Cut(p.name, "."); nested {
			if doc[outer] == nil {
				doc[outer] = map[string]any{}
			}
			within, name = doc[outer].(map[string]any), inner
		}
		within[name] = json.RawMessage(p.values[rng.IntN(n)])
	}
	for i, level := range template.Levels {
		if n := len(level); n > 1 && level[n-1].Component != nil && len(level[n-1].Component.Fields) == 0 {
			doc[fmt.Sprintf("level%d", i)] = "x" + level[n-2].Literal + "4"
		}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return text
}

// TestCandidateOfEntry draws templates and documents: the candidate with a template makes
// the keys of the type that has it, or gives the same reasons.
func TestCandidateOfEntry(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	keys, refusals, templates := 0, 0, 0
	for templates < 1500 {
		escape := rng.IntN(2) == 0
		template, kinds := drawnTemplate(rng, escape)
		entry := lock.Entry{Type: "T", Layout: template.String(), Escape: escape, Kinds: kinds}
		if _, problem := annotations.ParseTemplate(entry.Layout); problem != nil {
			continue // such as one whose levels are equal
		}
		candidate, err := Candidate(entry.Layout, escape, entry)
		if err != nil {
			t.Fatalf("%s: %v", entry.Layout, err)
		}
		var paths []string
		for i := range candidate.levels {
			path := fmt.Sprintf("/level%d", i)
			if l := &candidate.levels[i]; !l.Made {
				path = "/" + strings.ReplaceAll(l.Parts[0].Component.Property, ".", "/")
			}
			paths = append(paths, path)
		}
		entry.Path = strings.Join(paths, ",")
		made, err := New(entry)
		if err != nil {
			t.Fatalf("%s: %v", entry.Layout, err)
		}
		templates++
		for range 20 {
			doc := drawnDocument(rng, template)
			want, wantErr := made.WithoutID().Key(doc)
			got, gotErr := candidate.WithoutID().Key(doc)
			if wantErr != nil || gotErr != nil {
				refusals++
				if !reflect.DeepEqual(gotErr, wantErr) {
					t.Fatalf("%s of %s: %v, and the type says %v", entry.Layout, doc, gotErr, wantErr)
				}
				continue
			}
			keys++
			if drawnTexts(made, got) != drawnTexts(made, want) {
				t.Fatalf("%s of %s: %s, and the type says %s", entry.Layout, doc, got, want)
			}
		}
	}
	if keys < 5000 || refusals < 2000 {
		t.Errorf("%d keys and %d refusals, which are too few", keys, refusals)
	}
}

// drawnTexts is a key as JSON, without a random suffix.
func drawnTexts(l *Layout, k Key) string {
	var all []string
	for i := range k.Len() {
		value := fmt.Sprintf("%T %[1]v", k.Value(i))
		if l.levels[i].Random() {
			value = strings.TrimRight(value, "0123456789")
		}
		all = append(all, value)
	}
	return strings.Join(all, "\n")
}
