// Package predicate writes conditions on documents as SQL that is true or false for
// every document, and Go values as the JSON that such SQL compares with.
package predicate
