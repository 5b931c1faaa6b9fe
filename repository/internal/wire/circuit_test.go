package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"
)

// clocked returns circuits with a clock, which tests move.
func clocked() (*circuits, *time.Time) {
	now := time.Unix(1_000_000, 0)
	return &circuits{now: func() time.Time { return now }}, &now
}

// admitted fails the test unless a read is admitted as wanted.
func admitted(t *testing.T, cs *circuits, key circuitKey, ok, probe bool) {
	t.Helper()
	if a, p := cs.admit(key); a != ok || p != probe {
		t.Errorf("admitted %v, as a probe %v; want %v and %v", a, p, ok, probe)
	}
}

func TestCircuitOpensAndProbes(t *testing.T) {
	cs, now := clocked()
	bad, other := circuitKey{"0", "west"}, circuitKey{"0", "north"}
	before := troubled.Load()
	fail := func(n int, probe bool) {
		for range n {
			cs.note(bad, failing, probe)
		}
	}
	fail(circuitFailures-1, false)
	admitted(t, cs, bad, true, false)
	cs.note(bad, healthy, false) // they are no longer in succession
	fail(circuitFailures-1, false)
	admitted(t, cs, bad, true, false)
	*now = now.Add(circuitWindow + 1) // nor within a minute
	fail(circuitFailures-1, false)
	admitted(t, cs, bad, true, false)
	fail(1, false)
	admitted(t, cs, bad, false, false)
	admitted(t, cs, other, true, false)

	*now = now.Add(circuitPause)
	admitted(t, cs, bad, true, true)
	admitted(t, cs, bad, false, false) // one at a time
	cs.note(bad, saysNothing, true)    // it was cancelled
	admitted(t, cs, bad, false, false)
	*now = now.Add(probePause)
	admitted(t, cs, bad, true, true)
	cs.note(bad, failing, true)
	admitted(t, cs, bad, false, false)
	*now = now.Add(circuitPause - 1)
	admitted(t, cs, bad, false, false)
	*now = now.Add(1)
	admitted(t, cs, bad, true, true)
	cs.note(bad, healthy, true)
	admitted(t, cs, bad, true, false)
	if len(cs.all) != 0 || troubled.Load() != before {
		t.Errorf("%d circuits are kept of a region that is well, and %d counted", len(cs.all), troubled.Load()-before)
	}
}

// TestCircuitsAreBounded drops old circuits, such as those of physical partitions that are gone.
func TestCircuitsAreBounded(t *testing.T) {
	cs, now := clocked()
	before := troubled.Load()
	for n := range maxCircuits {
		cs.note(circuitKey{string(rune(n)), "west"}, failing, false)
	}
	*now = now.Add(circuitWindow + circuitPause + 1)
	last := circuitKey{"last", "west"}
	cs.note(last, failing, false)
	if len(cs.all) != 1 || cs.all[last] == nil || troubled.Load() != before+1 {
		t.Errorf("%d circuits are kept, %d are counted", len(cs.all), troubled.Load()-before)
	}
	cs.note(last, healthy, false)
}

func TestOutcomes(t *testing.T) {
	late := circuitDeadline
	for _, test := range []struct {
		took   time.Duration
		status int
		err    error
		want   outcome
	}{
		{0, http.StatusOK, nil, healthy},
		{0, http.StatusNotFound, nil, healthy},
		{0, http.StatusTooManyRequests, nil, healthy},
		{0, http.StatusRequestTimeout, nil, failing},
		{0, http.StatusServiceUnavailable, nil, failing},
		{0, 0, io.EOF, failing},
		{0, 0, errors.Join(io.EOF, context.Canceled), saysNothing},
		{late - 1, 0, context.DeadlineExceeded, saysNothing},
		{late, 0, context.DeadlineExceeded, failing},
	} {
		var response *http.Response
		if test.err == nil {
			response = &http.Response{StatusCode: test.status}
		}
		if got := outcomeOf(test.took, response, test.err); got != test.want {
			t.Errorf("status %d, %v after %v: %v, want %v", test.status, test.err, test.took, got, test.want)
		}
	}
}
