package documents

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Collection is the documents of type T in one table, collection or graph, by keys of type K.
// The packages table, mongo and gremlin embed it in their Documents, and document its costs
// there. It is safe for concurrent use.
//
// A request that the service throttles is repeated up to nine times, with the pauses that the
// service requests. A request without a response is repeated up to three times if that is safe.
// Errors are [*Error], and match the sentinels of this package.
type Collection[T any, K generated.Key] struct {
	spec api.Container[T, K]
}

// New returns the documents of a container. The packages of the APIs call it.
func New[T any, K generated.Key](c api.Container[T, K]) *Collection[T, K] {
	return &Collection[T, K]{c}
}

// NewError returns the error of an operation on the document at a place, from the failure of
// its request. The packages of the APIs also call it.
func NewError(op, typ string, at api.Place, err error) *Error {
	a := failure.AnswerOf(err)
	if !failure.IsGuarded(err) {
		err = a // its text is not shown
	}
	return &Error{Op: op, Type: typ, ID: at.ID, PartitionKey: at.Key(), Code: a.Code, Err: err, Kind: a.Kind}
}

// NewWriteError is NewError for a writing request: without a response, the outcome is unclear.
func NewWriteError(op, typ string, at api.Place, err error) *Error {
	e := NewError(op, typ, at, err)
	e.Unclear = failure.AnswerOf(err).Unanswered
	return e
}

// fail returns the error of an operation on the document at a place, from the failure of its
// request. Unclear means that an earlier attempt may have taken effect.
func (c *Collection[T, K]) fail(op string, at api.Place, unclear bool, err error) error {
	if err == nil {
		return nil
	}
	e := NewError(op, c.spec.Model.Type, at, err)
	e.Unclear = op != opGet && (unclear || failure.AnswerOf(err).Unanswered)
	return e
}

// failed returns the error of an operation that was not sent.
func (c *Collection[T, K]) failed(op string, at api.Place, err error) error {
	e := &Error{Op: op, Type: c.spec.Model.Type, ID: at.ID, PartitionKey: at.Key(), Err: err}
	if own := (*Error)(nil); errors.As(err, &own) {
		e.Kind, e.Code = own.Kind, own.Code
	}
	return e
}

// stranger reports whether a stored document has the same partition key as key, but other
// components.
func (c *Collection[T, K]) stranger(stored *T, key K) bool {
	return c.spec.Model.Same != nil && !c.spec.Model.Same(c.spec.Model.Key(stored), key)
}

var errStranger = failure.Says("the id belongs to another document whose fields make the same partition key")
