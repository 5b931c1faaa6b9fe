package query

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Vectors is what a field of generated code says of vectors, in terms of SQL.
type Vectors struct {
	Property   string // how SQL names the property
	Metric     string
	Dimensions int
}

// euclidean is the metric whose least value is the nearest.
const euclidean = "euclidean"

// ParseVectors takes the field of vectors apart: the number of dimensions, the metric and
// the JSON pointer of the property, as in 1536,cosine/embedding.
func ParseVectors(field string) (Vectors, error) {
	mark, pointer, ok := strings.Cut(field, "/")
	count, metric, marked := strings.Cut(mark, ",")
	n, err := strconv.Atoi(count)
	if !ok || !marked || err != nil || n < 1 || !slices.Contains([]string{"cosine", "dotproduct", euclidean}, metric) || !jsonpointer.WellEscaped(pointer) {
		return Vectors{}, fmt.Errorf("field %q is not that of a vector: write it as 1536,cosine/embedding", field)
	}
	return Vectors{text.Property("/" + pointer), metric, n}, nil
}

// Near is a document, and how near its vector is.
type Near struct {
	Document any
	Score    float64
	rid      string
}

// scoreName is what the score of a document is called in a row.
const scoreName = "pkgenScore"

// Nearest calls yield for the documents of q whose vectors are the nearest to a vector, of
// which to is the JSON: at most limit, the nearest first, those of equal scores by their
// _rid. Exact asks the service to look at all vectors, whatever the index.
//
// Each physical partition sends as many, and sorts them only within a page. So all of its
// pages are read before anything is yielded.
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
		once, s.Top = q.Store.Once(), copies*limit
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

// copies is how many places a document may be stored at, where it may be at several.
const copies = 4

// nearestReady returns what is wrong with a query for the nearest.
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

// nearIn returns what decodes a row in a container. A document without a vector that can be
// compared has no score, and is not near: its item is nil.
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
