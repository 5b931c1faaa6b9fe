//go:debug randseednop=0
package simulation

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

var (
	seed     = flag.Uint64("seed", 0, "run this seed alone")
	first    = flag.Uint64("from", 1, "the first of the seeds that are run")
	seeds    = flag.Uint64("seeds", 20, "how many seeds are run; 10 with -short")
	steps    = flag.Int("steps", 60, "how many operations a seed has")
	failures = flag.Int("failures", 1, "stop after so many seeds that fail")
	shrinks  = flag.Bool("shrink", true, "shrink a seed that fails")
	features = flag.String("features", "", "run only types that have these features, separated by commas")
)

func TestMain(m *testing.M) {
	flag.Parse()
	testgc.Less()
	runtime.GOMAXPROCS(1) // goroutines take turns
	os.Exit(m.Run())
}

func chosen() []string {
	if *features == "" {
		return nil
	}
	return strings.Split(*features, ",")
}

// longest is for how long the runs of a process may last together: times are nanoseconds in 64
// bits, and those of synctest begin in the year 2000.
const longest = 250 * 365 * 24 * time.Hour

// TestSeeds runs seeds until one fails, and shrinks that one.
func TestSeeds(t *testing.T) {
	count := *seeds
	if testing.Short() {
		count = min(count, 10)
	}
	from, to := *first, *first+count-1
	if *seed != 0 {
		from, to = *seed, *seed
	}
	began, ended := time.Now(), 0
	defer func() {
		t.Logf("seeds from %d, %d operations, %.0f a second", from, ended, float64(ended)/time.Since(began).Seconds())
	}()
	for n := from; n <= to; n++ {
		if time.Duration(passed.Load()) > longest {
			t.Fatalf("the virtual time of this process is over: go on in another one, with -from %d", n)
		}
		r := simulate(t, planOf(n, *steps, chosen()))
		ended += r.ended
		if len(r.wrong) > 0 {
			if *shrinks {
				r = shrink(t, r)
			}
			t.Error(report(r))
			if *failures--; *failures <= 0 {
				return
			}
		}
	}
}

// shrink returns a run with fewer operations that fails as well.
func shrink(t *testing.T, r *run) *run {
	for size := len(r.steps) / 2; size > 0; {
		smaller := false
		for from := 0; from < len(r.steps); from += size {
			p := r.plan
			p.steps = slices.Concat(r.steps[:from], r.steps[min(from+size, len(r.steps)):])
			if next := simulate(t, p); len(next.wrong) > 0 {
				r, smaller = next, true
				break
			}
		}
		if !smaller {
			size /= 2
		}
	}
	return r
}

// report says what is wrong, and prints what led to it.
func report(r *run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: type %s %v, %d actors, faults %v\n%s\n", r.seed, r.shape.Name, r.shape.Features, r.actors, r.plan.rate, strings.Join(r.wrong, "\n"))
	for _, s := range r.steps {
		fmt.Fprintf(&b, "\t%v\n", s)
	}
	for _, n := range r.broken {
		fmt.Fprintf(&b, "%s:\n\t%s\n%s%s", r.place(n).ID, strings.Join(r.slots[n].history, "\n\t"), r.slots[n], r.Of(r.place(n).ID))
	}
	if len(r.broken) == 0 {
		for _, e := range r.History {
			fmt.Fprintln(&b, e)
		}
	}
	return b.String()
}
