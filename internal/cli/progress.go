package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// BarWidth is the number of characters of a full bar.
const BarWidth = 20

// patience is the delay before the first line of progress.
const patience = time.Second

// Progress prints what the program is doing every second, on one line of a terminal, until done is
// called, which clears the line. Without a terminal it prints nothing.
func Progress(stderr io.Writer, what string) (done func()) {
	return ProgressOf(stderr, func() string { return what })
}

// ProgressOf is [Progress] with a text that changes. It calls what in another goroutine.
func ProgressOf(stderr io.Writer, what func() string) (done func()) {
	if !IsTerminal(stderr) || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	ticker := time.NewTicker(patience)
	stop := tell(stderr, what, ticker.C)
	return func() {
		ticker.Stop()
		stop()
	}
}

// tell prints what, and the time since the start, at each tick. The returned function stops this
// and clears the line, by sequences of ECMA-48.
func tell(w io.Writer, what func() string, ticks <-chan time.Time) (stop func()) {
	stopped, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(ended)
		told := false
		for {
			select {
			case now := <-ticks:
				told = true
				fmt.Fprintf(w, "\r\x1b[K%s: %d s", what(), int(now.Sub(begin).Round(time.Second).Seconds()))
			case <-stopped:
				if told {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() {
		close(stopped)
		<-ended
	}
}
