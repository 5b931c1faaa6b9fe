// Package generator turns struct types with cosmos tags into generated files:
// it loads the packages, models what the tags and types say, validates it, has
// it rendered, and writes the files.
//
//	result, err := generator.Generate(ctx, generator.Options{Patterns: []string{"./..."}})
//	…
//	err = result.Commit()
//
// [Generate] writes nothing and reports everything that is wrong with the
// source at once, as [Diagnostic] values with the line and column of the word
// in the tag that is concerned. [Result.Commit] writes, all files or none.
//
// Before anything is written or removed, the keys are compared with those in the
// lock of each folder. A key that would change is [Refused], since documents are
// found under the key that they were stored with.
//
// It works while the packages do not compile, since that is when it is run: our
// own outputs are left out of what is loaded, however broken they are, and of
// the rest only what key fields reach has to be right.
//
// Package internal/source loads, internal/facts says what holds of each document,
// internal/model makes of that what is rendered, and internal/keychange compares it with
// the locks. Each takes what the one before has made.
//
// The package does not know the words of tags, which package annotations does; what
// generated code looks like, which package templates does; nor how keys are made,
// which package partition does. It does not print and reads no flags.
//
// # Stability
//
// The package is for the command of pkgen and for analyzers of its tags. Its API may
// change with any release.
package generator
