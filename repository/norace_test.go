//go:build !race

package repository_test

const raceAllocations = 0
