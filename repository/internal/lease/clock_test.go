package lease

import (
	"net/http"
	"testing"
	"time"
)

// TestClockWithoutDate keeps what the last answer with a date has said.
func TestClockWithoutDate(t *testing.T) {
	var c clock
	off := func() time.Duration { return time.Until(c.now()).Abs() }
	answers := []*http.Response{nil, {}, {Header: http.Header{"Date": {"yesterday"}}}}
	for _, answer := range answers {
		if c.read(answer); off() > time.Second {
			t.Errorf("%+v: the clock is off by %v before any date", answer, off())
		}
	}
	c.read(&http.Response{Header: http.Header{"Date": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}})
	for _, answer := range answers {
		if c.read(answer); off() < time.Hour-2*time.Second || off() > time.Hour+2*time.Second {
			t.Errorf("%+v: the clock is ahead by %v, want an hour", answer, off())
		}
	}
}
