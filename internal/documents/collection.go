package documents

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Collection is the documents of type T in one container, by keys of type K. It is safe
// for concurrent use.
type Collection[T any, K generated.Key] struct {
	Model  *generated.Model[T, K]
	Driver Driver[T]

	// ID returns what identifies a document within its partition key: the id, or the row
	// key of a table.
	ID func(K) string

	// Name is the name of the container, by which cursors of one are refused in another.
	Name string

	Settings Settings

	// Stays is nil, or returns an error if a draft would leave this machine.
	Stays func(context.Context) error

	// Twice says that a proxy may send a request twice and return the second answer, as
	// proxies of HTTP do. The refusal of a write that it may have caused itself is then
	// settled by reading the document.
	Twice bool

	batches bool // bulk operations send the writes of one logical partition together
}

// place checks a key and returns where its document is.
func (c *Collection[T, K]) place(key K) (Place, error) {
	if err := key.Validate(); err != nil {
		return Place{}, err
	}
	return Place{Partition: c.Model.Text(key), ID: c.ID(key)}, nil
}

// fail returns the error of an operation on the document at a place, for the failure of
// its request. Unclear says that an attempt before may have taken effect.
func (c *Collection[T, K]) fail(op string, at Place, unclear bool, err error) error {
	if err == nil {
		return nil
	}
	a := failure.AnswerOf(err)
	return &failure.Error{
		Op: op, Type: c.Model.Type, ID: at.ID, PartitionKey: at.Partition,
		Code: a.Code, Err: err, Kind: a.Kind, Unclear: op != opGet && (unclear || a.Unanswered),
	}
}

// failed returns the error of an operation that was not sent.
func (c *Collection[T, K]) failed(op string, at Place, err error) error {
	e := &failure.Error{Op: op, Type: c.Model.Type, ID: at.ID, PartitionKey: at.Partition, Err: err}
	if own := (*failure.Error)(nil); errors.As(err, &own) {
		e.Kind, e.Code = own.Kind, own.Code
	}
	return e
}

// version returns the version that doc was read with, or "". The version "*" means any,
// as in package repository.
func (c *Collection[T, K]) version(doc *T) string {
	if c.Model.ETag == nil {
		return ""
	}
	if p := c.Model.ETag(doc); p != nil && *p != "*" {
		return *p
	}
	return ""
}

// remember writes into doc under which key and as which version it is stored.
func (c *Collection[T, K]) remember(doc *T, at Place, version string) {
	if p := c.stored(doc); p != nil {
		*p = at.Partition
	}
	if c.Model.ETag == nil || version == "" {
		return
	}
	if p := c.Model.ETag(doc); p != nil {
		*p = version
	}
}

// stranger reports whether a stored document is of other components than key, which
// have the same partition key.
func (c *Collection[T, K]) stranger(stored *T, key K) bool {
	return c.Model.Same != nil && !c.Model.Same(c.Model.Key(stored), key)
}

var errStranger = failure.Says("the id there is that of a document whose fields make the same partition key")
