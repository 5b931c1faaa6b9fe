package failure

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Error is why an operation on documents failed. The run times of Table, MongoDB and
// Gremlin give it to their callers as their Error.
type Error struct {
	// Op is the name of the operation, such as "create" or "query".
	Op string

	// Type is the name of the document type.
	Type string

	// ID is the id of the document, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key, empty for requests of several logical
	// partitions.
	PartitionKey string

	// Code is what the service calls the failure, such as "EntityAlreadyExists" or
	// "11000". It is empty if there was no answer.
	Code string

	// Err is the cause.
	Err error

	Kind    error  // the sentinel that it matches, or nil
	Note    string // added to the reason
	Unclear bool   // whether the write took effect is unknown
}

// Error says what failed, for which document, and why. It names the document by its
// id and its partition key. It holds no other value of the document, and no text of
// the service, which may hold such values.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op + " " + e.Type)
	if e.ID != "" {
		fmt.Fprintf(&b, " %q", e.ID)
	}
	if e.PartitionKey != "" {
		fmt.Fprintf(&b, " in partition %q", e.PartitionKey)
	}
	b.WriteString(": ")
	b.WriteString(e.reason())
	if e.Note != "" {
		b.WriteString(", " + e.Note)
	}
	if e.Unclear {
		b.WriteString(", and it is not known whether it took effect")
	}
	return b.String()
}

func (e *Error) reason() string {
	var said Says
	switch {
	case e.Kind != nil && errors.As(e.Err, &said):
		return e.Kind.Error() + ": " + said.Error()
	case e.Kind != nil && e.Code != "":
		return e.Kind.Error() + " (" + e.Code + ")"
	case e.Kind != nil:
		return e.Kind.Error()
	case e.Code != "":
		return "the service refuses it (" + e.Code + ")"
	case e.Err != nil:
		return text(e.Err)
	}
	return "failed"
}

// Unwrap returns the sentinels that e matches, if any, and its cause.
func (e *Error) Unwrap() []error {
	var causes []error
	for _, err := range []error{e.Err, e.Kind} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	if e.Unclear {
		causes = append(causes, ErrUnclear)
	}
	return causes
}

// Answer is how one request failed, as the driver of an API understands it. The
// operations on documents repeat requests by it, and make an [Error] of it.
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
