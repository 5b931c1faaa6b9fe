//go:build race

package harness

// RaceAllocations is how many allocations the race detector may add to one operation: it
// empties pools by chance.
const RaceAllocations = 8

// Race reports whether the race detector watches.
const Race = true
