// Package seeds gives tests their seeds, rounds and rows: more with -seeds, and less with
// -short. Between two edits and for a newcomer, go test ./... takes a third of the seeds, and
// leaves out what takes long. The gate gives -seeds 3, which takes all.
package seeds

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"testing"
)

var times = flag.Uint64("seeds", 1, "how many times as many seeds tests with random input take; 3 takes all, and what else go test leaves out")

// all is the value of -seeds that leaves no test out.
const all = 3

// Of gives the seeds of a test with random input: a third of n, or as many times more as the
// flag -seeds says. Short tests take a third of that.
func Of(n uint64) iter.Seq[uint64] {
	n = uint64(Few(int(n+2)/3, int(n+8)/9))
	return func(yield func(uint64) bool) {
		for seed := range n * *times {
			if !yield(seed) {
				return
			}
		}
	}
}

// More is how many times as many seeds tests take.
func More() uint64 { return *times }

// Few is n, or less in short tests: how many rows, rounds or documents a test takes.
func Few(n, short int) int {
	if testing.Short() {
		return short
	}
	return n
}

// Long is for a test that short tests leave out, because others see the same sooner.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
	}
}

// Part is whether a test takes only a part of what it has, since the rest takes too long for
// go test ./...; the reason says what the rest is. The gate takes all: there, a part is an error.
func Part(t testing.TB, rest string) bool {
	t.Helper()
	if *times >= all && !testing.Short() {
		return false
	}
	if os.Getenv("CI") == "true" && !testing.Short() {
		t.Errorf("CI=true leaves no test out: give -seeds %d", all)
	}
	t.Logf("NOT RUN without -seeds %d: %s", all, rest)
	return true
}

// Rows is how many of n rows, rounds or documents a test takes: few, as a part, or all.
func Rows(t testing.TB, n, few int) int {
	t.Helper()
	if Part(t, fmt.Sprintf("%d of %d rounds", n-few, n)) {
		return few
	}
	return n
}

// Gate is for a test that takes too long for go test ./...; the gate runs it.
func Gate(t testing.TB, reason string) {
	t.Helper()
	if Part(t, reason) {
		t.SkipNow()
	}
}
