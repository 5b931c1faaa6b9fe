package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
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
	*field = d.model.Text(key)
	return nil
}

// readBack reads the document that stands in the way of w and reports whether
// it is the one that w wanted to store, with its ETag.
func (d *Documents[T, K]) readBack(ctx context.Context, w write) (azcore.ETag, bool) {
	callCtx, done := measure(ctx)
	response, err := d.container.ReadItem(callCtx, w.key, w.id, nil)
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

// Find returns the document of this id under whichever suffix it has: keys are
// all that it may have. Generated Find methods call it.
//
// It asks each physical partition that holds some of the keys once, and costs
// about 3 request units for each. It returns ErrNotFound if no suffix holds the
// id, and ErrAmbiguous, naming the partition keys, if several do.
func Find[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (*T, error) {
	const op = "find"
	if err := keys.Check(d.typ); err != nil {
		return nil, err
	}
	items := make([]azcosmos.ItemIdentity, keys.Len())
	for i := range items {
		key, _ := partitionKeyOf(keys.At(i))
		items[i] = azcosmos.ItemIdentity{ID: id, PartitionKey: key}
	}
	callCtx, done := measure(ctx)
	response, err := d.container.ReadManyItems(callCtx, items, nil)
	done(response.RequestCharge, err)
	if err != nil {
		return nil, requestError(op, d.typ, id, "", err)
	}
	switch len(response.Items) {
	case 0:
		return nil, &Error{Op: op, Type: d.typ, ID: id, Err: ErrNotFound}
	case 1:
		doc, err := d.decode(response.Items[0])
		if err != nil {
			return nil, &Error{Op: op, Type: d.typ, ID: id, Err: err}
		}
		return doc, nil
	}
	return nil, &Error{Op: op, Type: d.typ, ID: id, kind: ErrAmbiguous, Err: d.under(response.Items)}
}

// under names the partition keys of documents.
func (d *Documents[T, K]) under(items [][]byte) error {
	names := make([]string, 0, len(items))
	for _, item := range items {
		doc, err := d.decode(item)
		if err != nil {
			return err
		}
		names = append(names, strconv.Quote(d.model.Text(d.model.Key(doc))))
	}
	return fmt.Errorf("it stands under %s: Get reads one of them", strings.Join(names, ", "))
}
