package conformance

import (
	"context"
	"iter"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Querying is the common interface of the queries of all run times. Q is the query type itself, T
// the type of documents, and P of predicates.
type Querying[T, P, Q any] interface {
	Where(...P) Q
	Limit(int) Q
	All(context.Context) iter.Seq2[*T, error]
	First(context.Context) (*T, error)
	Count(context.Context) (int, error)
	Page(ctx context.Context, cursor string, size int) (documents.Page[T], error)
}

// Repository has the functions of a generated repository of events of type T, by its own types. All
// fields are set, except DeleteIfMatch if the API has no versions.
type Repository[T, K, P any, Q Querying[T, P, Q]] struct {
	To   func(Event) *T
	From func(*T) Event

	Create, Upsert, Replace, DeleteIfMatch func(context.Context, *T) error

	KeyOf   func(*T) K
	Text    func(K) string // PartitionKey
	Get     func(context.Context, K) (*T, error)
	Exists  func(context.Context, K) (bool, error)
	Delete  func(context.Context, K) error
	GetMany func(context.Context, []K) ([]*T, error)

	CreateAll, UpsertAll func(context.Context, iter.Seq[*T]) (Result, error)
	DeleteAll            func(context.Context, iter.Seq[K]) (Result, error)

	All           func() Q
	Day           func(time.Time) Q
	Partition     func(time.Time, string) Q
	Between       func(from, to time.Time) Q
	DeviceBetween func(device string, from, to time.Time) Q

	// Compare returns a comparison as a predicate, or false if the API has no such comparison. See
	// [Compare].
	Compare func(*condition.Comparison) (P, bool)
	And, Or func(...P) P
	Not     func(P) P
}

// EventsOf adapts a repository.
func EventsOf[T, K, P any, Q Querying[T, P, Q]](r Repository[T, K, P, Q]) Events {
	return events[T, K, P, Q]{r}
}

type events[T, K, P any, Q Querying[T, P, Q]] struct{ r Repository[T, K, P, Q] }

// write calls a write and copies the result from the document.
func (v events[T, K, P, Q]) write(ctx context.Context, e *Event, f func(context.Context, *T) error) error {
	doc := v.r.To(*e)
	err := f(ctx, doc)
	*e = v.r.From(doc)
	return err
}

func (v events[T, K, P, Q]) Create(ctx context.Context, e *Event) error {
	return v.write(ctx, e, v.r.Create)
}

func (v events[T, K, P, Q]) Upsert(ctx context.Context, e *Event) error {
	return v.write(ctx, e, v.r.Upsert)
}

func (v events[T, K, P, Q]) Replace(ctx context.Context, e *Event) error {
	return v.write(ctx, e, v.r.Replace)
}

func (v events[T, K, P, Q]) DeleteIfMatch(ctx context.Context, e *Event) error {
	return v.write(ctx, e, v.r.DeleteIfMatch)
}

func (v events[T, K, P, Q]) key(e Event) K { return v.r.KeyOf(v.r.To(e)) }

func (v events[T, K, P, Q]) Key(e Event) string { return v.r.Text(v.key(e)) }

func (v events[T, K, P, Q]) from(doc *T) *Event {
	if doc == nil {
		return nil
	}
	e := v.r.From(doc)
	return &e
}

func (v events[T, K, P, Q]) Get(ctx context.Context, e Event) (*Event, error) {
	doc, err := v.r.Get(ctx, v.key(e))
	return v.from(doc), err
}

func (v events[T, K, P, Q]) Exists(ctx context.Context, e Event) (bool, error) {
	return v.r.Exists(ctx, v.key(e))
}

func (v events[T, K, P, Q]) Delete(ctx context.Context, e Event) error {
	return v.r.Delete(ctx, v.key(e))
}

func (v events[T, K, P, Q]) GetMany(ctx context.Context, all []Event) ([]*Event, error) {
	keys := make([]K, len(all))
	for i, e := range all {
		keys[i] = v.key(e)
	}
	docs, err := v.r.GetMany(ctx, keys)
	found := make([]*Event, len(docs))
	for i, doc := range docs {
		found[i] = v.from(doc)
	}
	return found, err
}

func (v events[T, K, P, Q]) docs(all iter.Seq[*Event]) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for e := range all {
			if !yield(v.r.To(*e)) {
				return
			}
		}
	}
}

func (v events[T, K, P, Q]) CreateAll(ctx context.Context, all iter.Seq[*Event]) (Result, error) {
	return v.r.CreateAll(ctx, v.docs(all))
}

func (v events[T, K, P, Q]) UpsertAll(ctx context.Context, all iter.Seq[*Event]) (Result, error) {
	return v.r.UpsertAll(ctx, v.docs(all))
}

func (v events[T, K, P, Q]) DeleteAll(ctx context.Context, all iter.Seq[Event]) (Result, error) {
	return v.r.DeleteAll(ctx, func(yield func(K) bool) {
		for e := range all {
			if !yield(v.key(e)) {
				return
			}
		}
	})
}

func (v events[T, K, P, Q]) query(q Q) Query { return query[T, K, P, Q]{v, q} }

func (v events[T, K, P, Q]) All() Query { return v.query(v.r.All()) }

func (v events[T, K, P, Q]) Day(at time.Time) Query { return v.query(v.r.Day(at)) }

func (v events[T, K, P, Q]) Partition(at time.Time, device string) Query {
	return v.query(v.r.Partition(at, device))
}

func (v events[T, K, P, Q]) Between(from, to time.Time) Query { return v.query(v.r.Between(from, to)) }

func (v events[T, K, P, Q]) DeviceBetween(device string, from, to time.Time) Query {
	return v.query(v.r.DeviceBetween(device, from, to))
}

type query[T, K, P any, Q Querying[T, P, Q]] struct {
	of events[T, K, P, Q]
	q  Q
}

func (q query[T, K, P, Q]) with(other Q) Query { return query[T, K, P, Q]{q.of, other} }

func (q query[T, K, P, Q]) Where(n condition.Node) (Query, bool) {
	p, ok := q.predicate(n)
	if !ok {
		return nil, false
	}
	return q.with(q.q.Where(p)), true
}

// predicate returns a condition as a predicate.
func (q query[T, K, P, Q]) predicate(n condition.Node) (p P, ok bool) {
	switch n := n.(type) {
	case *condition.Comparison:
		return q.of.r.Compare(n)
	case condition.Not:
		p, ok = q.predicate(n.Of)
		if ok {
			p = q.of.r.Not(p)
		}
		return p, ok
	case condition.All:
		return q.joined(n, q.of.r.And)
	case condition.Any:
		return q.joined(n, q.of.r.Or)
	}
	return p, false
}

func (q query[T, K, P, Q]) joined(nodes []condition.Node, join func(...P) P) (none P, ok bool) {
	var all []P
	for _, n := range nodes {
		p, ok := q.predicate(n)
		if !ok {
			return none, false
		}
		all = append(all, p)
	}
	return join(all...), true
}

func (q query[T, K, P, Q]) Limit(n int) Query { return q.with(q.q.Limit(n)) }

func (q query[T, K, P, Q]) All(ctx context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for doc, err := range q.q.All(ctx) {
			if !yield(q.of.from(doc), err) {
				return
			}
		}
	}
}

func (q query[T, K, P, Q]) First(ctx context.Context) (*Event, error) {
	doc, err := q.q.First(ctx)
	return q.of.from(doc), err
}

func (q query[T, K, P, Q]) Count(ctx context.Context) (int, error) { return q.q.Count(ctx) }

func (q query[T, K, P, Q]) Page(ctx context.Context, cursor string, size int) (events []*Event, next string, err error) {
	page, err := q.q.Page(ctx, cursor, size)
	for _, doc := range page.Items {
		events = append(events, q.of.from(doc))
	}
	return events, page.Cursor, err
}
