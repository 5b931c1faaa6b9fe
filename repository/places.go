package repository

import (
	"context"
	"errors"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// This file knows the operations on types whose number of buckets grows. A document
// of such a type may be stored under several partition keys.

// placesOf returns where the document of key may be stored, or a *partition.KeyError.
func placesOf[T any, K generated.Key](m *generated.Model[T, K], key K) (write.Places, error) {
	home, err := placeOf(m, key)
	if err != nil {
		return write.Places{}, err
	}
	places := write.Places{Means: keyMatcher(m, key)}
	add := func(p wire.Place) {
		if !slices.ContainsFunc(places.All, func(known wire.Place) bool { return known.Name == p.Name }) {
			places.All = append(places.All, p)
		}
	}
	others := m.Others(key)
	for i, value := range others {
		p := placeAt(m, home, value)
		if i == len(others)-m.Later {
			places.Present = len(places.All)
			add(home)
		}
		if p.Name != home.Name {
			add(p)
		}
	}
	if m.Later == 0 {
		places.Present = len(places.All)
		add(home)
	}
	return places, nil
}

// placeAt returns the place of the document of home under another partition key.
func placeAt[T any, K generated.Key](m *generated.Model[T, K], home wire.Place, value any) wire.Place {
	p := wire.Place{ID: home.ID, Value: value}
	if m.Text != nil {
		p.Text, _ = value.(string)
	} else if len(m.Made) == 1 {
		p.Text = p.Made(m.Made[0])
	}
	p.Key, p.Name = wire.PartitionKeyOf(value)
	return p
}

// getAt is Get, wherever the document is.
func (d *Documents[T, K]) getAt(ctx context.Context, key K) (*T, error) {
	places, err := placesOf(d.model, key)
	if err != nil {
		return nil, err
	}
	doc, _, _, err := places.Read(ctx, d.untyped.writer, wire.OpGet)
	own, _ := doc.(*T) // nil with an error
	return own, exported(err)
}

// removeAt is Delete, wherever the document is.
func (d *Documents[T, K]) removeAt(ctx context.Context, key K) error {
	places, err := placesOf(d.model, key)
	if err == nil {
		err = d.untyped.store.JoinSession(ctx, wire.OpDelete)
	}
	if err != nil {
		return err
	}
	return places.Delete(ctx, d.untyped.writer)
}

// getOthers fills in the documents of keys that are not at their present places: a
// query more for each thousand of them and each number of buckets.
func (d *Documents[T, K]) getOthers(ctx context.Context, keys []K, docs []*T) error {
	tries := 1
	for turn := 1; turn <= tries; turn++ {
		err := d.getMany(ctx, keys, docs, func(key K) (wire.Place, bool, error) {
			places, err := placesOf(d.model, key)
			if err != nil {
				return wire.Place{}, false, err
			}
			order := places.Order()
			tries = max(tries, len(order)-1)
			if turn >= len(order) {
				return wire.Place{}, false, nil
			}
			return order[turn], true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// createAt is write.Create, wherever the document may be.
func (d *documents) createAt(ctx context.Context, doc any, w write.Document, repeated bool) (azcore.ETag, error) {
	if d.types.places == nil {
		return write.Create(ctx, d.writer, w, repeated)
	}
	places, err := d.types.places(doc)
	if err != nil {
		return "", err
	}
	return places.Create(ctx, d.writer, w, repeated)
}

// upsertAt is write.Upsert, wherever the document is. It returns the document as it
// was stored.
func (d *documents) upsertAt(ctx context.Context, doc any, w write.Document) (write.Document, azcore.ETag, error) {
	if d.types.places == nil {
		tag, err := write.Upsert(ctx, d.writer, w, d.matcherOf(doc))
		return w, tag, err
	}
	places, err := d.types.places(doc)
	if err != nil {
		return w, "", err
	}
	return places.Upsert(ctx, d.writer, w)
}

// replaceAt is write.Replace, wherever the document is. It returns the document as it
// was stored.
func (d *documents) replaceAt(ctx context.Context, doc any, w write.Document, unchanged azcore.ETag) (write.Document, azcore.ETag, error) {
	if d.types.places == nil {
		tag, err := write.Replace(ctx, d.writer, wire.OpReplace, w, d.matcherOf(doc), unchanged)
		return w, tag, err
	}
	places, err := d.types.places(doc)
	if err != nil {
		return w, "", err
	}
	return places.Replace(ctx, d.writer, wire.OpReplace, w, unchanged, d.rememberedText(doc))
}

// deleteUnchangedAt is Documents.DeleteIfMatch, wherever the document is.
func (d *documents) deleteUnchangedAt(ctx context.Context, doc any, unchanged azcore.ETag) error {
	places, err := d.types.places(doc)
	if err != nil {
		return err
	}
	return places.DeleteUnchanged(ctx, d.writer, unchanged, d.rememberedText(doc))
}

// rememberedText returns the key that doc remembers, or "".
func (d *documents) rememberedText(doc any) string {
	if field := d.types.remembered(doc); field != nil {
		return *field
	}
	return ""
}

// errGrows is the error of an operation that does not know where documents are while
// the number of buckets grows.
var errGrows = errors.New("the number of buckets of the type grows, so that its documents may be in several logical partitions: " +
	"this waits until the tags was and next are gone")

// createAnywhere has the document of an item created as createAt does. It takes from
// doc what it needs: the caller may use the struct again.
func (d *documents) createAnywhere(doc any, item *write.BulkItem) {
	if item.Err != nil {
		return
	}
	var places write.Places
	places, item.Err = d.types.places(doc)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		return places.Create(ctx, d.writer, item.Document, repeated)
	}
}

// upsertAnywhere has the document of an item stored as upsertAt does.
func (d *documents) upsertAnywhere(doc any, item *write.BulkItem) {
	var places write.Places
	places, item.Err = d.types.places(doc)
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		stored, tag, err := places.Upsert(ctx, d.writer, item.Document)
		item.Text = stored.Text // for the field that remembers it
		return tag, err
	}
}

// removeAnywhere has the document of an item removed as removeAt does.
func removeAnywhere[T any, K generated.Key](d *Documents[T, K], key K, item *write.BulkItem) {
	var places write.Places
	places, item.Err = placesOf(d.model, key)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		err := places.Delete(ctx, d.untyped.writer)
		if repeated && errors.Is(err, ErrNotFound) {
			return "", nil
		}
		return "", err
	}
}

// once returns a function that reports whether a document comes for the first time. It
// remembers the key of each document that it gets.
func (t *types) once() func(doc any) bool {
	seen := make(map[wire.Identity][]func(any) bool)
	return func(doc any) bool {
		p, err := t.place(doc)
		if err != nil {
			return true // nothing else is stored under a key that is refused
		}
		id := wire.Identity{ID: p.ID, Partition: p.Name}
		for _, same := range seen[id] {
			if same(doc) {
				return false
			}
		}
		seen[id] = append(seen[id], t.keyMatcher(doc))
		return true
	}
}
