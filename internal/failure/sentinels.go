// Package failure has the errors of operations on documents, for all APIs of Cosmos DB. The run
// time of each API exports them under the same names, so a program can match an error without
// knowing the API.
package failure

import "errors"

// The meanings of a service's answers. The run times document them in full.
var (
	ErrNotFound           = errors.New("document not found")
	ErrAlreadyExists      = errors.New("document already exists")
	ErrPreconditionFailed = errors.New("document has changed since it was read")
	ErrThrottled          = errors.New("request rate too large")
	ErrTooLarge           = errors.New("document too large")
	ErrUnclear            = errors.New("outcome unclear") // a write may have taken effect
	ErrNoContainer        = errors.New("container not found")
	ErrAmbiguous          = errors.New("several documents have this id") // each with another suffix
	ErrKeyChanged         = errors.New("partition key differs from the stored one")
	ErrCursor             = errors.New("cursor cannot be used")
	ErrDraft              = errors.New("the layout is a draft")
	ErrDeleted            = errors.New("the document is marked as deleted") // it exists until it is purged
	ErrOutOfBounds        = errors.New("time out of bounds")
	ErrTenant             = errors.New("it is another tenant's")
	ErrNewerDocument      = errors.New("the document is newer than this program")
	ErrMoved              = errors.New("the tenant has moved meanwhile")
	ErrAlreadyCommitted   = errors.New("a transaction with this token has taken effect before")
	ErrUnfinished         = errors.New("another write has not finished") // it may yet succeed
	// ErrSeveralWriteRegions: the operation requires a single write region.
	ErrSeveralWriteRegions = errors.New("the account has several write regions")
	ErrRolledBack          = errors.New("not stored, since another item of its transaction was refused")
)

// ErrNotUnique also matches ErrAlreadyExists.
var ErrNotUnique error = notUniqueError{}

type notUniqueError struct{}

func (notUniqueError) Error() string { return "the value is not unique" }

func (notUniqueError) Unwrap() error { return ErrAlreadyExists }

// Found reports whether a document exists, from the error of a read.
func Found(err error) (bool, error) {
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
