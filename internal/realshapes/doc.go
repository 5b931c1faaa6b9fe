// Package realshapes has only a test: code for realistic documents is generated, compiled by the go
// command, and run on the emulator.
//
// The golden cases of package generator test one feature each. Here features combine: base
// documents of another module, keys that are older than pkgen, types with JSON of their own, and
// several types in one container. testdata/platform is the other module, and testdata/service the
// services. testdata/booking is one whole service, with the documents of its next release in next.
// testdata/apis has documents of tables, collections and graphs; a test of internal/conformance,
// which has their run times, compiles and runs that code.
package realshapes
