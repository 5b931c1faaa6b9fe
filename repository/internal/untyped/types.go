package untyped

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/placing"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/unique"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Types has the functions that depend on the types of documents and keys, and the rest of
// the model.
type Types struct {
	Name          string   // for errors
	Paths         []string // of the partition key, one for each level
	Discriminator *generated.Discriminator
	Prefix        string
	Unique        unique.Properties // nil without unique properties
	Known         []string
	Aliases       []text.Aliased // properties with other names in old documents
	Made          []int
	Written       []string
	Buckets       int // of a random suffix; 0 if keys have none

	Ambiguous, Synthetic, Hierarchical, Integers, Tagged bool

	Resolves bool // the tag has conflict=: the last of concurrent updates in several write regions wins

	Seal string // the command that seals a draft layout; "" if sealed

	// For a type with several containers; nil for others:
	Container    func(doc any) (name string, at time.Time, err error) // returns the container of doc, and the time in its name
	Properties   func(name string) wire.ContainerProperties           // returns the properties of a container
	Ensure       string                                               // the name of the function that creates a container
	Template     placing.Template                                     // of the names of containers
	TimeProperty string                                               // the JSON pointer of the time in the names; empty if they have none

	// Without the repository's clock:
	Stamps  *write.Stamps  // nil if the type has none
	Deleted *write.Deleted // nil if documents of the type are not marked as deleted

	Vectors  write.Vectors       // nil if the type has none
	Computed *generated.Computed // of the container; nil if it has none
	Schema   *store.Schema       // nil if the type has no forms
	Indexed  write.Indexed       // nil if the run time sets no fields for indexes

	Fresh      func() any                                           // returns a pointer to a new document
	Place      func(doc any) (wire.Place, error)                    // returns the place of doc, or a *partition.KeyError
	KeyMatcher func(doc any) func(other any) bool                   // reports whether another document has the present key of doc
	Deletion   func(doc any) *write.BulkItem                        // returns an item whose outcome has the key of doc
	Remembered func(doc any) *string                                // returns the synthetic field of doc, or nil
	ETag       func(doc any) *string                                // returns the ETag field of doc, or nil
	Earlier    int                                                  // how many bucket counts was= lists, at least
	Places     func(w *write.Writer, doc any) (write.Places, error) // returns where doc may be stored; nil if there is one place
	Rest       func(doc any) (*map[string]json.RawMessage, bool)    // returns the field of doc for unknown properties; nil if the type has none

	// For keys with a random suffix; nil for others:
	Suffix   func(doc any) int                             // returns the suffix of doc, or 0
	Suffixed func(doc any, suffix int) (wire.Place, error) // returns the place of doc under another suffix; an error comes with the id
}

// alone reports whether the partition key is hierarchical and ends in the id, so that each
// document has its own logical partition.
func (t *Types) alone() bool {
	return t.Hierarchical && slices.Equal(jsonpointer.Names(t.Paths[len(t.Paths)-1]), wire.IDPath)
}

// rules returns the rules that select the documents of the type in a container. Fenced says
// that tenants move from the container.
func (t *Types) rules(fenced bool) (all []store.Rule) {
	if fenced {
		all = append(all, store.WithoutFences())
	}
	if t.Discriminator != nil {
		all = append(all, store.OfType(t.Discriminator))
	}
	if t.Places != nil {
		all = append(all, store.WithoutMarks())
	}
	if t.Unique != nil {
		pending := store.Without(reservation.PendingProperty, store.Hidden, unique.ErrPending)
		pending.IDs = reservation.IDPrefix
		all = append(all, pending)
		if d := t.Discriminator; d == nil || d.Value == "" { // no discriminator separates documents from reservations
			all = append(all, store.Without(reservation.Property, store.Hidden, unique.ErrReservation))
		}
	}
	if t.Deleted != nil {
		all = append(all, store.Without(t.Deleted.Property, store.Deleted, wire.ErrDeleted))
	}
	if t.Schema != nil {
		all = append(all, store.OfForm(t.Schema))
	}
	return all
}

// computed returns the properties that the service computes.
func (t *Types) computed() write.Computed {
	if t.Computed == nil {
		return nil
	}
	var names write.Computed
	for _, p := range t.Computed.Properties[:t.Computed.Own] {
		names = append(names, p.Name)
	}
	return names
}

// ComputedOf returns the computed properties of a container, and a function that reports
// whether two queries compute the same value.
func ComputedOf(c *generated.Computed) (all []containers.ComputedProperty, same func(a, b string) bool) {
	if c == nil {
		return nil, nil
	}
	for _, p := range c.Properties {
		all = append(all, containers.ComputedProperty(p))
	}
	return all, c.Same
}

// Decoding returns the function that decodes a stored document.
func (t *Types) Decoding(unmarshal func([]byte, any) error) func(raw []byte) (any, error) {
	fresh, computed := t.Fresh, t.computed()
	decode := func(raw []byte) (any, error) {
		if t.Aliases != nil {
			raw = text.Rename(raw, t.Aliases)
		}
		raw = computed.Without(raw) // another program may have stored such a property
		doc := fresh()
		if err := unmarshal(raw, doc); err != nil {
			return nil, fmt.Errorf("its JSON does not decode: %w", wire.Undecoded(unmarshal, raw, fresh, err))
		}
		return doc, nil
	}
	if t.Schema != nil {
		return t.upgrading(decode)
	}
	return decode
}

// unknownProperties returns the keeper of unknown properties, or nil if the type keeps
// none.
func (t *Types) unknownProperties() *write.Unknown {
	if t.Rest == nil {
		return nil
	}
	known := slices.Concat(t.Known, aliases(t.Aliases), system.Properties, []string{marks.Property})
	if t.Unique != nil {
		known = append(known, reservation.PendingProperty, reservation.Property)
	}
	if d := t.Deleted; d != nil && d.Seconds > 0 {
		known = append(known, system.TTL)
	}
	if d := t.Discriminator; d != nil && d.Value != "" {
		known = append(known, d.Property)
	}
	for i, path := range t.Paths {
		// Other properties in the object of a nested key are unknown properties.
		if path := jsonpointer.Names(path); len(path) == 1 && (t.Synthetic || slices.Contains(t.Made, i)) {
			known = append(known, path[0])
		}
	}
	return &write.Unknown{Field: t.Rest, Fields: t.Known, Known: known}
}

// aliases returns the aliases of all properties.
func aliases(all []text.Aliased) []string {
	var names []string
	for _, p := range all {
		names = append(names, p.Aliases...)
	}
	return names
}

// matcherOf returns a function that reports whether another document has the present key of
// doc. It is nil if keys cannot collide.
func (d *Documents) matcherOf(doc any) func(other any) bool {
	if !d.Types.Ambiguous {
		return nil
	}
	return d.Types.KeyMatcher(doc)
}

// once returns a function that reports whether a document comes for the first time. It
// remembers the key of each document.
func (t *Types) once() func(doc any) bool {
	seen := make(map[wire.Identity][]func(any) bool)
	return func(doc any) bool {
		p, err := t.Place(doc)
		if err != nil {
			return true // an invalid key cannot come again
		}
		id := wire.Identity{ID: p.ID, Partition: p.Name}
		for _, same := range seen[id] {
			if same(doc) {
				return false
			}
		}
		seen[id] = append(seen[id], t.KeyMatcher(doc))
		return true
	}
}

// upgrading returns decode with conversions: from earlier forms to the present one, and
// from the next form back.
func (t *Types) upgrading(decode func(raw []byte) (any, error)) func(raw []byte) (any, error) {
	s := t.Schema
	return func(raw []byte) (any, error) {
		from, err := s.Of(raw)
		if err == nil && from > s.Number && from != s.Next {
			err = s.NewerError(from)
		}
		if err != nil {
			return nil, err
		}
		doc, err := decode(raw)
		switch {
		case err != nil && from < s.Number:
			return nil, fmt.Errorf("%w; it is of form %d, and Upgrade gets documents that decode: give a property of another JSON type a new name, and read the old one from the stored document", err, from)
		case err != nil && from > s.Number:
			return nil, fmt.Errorf("%w; it is of form %d, and Downgrade gets documents that decode: give a property of another JSON type a new name in that form", err, from)
		case err != nil:
			return nil, err
		case from < s.Number:
			err = t.convert(doc, from, raw, "Upgrade", s.Upgrade)
		case from > s.Number:
			err = t.convert(doc, from, raw, "Downgrade", s.Downgrade)
		}
		if err != nil {
			return nil, err
		}
		if from > s.Number {
			s.SetNext(doc) // writes refuse it
		} else {
			s.Set(doc)
		}
		return doc, nil
	}
}

// errRekeyed is the error of a conversion that changes the key of a document.
var errRekeyed = errors.New("it has changed the key of the document: leave the id, the fields of the key, and the fields of the container's id unchanged")

// convert converts doc, decoded from raw, to the present form by a method. Its key, its
// ETag and its remembered key must not change.
func (t *Types) convert(doc any, from int, raw []byte, name string, method func(doc any, from int, raw json.RawMessage) error) error {
	before, unkeyed := t.Place(doc)
	container := t.containerOf(doc)
	kept := t.keep(doc)
	if err := method(doc, from, bytes.Clone(raw)); err != nil {
		return t.convertError(name, from, failure.Reworded("it returned an error, which errors.As finds", err))
	}
	kept()
	if err := t.checkUnique(doc, raw); err != nil {
		return t.convertError(name, from, err)
	}
	after, err := t.Place(doc)
	if t.containerOf(doc) != container {
		return t.convertError(name, from, errRekeyed)
	}
	if unkeyed != nil && err != nil || before.ID == after.ID && before.Name == after.Name && err == nil {
		return nil //nolint:nilerr // a key that was refused before is told where it is used
	}
	return t.convertError(name, from, errRekeyed)
}

// containerOf returns the container of doc. It is "" if the type has one container, or the
// fields of doc are invalid.
func (t *Types) containerOf(doc any) string {
	if t.Container == nil {
		return ""
	}
	name, _, err := t.Container(doc)
	if err != nil {
		return ""
	}
	return name
}

// keep returns a function that restores the fields of doc which the run time sets.
func (t *Types) keep(doc any) func() {
	var tag, remembered string
	if field := t.ETag(doc); field != nil {
		tag = *field
	}
	if field := t.Remembered(doc); field != nil {
		remembered = *field
	}
	return func() {
		if field := t.ETag(doc); field != nil {
			*field = tag
		}
		if field := t.Remembered(doc); field != nil {
			*field = remembered
		}
	}
}

// convertError is the error of a method that did not convert a stored document.
func (t *Types) convertError(method string, from int, err error) error {
	return fmt.Errorf("the method %s of %s, from form %d to form %d: %w", method, t.Name, from, t.Schema.Number, err)
}

// checkUnique returns an error if a method has changed a unique value, because its
// reservation is for the stored value.
func (t *Types) checkUnique(doc any, raw []byte) error {
	if t.Unique == nil {
		return nil
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	for _, name := range t.Unique {
		before, _ := reservation.TextOf(text.Member(raw, name))
		after, err := reservation.TextOf(text.Member(body, name))
		if err != nil || before != after {
			return fmt.Errorf("it has changed the unique property %s, which has a reservation for the stored value: leave it unchanged, and change it by Update", name)
		}
	}
	return nil
}
