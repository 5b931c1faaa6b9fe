package containers

import (
	"testing"
)

func TestIndexes(t *testing.T) {
	tests := []struct {
		path               string
		included, excluded []string
		want               bool
	}{
		{"/pk", nil, nil, true},
		{"/pk", []string{"/*"}, nil, true},
		{"/pk", []string{"/"}, nil, true},
		{"/pk", nil, []string{"/*"}, false},
		{"/pk", []string{"/*"}, []string{"/pk/?"}, false},
		{"/pk", []string{"/*"}, []string{"/pk/*"}, false},
		{"/pk", []string{"/*"}, []string{`/"pk"/?`}, false},
		{"/pk", []string{"/*"}, []string{"/p/?", "/pk/x/?", "/pkx/*"}, true},
		{"/pk", []string{"/pk/?"}, []string{"/*"}, true},
		{"/pk", []string{"/pk/*"}, []string{"/*"}, true},
		{"/pk", []string{"/pk/?"}, []string{"/pk/*", "/*"}, true},
		{"/pk", []string{"/pk/*", "/*"}, []string{"/pk/?"}, false},
		{"/pk", []string{"/pk/x/?", "/PK/?"}, []string{"/*"}, false},
		{"/a/b", []string{"/a/*"}, []string{"/*"}, true},
		{"/a/b", []string{"/a/?"}, []string{"/*"}, false},
		{"/a/b", []string{"/a/b/?", "/*"}, []string{"/a/*"}, true},
		{"/a/b", []string{"/a/*"}, []string{"/a/b/*", "/*"}, false},
		{"/a/b", []string{"/a/*", "/*"}, []string{"/a/b/c/?"}, true},
		{`/a/"b c"`, []string{`/a/"b c"/?`}, []string{"/*"}, true},
		{`/"a/b"`, []string{"/a/b/?"}, []string{"/*"}, false},
	}
	for _, test := range tests {
		policy := &IndexingPolicy{Automatic: true}
		for _, path := range test.included {
			policy.IncludedPaths = append(policy.IncludedPaths, Path{Path: path})
		}
		for _, path := range test.excluded {
			policy.ExcludedPaths = append(policy.ExcludedPaths, Path{Path: path})
		}
		if got := Indexes(policy, test.path); got != test.want {
			t.Errorf("%s in %v without %v: %t", test.path, test.included, test.excluded, got)
		}
		if include(policy, test.path); !Indexes(policy, test.path) {
			t.Errorf("%s is not in %v without %v", test.path, policy.IncludedPaths, policy.ExcludedPaths)
		}
	}
	if !Indexes(nil, "/pk") {
		t.Error("a container without a policy has no index")
	}
	if Indexes(&IndexingPolicy{}, "/pk") || Indexes(&IndexingPolicy{Automatic: true, IndexingMode: "none"}, "/pk") {
		t.Error("what indexes nothing indexes the key")
	}
}

func TestIndexPattern(t *testing.T) {
	for path, want := range map[string]string{
		"/pk": "/pk/?", "/a/b_1": "/a/b_1/?", `/"b c"`: `/"b c"/?`, "/tenant-id": `/"tenant-id"/?`, `/"pk"`: "/pk/?", "/é": `/"é"/?`,
	} {
		if got := indexPattern(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestHasComposite(t *testing.T) {
	index := func(paths ...string) []CompositeIndex {
		list := make([]CompositeIndex, len(paths))
		for i, path := range paths {
			list[i] = CompositeIndex{Path: path[1:], Order: Ascending}
			if path[0] == '-' {
				list[i].Order = "Descending"
			}
		}
		return list
	}
	policy := &IndexingPolicy{CompositeIndexes: [][]CompositeIndex{index("+/a", "-/b"), index("+/x", "+/y", "+/z"), {{Path: "/m"}, {Path: `/"n"`}}}}
	for _, test := range []struct {
		index []CompositeIndex
		want  bool
	}{
		{index("+/a", "-/b"), true},
		{index("-/a", "+/b"), true},
		{index("+/a", "+/b"), false},
		{index("-/b", "+/a"), false},
		{index("+/x", "+/y"), false},
		{index("-/x", "-/y", "-/z"), true},
		{index("-/x", "-/y", "+/z"), false},
		{index("+/m", "+/n"), true},
		{index("-/m", "-/n"), true},
		{index("-/m", "+/n"), false},
	} {
		if got := hasComposite(policy, test.index); got != test.want {
			t.Errorf("%s: %t", compositeText(test.index), got)
		}
	}
	if hasComposite(nil, index("+/a", "+/b")) {
		t.Error("a container without a policy has a composite index")
	}
}

// TestIndexOnDemand compares a container of the time when the service still stored
// automatic: false with an index.
func TestIndexOnDemand(t *testing.T) {
	have := &Properties{IndexingPolicy: &IndexingPolicy{IndexingMode: "consistent", IncludedPaths: []Path{{Path: "/*"}}}}
	found := Compare(have, &Properties{})
	if len(found) != 1 || found[0].Property != "indexingPolicy.automatic" || found[0].Have != "false" || found[0].Want != "true" || found[0].Fixable {
		t.Errorf("found %+v", found)
	}
}
