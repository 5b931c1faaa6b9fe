package kit

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Ticking is a clock that never says one time twice.
type Ticking struct{ n atomic.Int64 }

func (c *Ticking) Now() time.Time {
	return time.Date(2018, 8, 9, 6, 0, 0, 0, time.UTC).Add(time.Duration(c.n.Add(1)) * time.Second)
}

// WantText expects an error with a text.
func WantText(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want %q", err, text)
	}
}
