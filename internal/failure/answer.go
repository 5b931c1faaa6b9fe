package failure

import (
	"context"
	"errors"
	"time"
)

// StatusRetryWith is the service's "retry with", for writes that met another write.
const StatusRetryWith = 449

// Answer is how one request failed, as the driver of an API understands it. The
// operations on documents repeat requests by it, and make a documents.Error of it.
type Answer struct { //nolint:errname // a driver returns it, and callers see an Error
	// Kind is the sentinel that the failure matches, or nil.
	Kind error

	// Code is what the service calls the failure.
	Code string

	// Unanswered says that the request may have taken effect, and no answer says so:
	// the connection broke after it was sent, or the service failed.
	Unanswered bool

	// Final says that another attempt would fail alike, also where Unanswered is set.
	Final bool

	// Unsent says that the request certainly had no effect, and that it may be
	// repeated: it was throttled, or the connection could not be made.
	Unsent bool

	// After is how long the service asks to wait before the request is repeated.
	After time.Duration

	// Err is the driver's error. Its text is not shown where Kind or Code says
	// enough.
	Err error
}

// Error is the text of the driver's error.
func (a *Answer) Error() string {
	if a.Err == nil {
		return a.Code
	}
	return a.Err.Error()
}

// Unwrap returns the driver's error and the sentinel.
func (a *Answer) Unwrap() []error {
	var causes []error
	for _, err := range []error{a.Err, a.Kind} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	return causes
}

// AnswerOf returns the answer in err, or one that only has err: if that is the end of a
// context, nobody knows whether the request took effect.
func AnswerOf(err error) *Answer {
	var a *Answer
	if errors.As(err, &a) {
		return a
	}
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	return &Answer{Err: err, Unanswered: ended}
}
