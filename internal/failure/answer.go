package failure

import (
	"context"
	"errors"
	"time"
)

// StatusRetryWith is the service's "retry with" for conflicting writes.
const StatusRetryWith = 449

// Answer is the failure of one request, as the driver of an API classifies it. The operations on
// documents use it to decide on another attempt, and convert it to a documents.Error.
type Answer struct { //nolint:errname // a driver returns it, and callers see an Error
	// Kind is the sentinel error that it matches, or nil.
	Kind error

	// Code is the service's name of the failure.
	Code string

	// Unanswered is set if the request may have taken effect: the connection broke after it was
	// sent, or the service failed.
	Unanswered bool

	// Final is set if another attempt would fail in the same way, even if Unanswered is set.
	Final bool

	// Unsent is set if the request certainly had no effect and may be repeated: it was throttled,
	// or the connection failed before it.
	Unsent bool

	// After is the pause that the service requests before another attempt.
	After time.Duration

	// Err is the driver's error. Its text is not shown if Kind or Code suffices.
	Err error
}

// Error returns the text of the driver's error.
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

// AnswerOf returns the Answer in err, or a new one for err. The end of a context leaves the outcome
// unknown.
func AnswerOf(err error) *Answer {
	var a *Answer
	if errors.As(err, &a) {
		return a
	}
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	return &Answer{Err: err, Unanswered: ended}
}
