package writes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// bodies are the faults that the body of an answer can have.
var bodies = map[string]func([]byte) []byte{
	"no body": func([]byte) []byte { return nil },
	"{}":      func([]byte) []byte { return []byte("{}") },
	"null":    func([]byte) []byte { return []byte("null") },
	"[]":      func([]byte) []byte { return []byte("[]") },
	"cut off": func(body []byte) []byte { return body[:len(body)/2] },
	"no list": func([]byte) []byte { return []byte(`{"Documents":[],"PartitionKeyRanges":[],"Offers":[]}`) },
	"null rows": func([]byte) []byte {
		return []byte(`{"_rid":"x","Documents":[null],"PartitionKeyRanges":[null],"Offers":[null],"_count":1}`)
	},
	"another": func([]byte) []byte {
		return []byte(`{"id":"other","customer":"c0","type":"sale","total":1,"_rid":"x","_etag":"x","_ts":1}`)
	},
	"a page": func([]byte) []byte { return []byte("<html><body>Sign in</body></html>") },
}

// faultedRun is an operation under one fault.
type faultedRun struct {
	name      string
	operation string // of the repository
	fault     emulator.Fault
	plain     bool // the client is made without Configure
}

// faultedOutcome is the outcome of an operation under a fault.
type faultedOutcome struct {
	result   any
	contents []string
	sent     map[string]int // requests of each kind, without those for the account itself
	err      error
}

func (r faultedRun) do(t *testing.T) faultedOutcome {
	options := repository.Configure(harness.Impatient())
	if r.plain {
		options = &azcosmos.ClientOptions{}
	}
	a, end := newAccount(t, options)
	defer end()
	if r.fault.Body != nil {
		a.Server.Inject(r.fault)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	result, err := everyOperation[r.operation](ctx, a)
	sent := map[string]int{}
	for _, request := range a.Server.Requests() {
		if request.Operation != emulator.OpReadAccount {
			sent[request.Operation]++
		}
	}
	return faultedOutcome{result, a.contents(t), sent, err}
}

// patience is more than any operation needs.
const patience = 4 * time.Minute

// TestBodiesThatAreLost answers every request of every operation with status 200
// and a faulty body, once and for ever. The operation returns its whole result or
// an error.
func TestBodiesThatAreLost(t *testing.T) {
	t.Parallel()
	part := seeds.Part(t, "two thirds of the operations, and all faults but one")
	for _, plain := range []bool{false, true} {
		t.Run(map[bool]string{false: "configured", true: "without Configure"}[plain], func(t *testing.T) {
			t.Parallel()
			if plain {
				seeds.Long(t)
			}
			before := newContents(t)
			want := soundOutcomes(t, plain)
			var runs []faultedRun
			for name, outcome := range want {
				switch {
				case outcome.err == nil:
					runs = append(runs, faultedRun{operation: name, plain: plain}.withFaults(outcome.sent, part)...)
				case !plain: // else it cannot be done without the policies
					t.Fatal(name, outcome.err)
				}
			}
			if part { // a third of them
				runs = slices.DeleteFunc(runs, func(r faultedRun) bool { return len(r.name)%3 > 0 })
			}
			t.Logf("%d runs", len(runs))
			// Those whose answers are lost for ever wait longest: they begin.
			slices.SortStableFunc(runs, func(a, b faultedRun) int { return a.fault.Count - b.fault.Count })
			kit.Concurrently(runs, 48, func(r faultedRun) {
				got := r.do(t)
				if problem := judge(r, got, want[r.operation], before); problem != "" {
					t.Errorf("%s: %s", r.name, problem)
				}
			})
		})
	}
}

// newContents is what a new account holds.
func newContents(t *testing.T) []string {
	a, end := newAccount(t, repository.Configure(harness.Impatient()))
	defer end()
	return a.contents(t)
}

// soundOutcomes are the outcomes of every operation without a fault.
func soundOutcomes(t *testing.T, plain bool) map[string]faultedOutcome {
	var mu sync.Mutex
	all := map[string]faultedOutcome{}
	kit.Concurrently(slices.Collect(maps.Keys(everyOperation)), 8, func(name string) {
		outcome := faultedRun{operation: name, plain: plain}.do(t)
		mu.Lock()
		defer mu.Unlock()
		all[name] = outcome
	})
	return all
}

// withFaults returns the runs of an operation: one for each kind of request that
// it sends, and for each fault of its answer, or for one fault, once.
func (r faultedRun) withFaults(sent map[string]int, part bool) (runs []faultedRun) {
	for operation, n := range sent {
		for body, change := range bodies {
			for _, skip := range slices.Compact([]int{0, n - 1}) {
				for _, count := range []int{1, -1} {
					if count < 0 && (skip > 0 || body != "no body" && body != "another") {
						continue
					}
					if r.plain && !slices.Contains([]string{"no body", "{}", "null", "another"}, body) {
						continue
					}
					if part && (count < 0 || skip > 0 || body != "no body") {
						continue
					}
					next := r
					next.fault = emulator.Fault{Operation: operation, Body: change, Skip: skip, Count: count}
					next.name = fmt.Sprintf("%s, %s for answer %d to %s, count %d", r.operation, body, skip+1, operation, count)
					runs = append(runs, next)
				}
			}
		}
	}
	return runs
}

// unrepeated are the operations that must not run twice and whose answers lose
// the document: their outcome is unclear.
var unrepeated = []string{"transaction that adds", "patch and get", "patch if and get", "update and get"}

// judge returns what is wrong with an outcome, empty if nothing is.
func judge(r faultedRun, got, want faultedOutcome, before []string) string {
	wrote := !slices.Equal(got.contents, before)
	switch {
	case got.err == nil && !reflect.DeepEqual(got.result, want.result):
		return fmt.Sprintf("returned %v, want %v", got.result, want.result)
	case got.err == nil && !slices.Equal(got.contents, want.contents):
		return fmt.Sprintf("has left %v, want %v", got.contents, want.contents)
	case got.err != nil && errors.Is(got.err, repository.ErrNotFound):
		return fmt.Sprintf("took it for a document that is not there: %v", got.err)
	case got.err != nil && wrote && slices.Equal(want.contents, got.contents) && !errors.Is(got.err, repository.ErrUnclear) && !strings.HasPrefix(r.operation, "bulk") && r.operation != "move":
		return fmt.Sprintf("has taken effect, and says %v", got.err)
	case got.err != nil && r.fault.Count == 1 && !r.plain && (!slices.Contains(unrepeated, r.operation) || !errors.Is(got.err, repository.ErrUnclear)):
		return fmt.Sprintf("did not send for it again: %v", got.err)
	}
	return ""
}
