package repository

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Joined is a row of [Join]: an element of a list with a part of its document.
type Joined[S, E any] struct {
	Document S
	Element  E
}

// Join returns the elements of a list in the documents of q for which all predicates hold, each
// with a part of its document. The json tags of the struct S name properties of the document,
// and those of the struct E properties of the element. E gets the whole element if it is not a
// struct, has its own method for reading JSON, or is the element type. S may be struct{}.
//
//	type order struct {
//		ID string `json:"id"`
//	}
//	type line struct {
//		SKU   string `json:"sku"`
//		Count int    `json:"count"`
//	}
//	rows := repository.Join[order, line](orders.Scan(), OrderFields.Lines, LineFields.Count.Gt(2))
//
// Documents come in the order of q, and the rows of one document in the order of its list. Rows
// of one document share the memory that their S points to. A limit, of q or of the rows, counts
// rows. Properties are as they are stored, as with [Select]. An element that does not fit into
// E ends the rows with an error.
//
// Join costs the same as [Select]. The service sends one row per matching document, with all
// matching elements in it (by ARRAY, not by JOIN). So a split of a physical partition during
// the query cannot duplicate or omit some of a document's elements.
//
// Rows have no pages: call [Query.Page], and range over the list of each document.
func Join[S, E, T, V any](q Query[T], list documents.ListField[T, V], where ...Predicate[V]) Rows[Joined[S, E]] {
	in := q.selection
	columns, err := joinedColumns(reflect.TypeFor[S]())
	var names []string
	if err == nil {
		names, err = elementNames(reflect.TypeFor[E](), reflect.TypeFor[V]())
	}
	var elements string
	switch {
	case err != nil:
	case list == nil:
		err = fmt.Errorf("the list is nil: name one of the generated fields")
	default:
		in, elements, err = in.Elements(documents.PathOf[T](list), condition.All(documents.Conditions(where)), names)
	}
	if err != nil {
		err = fmt.Errorf("query %s: Join: %w", in.TypeName(), err)
	}
	if notReady := in.Validate(); notReady != nil {
		err = notReady
	}
	if err != nil {
		return Rows[Joined[S, E]]{typ: in.TypeName(), err: err}
	}
	return Rows[Joined[S, E]]{
		typ:   in.TypeName(),
		limit: in.Limit,
		whole: true,
		plan:  in.Plan,
		run: func(ctx context.Context, _ bool, limit int) iter.Seq2[Joined[S, E], error] {
			s, decode := selected[S](in, columns, elements)
			s.Top = limit // each document has a row
			return flattened(run(ctx, in, s, func(item []byte) ([]Joined[S, E], error) {
				return joined[S, E](in.Store.Settings.Unmarshal, item, decode)
			}, limit), limit)
		},
	}
}

// joinedColumns returns the properties that S names, nil for a struct without fields.
func joinedColumns(s reflect.Type) ([]string, error) {
	if s.Kind() == reflect.Struct && s.NumField() == 0 {
		return nil, nil
	}
	return query.ColumnsOf(s)
}

// elementNames returns the properties of V that E names, nil for the whole element.
func elementNames(e, v reflect.Type) ([]string, error) {
	own := reflect.PointerTo(e)
	if e == v || e.Kind() != reflect.Struct || own.Implements(reflect.TypeFor[json.Unmarshaler]()) || own.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return nil, nil
	}
	return query.NamesOf(e)
}

// joined returns the rows of one document, which is one item of a response.
func joined[S, E any](unmarshal func([]byte, any) error, item []byte, decode func([]byte) (S, error)) ([]Joined[S, E], error) {
	document, err := decode(item)
	if err != nil {
		return nil, err
	}
	elements := text.Elements(text.Member(item, query.ElementsName))
	if len(elements) == 0 {
		return nil, errors.New("the service sent a document without its elements")
	}
	rows := make([]Joined[S, E], len(elements))
	for i, raw := range elements {
		rows[i].Document = document
		if err := unmarshal(raw, &rows[i].Element); err != nil {
			return nil, wire.Undecoded(unmarshal, raw, func() any { return new(E) }, err)
		}
	}
	return rows, nil
}

// flattened yields the rows of lists, at most limit of them unless limit is 0.
func flattened[R any](lists iter.Seq2[[]R, error], limit int) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		n := 0
		for rows, err := range lists {
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			for _, row := range rows {
				if n++; !yield(row, nil) || n == limit {
					return
				}
			}
		}
	}
}
