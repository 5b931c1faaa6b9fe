package cli

import (
	"bytes"
	"testing"
	"time"
)

// TestTell tells once a tick, and leaves an empty line, or nothing at all.
func TestTell(t *testing.T) {
	var w bytes.Buffer
	ticks := make(chan time.Time)
	begin := time.Now()
	loading := func() string { return "loading" }
	stop := tell(&w, loading, ticks)
	ticks <- begin.Add(time.Second + time.Millisecond)
	ticks <- begin.Add(2*time.Second + time.Millisecond)
	stop()
	if want := "\r\x1b[Kloading: 1 s\r\x1b[Kloading: 2 s\r\x1b[K"; w.String() != want {
		t.Errorf("told %q, want %q", w.String(), want)
	}
	w.Reset()
	tell(&w, loading, ticks)()
	if w.Len() > 0 {
		t.Errorf("told %q of what took no time", w.String())
	}
	Progress(&w, "loading")()
	if w.Len() > 0 {
		t.Errorf("told %q in a pipe", w.String())
	}
}
