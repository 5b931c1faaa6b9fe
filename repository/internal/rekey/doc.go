// Package rekey moves the documents of a type from the keys of earlier numbers of
// buckets to their present keys: it reads what is stored in passes, or takes what the
// change feed gives. How one document moves is known by package write.
package rekey
