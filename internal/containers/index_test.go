package containers

import (
	"strings"
	"testing"
)

// TestIndexOfOtherTools compares definitions as other tools write them.
func TestIndexOfOtherTools(t *testing.T) {
	want := NewIndex("orders", []string{"customerId", "at"})
	for definition, same := range map[string]bool{
		"SELECT c.customerId, c.at FROM c":             true,
		"select c.at,c.customerId\n\tfrom c ;":         true,
		"SELECT root.at, root.customerId FROM root":    true,
		"SELECT c.customerId FROM c":                   false,
		"SELECT * FROM c":                              false,
		"SELECT c.customerId, d.at FROM c":             false,
		"SELECT c.customerId AS x, c.at FROM c":        false,
		"SELECT c.customerId, c.at FROM c WHERE c.x=1": false,
		"": false,
	} {
		have := &Properties{View: &Index{Source: "orders", Definition: definition, Status: Active}}
		found := compareIndex(have.IndexedBy(), want)
		if (len(found) == 0) != same {
			t.Errorf("%q: %+v", definition, found)
		}
	}
	if found := compareIndex(nil, want); len(found) != 1 || found[0].Fix != nil || found[0].Have != "no index" {
		t.Errorf("%+v", found)
	}
	if found := compareIndex(want, nil); found != nil {
		t.Errorf("a difference from no index: %+v", found)
	}
	odd := &Index{Source: "orders", Definition: "SELECT c.a AS b FROM c"}
	if found := compareIndex(&Index{Source: "orders", Definition: odd.Definition + " "}, odd); found != nil {
		t.Errorf("one text of an unknown form: %+v", found)
	}
}

// TestIndexKey names the partition keys that an index cannot have.
func TestIndexKey(t *testing.T) {
	all := NewIndex("orders", nil)
	some := NewIndex("orders", []string{"customerId"})
	for _, test := range []struct {
		index *Index
		path  string
		want  string
	}{
		{all, "/anything", ""},
		{all, `/"any thing"`, ""},
		{all, "/a/b", "nested"},
		{some, "/customerId", ""},
		{some, "/at", `add "at"`},
	} {
		err := test.index.Check([]string{test.path})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %s: %v", test.path, test.index.Definition, err)
		}
	}
}
