package repository

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// typesOf returns a model without its types.
func typesOf[T any, K generated.Key](m *generated.Model[T, K]) untyped.Types {
	t := untyped.Types{
		Name: m.Type, Paths: m.Paths,
		Discriminator: m.Discriminator, Prefix: m.Prefix, Known: m.Known, Made: m.Made, Written: m.Written,
		Unique: m.Unique, Ambiguous: m.Ambiguous, Synthetic: m.Synthetic, Hierarchical: m.Values != nil,
		Integers: m.Integers, Tagged: m.ETag != nil, Computed: m.Computed, Resolves: m.Conflict != "",

		Fresh:      func() any { return new(T) },
		Place:      func(doc any) (wire.Place, error) { return placeOf(m, m.Key(doc.(*T))) },
		Deletion:   func(doc any) *write.BulkItem { return newBulkItem(m.Key(doc.(*T))) },
		KeyMatcher: func(doc any) func(any) bool { return keyMatcher(m, m.Key(doc.(*T))) },
		Remembered: func(doc any) *string {
			if m.Stored == nil {
				return nil
			}
			return m.Stored(doc.(*T))
		},
		ETag: func(doc any) *string {
			if m.ETag == nil {
				return nil
			}
			return m.ETag(doc.(*T))
		},
	}
	if t.Paths == nil {
		t.Paths = []string{m.Path}
	}
	for _, f := range m.Aliases {
		t.Aliases = append(t.Aliases, text.Aliased{Name: f.Property, Aliases: f.Names})
	}
	if m.Draft {
		t.Seal = untyped.Sealing(reflect.TypeFor[T]())
	}
	if m.Others != nil {
		var none K
		t.Earlier = len(m.Others(none)) - m.Later
		t.Places = func(w *write.Writer, doc any) (write.Places, error) { return placesOf(w, m, m.Key(doc.(*T))) }
	}
	if m.Rest != nil {
		t.Rest = func(v any) (*map[string]json.RawMessage, bool) {
			doc, ok := v.(*T)
			if !ok {
				return nil, false
			}
			return m.Rest(doc), true
		}
	}
	if m.Containers != nil {
		addContainers(&t, m)
	}
	for _, v := range m.Vectors {
		t.Vectors = append(t.Vectors, write.Vector(v))
	}
	if s := m.Stamps; s != nil {
		t.Stamps = &write.Stamps{Created: s.Created, Updated: s.Updated, Version: s.Version, Set: func(doc any, stamp write.Stamp) {
			s.Set(doc.(*T), generated.Stamp(stamp))
		}}
	}
	if del := m.Deleted; del != nil {
		t.Deleted = &write.Deleted{Property: del.Property, Seconds: del.Seconds, OwnTTL: del.OwnTTL, Clear: func(doc any) { del.Clear(doc.(*T)) }}
	}
	if s := m.Schema; s != nil {
		t.Schema = &store.Schema{
			Property: s.Property, Number: s.Number,
			Set: func(doc any) { s.Set(doc.(*T)) },
			Upgrade: func(doc any, from int, raw json.RawMessage) error {
				return convert(s, s.Upgrade, doc.(*T), from, raw)
			},
		}
		if s.Next > 0 {
			addNextForm(t.Schema, s)
		}
	}
	for _, x := range m.Indexed {
		t.Indexed = append(t.Indexed, indexPropertyOf(x))
	}
	if m.Random != nil {
		addRandom(&t, m)
	}
	return t
}

// indexPropertyOf returns a property for an index without its types.
func indexPropertyOf[T any, K generated.Key](x generated.Indexed[T, K]) write.IndexProperty {
	return write.IndexProperty{
		Index: x.Index, Property: x.Property, Components: x.Components,
		Set:   func(doc any) error { return x.Set(doc.(*T)) },
		Text:  func(doc any) string { return x.Text(doc.(*T)) },
		Fresh: func() any { return new(T) },
		Known: func(key any) any {
			if x.Known == nil {
				return new(T)
			}
			return x.Known(key.(K))
		},
	}
}

// addRandom adds to t the random suffix of a model.
func addRandom[T any, K generated.Key](t *untyped.Types, m *generated.Model[T, K]) {
	t.Buckets = m.Random.Buckets
	t.Suffix = func(doc any) int {
		key := m.Key(doc.(*T))
		return *m.Random.Suffix(&key)
	}
	t.Suffixed = func(doc any, suffix int) (wire.Place, error) {
		key := m.Key(doc.(*T))
		*m.Random.Suffix(&key) = suffix
		return placeOf(m, key)
	}
}

// placeOf returns where the document of key is stored. If the key is invalid, it returns the id
// and a *partition.KeyError.
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

// The functions below keep operations from affecting other documents. Types that share a
// container may use the same id, and in some layouts different components make the same
// partition key: "a-b" and "c" make "a-b-c", and so do "a" and "b-c". Documents with the same
// partition key and id are one item to Cosmos DB, and only the first is stored. So a read
// identifies the stored document, and the write has the condition that it has not changed.

// hasKey reports whether doc is the document of key.
func hasKey[T any, K generated.Key](m *generated.Model[T, K], doc *T, key K) bool {
	return m.Same == nil || m.Same(m.Key(doc), key)
}

// keyMatcher returns a function that reports whether a document at the place of key is the
// document of key.
func keyMatcher[T any, K generated.Key](m *generated.Model[T, K], key K) func(doc any) bool {
	return func(doc any) bool {
		own, ok := doc.(*T)
		return ok && hasKey(m, own, key)
	}
}

// ambiguousKeyMatcher is keyMatcher if keys can collide. Otherwise it returns nil, which
// matches every document of the type and allocates nothing.
func ambiguousKeyMatcher[T any, K generated.Key](m *generated.Model[T, K], key K) func(doc any) bool {
	if !m.Ambiguous {
		return nil
	}
	return keyMatcher(m, key)
}

// target returns the container of key and the target of an operation on it, or a
// *partition.KeyError.
func (d *scope[T, K]) target(key K) (in *untyped.Documents, at untyped.Target, err error) {
	if at.Place, err = placeOf(d.model, key); err != nil {
		return nil, at, err
	}
	at.Means = ambiguousKeyMatcher(d.model, key)
	if in, err = d.at(key); err == nil && d.model.Others != nil {
		at.Places, err = placesOf(in.Writer, d.model, key)
	}
	return in, at, err
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

// addNextForm adds to all the next release's form of a model.
func addNextForm[T any](all *store.Schema, s *generated.Schema[T]) {
	all.Next = s.Next
	all.Downgrade = func(doc any, from int, raw json.RawMessage) error {
		return convert(s, s.Downgrade, doc.(*T), from, raw)
	}
	all.SetNext = func(doc any) { s.SetNext(doc.(*T)) }
	all.IsNext = func(doc any) bool { return s.IsNext(doc.(*T)) }
}

// convert converts doc, which has another form, to the present one with a method. It keeps the
// stored values of fields that only the run time sets, so that a method that makes a new
// document does not undelete it.
func convert[T any](s *generated.Schema[T], method func(*T, int, json.RawMessage) error, doc *T, from int, raw json.RawMessage) error {
	if s.Keep == nil {
		return method(doc, from, raw)
	}
	stored := *doc
	err := method(doc, from, raw)
	s.Keep(doc, &stored)
	return err
}
