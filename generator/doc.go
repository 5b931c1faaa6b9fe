// Package generator makes generated files of struct types with cosmos tags. It
// loads the packages, makes a model of each type, checks it, renders it, and writes
// the files.
//
//	result, err := generator.Generate(ctx, generator.Options{Patterns: []string{"./..."}})
//	…
//	err = result.Commit()
//
// [Generate] writes nothing. It reports all mistakes in the source at once, as
// [Diagnostic] values with the line and column of the word in the tag.
// [Result.Commit] writes all files or none.
//
// Before Commit writes or removes anything, Generate has compared the keys with
// those in the lock of each folder. A key that would change is [Refused], since a
// document is only found under the key that it was stored with.
//
// The packages need not compile, since people run pkgen while they do not: Generate
// does not load our own outputs, however broken they are, and of the other files
// only the declarations that key fields reach have to be correct.
//
// Package internal/source loads, internal/facts says what holds of each document,
// internal/model makes a model of it, and internal/keychange compares the model with
// the locks. Each takes the result of the one before.
//
// Package annotations knows the words of tags, package templates the generated
// code, and package partition how keys are made. This package knows none of these.
// It does not print and reads no flags.
//
// # Stability
//
// The package is for the command of pkgen and for analyzers of its tags. Its API may
// change with any release.
package generator
