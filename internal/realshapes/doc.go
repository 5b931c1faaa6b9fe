// Package realshapes has no code, only a test: documents shaped like those that
// services keep in Cosmos DB are generated, judged by the go command, and stored
// on the emulator.
//
// The golden cases of package generator are about one thing each. Here things
// meet: base documents of another module, keys that are older than pkgen, types
// that write their own JSON, and several types in one container.
// testdata/platform is the other module, and testdata/service the services.
// testdata/booking is one whole service, with the documents of its next release in next.
// testdata/apis has documents of tables, collections and graphs: a test of
// internal/conformance, which has the run times, compiles and runs their code.
package realshapes
