// Package source loads the packages of a run, and finds in them the structs that
// have cosmos tags: files, declarations and the text of tags, with the place of
// each byte.
//
// [Load] runs the go command once and type-checks what the documents reach; where
// that is not enough, [LoadFull] runs it twice and type-checks all that the
// packages import. Callers see the same [Unit] values both ways. Generated files
// are left out, however broken they are.
//
// It does not know what tags mean, nor what encoding/json writes.
package source
