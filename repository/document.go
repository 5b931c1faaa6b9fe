package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// tookEffect is what there is to say of an error after a write that has succeeded.
const tookEffect = "after the write took effect"

// contentOf returns the document at p that c has. If the answer was told to leave it
// out, by a policy of the client's own, the document is read, one request more. An
// answer that lost it on the way is an error: see wire.CheckWritten.
func contentOf[T any, K generated.Key](ctx context.Context, d *Documents[T, K], op string, p wire.Place, c *wire.Content) (*T, error) {
	if len(c.Document()) == 0 {
		doc, _, err := readAs(ctx, d, op, p)
		return doc, wire.Noted(err, tookEffect, nil)
	}
	doc, err := decodeAs[T](d.store, c.Document())
	if err != nil {
		return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Note: tookEffect}
	}
	return doc, nil
}

// place returns where the document of key is kept.
func place[T any, K generated.Key](d *Documents[T, K], key K) wire.Place {
	p := wire.Place{ID: d.model.ID(key)}
	switch m := d.model; {
	case m.Text != nil:
		p.Text = m.Text(key)
		p.Value = p.Text
	case m.Values != nil:
		p.Value = m.Values(key)
		if len(m.Made) == 1 {
			p.Text = p.Made(m.Made[0])
		}
	default:
		p.Value = m.Value(key)
	}
	p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	return p
}

// prepare checks doc's key and makes the JSON to be stored.
func prepare[T any, K generated.Key](d *Documents[T, K], op string, doc *T) (write.Document, error) {
	if doc == nil {
		return write.Document{}, &wire.OperationError{Op: op, Type: d.store.Type, Err: errors.New("the document is nil")}
	}
	key := d.model.Key(doc)
	if err := key.Validate(); err != nil {
		return write.Document{}, err
	}
	w, err := write.Prepare(d.writer, op, place(d, key), doc)
	if err == nil {
		remember(d, doc, w)
	}
	return w, err
}

// readAs reads the document at p, whose ETag it returns as well.
func readAs[T any, K generated.Key](ctx context.Context, d *Documents[T, K], op string, p wire.Place) (*T, azcore.ETag, error) {
	doc, response, err := d.store.Read(ctx, op, p)
	own, _ := doc.(*T) // nil beside an error
	return own, response.ETag, err
}

// prepareExisting is prepare for a document that may be stored already.
func prepareExisting[T any, K generated.Key](d *Documents[T, K], op string, doc *T) (write.Document, error) {
	w, err := prepare(d, op, doc)
	if err != nil {
		return w, err
	}
	return w, write.CheckKeyUnchanged(d.writer, op, w.Place, remembered(d, doc))
}

// noteStored notes in doc's own fields what the service holds now.
func noteStored[T any, K generated.Key](d *Documents[T, K], doc *T, w write.Document, tag azcore.ETag) {
	if field := remembered(d, doc); field != nil {
		*field = w.Text
	}
	if field := etag(d, doc); field != nil && tag != "" {
		*field = string(tag)
	}
}

// remembered returns doc's synthetic field, or nil.
func remembered[T any, K generated.Key](d *Documents[T, K], doc *T) *string {
	if d.model.Stored == nil {
		return nil
	}
	return d.model.Stored(doc)
}

// etag returns doc's etag field, or nil.
func etag[T any, K generated.Key](d *Documents[T, K], doc *T) *string {
	if d.model.ETag == nil {
		return nil
	}
	return d.model.ETag(doc)
}

// decoding returns what makes a document of its JSON: a *T.
func decoding[T any](unmarshal func([]byte, any) error) func(raw []byte) (any, error) {
	return func(raw []byte) (any, error) {
		doc := new(T)
		if err := unmarshal(raw, doc); err != nil {
			return nil, fmt.Errorf("its JSON does not decode: %w", wire.Undecoded(unmarshal, raw, func() any { return new(T) }, err))
		}
		return doc, nil
	}
}

// decodeAs makes a document of st of its JSON.
func decodeAs[T any](st *store.Store, raw []byte) (*T, error) {
	doc, err := st.Decode(raw)
	own, _ := doc.(*T) // nil beside an error
	return own, err
}

// checkedETag returns the ETag in doc, which is to be stored at p, empty if it has none.
func checkedETag[T any, K generated.Key](d *Documents[T, K], op string, p wire.Place, doc *T) (azcore.ETag, error) {
	field := etag(d, doc)
	if field == nil {
		return "", nil
	}
	tag := azcore.ETag(*field)
	if err := wire.CheckETag(tag); err != nil {
		return "", &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	return tag, nil
}

// newRest returns the rest of a model, nil if its type keeps none.
func newRest[T any, K generated.Key](model *generated.Model[T, K], paths []string) *write.Unknown {
	if model.Rest == nil {
		return nil
	}
	known := slices.Concat(model.Known, write.SystemProperties)
	if d := model.Discriminator; d != nil && d.Value != "" {
		known = append(known, d.Property)
	}
	for i, path := range paths {
		// What stands beside a nested key is as unknown as other properties.
		if path := text.Names(path); len(path) == 1 && (model.Synthetic || slices.Contains(model.Made, i)) {
			known = append(known, path[0])
		}
	}
	field := func(v any) (*map[string]json.RawMessage, bool) {
		doc, ok := v.(*T)
		if !ok {
			return nil, false
		}
		return model.Rest(doc), true
	}
	return &write.Unknown{Field: field, Fields: model.Known, Known: known}
}

// This file is for writes that may meet the document of somebody else. There are
// two reasons. Types that share a container may give their documents one id. And
// there are layouts in which different components can make one partition key:
// "a-b" and "c" make "a-b-c", and so do "a" and "b-c". Documents of one partition
// key and one id are one item to Cosmos DB, and the first to be stored has it.
// What is here sees to it that nobody gets, overwrites or deletes the document of
// somebody else: a read says whose document is there, and the write is made on
// the condition that it is still that one.

// isMeant reports whether doc is the document that key means.
func isMeant[T any, K generated.Key](d *Documents[T, K], doc *T, key K) bool {
	return d.model.Same == nil || d.model.Same(d.model.Key(doc), key)
}

// meant is means where keys can collide. Elsewhere it is nil, and costs nothing:
// every document of the type is meant.
func meant[T any, K generated.Key](d *Documents[T, K], key K) func(doc any) bool {
	if !d.model.Ambiguous {
		return nil
	}
	return means(d, key)
}

// means returns is for the documents at the place of a key.
func means[T any, K generated.Key](d *Documents[T, K], key K) func(doc any) bool {
	return func(doc any) bool {
		own, ok := doc.(*T)
		return ok && isMeant(d, own, key)
	}
}
