package gremlin

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestSecondPage goes on after a page in an order: the request has the value by which the
// first page ended.
func TestSecondPage(t *testing.T) {
	two := ok(`[` + thing + `,` + strings.Replace(thing, `"id":"1"`, `"id":"2"`, 1) + `]`)
	s, c := serve(t, two, ok(`[]`), two, ok(`[]`))
	docs := New(c, "Thing", &thingModel)
	for i, test := range []struct {
		by    documents.Order[Thing]
		value any
	}{
		{documents.Number[Thing, float64]("speed").Desc(), map[string]any{"@type": "g:Double", "@value": 1.5}},
		{documents.String[Thing, string]("id").Asc(), "1"},
	} {
		q := NewQuery(docs, generated.Partition("k")).OrderBy(test.by)
		found, err := q.Page(soon(t), "", 1)
		page, cursor := found.Items, found.Cursor
		if err != nil || len(page) != 1 || cursor == "" {
			t.Fatalf("%d vertices, %v", len(page), err)
		}
		if found, err = q.Page(soon(t), cursor, 1); err != nil || len(found.Items) != 0 || found.Cursor != "" {
			t.Fatalf("%d vertices, %v", len(found.Items), err)
		}
		bound := slices.Collect(maps.Values(s.bound[2*i+1]))
		if !slices.ContainsFunc(bound, func(v any) bool { return reflect.DeepEqual(v, test.value) }) {
			t.Errorf("the second page is asked by %s with %v", s.asked[2*i+1], bound)
		}
	}
}

// Tick is a vertex with a number that may be beyond 2^53.
type Tick struct {
	ID  string `json:"id"`
	Key string `json:"pk"`
	N   int64  `json:"n"`
}

// TestPagesOfNeighbours orders by integers that the service takes for equal: a page after
// one of them would have the other again, without end.
func TestPagesOfNeighbours(t *testing.T) {
	tick := func(key string, n int64) string {
		return fmt.Sprintf(`{"id":"1","label":"Tick","type":"vertex","properties":{"pk":[{"id":"x","value":%q}],"n":[{"id":"y","value":%d}]}}`, key, n)
	}
	// By hand: generated code imports this package.
	model := generated.Model[Tick, thingKey]{
		Type: "Tick", Path: "/pk", Key: func(d *Tick) thingKey { return thingKey{d.Key, d.ID} },
		ID: func(k thingKey) string { return k.ID }, Text: func(k thingKey) string { return k.Key },
		Properties: &generated.Properties{ID: "id"},
	}
	n := documents.Number[Tick, int64]("n")
	for _, test := range []struct {
		numbers [2]int64
		order   documents.Order[Tick]
		refused bool
	}{
		{[2]int64{1 << 60, 1<<60 + 1}, n.Asc(), true},
		{[2]int64{1<<53 + 1, 1 << 53}, n.Desc(), true},
		{[2]int64{-1<<53 - 1, 7}, n.Asc(), true},
		{[2]int64{1 << 53, 1<<53 + 1}, n.Asc(), false}, // it is the page after this one that is refused
		{[2]int64{7, 1 << 60}, n.Asc(), false},
	} {
		two := ok("[" + tick("k1", test.numbers[0]) + "," + tick("k2", test.numbers[1]) + "]")
		s, c := serve(t, two, ok("[]"))
		q := New(c, "Tick", &model).Scan().OrderBy(test.order)
		found, err := q.Page(soon(t), "", 1)
		cursor := found.Cursor
		if err != nil || cursor == "" {
			t.Fatalf("%v: %q, %v", test.numbers, cursor, err)
		}
		_, err = q.Page(soon(t), cursor, 1)
		if !test.refused {
			if err != nil {
				t.Errorf("%v: %v", test.numbers, err)
			}
			continue
		}
		if err == nil || errors.Is(err, documents.ErrCursor) || !strings.Contains(err.Error(), `order by "n": the number is beyond 2^53`) || s.count() != 1 {
			t.Errorf("%v: %v, by %d requests", test.numbers, err, s.count())
		}
	}
	two := ok("[" + tick("k1", 1<<60) + "," + tick("k2", 1<<60+1) + "]")
	s, c := serve(t, two, two, two, two)
	q := New(c, "Tick", &model, documents.WithPageSize(1)).Scan().OrderBy(n.Asc())
	if list, err := q.Collect(soon(t)); err == nil || list != nil || s.count() != 1 {
		t.Errorf("%d vertices, %v, by %d requests", len(list), err, s.count())
	}
	// What needs no second page is read.
	if first, err := q.First(soon(t)); err != nil || first.N != 1<<60 {
		t.Errorf("the first is %+v, %v", first, err)
	}
	if list, err := q.Limit(1).Collect(soon(t)); err != nil || len(list) != 1 {
		t.Errorf("a limit: %d vertices, %v", len(list), err)
	}
	if page, err := q.Page(soon(t), "", 2); err != nil || len(page.Items) != 2 || page.Cursor != "" {
		t.Errorf("a page: %d vertices, %q, %v", len(page.Items), page.Cursor, err)
	}
}
