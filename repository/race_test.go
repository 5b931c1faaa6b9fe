//go:build race

package repository_test

// raceAllocations is how many allocations the race detector may add to one
// operation: it empties pools by chance.
const raceAllocations = 8
