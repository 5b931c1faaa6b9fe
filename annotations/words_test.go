package annotations

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordsAreConsistent(t *testing.T) {
	type key struct {
		name  string
		place Place
	}
	seen := make(map[key]Word)
	for _, w := range Words() {
		k := key{w.Name, w.Place}
		if _, twice := seen[k]; twice {
			t.Errorf("%q is in the table twice", w.Name)
		}
		seen[k] = w
	}
	for _, w := range Words() {
		others := slices.Clone(w.Together)
		for _, n := range w.Needs {
			others = append(others, n.OneOf...)
			if len(n.OneOf) == 0 || n.Why == "" {
				t.Errorf("%q has a need without words or reason", w.Name)
			}
		}
		for _, c := range w.Excludes {
			others = append(others, c.Word)
			back := slices.ContainsFunc(seen[key{c.Word, w.Place}].Excludes, func(b Conflict) bool { return b.Word == w.Name })
			if !back || c.Why == "" {
				t.Errorf("%q excludes %q, but not the other way round, or without a reason", w.Name, c.Word)
			}
		}
		for _, o := range others {
			if _, ok := seen[key{o, w.Place}]; !ok {
				t.Errorf("%q refers to %q, which is no word of the same place", w.Name, o)
			}
		}
		for _, b := range w.Together {
			if other := seen[key{b, w.Place}]; !w.Role || !other.Role || !slices.Contains(other.Together, w.Name) {
				t.Errorf("%q and %q are not roles that can be combined", w.Name, b)
			}
		}
		if w.Help == "" || strings.Contains(w.Help, "\n") || strings.HasSuffix(w.Help, ".") {
			t.Errorf("help of %q is not one line without a full stop: %q", w.Name, w.Help)
		}
	}
}

func TestExamplesOfWordsParse(t *testing.T) {
	for _, w := range Words() {
		offset, errs := -1, []*Error(nil)
		switch w.Place {
		case OnField:
			var f Field
			f, errs = ParseField(w.Example)
			offset = f.Offset(w.Name)
		case OnType:
			var typ Type
			typ, errs = ParseType(w.Example)
			offset = typ.Offset(w.Name)
		}
		if len(errs) > 0 {
			t.Errorf("example %q of %q: %v", w.Example, w.Name, errs[0])
		}
		if offset < 0 {
			t.Errorf("example %q does not hold %q", w.Example, w.Name)
		}
	}
}

func TestWordsReturnsCopy(t *testing.T) {
	want := Words()
	for i, w := range Words() {
		w.Name = "changed"
		for j := range w.Needs {
			w.Needs[j].OneOf[0] = "changed"
			w.Needs[j].Why = "changed"
		}
		for j := range w.Excludes {
			w.Excludes[j].Word = "changed"
		}
		for j := range w.Together {
			w.Together[j] = "changed"
		}
		if diff := cmp.Diff(want[i], Words()[i]); diff != "" {
			t.Fatalf("table changed through the copy (-want +got):\n%s", diff)
		}
	}
}

func TestUsage(t *testing.T) {
	got := make(map[Place][]string)
	for _, w := range Words() {
		got[w.Place] = append(got[w.Place], w.Usage())
	}
	want := map[Place][]string{
		OnField: {
			"id", "pk", "synthetic[=INDEX]", "etag", "ttl", "ts", "created", "updated", "version", "deleted", "schema=N", "rest",
			"prefix=PREFIX", "purge=DURATION", "concat", "order=N", "hashsuffix=PATH[+PATH…]", "randomsuffix", "buckets=N", "was=N[+N…]", "next=N", "format=LAYOUT", "lower", "level=N", "field=PATH",
			"later", "tenant", "unique", "vector=N", "cosine", "dotproduct", "euclidean", "index=TYPE",
			"float16", "quantizer=METHOD", "quantizationbytes=N", "searchlist=N", "shardkey[=PATH]", "text=LANGUAGE", "elements", "computed=EXPRESSION", "note=NAME[+NAME…]",
		},
		OnType: {
			"api=NAME", "row=TEMPLATE", "edge", "from=TYPE", "to=TYPE", "container=ID", "own=TEMPLATE", "leases=ID", "directory=ID", "path=/NAME[/NAME…]", "sep=TEXT", "suffixsep=TEXT", "key=TEMPLATE", "was=N[+N…]", "next=N", "escape",
			"type=NAME", "gone=NAME[+NAME…]", "formerly=TYPE", "prefix=PREFIX", "ttl=SECONDS", "conflict=lww[:/NAME…]", "orders=ORDER[;ORDER…]", "index=INDEX", "select=NAME[+NAME…]", "later", "methods=none", "note=NAME[+NAME…]",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}
