package repository

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// chooseSuffix gives doc a random suffix if its type has one and doc has none.
// It keeps the suffix in doc's synthetic field, once the key is known to be
// sound: a document must not change its logical partition between two attempts.
func (d *Documents[T, K]) chooseSuffix(op string, doc *T) error {
	random := d.model.Random
	if random == nil || doc == nil {
		return nil
	}
	key := d.model.Key(doc)
	suffix := random.Suffix(&key)
	if *suffix != 0 {
		return nil
	}
	field := d.remembered(doc)
	if field == nil {
		return &Error{
			Op: op, Type: d.typ, ID: d.model.ID(key),
			Err: errors.New("a nil pointer stands before the synthetic field, which must remember the random suffix: set it first"),
		}
	}
	*suffix = 1 + rand.IntN(random.Buckets)
	if err := key.Validate(); err != nil {
		return err
	}
	*field = d.place(key).text
	return nil
}

// readBack reads the document that stands in the way of w and reports whether
// it is the one that w wanted to store, with its ETag.
func (d *Documents[T, K]) readBack(ctx context.Context, w write) (azcore.ETag, bool) {
	callCtx, done := d.begin(ctx, w.event("create"))
	response, err := d.container.ReadItem(callCtx, w.key, w.id, readOptions(ctx))
	done(response.RequestCharge, err)
	if err != nil {
		return "", false
	}
	return response.ETag, sameDocument(response.Value, w.body)
}

// systemProperties are what the service adds to a document or replaces in it.
var systemProperties = []string{"_rid", "_self", "_etag", "_attachments", "_ts"}

// sameDocument reports whether two documents are equal but for the properties
// of the system.
func sameDocument(a, b []byte) bool {
	var left, right map[string]any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	for _, name := range systemProperties {
		delete(left, name)
		delete(right, name)
	}
	return reflect.DeepEqual(left, right)
}
