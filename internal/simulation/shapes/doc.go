// Package shapes has the types of the simulation, which are generated from a list of
// features by compose and then by pkgen, and one face for all of them.
package shapes

//go:generate go run ../compose
//go:generate go run ../../../cmd/pkgen
