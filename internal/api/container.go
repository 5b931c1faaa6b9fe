package api

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Container is what the run time of an API has for the documents of type T in one
// container, by keys of type K.
type Container[T any, K generated.Key] struct {
	Model  *generated.Model[T, K]
	Driver Driver[T]

	// ID returns what identifies a document within its partition key: the id, or the row
	// key of a table.
	ID func(K) string

	// IDProperty is the property that has it, by which queries find it.
	IDProperty string

	// Name is the name of the container, by which cursors of one are refused in another.
	Name string

	Settings Settings

	// Stays is nil, or returns an error if a draft would leave this machine.
	Stays func(context.Context) error

	// Twice says that a proxy may send a request twice and return the second answer, as
	// proxies of HTTP do. The refusal of a write that it may have caused itself is then
	// settled by reading the document.
	Twice bool
}

// Place checks a key and returns where its document is.
func (c *Container[T, K]) Place(key K) (Place, error) {
	if err := key.Validate(); err != nil {
		return Place{}, err
	}
	return Place{Partition: c.Model.Text(key), ID: c.ID(key)}, nil
}

// Version returns the version that doc was read with, or "". The version "*" means any,
// as in package repository.
func (c *Container[T, K]) Version(doc *T) string {
	if c.Model.ETag == nil {
		return ""
	}
	if p := c.Model.ETag(doc); p != nil && *p != "*" {
		return *p
	}
	return ""
}

// Stored returns the field of doc that remembers its key, or nil.
func (c *Container[T, K]) Stored(doc *T) *string {
	if c.Model.Stored == nil {
		return nil
	}
	return c.Model.Stored(doc)
}

// Remember writes into doc under which key and as which version it is stored.
func (c *Container[T, K]) Remember(doc *T, at Place, version string) {
	if p := c.Stored(doc); p != nil {
		*p = at.Partition
	}
	if c.Model.ETag == nil || version == "" {
		return
	}
	if p := c.Model.ETag(doc); p != nil {
		*p = version
	}
}
