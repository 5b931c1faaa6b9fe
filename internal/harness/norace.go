//go:build !race

package harness

// RaceAllocations is how many allocations the race detector may add to one operation.
const RaceAllocations = 0

// Race reports whether the race detector watches.
const Race = false
