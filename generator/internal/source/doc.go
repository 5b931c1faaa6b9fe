// Package source loads the packages of a run, and finds in them the structs that
// have cosmos tags: files, declarations and the text of tags, with the place of
// each byte.
//
// [Load] runs the go command once, and type-checks the declarations that the
// documents reach. If that is not enough, [LoadFull] runs it twice, and type-checks
// everything that the packages import. Callers see the same [Unit] values both ways.
// Neither loads generated files, however broken they are.
//
// It does not know what tags mean, nor what encoding/json writes.
package source
