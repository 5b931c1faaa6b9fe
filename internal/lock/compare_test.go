package lock

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry makes an entry of "Type container layout", with a definition. Facts may
// follow the layout, as in the file.
func entry(text string) Entry {
	words := strings.Fields(text)
	e := Entry{Type: words[0], Container: words[1], Definition: hash, Layout: words[2]}
	for _, word := range words[3:] {
		if !e.set(word) {
			panic(word)
		}
	}
	return e
}

func lockOf(texts ...string) Lock {
	var l Lock
	for _, text := range texts {
		l = append(l, entry(text))
	}
	return l
}

// TestCompareTypes compares types that have come, gone and been renamed.
func TestCompareTypes(t *testing.T) {
	for _, tt := range []struct {
		name     string
		old, now []string
		unseen   []string // not part of the run
		changes  []string // "Old>New"
		renamed  []string
		added    []string
	}{
		{name: "first", now: []string{"A a {a}"}, added: []string{"A"}},
		{name: "same", old: []string{"A a {a}", "B b {b}"}, now: []string{"B b {b}", "A a {a}"}},
		{name: "unique now", old: []string{"A a {a} unique=x"}, now: []string{"A a {a} unique=x,y"}},
		{name: "in another order", old: []string{"A a {a} unique=x,y"}, now: []string{"A a {a} unique=y,x"}},
		{name: "no longer unique", old: []string{"A a {a} unique=x,y"}, now: []string{"A a {a} unique=y"}, changes: []string{"A>A"}},
		{name: "unique under another name", old: []string{"A a {a} unique=x"}, now: []string{"B a {a} unique=x"}, renamed: []string{"A>B"}},
		{name: "changed", old: []string{"A a {a}"}, now: []string{"A a {b}"}, changes: []string{"A>A"}},
		{name: "added", old: []string{"A a {a}"}, now: []string{"A a {a}", "B b {a}"}, added: []string{"B"}},
		{name: "added to a container", old: []string{"A a {a}"}, now: []string{"A a {a}", "B a {b}"}, added: []string{"B"}},
		{name: "gone", old: []string{"A a {a}", "B b {b}"}, now: []string{"A a {a}"}},
		{name: "renamed within its container", old: []string{"A a {a}"}, now: []string{"B a {a}"}, renamed: []string{"A>B"}},
		{name: "renamed, and moved", old: []string{"A a {a}"}, now: []string{"B b {a}"}, changes: []string{"A>B"}},
		{name: "renamed and changed", old: []string{"A a {a}"}, now: []string{"B a {b}"}, changes: []string{"A>B"}},
		{name: "one goes, another comes", old: []string{"A a {a}"}, now: []string{"B b {b}"}, added: []string{"B"}},
		{name: "moved", old: []string{"A a {a}"}, now: []string{"A b {a}"}, changes: []string{"A>A"}},
		{name: "swapped", old: []string{"A a {a}", "B b {b}"}, now: []string{"A a {b}", "B b {a}"}, changes: []string{"A>A", "B>B"}},
		{name: "two renamed", old: []string{"A s {a}", "B s {b}"}, now: []string{"C s {b}", "D s {a}"}, renamed: []string{"B>C", "A>D"}},
		{
			name: "the surest pairs first", old: []string{"A a {x}", "B b {x}"}, now: []string{"C b {x}", "D d {x}"},
			changes: []string{"A>D"}, renamed: []string{"B>C"},
		},
		{name: "a discriminator is added", old: []string{"A a {a}"}, now: []string{"A a {a} as=a"}, changes: []string{"A>A"}},
		{name: "a discriminator is gone", old: []string{"A a {a} as=a"}, now: []string{"A a {a}"}, changes: []string{"A>A"}},
		{name: "another discriminator", old: []string{"A a {a} as=a"}, now: []string{"A a {a} as=b"}, changes: []string{"A>A"}},
		{name: "renamed, and its documents are called alike", old: []string{"A s {a} as=a", "B s {a} as=b"}, now: []string{"C s {a} as=b", "D s {a} as=a"}, renamed: []string{"B>C", "A>D"}},
		{name: "renamed with its discriminator", old: []string{"A a {a} as=a"}, now: []string{"B a {a} as=b"}, changes: []string{"A>B"}},
		{name: "gone for longer", old: []string{"A a {a} gone"}, now: []string{"B b {b}"}, added: []string{"B"}},
		{name: "back", old: []string{"A a {a} gone"}, now: []string{"A a {a}"}},
		{name: "back with another layout", old: []string{"A a {a} gone"}, now: []string{"A a {b}"}, changes: []string{"A>A"}},
		{name: "back in another container", old: []string{"A a {a} gone"}, now: []string{"A b {a}"}, changes: []string{"A>A"}},
		{name: "back under another name", old: []string{"A a {a} gone"}, now: []string{"B a {a}"}, renamed: []string{"A>B"}},
		{name: "another name and layout for what is gone", old: []string{"A a {a} gone"}, now: []string{"B a {b}"}, changes: []string{"A>B"}},
		{name: "another type next to one that is gone", old: []string{"A a {a} gone"}, now: []string{"B a {b} as=b"}, added: []string{"B"}},
		{name: "alike in another container", old: []string{"A a {a} gone"}, now: []string{"B b {a}"}, added: []string{"B"}},
		{name: "a draft", old: []string{"A a {a} draft"}, now: []string{"A a {b}"}, changes: []string{"A>A"}},
		{name: "a draft that is gone", old: []string{"A a {a} draft"}, now: []string{"B a {b}"}, added: []string{"B"}},
		{name: "a draft that is renamed", old: []string{"A a {a} draft"}, now: []string{"B a {a}"}, added: []string{"B"}},
		{name: "not part of the run", old: []string{"A a {a}", "B b {b}"}, now: []string{"B b {b}"}, unseen: []string{"A"}},
		{name: "not part of the run, and alike", old: []string{"A a {a}"}, now: []string{"B b {a}"}, unseen: []string{"A"}, added: []string{"B"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := lockOf(tt.now...)
			gone := func(typ string) bool {
				return !slices.Contains(tt.unseen, typ) && !slices.ContainsFunc(now, func(e Entry) bool { return e.Type == typ })
			}
			changes, renamed, added := Compare(lockOf(tt.old...), now, gone)
			var gotChanges, gotRenamed, gotAdded []string
			for _, c := range renamed {
				gotRenamed = append(gotRenamed, c.Old.Type+">"+c.New.Type)
			}
			for _, c := range changes {
				gotChanges = append(gotChanges, c.Old.Type+">"+c.New.Type)
				if c.Renamed() != (c.Old.Type != c.New.Type) {
					t.Errorf("%v: Renamed is %v", c, c.Renamed())
				}
			}
			for _, e := range added {
				gotAdded = append(gotAdded, e.Type)
			}
			if diff := cmp.Diff([][]string{tt.changes, tt.renamed, tt.added}, [][]string{gotChanges, gotRenamed, gotAdded}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestCompareKeys changes each thing that a key depends on.
func TestCompareKeys(t *testing.T) {
	old := Entry{
		Type: "T", Container: "t", Definition: hash, Layout: "{a}-{b}.{c%400}",
		Kinds:      []PropertyKind{{Property: "a", Kind: Text, Stored: "/v"}, {Property: "b", Kind: Time}, {Property: "c", Kind: Integer}},
		Properties: []Property{{Pointer: "/a", JSON: "string"}},
	}
	component := func(i int, kind string) func(*Entry) {
		return func(e *Entry) {
			e.Kinds = slices.Clone(e.Kinds)
			e.Kinds[i].Kind = kind
		}
	}
	layout := func(text string) func(*Entry) { return func(e *Entry) { e.Layout = text } }
	for _, tt := range []struct {
		name   string
		change func(*Entry)
		want   string
	}{
		{"nothing", func(*Entry) {}, ""},
		{"order", layout("{b}-{a}.{c%400}"), "the layout"},
		{"separator", layout("{a}_{b}.{c%400}"), "the layout"},
		{"suffix separator", layout("{a}-{b}-{c%400}"), "the layout"},
		{"format", layout("{a}-{b|2006}.{c%400}"), "the layout"},
		{"lower", layout("{a}-{b|lower}.{c%400}"), "the layout"},
		{"hash field", layout("{a}-{b}.{d%400}"), "the layout"},
		{"buckets", layout("{a}-{b}.{c%401}"), "the layout"},
		{"random", layout("{a}-{b}.{*%400}"), "the layout"},
		{"text", layout("x:{a}-{b}.{c%400}"), "the layout"},
		{"escape", func(e *Entry) { e.Escape = true }, "the escaping"},
		{"values", func(e *Entry) { e.Values = "number" }, "the JSON type of the key"},
		{"text to a type", component(0, ".A"), "the text of a"},
		{"time to text", component(1, Text), "the text of b"},
		{"integer to a type", component(2, "log/slog.Level"), "the text of c"},
		{"integer to a number", component(2, Float), ""},
		{"a place that was not known", func(e *Entry) { e.Kinds = slices.Clone(e.Kinds); e.Kinds[1].Stored = "/w" }, ""},
		{"another place", func(e *Entry) { e.Kinds = slices.Clone(e.Kinds); e.Kinds[0].Stored = "/w" }, "the place of a"},
		{"the id", func(e *Entry) { e.Kinds = append(slices.Clone(e.Kinds), PropertyKind{Property: "id", Kind: ".UUID"}) }, "the text of id"},
		{"a missing component", func(e *Entry) { e.Kinds = e.Kinds[:2] }, "the kinds of components"},
		{"no components", func(e *Entry) { e.Kinds = nil }, "the kinds of components"},
		{"draft", func(e *Entry) { e.Draft = true }, ""},
		{"time to live", func(e *Entry) { e.TTL = "60" }, ""},
		{"properties", func(e *Entry) { e.Properties = nil }, ""},
		{"container", func(e *Entry) { e.Container = "u" }, "the container id"},
		{"path", func(e *Entry) { e.Path = "/key" }, "the partition key path"},
		{"kind", func(e *Entry) { e.Kind = "MultiHash" }, "the kind of the key"},
		{"version", func(e *Entry) { e.Version = 1 }, "the version of the key"},
		{"discriminator", func(e *Entry) { e.Discriminator = "t" }, "the discriminator"},
		{"prefix", func(e *Entry) { e.Prefix = "t-" }, "the prefix of ids"},
		{"two", func(e *Entry) { e.Layout, e.Path = "{a}", "/a" }, "the layout and the partition key path"},
		{"three", func(e *Entry) { e.Layout, e.Path, e.Container = "{a}", "/a", "u" }, "the layout, the container id and the partition key path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := old
			tt.change(&now)
			changes, _, added := Compare(Lock{old}, Lock{now}, func(string) bool { return false })
			if len(added) != 0 || len(changes) != min(1, len(tt.want)) {
				t.Fatalf("got %v, %v", changes, added)
			}
			change := Change{old, now}
			if change.What() != tt.want {
				t.Errorf("got %q", change.What())
			}
			if same := tt.want == "" || tt.want == "the discriminator"; change.SameKey() != same {
				t.Errorf("SameKey is %v", change.SameKey())
			}
		})
	}
}

func TestMerge(t *testing.T) {
	texts := []string{"A a {a}", "B b {b}", "C a {c}", "D a {d} gone", "E a {e} draft", "F a {f}", "G a {g} draft", "H a {h}"}
	old := lockOf(texts...)
	is := func(types string) func(string) bool {
		return func(typ string) bool { return strings.Contains(types, typ) }
	}
	got := Merge(old, lockOf("I a {c}", "B b {new}", "D a {d}"), is("AEC"), is("C"))
	want := lockOf("A a {a} gone", "B b {new}", "D a {d}", "F a {f}", "G a {g} draft", "H a {h}", "I a {c}").sorted()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(lockOf(texts...), old); diff != "" {
		t.Errorf("Merge has changed its argument: %s", diff)
	}
	got = Merge(Lock{{Type: "A", Container: "a", TTL: "5"}}, Lock{{Type: "B", Container: "a", TTL: "60"}}, is("A"), is(""))
	if got[0].TTL != "60" || got[1].TTL != "60" {
		t.Errorf("a container has two times to live: %v", got)
	}
}
