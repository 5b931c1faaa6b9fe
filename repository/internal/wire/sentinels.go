package wire

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// What answers of the service mean. The face has the same errors under the same names,
// and says more of them.
var (
	ErrNotFound           = failure.ErrNotFound           // status 404
	ErrAlreadyExists      = failure.ErrAlreadyExists      // status 409
	ErrPreconditionFailed = failure.ErrPreconditionFailed // status 412
	ErrThrottled          = failure.ErrThrottled          // status 429
	ErrTooLarge           = failure.ErrTooLarge           // status 413
	ErrUnclear            = failure.ErrUnclear            // whether a write took effect is not known

	ErrNoContainer = failure.ErrNoContainer // status 404/1003, where one may be missing

	ErrOutOfBounds   = errors.New("time out of bounds")
	ErrOtherType     = errors.New("the document of this id there is of another type")
	ErrAmbiguous     = failure.ErrAmbiguous // each under another suffix
	ErrKeyChanged    = failure.ErrKeyChanged
	ErrCursor        = failure.ErrCursor
	ErrDeleted       = failure.ErrDeleted
	ErrNotUnique     = failure.ErrNotUnique
	ErrUnfinished    = failure.ErrUnfinished
	ErrTenant        = errors.New("it is another tenant's")
	ErrNewerDocument = errors.New("the document is newer than this program")
	ErrMoved         = errors.New("the tenant has moved meanwhile")
)
