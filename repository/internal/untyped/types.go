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

// Types is what depends on the types of documents and keys, and what else the model
// says.
type Types struct {
	Name          string   // for errors
	Paths         []string // of the partition key, one for each level
	Discriminator *generated.Discriminator
	Prefix        string
	Unique        unique.Properties // nil without unique properties
	Known         []string
	Aliases       []text.Aliased // properties that old documents have under other names
	Made          []int
	Written       []string
	Buckets       int // of a random suffix, 0 if keys have none

	Ambiguous, Synthetic, Hierarchical, Integers, Tagged bool

	Resolves bool // the tag has conflict=: of updates in several write regions the last one wins

	Seal string // the command that seals the layout, if it is a draft

	// Of a type with several containers; nil for others:
	Container    func(doc any) (name string, at time.Time, err error) // that doc belongs to, and the time that its name has
	Properties   func(name string) wire.ContainerProperties           // of a container
	Ensure       string                                               // the function that creates a container
	Template     placing.Template                                     // of the names of containers
	TimeProperty string                                               // the JSON pointer of the time that names have; empty if they have none

	// Without the clock of the repository:
	Stamps  *write.Stamps  // nil if the type has none
	Deleted *write.Deleted // nil if documents of the type are not marked as deleted

	Vectors  write.Vectors       // nil if the type has none
	Computed *generated.Computed // of the container; nil if it has none
	Schema   *store.Schema       // nil if documents do not say by which form of the type they are stored
	Indexed  write.Indexed       // nil if no index has a property of its own

	Fresh      func() any                                           // returns a pointer to a new document
	Place      func(doc any) (wire.Place, error)                    // where doc is stored, or a *partition.KeyError
	KeyMatcher func(doc any) func(other any) bool                   // reports whether another document has the key that doc has now
	Deletion   func(doc any) *write.BulkItem                        // an item whose outcome has doc's key
	Remembered func(doc any) *string                                // doc's synthetic field, or nil
	ETag       func(doc any) *string                                // doc's field for the ETag, or nil
	Earlier    int                                                  // how many numbers of buckets was lists at least
	Places     func(w *write.Writer, doc any) (write.Places, error) // where doc may be stored; nil if there is one place
	Rest       func(doc any) (*map[string]json.RawMessage, bool)    // doc's field for properties that the type does not know; nil if it has none

	// Of keys with a random suffix; nil for others:
	Suffix   func(doc any) int                             // that doc has, 0 for none
	Suffixed func(doc any, suffix int) (wire.Place, error) // where doc is stored under another suffix; the id with an error, too
}

// alone reports whether the partition key is a hierarchical one that ends in the id: then each
// document has a logical partition of its own.
func (t *Types) alone() bool {
	return t.Hierarchical && slices.Equal(jsonpointer.Names(t.Paths[len(t.Paths)-1]), wire.IDPath)
}

// rules returns what tells which items of a container are documents of the type. Fenced says
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
		if d := t.Discriminator; d == nil || d.Value == "" { // no name tells documents from reservations
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

// ComputedOf returns the computed properties of a container, and what reports whether two queries
// compute the same.
func ComputedOf(c *generated.Computed) (all []containers.ComputedProperty, same func(a, b string) bool) {
	if c == nil {
		return nil, nil
	}
	for _, p := range c.Properties {
		all = append(all, containers.ComputedProperty(p))
	}
	return all, c.Same
}

// Decoding returns what makes a document of its JSON.
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

// unknownProperties returns what keeps properties that the type does not know, nil
// if the type keeps none.
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
		// Other properties of the object that holds a nested key are unknown ones, too.
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

// matcherOf returns what reports whether another document has the key that doc has now.
// It is nil if keys cannot collide.
func (d *Documents) matcherOf(doc any) func(other any) bool {
	if !d.Types.Ambiguous {
		return nil
	}
	return d.Types.KeyMatcher(doc)
}

// once returns a function that reports whether a document comes for the first time. It
// remembers the key of each document that it gets.
func (t *Types) once() func(doc any) bool {
	seen := make(map[wire.Identity][]func(any) bool)
	return func(doc any) bool {
		p, err := t.Place(doc)
		if err != nil {
			return true // nothing else is stored under a key that is refused
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

// upgrading returns decode, which brings a document of an earlier form to the present one,
// and one of the next form back.
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

// errRekeyed is why a document that a method has changed is refused.
var errRekeyed = errors.New("it has changed the key of the document: leave the id, the fields of the key, and the fields of the container's id unchanged")

// convert brings doc, which raw decodes to, to the present form by a method. What a document has of its
// place stays as it is: its key, its ETag, and the key that it remembers.
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

// containerOf returns the container that doc belongs to, "" if the type has one, or if its
// fields name none.
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

// keep returns a function that sets the fields of doc which the run time fills in to what
// they are now.
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

// convertError is the error about a stored document that a method has not made one of the
// present form.
func (t *Types) convertError(method string, from int, err error) error {
	return fmt.Errorf("the method %s of %s, from form %d to form %d: %w", method, t.Name, from, t.Schema.Number, err)
}

// checkUnique returns an error if a method has changed a unique value: its reservation is
// that of the stored value.
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
