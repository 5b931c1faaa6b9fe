package repository

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// types is what depends on the types of documents and keys, and what else the model
// says.
type types struct {
	name          string   // for errors
	paths         []string // of the partition key, one for each level
	discriminator *generated.Discriminator
	prefix        string
	known         []string
	made          []int
	written       []string
	buckets       int // of a random suffix, 0 if keys have none

	draft, ambiguous, synthetic, hierarchical, integers, tagged bool

	fresh      func() any                                           // returns a pointer to a new document
	place      func(doc any) (wire.Place, error)                    // where doc is stored, or a *partition.KeyError
	keyMatcher func(doc any) func(other any) bool                   // reports whether another document has the key that doc has now
	deletion   func(doc any) *write.BulkItem                        // an item whose outcome has doc's key
	remembered func(doc any) *string                                // doc's synthetic field, or nil
	etag       func(doc any) *string                                // doc's field for the ETag, or nil
	places     func(w *write.Writer, doc any) (write.Places, error) // where doc may be stored; nil if there is one place
	rest       func(doc any) (*map[string]json.RawMessage, bool)    // doc's field for properties that the type does not know; nil if it has none

	// Of keys with a random suffix; nil for others:
	suffix   func(doc any) int                             // that doc has, 0 for none
	suffixed func(doc any, suffix int) (wire.Place, error) // where doc is stored under another suffix; the id with an error, too
}

// typesOf returns a model without its types.
func typesOf[T any, K generated.Key](m *generated.Model[T, K]) types {
	t := types{
		name: m.Type, paths: m.Paths,
		discriminator: m.Discriminator, prefix: m.Prefix, known: m.Known, made: m.Made, written: m.Written,
		draft: m.Draft, ambiguous: m.Ambiguous, synthetic: m.Synthetic, hierarchical: m.Values != nil,
		integers: m.Integers, tagged: m.ETag != nil,

		fresh:      func() any { return new(T) },
		place:      func(doc any) (wire.Place, error) { return placeOf(m, m.Key(doc.(*T))) },
		deletion:   func(doc any) *write.BulkItem { return newBulkItem(m.Key(doc.(*T))) },
		keyMatcher: func(doc any) func(any) bool { return keyMatcher(m, m.Key(doc.(*T))) },
		remembered: func(doc any) *string {
			if m.Stored == nil {
				return nil
			}
			return m.Stored(doc.(*T))
		},
		etag: func(doc any) *string {
			if m.ETag == nil {
				return nil
			}
			return m.ETag(doc.(*T))
		},
	}
	if t.paths == nil {
		t.paths = []string{m.Path}
	}
	if m.Others != nil {
		t.places = func(w *write.Writer, doc any) (write.Places, error) { return placesOf(w, m, m.Key(doc.(*T))) }
	}
	if m.Rest != nil {
		t.rest = func(v any) (*map[string]json.RawMessage, bool) {
			doc, ok := v.(*T)
			if !ok {
				return nil, false
			}
			return m.Rest(doc), true
		}
	}
	if m.Random != nil {
		t.buckets = m.Random.Buckets
		t.suffix = func(doc any) int {
			key := m.Key(doc.(*T))
			return *m.Random.Suffix(&key)
		}
		t.suffixed = func(doc any, suffix int) (wire.Place, error) {
			key := m.Key(doc.(*T))
			*m.Random.Suffix(&key) = suffix
			return placeOf(m, key)
		}
	}
	return t
}

// placeOf returns where the document of key is stored. If there cannot be one, it
// returns its id and a *partition.KeyError.
func placeOf[T any, K generated.Key](m *generated.Model[T, K], key K) (wire.Place, error) {
	p := wire.Place{ID: m.ID(key)}
	if err := key.Validate(); err != nil {
		return p, err
	}
	switch {
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
	return p, nil
}

// The functions below keep operations from the documents of others. A write may
// meet another document for two reasons. Types that share a container may give
// their documents one id. And in some layouts different components make one
// partition key: "a-b" and "c" make "a-b-c", and so do "a" and "b-c". Documents
// of one partition key and one id are one item to Cosmos DB, and the first that
// is stored has it. So a read tells whose document is stored, and the write has
// the condition that this document has not changed.

// hasKey reports whether doc is the document of key.
func hasKey[T any, K generated.Key](m *generated.Model[T, K], doc *T, key K) bool {
	return m.Same == nil || m.Same(m.Key(doc), key)
}

// keyMatcher returns hasKey for the documents at the place of a key.
func keyMatcher[T any, K generated.Key](m *generated.Model[T, K], key K) func(doc any) bool {
	return func(doc any) bool {
		own, ok := doc.(*T)
		return ok && hasKey(m, own, key)
	}
}

// ambiguousKeyMatcher is keyMatcher if keys can collide. Otherwise it is nil,
// which costs nothing: every document of the type matches.
func ambiguousKeyMatcher[T any, K generated.Key](m *generated.Model[T, K], key K) func(doc any) bool {
	if !m.Ambiguous {
		return nil
	}
	return keyMatcher(m, key)
}

// matcherOf is ambiguousKeyMatcher for the key that doc has now.
func (d *documents) matcherOf(doc any) func(other any) bool {
	if !d.types.ambiguous {
		return nil
	}
	return d.types.keyMatcher(doc)
}

// decoding returns what makes a document of its JSON.
func (t *types) decoding(unmarshal func([]byte, any) error) func(raw []byte) (any, error) {
	fresh := t.fresh
	return func(raw []byte) (any, error) {
		doc := fresh()
		if err := unmarshal(raw, doc); err != nil {
			return nil, fmt.Errorf("its JSON does not decode: %w", wire.Undecoded(unmarshal, raw, fresh, err))
		}
		return doc, nil
	}
}

// unknownProperties returns what keeps properties that the type does not know, nil
// if the type keeps none.
func (t *types) unknownProperties() *write.Unknown {
	if t.rest == nil {
		return nil
	}
	known := slices.Concat(t.known, write.SystemProperties, []string{store.MarkProperty})
	if d := t.discriminator; d != nil && d.Value != "" {
		known = append(known, d.Property)
	}
	for i, path := range t.paths {
		// Other properties of the object that holds a nested key are unknown ones, too.
		if path := text.Names(path); len(path) == 1 && (t.synthetic || slices.Contains(t.made, i)) {
			known = append(known, path[0])
		}
	}
	return &write.Unknown{Field: t.rest, Fields: t.known, Known: known}
}

// placesOf returns where the document of key may be stored, or a *partition.KeyError.
func placesOf[T any, K generated.Key](w *write.Writer, m *generated.Model[T, K], key K) (write.Places, error) {
	home, err := placeOf(m, key)
	if err != nil {
		return write.Places{}, err
	}
	places := write.Places{Means: keyMatcher(m, key)}
	add := func(p wire.Place) {
		if !slices.ContainsFunc(places.All, func(known write.Site) bool { return known.Name == p.Name }) {
			places.All = append(places.All, write.Site{Place: p, Writer: w})
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
