//go:build race

package harness

// RaceAllocations is the number of allocations that the race detector may add to one operation: it
// empties pools at random.
const RaceAllocations = 8

// Race reports whether the race detector is on.
const Race = true
