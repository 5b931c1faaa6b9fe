// Package templates writes the Go that pkgen generates: one file for each
// document type. The file has the key type, the container, the repository, the
// fields by which queries refer to properties, and the fields by which patches
// change them.
//
// [Type] is plain data, from which [Render] makes the source of a file. The
// methods of Type return the names of the file and of its declarations, so a caller
// can find collisions before it writes anything.
//
// Each concept of the output has a file here, and the comment of each emitter
// shows the Go that it writes. The package builds code with jennifer
// (https://github.com/dave/jennifer), which resolves imports. The package chooses
// their names itself, so they never collide with identifiers of the output's package.
//
// Files are in layers, and each uses only the layers below it. render.go has the order
// of the sections. features.go lists the features that a type may have besides its key,
// each in its own file, and api.go the differences between APIs, with a file for each
// API. Below are the sections of all types, and gocode.go, with which they write Go.
// plan.go makes the decisions before any text: names, fields of the key, imports. At
// the bottom, type.go has the data. Folders of internal/ have only text: English, lines
// of Go, identifiers.
//
// # Limits
//
// The package does not use tags or go/types. The caller has checked a Type, and the
// package does not check it again. Nor does it compute keys or buckets: the output
// calls package partition for that. All functions are pure and safe for concurrent use.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may
// change with any release.
package templates
