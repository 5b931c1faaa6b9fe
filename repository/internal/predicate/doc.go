// Package predicate writes conditions as SQL that is true or false for every document, and
// Go values as the JSON with which this SQL compares.
package predicate
