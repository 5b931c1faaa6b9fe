// Package charge is a model of request units: what requests cost, and the budget of a
// physical partition. The emulator and pkgen simulate share it.
package charge
