// Package charge is a model of request units: what requests cost, and the budget of a
// physical partition. The emulator, pkgen-data simulate and pkgen-data analyze share it.
package charge
