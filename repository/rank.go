package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// OrderByRank returns the documents of q that answer a question best, the best first: by the
// words in a text, or by several scores together, of texts and of vectors.
//
//	best, err := repository.OrderByRank(pages.Scan(),
//		f.Body.Score("red", "bicycle"), f.Embedding.Distance(question).Weight(2)).Limit(10).Collect(ctx)
//
// Each row has its score. Ranked by one text, it is BM25, as the service computes it. Several scores
// are fused by rank: each of them puts the documents into an order, in which documents of equal
// scores have one rank, and a document gets weight/(60+rank) from each. A document that lacks the
// text or the vector of one score comes last in that order; one that no score finds is left out.
// A text with none of the words has the score 0, and comes after the others: a condition such as
// [documents.FullText.ContainsAny] leaves it out. Documents of equal scores come in an order that
// stays the same while they do.
//
// A limit is required. There are no pages: a greater limit gives the first documents again, and
// more. One distance alone is [Nearest].
//
// The service plans the query. It is asked for the plan, for the statistics of texts, which are
// the number of documents and of words, and for the documents of each score:
//
//	requests      1 + P + S·R
//	request units 2.8·(P + S·R), without results
//
// S is the number of scores, R the number of physical partitions that q reads, and P the number
// of all of them; P is R with [Local], and 0 without texts. Each of R sends for each score more
// documents than the limit, as many as the plan says: 120 for a limit of 10 in plans of the
// service that were recorded. They are in memory before the first is returned. [Rows.Plan] has
// these numbers, and a [Meter] counts what was spent. Statistics count all documents of the
// container, also documents of other types, deleted documents, and documents that the conditions of
// q leave out. So scores hold for the whole container, and are comparable between queries.
//
// If q reads several containers, their statistics are added.
//
// The rows return an error before the first request if there is no limit or no score, if q has
// an order, if there are no words, if a vector has another length than the field, if a number is
// NaN or infinite, and if a property has names of old documents. They return an error if the
// plan has something that this release does not support. OrderByRank needs a client made with
// [Configure].
func OrderByRank[T any](q Query[T], by ...documents.Score[T]) Ranking[T] {
	r := Ranking[T]{selection: q.selection}
	typ, err := q.selection.TypeName(), q.selection.Validate()
	for _, s := range by {
		score, wrong := scoreOf(s.Node())
		if wrong != nil && err == nil {
			err = fmt.Errorf("query %s: OrderByRank: %w", typ, wrong)
		}
		r.by.Scores = append(r.by.Scores, score)
	}
	r.Rows = Rows[Scored[T]]{typ: typ, limit: q.selection.Limit, whole: true, err: err}
	return r.ranked()
}

// Ranking is the documents of a query in the order of scores, as [OrderByRank] makes it. It
// sends nothing until a method of Rows runs it.
//
// A Ranking is an immutable value: its methods return a changed copy. It may be run any number
// of times and from several goroutines.
type Ranking[T any] struct {
	Rows[Scored[T]]

	selection query.Selection
	by        query.Ranking
}

// FullTextScoreScope says for which documents the service counts words.
type FullTextScoreScope int

const (
	// Global counts the words of all documents of the container, so that a score means the same
	// in each query.
	Global FullTextScoreScope = iota

	// Local counts only in the physical partitions that the query reads. A query by keys then
	// sends fewer requests, and its scores depend on where the documents lie.
	Local
)

// FullTextScoreScope chooses for which documents words are counted: [Global] unless it is
// called. It makes no difference to a query that reads all physical partitions. The option has
// the name that the SDKs for .NET and Python give it. Call it before Limit.
func (r Ranking[T]) FullTextScoreScope(s FullTextScoreScope) Ranking[T] {
	if s != Global && s != Local && r.err == nil {
		r.err = fmt.Errorf("query %s: FullTextScoreScope(%d): pass Global or Local", r.typ, s)
	}
	r.by.Local = s == Local
	return r.ranked()
}

// ranked returns r with rows that run it.
func (r Ranking[T]) ranked() Ranking[T] {
	s, by := r.selection, r.by
	r.plan = func(ctx context.Context) (query.Plan, error) { return s.PlanRank(ctx, by) }
	r.run = func(ctx context.Context, _ bool, limit int) iter.Seq2[Scored[T], error] {
		return func(yield func(Scored[T], error) bool) {
			s.Rank(ctx, by, limit, func(n query.Near, err error) bool {
				doc, _ := n.Document.(*T) // nil with an error
				return yield(Scored[T]{doc, n.Score}, err)
			})
		}
	}
	return r
}

// scoreOf returns a score in terms of SQL, or what is wrong with it.
func scoreOf(s condition.Score) (query.Score, error) {
	score := query.Score{Words: s.Words, Weight: s.Weight}
	switch {
	case s.Err != nil:
		return score, s.Err
	case s.Property == "":
		return score, errors.New("the zero Score says nothing: make one from a field")
	case s.Vector == nil && s.Words != nil:
		field, err := text.ParseField(s.Property)
		if err == nil && field.Aliases != nil {
			err = text.ErrRenamed
		}
		score.Property = field.Property
		return score, err
	}
	vectors, err := query.ParseVectors(s.Property)
	if err != nil {
		return score, err
	}
	score.Property = vectors.Property
	score.Vector, err = vectorJSON(vectors, s.Vector, s.Bits)
	return score, err
}
