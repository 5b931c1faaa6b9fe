package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// BarWidth is how many characters a full bar has.
const BarWidth = 20

// patience is how long people wait before a line tells them why.
const patience = time.Second

// Progress tells somebody at a terminal every second what takes so long, on one
// line, which is gone after the function that it returns has been called. In a
// pipe it is quiet.
func Progress(stderr io.Writer, what string) (done func()) {
	return ProgressOf(stderr, func() string { return what })
}

// ProgressOf is [Progress] with a text that changes. Another goroutine calls what.
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

// tell writes what, with the time since it began, at each tick. The function
// that it returns ends that and clears the line, by sequences of ECMA-48.
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
