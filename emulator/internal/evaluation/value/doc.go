// Package value holds JSON values as the query language sees them: a JSON value or undefined,
// decoded from text or made by a query. It compares values, and has the truth values of
// conditions.
//
// It does not depend on queries.
package value
