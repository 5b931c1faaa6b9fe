// Package unique keeps values of properties unique over all logical partitions of a
// container. For each value it stores a reservation, a document that names the one document
// with the value. Steps in comments are those of docs/decisions/unique-values.md, which has
// the protocol and its proof.
package unique
