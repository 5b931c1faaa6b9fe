package api

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Container describes the documents of type T in one container, with keys of type K, to the run
// time of an API.
type Container[T any, K generated.Key] struct {
	Model  *generated.Model[T, K]
	Driver Driver[T]

	// ID returns the part of a key that is unique within its partition key: the id, or the row key
	// of a table.
	ID func(K) string

	// IDProperty is the property with the ID, for queries.
	IDProperty string

	// Name is the name of the container. Cursors of other containers are refused.
	Name string

	Settings Settings

	// Stays, if not nil, returns an error if a draft would leave this machine.
	Stays func(context.Context) error

	// Twice is set if a proxy may send a request twice and return the second answer, as HTTP
	// proxies do. A refused write is then settled by reading the document, because the write may
	// have caused the refusal itself.
	Twice bool
}

// Place validates a key and returns the place of its document.
func (c *Container[T, K]) Place(key K) (Place, error) {
	if err := key.Validate(); err != nil {
		return Place{}, err
	}
	return Place{Partition: c.Model.Text(key), ID: c.ID(key)}, nil
}

// Version returns the version that doc was read with, or "". The version "*" matches any, as in
// package repository.
func (c *Container[T, K]) Version(doc *T) string {
	if c.Model.ETag == nil {
		return ""
	}
	if p := c.Model.ETag(doc); p != nil && *p != "*" {
		return *p
	}
	return ""
}

// Stored returns the field of doc that holds its stored key, or nil.
func (c *Container[T, K]) Stored(doc *T) *string {
	if c.Model.Stored == nil {
		return nil
	}
	return c.Model.Stored(doc)
}

// Remember sets the stored key and the version of doc.
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
