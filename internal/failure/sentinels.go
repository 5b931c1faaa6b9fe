// Package failure has the errors of operations on documents, the same for every API
// of Cosmos DB. The run time of each API gives them to its callers under the same
// names, so that a program may match an error without knowing the API.
package failure

import "errors"

// What answers of a service mean. The run times say more of them.
var (
	ErrNotFound           = errors.New("document not found")
	ErrAlreadyExists      = errors.New("document already exists")
	ErrPreconditionFailed = errors.New("document has changed since it was read")
	ErrThrottled          = errors.New("request rate too large")
	ErrTooLarge           = errors.New("document too large")
	ErrUnclear            = errors.New("outcome unclear") // whether a write took effect is not known
	ErrNoContainer        = errors.New("container not found")
	ErrAmbiguous          = errors.New("several documents have this id") // each under another suffix
	ErrKeyChanged         = errors.New("partition key differs from the stored one")
	ErrCursor             = errors.New("cursor cannot be used")
	ErrDraft              = errors.New("the layout is a draft")
	ErrDeleted            = errors.New("the document is marked as deleted") // and is there until it is purged
	ErrOutOfBounds        = errors.New("time out of bounds")
	ErrTenant             = errors.New("it is another tenant's")
	ErrNewerDocument      = errors.New("the document is newer than this program")
	ErrMoved              = errors.New("the tenant has moved meanwhile")
	ErrAlreadyCommitted   = errors.New("a transaction with this token has taken effect before")
	ErrUnfinished         = errors.New("another write has not finished") // and whether it will is open
	// ErrSeveralWriteRegions: the account has several, and the operation relies on one.
	ErrSeveralWriteRegions = errors.New("the account has several write regions")
	ErrRolledBack          = errors.New("not stored, since another item of its transaction was refused")
)

// ErrNotUnique matches ErrAlreadyExists, too.
var ErrNotUnique error = notUniqueError{}

type notUniqueError struct{}

func (notUniqueError) Error() string { return "the value is not unique" }

func (notUniqueError) Unwrap() error { return ErrAlreadyExists }

// Found returns what a read with this error says of the existence of a document.
func Found(err error) (bool, error) {
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
