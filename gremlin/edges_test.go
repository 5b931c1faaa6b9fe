package gremlin

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
)

// Link is an edge from one Thing to another.
type Link struct {
	ID string `json:"id"`
}

func links(c *Client, opts ...Option) *Edges[Link, thingKey, thingKey] {
	model := EdgeModel[Link]{Type: "Link", ID: func(d *Link) string { return d.ID }}
	return NewEdges(c, "Link", &model, &thingModel, &thingModel, opts...)
}

// linked is an edge with its target in an answer.
func linked(id, target string) string {
	return `{"e":{"id":"` + id + `","label":"Link","type":"edge","inV":"1","outV":"1"},"v":` + target + `}`
}

// gone is what an answer has in place of a target that is not there.
const gone = `"` + noTarget + `"`

// TestEdgesWithoutTargets reads edges of which two lead to vertices that are gone: a page
// keeps its length, and every edge comes once.
func TestEdgesWithoutTargets(t *testing.T) {
	first := ok("[" + linked("e1", thing) + "," + linked("e2", gone) + "]")
	second := ok("[" + linked("e3", thing) + "," + linked("e4", gone) + "]")
	s, c := serve(t, first, second, ok("[]"), first, ok("["+linked("e3", thing)+"]"))
	of := links(c, documents.WithPageSize(2)).From(thingKey{"k", "1"})
	for _, test := range []struct {
		query EdgeQuery[Link]
		want  []string
	}{
		{of, []string{"e1 k/1", "e2 /", "e3 k/1", "e4 /"}},
		{of.Limit(3), []string{"e1 k/1", "e2 /", "e3 k/1"}},
	} {
		list, err := test.query.Collect(soon(t))
		var got []string
		for _, e := range list {
			got = append(got, e.Edge.ID+" "+e.ToPartitionKey+"/"+e.ToID)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("edges %q, %v, want %q", got, err, test.want)
		}
	}
	start := `g.V([b0, b1]).hasLabel('Thing').outE('Link')`
	target := `.as('e').coalesce(__.inV(), __.constant('none')).as('v').select('e', 'v')`
	want := []string{
		start + `.order().by('id', incr).limit(b2)` + target,
		start + `.has('id', gt(b2)).order().by('id', incr).limit(b3)` + target,
		start + `.has('id', gt(b2)).order().by('id', incr).limit(b3)` + target,
	}
	if got := s.asked[:3]; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	if s.bound[1]["b2"] != "e2" || s.bound[2]["b2"] != "e4" {
		t.Errorf("the pages begin after %v and %v", s.bound[1]["b2"], s.bound[2]["b2"])
	}
}

// TestEdgeWithoutTarget reads one edge whose target is gone, and creates it again: nobody
// can tell whether it led to the same vertex.
func TestEdgeWithoutTarget(t *testing.T) {
	lost := ok("[" + linked("e1", gone) + "]")
	_, c := serve(t, lost, status(500, ""), status(409, ""), lost)
	key := thingKey{"k", "1"}
	e, err := links(c).Get(soon(t), key, "e1")
	if err != nil || e.Edge.ID != "e1" || e.ToPartitionKey != "" || e.ToID != "" {
		t.Errorf("%+v, %v", e, err)
	}
	err = links(c).Create(soon(t), key, key, &Link{"e1"})
	if !errors.Is(err, documents.ErrAlreadyExists) || !errors.Is(err, documents.ErrUnclear) {
		t.Errorf("create: %v", err)
	}
}

// TestWrongEdges checks that an answer without a target or without the mark of one is an
// error, and never an edge that leads nowhere.
func TestWrongEdges(t *testing.T) {
	for _, answer := range []string{
		linked("e1", `"other"`), linked("e1", `null`), linked("e1", `[]`), linked("e1", `1`),
		strings.Replace(linked("e1", thing), `"v":`, `"w":`, 1),
		strings.Replace(linked("e1", gone), `"e":`, `"f":`, 1),
	} {
		_, c := serve(t, ok("["+answer+"]"))
		if e, err := links(c).Get(soon(t), thingKey{"k", "1"}, "e1"); err == nil {
			t.Errorf("%s is %+v", answer, e)
		}
	}
}

// TestUnclearEdges breaks the connection of every attempt: whether a write took effect is
// not known, and a read has no effect.
func TestUnclearEdges(t *testing.T) {
	drop := reply{drop: true}
	key := thingKey{"k", "1"}
	for name, test := range map[string]struct {
		do      func(*Edges[Link, thingKey, thingKey]) error
		unclear bool
	}{
		"get": {func(r *Edges[Link, thingKey, thingKey]) error {
			_, err := r.Get(soon(t), key, "e1")
			return err
		}, false},
		"query": {func(r *Edges[Link, thingKey, thingKey]) error {
			_, err := r.From(key).Collect(soon(t))
			return err
		}, false},
		"create": {func(r *Edges[Link, thingKey, thingKey]) error { return r.Create(soon(t), key, key, &Link{"e1"}) }, true},
		"delete": {func(r *Edges[Link, thingKey, thingKey]) error { return r.Delete(soon(t), key, "e1") }, true},
	} {
		for _, replies := range [][]reply{{drop, drop, drop, drop}, {status(429, `"x-ms-substatus-code":3207`)}} {
			s, c := serve(t, replies...)
			err := test.do(links(c))
			if err == nil || errors.Is(err, documents.ErrUnclear) != test.unclear || s.count() != len(replies) {
				t.Errorf("%s: %v, after %d requests", name, err, s.count())
			}
		}
	}
}
