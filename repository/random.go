package repository

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
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
			Op: op, Type: d.store.typ, ID: d.model.ID(key),
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
