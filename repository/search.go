package repository

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
)

// Scored is a document that [Nearest] or [OrderByRank] has found.
type Scored[T any] struct {
	Document *T

	// Score of [Nearest] is how near the document's vector is, by the metric of its field: the
	// cosine from -1 to 1 or the dot product, where the greatest is the nearest, or the Euclidean
	// distance, where the least is. Score of [OrderByRank] is the BM25 score of one text, or the
	// sum of several ranks; the greatest is the best.
	Score float64
}

// Nearest returns the documents of q whose vectors are the nearest to a vector, the
// nearest first, each with its score:
//
//	near, err := repository.Nearest(docs.Scan(), DocFields.Embedding, v).Limit(10).Collect(ctx)
//
// A limit is required. Documents of equal scores come in an order that stays the same
// while they do. A document without a vector of the right length is not found.
//
// With an index flat, the documents are exactly the nearest. The indexes quantizedFlat and
// diskANN are approximate: they may miss some. [NearestExact] looks at all vectors
// whatever the index.
//
// It costs a query for each physical partition that q reads, and a physical partition sends
// as many documents as the limit says. Request units grow with the number of dimensions
// and, with an index flat, with the number of vectors; conditions of q that name a
// partition key make it cheaper. All the documents are in memory before the first is
// returned. A query over many logical partitions needs a client made with [Configure].
//
// The rows return an error before the first request if there is no limit, if q has an
// order, if the vector has another length than the field, if a number is NaN or infinite,
// and if the metric is the cosine and all numbers are 0.
func Nearest[T any, E documents.Component](q Query[T], field documents.Vector[T, E], to []E) Rows[Scored[T]] {
	return nearest(q, field.Distance(to), false)
}

// NearestExact is [Nearest] without the index: it reads every vector of q, so that no
// document is missed, and costs accordingly.
func NearestExact[T any, E documents.Component](q Query[T], field documents.Vector[T, E], to []E) Rows[Scored[T]] {
	return nearest(q, field.Distance(to), true)
}

func nearest[T any](q Query[T], to documents.Score[T], exact bool) Rows[Scored[T]] {
	s, distance := q.selection, to.Node()
	vectors, err := query.ParseVectors(distance.Property)
	var value json.RawMessage
	if err == nil {
		value, err = vectorJSON(vectors, distance.Vector, distance.Bits)
	}
	if err != nil {
		err = fmt.Errorf("query %s: Nearest: %w", s.TypeName(), err)
	}
	if notReady := s.Validate(); notReady != nil {
		err = notReady
	}
	return Rows[Scored[T]]{
		typ: s.TypeName(), limit: s.Limit, whole: true, plan: s.Plan, err: err,
		run: func(ctx context.Context, _ bool, limit int) iter.Seq2[Scored[T], error] {
			return func(yield func(Scored[T], error) bool) {
				s.Nearest(ctx, vectors, value, exact, limit, func(n query.Near, err error) bool {
					doc, _ := n.Document.(*T) // nil with an error
					return yield(Scored[T]{doc, n.Score}, err)
				})
			}
		},
	}
}

// vectorJSON returns the JSON of a vector for a query, in the fewest digits of numbers of this many
// bits, or what is wrong with the vector. The error has no number of it.
func vectorJSON(of query.Vectors, v []float64, bits int) (json.RawMessage, error) {
	if len(v) != of.Dimensions {
		return nil, fmt.Errorf("the vector has %d numbers, and those at %s have %d: pass one of the same model", len(v), of.Property, of.Dimensions)
	}
	b := append(make([]byte, 0, 12*len(v)), '[')
	zero := true
	for i, f := range v {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("number %d of the vector is NaN or infinite, which JSON cannot hold: pass finite numbers", i)
		}
		zero = zero && f == 0
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, f, 'g', -1, bits)
	}
	if zero && of.Metric == "cosine" {
		return nil, fmt.Errorf("the vector has only zeros, and so no angle to those at %s: pass another", of.Property)
	}
	return append(b, ']'), nil
}
