// Package vet finds mistakes in the use of cosmos tags and of generated code, in
// code that compiles:
//
//   - tags that pkgen would refuse, at their columns;
//   - generated code that does not belong to the tags or the lock any more, and a lock
//     that tells nothing;
//   - a key field that is given another value before a document which was read
//     is stored with Replace, Upsert or Update, where a move is meant;
//   - a partition key that is made by hand for a container which has a
//     repository;
//   - a bulk operation that works in a loop over its result, without the loop, and
//     a transaction without a Commit;
//   - a constant id that does not begin with the prefix of its type.
//
// The rules for documents hold for the code of every API. Those for partition keys
// made by hand and for tenants are for the NoSQL API, whose containers the package
// knows.
//
// [Analyzer] is for any driver of golang.org/x/tools/go/analysis; pkgen vet is
// one. It reports what is certain from the source of one function, the fields in
// which its package keeps containers, and the types that it uses, and keeps
// quiet about the rest: a document that goes through other functions, a value
// that comes out of one. It is quiet on lines with a //nolint:pkgen comment.
//
// The package knows syntax and types, and reads the files of the package that it
// is run on. It runs no command. Package generator says what a tag means.
package vet
