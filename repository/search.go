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

// Scored is a document found by [Nearest] or [OrderByRank].
type Scored[T any] struct {
	Document *T

	// Score of [Nearest] is the similarity or distance of the document's vector, by the metric
	// of its field: the cosine from -1 to 1 and the dot product, for which greater is nearer,
	// or the Euclidean distance from 0, for which less is nearer. Score of [OrderByRank] is the
	// BM25 score of one text, or the fusion of several scores; greater is better.
	Score float64
}

// Nearest returns the documents of q with the nearest vectors, the nearest first, each with its
// score:
//
//	near, err := repository.Nearest(docs.Scan(), DocFields.Embedding, v).Limit(10).Collect(ctx)
//
// A limit is required. Documents with equal scores come in an order that stays the same while
// they do not change. A document without a vector of the right length is not found.
//
// With a flat index, the result is exact. The indexes quantizedFlat and diskANN are
// approximate: they may miss documents. [NearestExact] compares all vectors whatever the index.
//
// It costs one query for each physical partition that q reads, each of which sends at most as
// many documents as the limit. Request units grow with the number of dimensions and, with a
// flat index, with the number of vectors; conditions of q that name a partition key reduce
// them. All documents are in memory before the first is returned. A query over many logical
// partitions needs a client made with [Configure].
//
// The rows return an error before the first request if there is no limit, if q has an order, if
// the vector and the field differ in length, if a number is NaN or infinite, and if the metric
// is the cosine and all numbers are 0.
func Nearest[T any, E documents.Component](q Query[T], field documents.Vector[T, E], to []E) Rows[Scored[T]] {
	return nearest(q, field.Distance(to), false)
}

// NearestExact is [Nearest] without the index: it misses no document, but reads every vector of
// q, and costs accordingly.
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

// vectorJSON returns the JSON of a vector to compare with those of a field, in the fewest
// digits that bits allow, or an error. The error contains no number of the vector.
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
