package wire

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Settings of the circuit of a physical partition in a region. The SDKs for .NET, Java,
// JavaScript and Python have such circuits; azcosmos 1.5.0 does not.
const (
	// circuitFailures is the number of consecutive failed attempts after which reads go to the
	// next region: 10 in .NET (AZURE_COSMOS_PPCB_CONSECUTIVE_FAILURE_COUNT_FOR_READS) and in
	// Python (AZURE_COSMOS_CONSECUTIVE_ERROR_COUNT_TOLERATED_FOR_READ).
	circuitFailures = 10

	// circuitWindow is the time after which a failure no longer counts: one minute in
	// .NET (timeoutCounterResetWindowInMinutes).
	circuitWindow = time.Minute

	// circuitPause is how long reads go to the next region before one tries the first region
	// again: one minute in Python (INITIAL_UNAVAILABLE_TIME_MS).
	circuitPause = time.Minute

	// circuitDeadline is the minimum duration of an attempt that counts as a failure when a
	// deadline ends it. The service answers 99 of 100 point reads in 10 ms, and an expired
	// deadline of that order says little about it.
	circuitDeadline = time.Second

	// probePause is how long reads wait for another probe after one that was cancelled.
	probePause = time.Second

	// maxCircuits is the maximum number of circuits of an account. Further ones are not kept,
	// and stay closed.
	maxCircuits = 10_000
)

// circuitKey names a physical partition in a region.
type circuitKey struct{ partition, host string }

// circuit counts the failures of reads of a physical partition in a region. It is open until a
// time, and after that until a probe succeeds.
type circuit struct {
	failures int
	last     time.Time // the last failure
	until    time.Time // zero while the circuit is closed
	probing  bool      // a probe is under way
}

// circuits are the circuits of an account in which a read has failed. The zero value is ready.
type circuits struct {
	mu  sync.Mutex
	all map[circuitKey]*circuit
	// swept is the time at which old circuits were last removed, such as those of physical
	// partitions that no longer exist.
	swept time.Time
	now   func() time.Time // nil is time.Now
}

// troubled counts the circuits of this process with failures. While it is 0, requests are not
// checked before they are sent.
var troubled atomic.Int64

// Troubled reports whether a circuit of this process has failures.
func Troubled() bool { return troubled.Load() > 0 }

func (cs *circuits) time() time.Time {
	if cs.now != nil {
		return cs.now()
	}
	return time.Now()
}

// admit reports whether a read may be sent, and whether it is a probe of an open circuit.
// After the pause of the circuit, one read at a time is a probe.
func (cs *circuits) admit(key circuitKey) (ok, probe bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.all[key]
	switch {
	case c == nil || c.until.IsZero():
		return true, false
	case c.probing || cs.time().Before(c.until):
		return false, false
	}
	c.probing = true
	return true, true
}

// isOpen reports whether reads go to another region, or wait for a probe.
func (cs *circuits) isOpen(key circuitKey) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.all[key]
	return c != nil && !c.until.IsZero()
}

// outcome is the evidence of an attempt about its physical partition.
type outcome int

const (
	saysNothing outcome = iota
	healthy
	failing
)

// note records the outcome of an attempt.
func (cs *circuits) note(key circuitKey, o outcome, probe bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.all[key]
	if c != nil && probe {
		c.probing = false
		if o == saysNothing { // another read would have the same result
			c.until = cs.time().Add(probePause)
		}
	}
	switch {
	case o == healthy && c != nil:
		cs.drop(key)
	case o == failing:
		if c == nil {
			c = cs.add(key)
		}
		c.fail(cs.time(), probe)
	}
}

func (c *circuit) fail(now time.Time, probe bool) {
	if now.Sub(c.last) > circuitWindow && !probe {
		c.failures = 0
	}
	c.failures++
	c.last = now
	if c.failures >= circuitFailures && (c.until.IsZero() || probe) {
		c.until = now.Add(circuitPause)
	}
}

func (cs *circuits) add(key circuitKey) *circuit {
	if now := cs.time(); now.Sub(cs.swept) > circuitWindow+circuitPause {
		cs.swept = now
		for old, c := range cs.all {
			if now.Sub(c.last) > circuitWindow+circuitPause {
				cs.drop(old)
			}
		}
	}
	if len(cs.all) >= maxCircuits {
		return &circuit{}
	}
	if cs.all == nil {
		cs.all = map[circuitKey]*circuit{}
	}
	c := &circuit{}
	cs.all[key] = c
	troubled.Add(1)
	return c
}

func (cs *circuits) drop(key circuitKey) {
	delete(cs.all, key)
	troubled.Add(-1)
}

// watched is the circuit of an attempt.
type watched struct {
	circuits *circuits
	key      circuitKey
	probe    bool
}

// admits reports whether the circuit of the physical partition in the region of a host admits
// a read. A nil w has no circuits.
func (w *watched) admits(host string) (ok bool) {
	if w == nil {
		return true
	}
	ok, w.probe = w.circuits.admit(circuitKey{w.key.partition, host})
	return ok
}

// isOpen reports whether the circuit of the physical partition in a region is open. A nil w has no
// circuits.
func (w *watched) isOpen(g region) bool {
	return w != nil && w.circuits.isOpen(circuitKey{w.key.partition, g.host})
}

// ended records the result and the duration of an attempt. A nil w records nothing.
func (w *watched) ended(took time.Duration, response *http.Response, err error) {
	if w != nil {
		w.circuits.note(w.key, outcomeOf(took, response, err), w.probe)
	}
}

// released records that an attempt was not sent. A nil w records nothing.
func (w *watched) released() {
	if w != nil {
		w.circuits.note(w.key, saysNothing, w.probe)
	}
}

// outcomeOf returns the outcome of an attempt. It is failing for the statuses after which
// azcosmos sends a read to another region.
func outcomeOf(took time.Duration, response *http.Response, err error) outcome {
	switch {
	case err == nil && isOutage(response.StatusCode):
		return failing
	case err == nil:
		return healthy
	case errors.Is(err, context.Canceled) || isUntrusted(err):
		return saysNothing
	case errors.Is(err, context.DeadlineExceeded) && took < circuitDeadline:
		return saysNothing
	default:
		return failing
	}
}

// isOutage reports whether a status says that a read may succeed in another region.
func isOutage(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
