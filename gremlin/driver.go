package gremlin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// driver is the api.Driver of the vertices of one label in a graph.
type driver[T any] struct {
	client *Client
	*vertices[T]
	concurrency int
	pageSize    int
}

var _ api.Driver[struct{}] = (*driver[struct{}])(nil)

// Insert sends g.addV().
func (d *driver[T]) Insert(ctx context.Context, at api.Place, doc *T) (string, error) {
	t := newTraversal().add("g.")
	w, err := d.writing(t, at, doc)
	if err != nil {
		return "", err
	}
	w.addV(d.label, d.key)
	_, err = d.count(ctx, t)
	return "", err
}

// written is a document in a traversal that writes it.
type written struct {
	t             *traversal
	partition, id string // names of bindings
	has           [][2]string
	lacks         []string
}

// writing binds each value of a document once.
func (d *driver[T]) writing(t *traversal, at api.Place, doc *T) (written, error) {
	has, lacks, err := d.of(doc)
	w := written{t: t, lacks: lacks}
	if err != nil {
		return w, err
	}
	w.partition, w.id = t.bind(at.Partition), t.bind(at.ID)
	for _, p := range has {
		w.has = append(w.has, [2]string{quoted(p.name), t.bind(p.value)})
	}
	return w, nil
}

// at starts at the vertex of the document.
func (w written) at(label string) {
	w.t.add("V([", w.partition, ", ", w.id, "]).hasLabel(", quoted(label), ")")
}

// addV appends the step that adds a vertex. Its text depends on the type, and on the optional
// properties that the document has.
func (w written) addV(label, key string) {
	w.t.add("addV(", quoted(label), ").property('id', ", w.id, ").property(", quoted(key), ", ", w.partition, ")")
	for _, p := range w.has {
		w.t.add(".property(", p[0], ", ", p[1], ")")
	}
}

// change appends the steps that give a vertex exactly the document's properties of the type.
// The partition key of a vertex cannot change.
func (w written) change() {
	t := w.t
	for i, name := range w.lacks {
		if i == 0 {
			t.add(".sideEffect(__.properties(")
		} else {
			t.add(", ")
		}
		t.add(quoted(name))
	}
	if len(w.lacks) > 0 {
		t.add(").drop())")
	}
	for _, p := range w.has {
		t.add(".property(single, ", p[0], ", ", p[1], ")")
	}
}

// maxCrossed is the number of times Upsert is sent if another program adds the vertex between
// its read and its write.
const maxCrossed = 3

// Upsert changes or adds the vertex: one request, unless another program adds the vertex at the
// same moment. If the vertex has another label, the error's Kind is documents.ErrAlreadyExists.
func (d *driver[T]) Upsert(ctx context.Context, at api.Place, doc *T) (string, error) {
	t := newTraversal().add("g.")
	w, err := d.writing(t, at, doc)
	if err != nil {
		return "", err
	}
	w.at(d.label)
	t.add(".fold().coalesce(__.unfold()")
	w.change()
	t.add(", __.")
	w.addV(d.label, d.key)
	t.add(")")
	for n := 1; ; n++ {
		_, err := d.count(ctx, t)
		a := failure.AnswerOf(err)
		switch {
		case errors.Is(err, failure.ErrAlreadyExists) && n < maxCrossed && ctx.Err() == nil:
			continue
		case errors.Is(err, failure.ErrNotFound): // removed between the read and the write
			return "", &failure.Answer{Kind: a.Kind, Code: a.Code, Unsent: true, Err: a.Err}
		}
		return "", err
	}
}

// Replace changes the vertex of a place. The last writer wins.
func (d *driver[T]) Replace(ctx context.Context, at api.Place, doc *T, version string) (string, error) {
	if version != "" {
		return "", errVersion
	}
	t := newTraversal().add("g.")
	w, err := d.writing(t, at, doc)
	if err != nil {
		return "", err
	}
	w.at(d.label)
	w.change()
	return "", d.one(ctx, t)
}

const errVersion = failure.Says("a vertex has no version that a write could compare")

// Remove drops the vertex of a place, and its edges.
func (d *driver[T]) Remove(ctx context.Context, at api.Place, version string) error {
	if version != "" {
		return errVersion
	}
	return d.one(ctx, newTraversal().add("g.").at(at.Partition, at.ID, d.label).add(".sideEffect(__.drop())"))
}

// Read is a point read.
func (d *driver[T]) Read(ctx context.Context, at api.Place) (s api.Stored[T], err error) {
	results, err := d.send(ctx, newTraversal().add("g.").at(at.Partition, at.ID, d.label))
	switch {
	case err != nil:
		return s, err
	case len(results) == 0:
		return s, &failure.Answer{Kind: failure.ErrNotFound}
	case len(results) > 1:
		return s, failure.Says(fmt.Sprintf("a point read has %d results", len(results)))
	}
	if s, err = d.decode(results[0]); err == nil && s.Place != at {
		err = failure.Says("a point read has the vertex of another place: the graph has another partition key path, so compare it with pkgen explain -container")
	}
	return s, err
}

// Same compares properties.
func (d *driver[T]) Same(stored api.Stored[T], at api.Place, doc *T) (bool, error) {
	if stored.Place != at {
		return false, nil
	}
	return d.same(stored.Doc, doc)
}

// send sends a traversal once.
func (d *driver[T]) send(ctx context.Context, t *traversal) ([]json.RawMessage, error) {
	return d.client.send(ctx, t)
}

func (c *Client) send(ctx context.Context, t *traversal) ([]json.RawMessage, error) {
	r, err := t.request()
	if err != nil {
		return nil, err
	}
	return c.ask(ctx, r)
}

// count sends a traversal once, and returns the number of its results, which the service
// counts.
func (d *driver[T]) count(ctx context.Context, t *traversal) (int, error) {
	return d.client.count(ctx, t)
}

func (c *Client) count(ctx context.Context, t *traversal) (int, error) {
	r, err := t.request()
	if err != nil {
		return 0, err
	}
	r.Traversal += ".count()"
	results, err := c.ask(ctx, r)
	if err != nil {
		return 0, err
	}
	var n int
	if len(results) != 1 || json.Unmarshal(results[0], &n) != nil || n < 0 {
		return 0, &failure.Answer{Unanswered: true, Err: failure.Says(fmt.Sprintf("a count has %d results, and must have one number", len(results)))}
	}
	return n, nil
}

// one sends a traversal that changes one vertex or edge. If it found none, the error's Kind is
// documents.ErrNotFound.
func (d *driver[T]) one(ctx context.Context, t *traversal) error { return d.client.one(ctx, t) }

func (c *Client) one(ctx context.Context, t *traversal) error {
	n, err := c.count(ctx, t)
	if err == nil && n == 0 {
		err = &failure.Answer{Kind: failure.ErrNotFound}
	}
	return err
}
