// Package templates writes the Go that pkgen generates: one file for each
// document type. The file has the key type, the container, the repository, the
// fields by which queries refer to properties, and the fields by which patches
// change them.
//
// [Type] is plain data, from which [Render] makes the source of a file. The
// methods of Type tell the name of the file and what it declares, so that a caller
// can find collisions before it writes anything.
//
// Each concept of the output has a file here, and the comment of each emitter
// shows the Go that it writes. The package builds code with jennifer
// (https://github.com/dave/jennifer), which resolves imports. It chooses their
// names itself, so that they never collide with the package's own identifiers.
//
// Files are in layers, and each uses only those below it. render.go has the order of
// the sections. features.go lists what a type may have besides its key, each in a file
// of its own; api.go has what an API has of its own, with a file for each API. Then
// come the sections of all types, and gocode.go, by which they write Go. plan.go has
// what is decided before: names, fields of the key, imports; and below all is type.go
// with the data. Folders of internal/ have what is only text: English, lines of Go,
// identifiers.
//
// # What it does not know
//
// The package knows no tags and no go/types. The caller has checked a Type, and
// the package does not check it again. Nor does it compute keys or buckets: the
// output calls functions of package partition for that. All functions are pure and
// safe for concurrent use.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may
// change with any release.
package templates
