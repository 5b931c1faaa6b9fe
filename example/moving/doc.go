// Package moving holds documents that move to another container, under a layout by which
// all events of a vehicle are found. It is the example of docs/migration.md, and its test
// leads through the releases: PhaseOld, PhaseBoth, PhaseNew with MoveAll, PhaseDone with
// MoveAll again, and the repository of the new container alone. No release may be left
// out.
package moving

//go:generate go run ../../cmd/pkgen
