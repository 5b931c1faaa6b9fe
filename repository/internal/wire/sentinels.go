package wire

import "errors"

// What answers of the service mean. The face has the same errors under the same names,
// and says more of them.
var (
	ErrNotFound           = errors.New("document not found")                     // status 404
	ErrAlreadyExists      = errors.New("document already exists")                // status 409
	ErrPreconditionFailed = errors.New("document has changed since it was read") // status 412
	ErrThrottled          = errors.New("request rate too large")                 // status 429
	ErrTooLarge           = errors.New("document too large")                     // status 413
	ErrUnclear            = errors.New("outcome unclear")                        // whether a write took effect is not known

	ErrNoContainer = errors.New("container not found") // status 404/1003, where one may be missing

	ErrOutOfBounds = errors.New("time out of bounds")
	ErrOtherType   = errors.New("the document of this id there is of another type")
	ErrAmbiguous   = errors.New("several documents have this id") // each under another suffix
	ErrKeyChanged  = errors.New("partition key differs from the stored one")
	ErrCursor      = errors.New("cursor cannot be used")
	ErrTenant      = errors.New("it is another tenant's")
	ErrMoved       = errors.New("the tenant has moved meanwhile")
)
