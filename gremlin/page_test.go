package gremlin

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestSecondPage goes on after a page in an order: the request has the value by which the
// first page ended.
func TestSecondPage(t *testing.T) {
	two := ok(`[` + thing + `,` + strings.Replace(thing, `"id":"1"`, `"id":"2"`, 1) + `]`)
	s, c := serve(t, two, ok(`[]`), two, ok(`[]`))
	docs := New(c, "Thing", &thingModel)
	for i, test := range []struct {
		by    Order[Thing]
		value any
	}{
		{Number[Thing, float64]("speed").Desc(), map[string]any{"@type": "g:Double", "@value": 1.5}},
		{String[Thing, string]("id").Asc(), "1"},
	} {
		q := NewQuery(docs, generated.Partition("k")).OrderBy(test.by)
		page, cursor, err := q.Page(soon(t), "", 1)
		if err != nil || len(page) != 1 || cursor == "" {
			t.Fatalf("%d vertices, %v", len(page), err)
		}
		if page, cursor, err = q.Page(soon(t), cursor, 1); err != nil || len(page) != 0 || cursor != "" {
			t.Fatalf("%d vertices, %v", len(page), err)
		}
		bound := slices.Collect(maps.Values(s.bound[2*i+1]))
		if !slices.ContainsFunc(bound, func(v any) bool { return reflect.DeepEqual(v, test.value) }) {
			t.Errorf("the second page is asked by %s with %v", s.asked[2*i+1], bound)
		}
	}
}
