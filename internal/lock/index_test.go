package lock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const indexed = `version 2

container order
	path /id
	kind Hash
	version 2
	type Order {id}
		component id text
		property /id string
		index ByA by-a {a} kinds=text
		index ByB by-b {a}-{b|2006} kinds=text,time property=byB select=a,b later

end
`

// TestIndexes reads indexes, writes them and reads them again.
func TestIndexes(t *testing.T) {
	l, err := Parse([]byte(indexed))
	if err != nil {
		t.Fatal(err)
	}
	want := []Index{
		{Name: "ByA", Container: "by-a", Layout: "{a}", Kinds: "text"},
		{Name: "ByB", Container: "by-b", Layout: "{a}-{b|2006}", Kinds: "text,time", Property: "byB", Select: "a,b", Later: true},
	}
	if diff := cmp.Diff(want, l[0].Indexes); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	again, err := Parse(l.Format())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l, again); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if x := l[0].Index("ByB"); x == nil || x.Summary() != "{a}-{b|2006} kinds=text,time property=byB select=a,b later in container by-b" {
		t.Errorf("ByB: %v", x)
	}
	if x := l[0].Index("ByC"); x != nil {
		t.Errorf("ByC: %v", x)
	}
	without := l[0]
	without.Indexes = nil
	if l[0].seal() != without.seal() || !l[0].SameKey(without) {
		t.Error("an index counts as a part of the key of its source")
	}
}

func TestIndexErrors(t *testing.T) {
	const line = "\t\tindex ByA by-a {a} kinds=text\n"
	for _, tt := range []struct{ other, want string }{
		{"\t\tindex ByA by-a\n", `"index" is followed by 3 words, and not by 2`},
		{"\t\tindex ByA \"\" {a}\n", `"index" is followed by an empty text`},
		{"\t\tindex ByA by-a a\n", `"a" is not a layout`},
		{line + line, `index "ByA" appears twice in type Order, perhaps after a merge: keep one of them`},
		{"\t\tindex ByA by-a {a} escape\n", `"escape" does not follow the layout of an index`},
		{"\t\tindex ByA by-a {a} later later\n", `"later" does not follow the layout of an index`},
		{"\t\tindex ByA by-a {a} kinds= \n", `"kinds=" does not follow the layout of an index`},
		{"\t\tindex ByA by-a {a} kinds=text kinds=text\n", `"kinds=text" does not follow the layout of an index`},
	} {
		_, err := Parse([]byte(strings.Replace(indexed, line, tt.other, 1)))
		if err == nil || !strings.Contains(err.Message, tt.want) {
			t.Errorf("%q: %v, want %q", tt.other, err, tt.want)
		}
	}
	if _, err := Parse([]byte(strings.Replace(indexed, "\ttype Order", line+"\ttype Order", 1))); err == nil || !strings.Contains(err.Message, "comes before the first type of its container") {
		t.Errorf("before a type: %v", err)
	}
}

// TestDifferences compares an index with another release of it. One that comes later has no
// container yet, so that only what documents have of it stays as it is.
func TestDifferences(t *testing.T) {
	x := Index{Name: "ByA", Container: "by-a", Layout: "{a}-{b}", Kinds: "text,text", Property: "byA", Select: "a,b"}
	for _, tt := range []struct {
		change      func(*Index)
		want, later string
	}{
		{func(*Index) {}, "", ""},
		{func(x *Index) { x.Later = !x.Later }, "", ""},
		{func(x *Index) { x.Layout, x.Kinds = "{a}-{c}", "text,int" }, "the layout", "the layout"},
		{func(x *Index) { x.Kinds = "text,int" }, "the text of a field", "the text of a field"},
		{func(x *Index) { x.Property = "other" }, "the property", "the property"},
		{func(x *Index) { x.Select = "" }, "the selection", ""},
		{func(x *Index) { x.Container = "other" }, "the container", ""},
		{func(x *Index) { x.Container, x.Layout = "other", "{b}-{a}" }, "the layout and the container", "the layout"},
	} {
		now, later := x, x
		tt.change(&now)
		later.Later = true
		if got := strings.Join(x.Differences(now), " and "); got != tt.want {
			t.Errorf("%+v: %q, want %q", now, got, tt.want)
		}
		if got := strings.Join(later.Differences(now), " and "); got != tt.later {
			t.Errorf("later, %+v: %q, want %q", now, got, tt.later)
		}
	}
}
