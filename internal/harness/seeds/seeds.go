// Package seeds scales tests: their seeds, rounds and rows, more with -seeds and fewer with -short.
// By default go test ./... takes a third of the seeds and skips what takes long. The gate passes
// -seeds 3, which runs everything.
package seeds

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"testing"
)

var times = flag.Uint64("seeds", 1, "how many times as many seeds tests with random input take; 3 takes all, and what else go test leaves out")

// all is the least value of -seeds that skips no test.
const all = 3

// Of returns the seeds of a test with random input: a third of n, times the flag -seeds. With
// -short it is a third of that.
func Of(n uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for seed := range uint64(Rounds(int(n))) {
			if !yield(seed) {
				return
			}
		}
	}
}

// Rounds returns the number of rounds of a test that continues one random sequence: a third of n,
// times the flag -seeds. With -short it is a third of that.
func Rounds(n int) int { return Few((n+2)/3, (n+8)/9) * int(*times) }

// More returns the factor of the flag -seeds.
func More() uint64 { return *times }

// Few returns n, or short with -short: a number of rows, rounds or documents.
func Few(n, short int) int {
	if testing.Short() {
		return short
	}
	return n
}

// Long skips a test with -short, because other tests find the same faults sooner.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
	}
}

// Part reports whether a test runs only a part, because the rest takes too long for go test ./...;
// rest describes the rest. In the gate, which runs everything, a part is an error.
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

// Rows returns how many of n rows, rounds or documents a test takes: few, as a Part, or all.
func Rows(t testing.TB, n, few int) int {
	t.Helper()
	if Part(t, fmt.Sprintf("%d of %d rounds", n-few, n)) {
		return few
	}
	return n
}

// Gate skips a test that takes too long for go test ./..., for a reason. The gate runs it.
func Gate(t testing.TB, reason string) {
	t.Helper()
	if Part(t, reason) {
		t.SkipNow()
	}
}
