// Package charge models request units: the cost of requests, and the budget of a physical
// partition. The emulator, pkgen-data simulate and pkgen-data analyze share it.
package charge
