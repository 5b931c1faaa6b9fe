package repository

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Where keeps the documents for which all the predicates hold. Values are sent
// as parameters, and equal predicates give equal queries. Where and WhereRaw may
// be called several times; all conditions must hold.
//
// A predicate that cannot be run, such as one that compares with NaN, is an
// error of whatever runs the query.
func (q Query[T]) Where(predicates ...Predicate[T]) Query[T] {
	conditions := make([]condition, len(predicates))
	for i, p := range predicates {
		conditions[i] = p.known()
	}
	return Query[T]{q.selection.where(conditions)}
}

// where is Query.Where.
func (q selection) where(all []condition) selection {
	conditions := q.conditions[:len(q.conditions):len(q.conditions)]
	parameters := q.parameters[:len(q.parameters):len(q.parameters)]
	for _, c := range all {
		w := sqlWriter{parameter: func(v json.RawMessage) string {
			// No other parameter has this place, nor this prefix from outside.
			name := text.OwnParameter + strconv.Itoa(len(parameters))
			parameters = append(parameters, azcosmos.QueryParameter{Name: name, Value: v})
			return name
		}}
		c.write(&w, false)
		if w.err != nil {
			if q.err == nil {
				q.err = fmt.Errorf("query %s: %w", q.typ(), w.err)
			}
			return q
		}
		conditions = append(conditions, w.text.String())
	}
	q.conditions, q.parameters = conditions, parameters
	return q
}
