package layout

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// vectorType has the vectors of one layout, with which programs in other languages are
// tested.
type vectorType struct {
	Type, Layout string
	Escape       bool
	Params       []string // property and type of each
	Rows         []struct {
		In  []string
		Key any
	}
}

// TestVectors makes a document of each vector, and expects its key. Functions of other
// languages check nothing, so some vectors are keys that Go refuses.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("../../cmd/pkgen/internal/keyfunc/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vectorType
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	made, refused := 0, 0
	odd := 0
	for _, v := range all {
		if _, problem := annotations.ParseTemplate(v.Layout); problem != nil || v.Type == "Trip" {
			odd++ // no tag can say it: it tests how languages quote; Trip's format has more signs than its template
			continue
		}
		entry := v.entry(t)
		l, err := New(entry)
		if err != nil {
			t.Error(err)
			continue
		}
		known := 0
		for _, row := range v.Rows {
			doc := v.document(t, l, row.In)
			key, err := l.Key(doc)
			var problem *Error
			switch {
			case errors.As(err, &problem) && problem.Problem == Refused && (row.Key == nil || v.illegal(row.In)):
				refused++
			case err != nil || row.Key == nil || !slices.Equal(valuesOf(key), listOf(row.Key)):
				t.Errorf("%s: %s has %s, %v, want %v", v.Layout, doc, key, err, row.Key)
			default:
				made++
				known++
			}
		}
		if known == 0 {
			t.Errorf("%s: no vector has a key", v.Layout)
		}
	}
	if len(all) < 40 || odd > 4 || made < 450 || refused > made/4 {
		t.Errorf("%d layouts, %d vectors and %d that are refused: too few are made", len(all), made, refused)
	}
}

// entry returns the entry of a type.
func (v vectorType) entry(t *testing.T) lock.Entry {
	t.Helper()
	e := lock.Entry{Type: v.Type, Layout: v.Layout, Escape: v.Escape}
	kinds := map[string]string{}
	for _, p := range v.Params {
		property, kind := param(p)
		if kind == "suffix" {
			continue
		}
		kinds[property] = map[string]string{
			"string": lock.Text, "int64": lock.Integer, "uint64": lock.Integer, "bool": lock.Bool, "float64": lock.Float, "time": lock.Time, "text": "net/netip.Addr",
		}[kind]
		e.Kinds = append(e.Kinds, lock.PropertyKind{Property: property, Kind: kinds[property]})
	}
	template, problem := annotations.ParseTemplate(v.Layout)
	if problem != nil {
		t.Fatal(problem)
	}
	var paths []string
	for i, level := range template.Levels {
		path := "/made" + strconv.Itoa(i)
		if property := strings.Trim((annotations.Template{Levels: []annotations.Level{level}}).String(), "{}"); kinds[property] != "" && !v.text(i, kinds[property]) {
			path = "/" + strings.ReplaceAll(property, ".", "/")
		}
		paths = append(paths, path)
	}
	e.Path = strings.Join(paths, ",")
	return e
}

func param(p string) (property, kind string) {
	i := strings.LastIndexByte(p, ' ')
	return p[:i], p[i+1:]
}

// text reports whether level i is a text, made of a property of another JSON type.
func (v vectorType) text(i int, kind string) bool {
	if kind != lock.Integer && kind != lock.Bool {
		return false
	}
	row := slices.IndexFunc(v.Rows, func(r struct {
		In  []string
		Key any
	}) bool {
		return r.Key != nil
	})
	_, is := listOf(v.Rows[row].Key)[i].(string)
	return is
}

// document returns the document of an input.
func (v vectorType) document(t *testing.T, l *Layout, in []string) []byte {
	t.Helper()
	doc := map[string]any{"id": "1"}
	for i, p := range v.Params {
		property, kind := param(p)
		var value any = in[i]
		switch kind {
		case "int64", "uint64", "float64":
			value = json.Number(in[i])
		case "bool":
			value = in[i] == "true"
		case "suffix":
			at := slices.IndexFunc(l.levels, func(l level) bool { return l.Parts[len(l.Parts)-1].Bucket != nil })
			property, value = strings.TrimPrefix(l.levels[at].Path, "/"), "x."+in[i]
		}
		object := doc
		path := strings.Split(property, ".")
		for _, name := range path[:len(path)-1] {
			inner, _ := object[name].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
				object[name] = inner
			}
			object = inner
		}
		object[path[len(path)-1]] = value
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// illegal reports whether Go refuses one of the inputs.
func (v vectorType) illegal(in []string) bool {
	for i, p := range v.Params {
		property, kind := param(p)
		if kind != "string" && kind != "text" {
			continue
		}
		check := partition.Text("", in[i])
		switch {
		case strings.Contains(v.Layout, "{"+property+"|lower"):
			check = partition.LowerText("", in[i])
		case property == "id" && partition.Check("", partition.ID(in[i])) != nil:
			return true
		}
		if partition.Check("", check) != nil {
			return true
		}
	}
	return false
}

func valuesOf(k Key) (values []any) {
	for i := range k.Len() {
		values = append(values, k.Value(i))
	}
	return values
}

func listOf(key any) []any {
	if list, ok := key.([]any); ok {
		return list
	}
	return []any{key}
}
