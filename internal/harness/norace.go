//go:build !race

package harness

// RaceAllocations is the number of allocations that the race detector may add to one operation.
const RaceAllocations = 0

// Race reports whether the race detector is on.
const Race = false
