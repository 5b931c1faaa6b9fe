package repository

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// content is the document that the answer to a write has, where the request asks
// for it (Prefer: return=representation). A nil content asks for none, and such
// answers have no body.
type content struct{ body []byte }

// options returns o, which may be nil, as that of a request that asks for c.
func (c *content) options(o *azcosmos.ItemOptions) *azcosmos.ItemOptions {
	if c == nil {
		return o
	}
	if o == nil {
		o = &azcosmos.ItemOptions{}
	}
	o.EnableContentResponseOnWrite = true
	return o
}

// keep notes what the answer to a write has, and returns it.
func (c *content) keep(response azcosmos.ItemResponse, err error) (azcosmos.ItemResponse, error) {
	if c != nil && err == nil {
		c.body = response.Value
	}
	return response, err
}

// tookEffect is what there is to say of an error after a write that has succeeded.
const tookEffect = "after the write took effect"

// contentOf returns the document at p that c has. If the answer was told to leave it
// out, by a policy of the client's own, the document is read, one request more. An
// answer that has lost it is none: see checkWritten.
func (d *Documents[T, K]) contentOf(ctx context.Context, op string, p place, c *content) (*T, error) {
	if len(c.body) == 0 {
		doc, _, err := d.read(ctx, op, p)
		return doc, noted(err, tookEffect, nil)
	}
	doc, err := decodeAs[T](d.store, c.body)
	if err != nil {
		return nil, &Error{Op: op, Type: d.store.typ, ID: p.id, PartitionKey: p.name, Err: err, note: tookEffect}
	}
	return doc, nil
}
