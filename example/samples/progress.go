package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A progress tells somebody at a terminal how far it is, every second, on one line.
type progress struct {
	to   io.Writer // nil if nobody looks on
	last time.Time
	told bool
}

// newProgress returns a progress that is quiet unless stderr is a terminal, and the
// documents go elsewhere.
func newProgress(stderr, out io.Writer) *progress {
	if !isTerminal(stderr) || isTerminal(out) || os.Getenv("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{to: stderr, last: time.Now()}
}

// tell tells that so many of n documents are written.
func (p *progress) tell(written, n int) {
	if p.to == nil || time.Since(p.last) < time.Second {
		return
	}
	p.last, p.told = time.Now(), true
	fmt.Fprintf(p.to, "\r\x1b[K%d of %d documents (%d%%)", written, n, written*100/n)
}

// clear removes the line.
func (p *progress) clear() {
	if p.told {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
