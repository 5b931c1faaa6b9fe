// Package keyfunc writes the function that makes a type's partition key in
// another language, so that every program that reads or writes a container
// finds the documents that pkgen's Go code stored.
//
// [Language.Write] takes the render model of package templates and returns source text:
// a short function with no dependency beyond the language's own library, in
// its names and with its own type for a point in time. [Languages] is the table
// of what it can write; each language has a file of its own here.
//
// The functions follow the contract of package partition: FNV-1a and fmix32
// over UTF-8 in unsigned arithmetic of 32 bits, ASCII lower case, percent-encoding,
// times in UTC. testdata/vectors.json holds inputs and keys for every layout,
// against which the functions in Go, Python, JavaScript and Java are run.
//
// # What it does not know
//
// It knows no tags and loads no packages: the model has been checked. It writes
// no repositories, no queries and no validation, with one exception: a natural
// key that is an integer beyond ±2^53 is refused, since the languages differ in
// what they would send. It knows no SDK of any language, so that a key of
// several levels is a list of values, which the caller hands to the SDK.
package keyfunc
