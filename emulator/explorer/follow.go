package explorer

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// The journal is sent a few times a second, with a limited number of requests at once: more
// could be neither drawn nor read.
const (
	followEvery = 250 * time.Millisecond
	followMost  = 400
	aliveEvery  = 15 * time.Second
)

// follow sends the journal as server-sent events until the browser disconnects: first the
// requests after the one that the parameter after names, then new ones. An event has the lines
// and the number of omitted requests.
func (e *Explorer) follow(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{}) // not every writer supports deadlines
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	ticks := time.NewTicker(followEvery)
	defer ticks.Stop()
	sent := time.Time{}
	for {
		lines, last := e.account.Journal(after, followMost)
		switch {
		case len(lines) > 0:
			left := last - after - uint64(len(lines))
			text, err := json.Marshal(map[string]any{"lines": lines, "left": left, "last": last})
			if err != nil {
				return
			}
			fmt.Fprintf(w, "data: %s\n\n", text)
			sent = time.Now()
		case time.Since(sent) > aliveEvery:
			fmt.Fprint(w, ": alive\n\n")
			sent = time.Now()
		}
		after = last
		if control.Flush() != nil {
			return
		}
		select {
		case <-ticks.C:
		case <-r.Context().Done():
			return
		case <-e.stopping:
			return
		}
	}
}
