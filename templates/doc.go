// Package templates writes the Go that pkgen generates: one file for each
// document type, with its key type, its container, its repository, the fields by
// which queries refer to its properties, and those by which patches change them.
//
// [Type] is what a file is made of, plain data. [Render] makes the source of
// it; the other methods of Type say in advance what the file is called and what
// it declares, so that a caller can find collisions before anything is written.
//
// Each section of the output has a file here, and above each emitter stands the
// Go that it writes. Code is built with jennifer
// (https://github.com/dave/jennifer), which resolves imports; their names are
// chosen here, so that they never collide with the package's own identifiers.
//
// # What it does not know
//
// The package knows no tags and no go/types: a Type has been checked by who
// made it, and is not checked again. It does not compute keys or buckets either;
// the functions of package partition do, which the output calls. All functions
// are pure and safe for concurrent use.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may
// change with any release.
package templates
