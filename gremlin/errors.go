package gremlin

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/gremlin/internal/wire"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// ServerMessage returns the server's own message about an error, or "". It may quote the
// traversal and values, so do not write it to a shared log.
func ServerMessage(err error) string {
	var s *wire.Status
	if errors.As(err, &s) {
		return s.Message()
	}
	return ""
}

// ActivityID returns the service's id of the failed request, for Microsoft's support, or "".
func ActivityID(err error) string {
	var s *wire.Status
	if errors.As(err, &s) {
		return s.ActivityID
	}
	return ""
}

// answerOf returns the failure of a request in the form of package documents.
func answerOf(err error) error {
	if err == nil {
		return nil
	}
	a := &failure.Answer{Err: err}
	trusted := false
	var status *wire.Status
	var dial *wire.DialError
	var broken *wire.BrokenError
	switch {
	case errors.As(err, &status):
		classify(a, status)
		trusted = true
	case errors.As(err, &dial):
		trusted = true
		a.Unsent = !dial.Untrusted() && (dial.Status == 0 || dial.Status == 429 || dial.Status >= 500)
	case errors.As(err, &broken):
		a.Unanswered = true
		if errors.Is(err, wire.ErrTooLarge) {
			a.Kind = failure.ErrTooLarge
		}
		trusted = errors.Is(err, wire.ErrTooLarge) || errors.Is(err, wire.ErrProtocol)
	case errors.Is(err, wire.ErrClosed):
		trusted = true
	}
	if trusted { // others may contain texts of the server, such as the reason for a closed connection
		a.Err = failure.Trusted(err)
	}
	return a
}
