// Package keyfunc writes the function that makes a type's partition key in another language, so
// that every program finds the documents that pkgen's Go code stored.
//
// [Language.Write] takes the render model of package templates and returns source text: a short
// function that depends only on the language's own library, and follows its naming and its type for
// a point in time. [Languages] lists the languages; each has a file of its own here.
//
// The functions follow the contract of package partition: FNV-1a and fmix32 over UTF-8 in unsigned
// 32-bit arithmetic, ASCII lower case, percent-encoding, times in UTC. testdata/vectors.json has
// inputs and keys for every layout, with which the functions in Go, Python, JavaScript and Java are
// tested.
//
// # Limits
//
// It knows no tags and loads no packages: the model has been checked. It writes no repositories, no
// queries and no validation, with one exception: a natural key that is an integer beyond ±2^53 is
// refused, since languages would send different values. It knows no SDK, so a key of several levels
// is a list of values, which the caller passes to the SDK.
package keyfunc
