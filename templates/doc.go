// Package templates writes the Go that pkgen generates: one file for each
// document type. The file has the key type, the container, the repository, the
// fields by which queries refer to properties, and the fields by which patches
// change them.
//
// [Type] is plain data, from which [Render] makes the source of a file. The
// methods of Type tell the name of the file and what it declares, so that a caller
// can find collisions before it writes anything.
//
// Each section of the output has a file here, and the comment of each emitter
// shows the Go that it writes. The package builds code with jennifer
// (https://github.com/dave/jennifer), which resolves imports. It chooses their
// names itself, so that they never collide with the package's own identifiers.
//
// Files are in layers, and each uses only those below it: render.go has the order
// of the sections; then come the sections; expressions.go and file.go, which all
// sections use; plan.go and what follows from it, names, queries and their costs;
// and below all model.go with the data. Folders of internal/ have what is only text:
// English, lines of Go, periods of time.
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
