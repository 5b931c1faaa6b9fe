package untyped

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Schema says by which form of the type a document is stored, and how documents of earlier
// forms become those of the present one.
type Schema struct {
	store.Schema
	Upgrade func(doc any, from int, raw json.RawMessage) error // nil if there is no earlier form
	Set     func(doc any)                                      // sets the field to the number of the present form
}

// upgrading returns decode, which brings a document of an earlier form to the present one.
func (t *Types) upgrading(decode func(raw []byte) (any, error)) func(raw []byte) (any, error) {
	s := t.Schema
	return func(raw []byte) (any, error) {
		from, err := s.Of(raw)
		if err == nil && from > s.Number {
			err = s.NewerError(from)
		}
		if err != nil {
			return nil, err
		}
		doc, err := decode(raw)
		if err != nil && from < s.Number {
			return nil, fmt.Errorf("%w; it is of form %d, and Upgrade gets documents that decode: give a property of another JSON type a new name, and read the old one from the stored document", err, from)
		}
		if err != nil {
			return nil, err
		}
		if from < s.Number {
			if err := t.upgrade(doc, from, raw); err != nil {
				return nil, err
			}
		}
		s.Set(doc)
		return doc, nil
	}
}

// errRekeyed is why a document that Upgrade has changed is refused.
var errRekeyed = errors.New("it has changed the key of the document, which stays stored under its key: leave the id and the fields of the key, and of the container's id, as they are")

// upgrade brings doc, which raw decodes to, to the present form. What a document has of its
// place stays as it is: its key, its ETag, and the key that it remembers.
func (t *Types) upgrade(doc any, from int, raw []byte) error {
	before, unkeyed := t.Place(doc)
	container := t.containerOf(doc)
	kept := t.keep(doc)
	if err := t.Schema.Upgrade(doc, from, bytes.Clone(raw)); err != nil {
		return t.upgradeError(from, wire.Reworded("it returned an error, which errors.As finds", err))
	}
	kept()
	if err := t.checkUnique(doc, raw); err != nil {
		return t.upgradeError(from, err)
	}
	after, err := t.Place(doc)
	if t.containerOf(doc) != container {
		return t.upgradeError(from, errRekeyed)
	}
	if unkeyed != nil && err != nil || before.ID == after.ID && before.Name == after.Name && err == nil {
		return nil //nolint:nilerr // a key that was refused before is told where it is used
	}
	return t.upgradeError(from, errRekeyed)
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

// upgradeError is the error about a stored document that Upgrade has not made one of the
// present form.
func (t *Types) upgradeError(from int, err error) error {
	return fmt.Errorf("the method Upgrade of %s, from form %d to form %d: %w", t.Name, from, t.Schema.Number, err)
}

// checkUnique returns an error if Upgrade has changed a unique value: its reservation is
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
			return fmt.Errorf("it has changed the unique property %s, whose reservation is that of the stored value: leave it as it is, and change it by Update", name)
		}
	}
	return nil
}
