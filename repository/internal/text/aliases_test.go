package text

import (
	"slices"
	"testing"
)

func TestRename(t *testing.T) {
	all := []Aliased{{"name", []string{"fullName", "display"}}, {"age", []string{"years"}}}
	for document, want := range map[string]string{
		`{"id":"1","name":"a"}`:                          `{"id":"1","name":"a"}`,
		`{"id":"1"}`:                                     `{"id":"1"}`,
		`{"fullName":"a","id":"1"}`:                      `{"id":"1","name":"a"}`,
		`{"fullName":"a"}`:                               `{"name":"a"}`,
		`{ "display" : "b" , "fullName":"a" }`:           `{"name":"a"}`,
		`{"display":"b","id":"1"}`:                       `{"id":"1","name":"b"}`,
		`{"fullName":"old","id":"1","name":null}`:        `{"id":"1","name":null}`,
		`{"full\u004eame":{"a":[1]},"years":3,"x":true}`: `{"x":true,"name":{"a":[1]},"age":3}`,
		`{"Name":"c","fullName":"a"}`:                    `{"Name":"c","name":"a"}`,
	} {
		if got := string(Rename([]byte(document), all)); got != want {
			t.Errorf("%s: got %s, want %s", document, got, want)
		}
	}
	present := []byte(`{"id":"1","name":"a","age":3}`)
	if n := testing.AllocsPerRun(100, func() { Rename(present, all) }); n != 0 {
		t.Errorf("%v allocations of a document without aliases", n)
	}
}

func TestParseRenamed(t *testing.T) {
	f, err := ParseField("?1<pos<place/position/lat")
	if err != nil || f.Property != `c["position"]["lat"]` || f.Holder != `c["position"]` || f.Top != `c["position"]` || len(f.Aliases) != 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	if old := f.Aliases[1]; old.Property != `c["place"]["lat"]` || old.Holder != `c["place"]` || old.Top != `c["place"]` || !old.Omitted {
		t.Errorf("%+v", old)
	}
	if pointer, aliases := Renamed("?<a<b/c/d"); pointer != "/c/d" || !slices.Equal(aliases, []string{"a", "b"}) {
		t.Errorf("%s, %q", pointer, aliases)
	}
	if pointer, aliases := Renamed("?/c"); pointer != "?/c" || aliases != nil {
		t.Errorf("%s, %q", pointer, aliases)
	}
	for _, wrong := range []string{"<a", "?2<a/b", "x<a/b", "<a/~x"} {
		if _, err := ParseField(wrong); err == nil {
			t.Errorf("%s is a field", wrong)
		}
	}
}
