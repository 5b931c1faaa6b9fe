package query

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Vectors describes a vector property for SQL.
type Vectors struct {
	Property   string // in SQL
	Metric     string
	Dimensions int
}

// euclidean is the metric in which smaller scores are nearer.
const euclidean = "euclidean"

// ParseVectors parses a field of vectors: the dimensions, the metric and the JSON pointer
// of the property, as in 1536,cosine/embedding.
func ParseVectors(field string) (Vectors, error) {
	mark, pointer, ok := strings.Cut(field, "/")
	count, metric, marked := strings.Cut(mark, ",")
	n, err := strconv.Atoi(count)
	if !ok || !marked || err != nil || n < 1 || !slices.Contains([]string{"cosine", "dotproduct", euclidean}, metric) || !jsonpointer.WellEscaped(pointer) {
		return Vectors{}, fmt.Errorf("field %q is not that of a vector: write it as 1536,cosine/embedding", field)
	}
	return Vectors{text.Property("/" + pointer), metric, n}, nil
}

// Near is a document and the score of its vector.
type Near struct {
	Document any
	Score    float64
	rid      string
}

// scoreName is the name of the score in a row.
const scoreName = "pkgenScore"

// Nearest yields at most limit documents of q with the vectors nearest to a vector, given
// as JSON. The nearest come first, and equal scores are ordered by _rid. Exact asks the
// service to compare all vectors, without the index.
//
// Each physical partition sends up to limit documents, sorted only within a page. So
// Nearest reads all pages before it yields.
func (q Selection) Nearest(ctx context.Context, v Vectors, to json.RawMessage, exact bool, limit int, yield func(Near, error) bool) {
	if err := q.nearestReady(limit); err != nil {
		yield(Near{}, err)
		return
	}
	const parameter = text.OwnParameter + "Vector"
	distance := "VectorDistance(" + v.Property + ", " + parameter
	if exact {
		distance += ", true"
	}
	distance += ")"
	q.Parameters = append(slices.Clip(q.Parameters), wire.Parameter{Name: parameter, Value: to})
	s := q.Statement()
	s.Top, s.Ranked = limit, distance
	s.Columns = q.Columns("c AS "+ValueName, distance+" AS "+scoreName, text.Column(wire.IDPath[0]))
	var once func(any) bool
	if q.Store.Once != nil {
		once, s.Top = q.Store.Once(), copiesOf(limit)
	}
	q.decodeIn = nearIn
	var all []Near
	var failure error
	q.Run(ctx, s, nearIn(q.Store), 0, func(item any, err error) bool {
		if failure = err; err != nil {
			return false
		}
		if near, _ := item.(*Near); near != nil {
			all = append(all, *near)
		}
		return true
	})
	if failure != nil {
		yield(Near{}, failure)
		return
	}
	slices.SortFunc(all, func(a, b Near) int {
		order := cmp.Compare(a.Score, b.Score)
		if v.Metric != euclidean {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.rid, b.rid))
	})
	n := 0
	for _, near := range all {
		if once != nil && !once(near.Document) {
			continue
		}
		if n++; !yield(near, nil) || n == limit {
			return
		}
	}
}

// copies bounds the places of a document that may be at several.
const copies = 4

// copiesOf returns how many documents surely include limit different ones. It does not
// overflow.
func copiesOf(limit int) int { return copies * min(limit, math.MaxInt/copies) }

// nearestReady returns an error if q does not allow Nearest.
func (q Selection) nearestReady(limit int) error {
	err := q.Validate()
	switch {
	case err != nil:
		return err
	case len(q.Orders) > 0:
		return fmt.Errorf("query %s: Nearest has the order of scores: remove OrderBy", q.TypeName())
	case limit == 0:
		return fmt.Errorf("query %s: Nearest needs a limit, as in Nearest(…).Limit(10): without it, each document would be sent", q.TypeName())
	}
	return nil
}

// nearIn returns the decoder of rows for a container. A document without a comparable
// vector has no score, and its item is nil.
func nearIn(st *store.Store) func([]byte) (any, error) {
	return func(row []byte) (any, error) {
		score := text.ValueAt(row, []string{scoreName})
		if score == nil {
			return (*Near)(nil), nil
		}
		raw := text.ValueAt(row, ValuePath)
		if raw == nil {
			return nil, errors.New("the service sent a score without its document")
		}
		var near Near
		var err error
		if near.Score, err = strconv.ParseFloat(string(score), 64); err != nil {
			return nil, fmt.Errorf("the score is not a number: %w", err)
		}
		if near.rid, err = ridOf(row); err != nil {
			return nil, err
		}
		near.Document, err = st.Decode(raw)
		return &near, err
	}
}
