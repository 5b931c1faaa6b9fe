package gremlin

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/gremlin/internal/wire"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// The sentinels that the error of an operation matches with errors.Is. They are those of
// the other APIs too.
var (
	// ErrNotFound: no vertex of this label has this id in this logical partition, or a
	// query found nothing. Also: the id is that of a document whose other fields make the
	// same partition key; an end of an edge is not there.
	ErrNotFound = failure.ErrNotFound

	// ErrAlreadyExists: the logical partition holds a vertex or an edge of this id. Status
	// 409.
	ErrAlreadyExists = failure.ErrAlreadyExists

	// ErrPreconditionFailed: other programs wrote the vertex at the same moment, at each of
	// ten attempts. Status 412.
	ErrPreconditionFailed = failure.ErrPreconditionFailed

	// ErrAmbiguous: FindInBuckets met the id under several suffixes.
	ErrAmbiguous = failure.ErrAmbiguous

	// ErrThrottled: a physical partition has no request units left, even after repeats; or
	// a traversal was cut off at a limit of the API, such as 30 seconds, and a write that
	// was cut off also matches ErrUnclear. Status 429.
	ErrThrottled = failure.ErrThrottled

	// ErrTooLarge: the document is larger than 2 MB, or an answer is longer than is read.
	// Status 413.
	ErrTooLarge = failure.ErrTooLarge

	// ErrUnclear: a write was sent, and whether it took effect is not known.
	ErrUnclear = failure.ErrUnclear

	// ErrNoContainer: the database or the graph does not exist. Status 404.
	ErrNoContainer = failure.ErrNoContainer

	// ErrKeyChanged: the document is stored under another key than its fields make now.
	// Nothing was sent.
	ErrKeyChanged = failure.ErrKeyChanged

	// ErrCursor: a cursor is damaged, made up, or of another query. Nothing was sent.
	ErrCursor = failure.ErrCursor

	// ErrDraft: the layout of the type is a draft, and the server is not this machine.
	// Nothing was sent.
	ErrDraft = failure.ErrDraft
)

// Error is why an operation failed: see [documents.Error]. Its text names the document by
// its id and partition key, and holds no other value.
type Error = documents.Error

// ServerMessage returns the server's own message about an error, or "". It may quote the
// traversal and values: it is for a person, not for a log that many read.
func ServerMessage(err error) string {
	var s *wire.Status
	if errors.As(err, &s) {
		return s.Message()
	}
	return ""
}

// ActivityID returns the service's id of the request that failed with an error, by which
// Microsoft's support finds it, or "".
func ActivityID(err error) string {
	var s *wire.Status
	if errors.As(err, &s) {
		return s.ActivityID
	}
	return ""
}

// answerOf returns how a request failed, as package documents knows it.
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
	if trusted { // others may have texts of the server, such as why it closed a connection
		a.Err = failure.Trusted(err)
	}
	return a
}
