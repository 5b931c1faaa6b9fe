// Package value holds JSON values as the query language sees them: a JSON value or
// undefined, decoded from text or made by a query, how values compare, and the truth
// values of conditions.
//
// It knows nothing of queries.
package value
