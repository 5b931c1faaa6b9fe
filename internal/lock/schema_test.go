package lock

import "testing"

// TestLosesSchema compares the schema numbers of two releases.
func TestLosesSchema(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		was, now string
		draft    bool
		loses    bool
	}{
		{"", "", false, false}, {"", "1,v", false, false}, {"", "5,v", false, false},
		{"3,v", "3,v", false, false}, {"3,v", "4,v", false, false}, {"9,v", "10,v", false, false},
		{"3,v", "2,v", false, true}, {"10,v", "9,v", false, true}, {"3,v", "", false, true}, {"3,v", "3,w", false, true}, {"3,v", "4,w", false, true},
		{"3,v", "2,v", true, false}, {"3,v", "", true, false},
	} {
		was, now := Entry{Schema: row.was, Draft: row.draft}, Entry{Schema: row.now}
		if got := was.LosesSchema(now); got != row.loses {
			t.Errorf("%+v: got %v", row, got)
		}
	}
}

// TestSkipsSchema compares the forms that one release reads with those that another writes.
func TestSkipsSchema(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		was, now string
		skips    bool
	}{
		{"", "", false}, {"", "1,v", false}, {"", "1+2,v", false}, {"", "2,v", true}, {"", "2+3,v", true},
		{"1,v", "1,v", false}, {"1,v", "1+2,v", false}, {"1,v", "2,v", true}, {"1,v", "2+3,v", true}, {"1,v", "3,v", true}, {"1,v", "", false},
		{"1+2,v", "1,v", false}, {"1+2,v", "2,v", false}, {"1+2,v", "2+3,v", false}, {"1+2,v", "3,v", true},
		{"9+10,v", "10,v", false}, {"9+10,v", "11,v", true}, {"3,v", "2,v", false},
	} {
		for _, e := range []Entry{{Schema: row.was}, {Schema: row.was, Draft: true}, {Schema: row.was, API: "table"}} {
			if got := e.SkipsSchema(Entry{Schema: row.now}); got != (row.skips && !e.Draft && e.API == "") {
				t.Errorf("%+v, draft %t, API %q: got %t", row, e.Draft, e.API, got)
			}
		}
	}
}

// TestSchemaWord reads and writes the word of a type.
func TestSchemaWord(t *testing.T) {
	t.Parallel()
	for word, legal := range map[string]bool{
		"schema=1,v": true, "schema=1000000,_v": true, "schema=3,a,b": true, "schema=2,form of it": true,
		"schema=": false, "schema=3": false, "schema=3,": false, "schema=0,v": false, "schema=-1,v": false, "schema=03,v": false, "schema=x,v": false,
	} {
		var e Entry
		if got := e.set(word); got != legal {
			t.Errorf("%s: got %v", word, got)
		}
		if n, property := e.SchemaNumber(); legal && "schema="+SchemaOf(n, 0, property) != word {
			t.Errorf("%s: got %d, %s", word, n, property)
		}
	}
}
