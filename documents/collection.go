package documents

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Collection is the documents of type T in one table, collection or graph, by keys of type
// K. The packages table, mongo and gremlin embed it in their Documents, and say what its
// operations cost there. It is safe for concurrent use.
//
// A request that the service was too busy for is repeated up to nine times, with the pauses
// that it asks for. A request without an answer is repeated up to three times if that is
// safe. Errors are [*Error], and match the sentinels of this package.
type Collection[T any, K generated.Key] struct {
	spec api.Container[T, K]
}

// New returns the documents of a container. The packages of the APIs call it.
func New[T any, K generated.Key](c api.Container[T, K]) *Collection[T, K] {
	return &Collection[T, K]{c}
}

// NewError returns the error of an operation on the document at a place, for the failure of
// its request. The packages of the APIs call it, too.
func NewError(op, typ string, at api.Place, err error) *Error {
	a := failure.AnswerOf(err)
	if !failure.IsGuarded(err) {
		err = a // whose text is not shown
	}
	return &Error{Op: op, Type: typ, ID: at.ID, PartitionKey: at.Key(), Code: a.Code, Err: err, Kind: a.Kind}
}

// NewWriteError is NewError of a request that writes: without an answer, it is unclear whether
// it took effect.
func NewWriteError(op, typ string, at api.Place, err error) *Error {
	e := NewError(op, typ, at, err)
	e.Unclear = failure.AnswerOf(err).Unanswered
	return e
}

// fail returns the error of an operation on the document at a place, for the failure of
// its request. Unclear says that an attempt before may have taken effect.
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

// stranger reports whether a stored document is of other components than key, which
// have the same partition key.
func (c *Collection[T, K]) stranger(stored *T, key K) bool {
	return c.spec.Model.Same != nil && !c.spec.Model.Same(c.spec.Model.Key(stored), key)
}

var errStranger = failure.Says("the id there is that of a document whose fields make the same partition key")
