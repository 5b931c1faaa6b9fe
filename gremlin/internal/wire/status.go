package wire

import (
	"fmt"
	"strings"
	"time"
)

// Status is a server's answer to a request that failed.
type Status struct { //nolint:errname // it is a status of the protocol, which is an error too
	Code       int           // of the protocol
	Service    int           // x-ms-status-code, 0 if there was none
	Substatus  int           // x-ms-substatus-code, 0 if there was none
	RetryAfter time.Duration // x-ms-retry-after-ms
	ActivityID string        // x-ms-activity-id, for Microsoft's support

	charge, total float64 // of this part, and of the request so far
	message       string
}

// Error names the codes. It leaves out the server's message, which quotes traversals and
// values.
func (s *Status) Error() string {
	text := fmt.Sprintf("status %d", s.Code)
	if s.Service != 0 && s.Service != s.Code {
		text = fmt.Sprintf("status %d (x-ms-status-code %d)", s.Code, s.Service)
	}
	switch {
	case s.Reason() == unauthorized || s.Code == authenticate:
		text += ": the service refuses the key: check it, and the names of the database and of the graph"
	case s.Reason() == 498 || s.Reason() == 1000 || s.Reason() == 1004 || s.Reason() == 597:
		text += ": the service refuses the traversal"
	case s.Reason() == 598 || s.Reason() == 1009:
		text += ": the traversal took too long: request less at a time"
	}
	return text
}

// Reason returns the most specific code: the service's own or, without one, the protocol's.
func (s *Status) Reason() int {
	if s.Service != 0 && s.Service != success {
		return s.Service
	}
	return s.Code
}

// Message returns the server's own message. It may quote values, so do not write it to a
// shared log.
func (s *Status) Message() string { return s.message }

// Says reports whether the server's message contains text.
func (s *Status) Says(text string) bool { return strings.Contains(s.message, text) }
