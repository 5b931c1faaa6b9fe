// Package reservation is what is stored for a unique value: the id of its reservation,
// and what the reservation says. docs/decisions/unique-values.md has the protocol. Stored data depends on
// it, so that nothing here can change.
package reservation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// The properties of the protocol, which no user's struct has.
const (
	// Property is the property of reservations.
	Property = "_unique"
	// PendingProperty is the property of a document whose values are not its own yet.
	PendingProperty = "_pending"
	// TypeValue is what reservations say in the property that tells types, so that no
	// type of the container takes one for its document.
	TypeValue = "_pkgen-unique"
	// IDPrefix is what the ids of reservations begin with, and those of no document.
	IDPrefix = "_pkgen-unique-"
)

// Bound is how old a reservation is before somebody who wants its value fences a holder
// that does not have it, and how old a hidden document is before somebody who wants its
// id removes it. The service counts whole seconds, so that it may be one less. A program
// takes two requests between the reservation and the document, and ten seconds are much
// longer than these take; no safety depends on it.
const Bound = 10 * time.Second

// Holder is what a reservation says.
type Holder struct {
	Type     string          `json:"type"`     // the name of the Go type, for readers
	Property string          `json:"property"` // the JSON name
	ID       string          `json:"id"`       // of the document that has the value
	Key      json.RawMessage `json:"key"`      // its partition key: a value, or a list of levels
	Token    string          `json:"token"`    // of the attempt that wrote the reservation
}

// HolderOf returns what a reservation says whose property Property has this value.
func HolderOf(value []byte) (h Holder, err error) {
	if err = json.Unmarshal(value, &h); err == nil && (h.ID == "" || len(h.Key) == 0) {
		err = errors.New("it names no document")
	}
	if err != nil {
		err = fmt.Errorf("the property %s of the reservation is broken: remove the reservation by pkgen-data verify -mend: %w", Property, err)
	}
	return h, err
}

// maxInteger is the greatest integer up to which all are stored exactly: Cosmos DB keeps
// numbers as IEEE 754 doubles.
const maxInteger = 1 << 53

// TextOf returns the text of the value of a property as JSON, empty for no value: the
// property is absent, null or an empty text.
func TextOf(value []byte) (string, error) {
	switch {
	case len(value) == 0 || string(value) == "null":
		return "", nil
	case value[0] == '"':
		var s string
		err := json.Unmarshal(value, &s)
		return s, err
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return "", errors.New("it is neither a text nor an integer")
	case err != nil || n > maxInteger || n < -maxInteger:
		return "", errors.New("the service rounds integers beyond 9007199254740992, so that two values would be one: use a string")
	}
	return strconv.FormatInt(n, 10), nil
}

// IDOf returns the id of the reservation of a value, which is its partition key, too:
// empty for no value. Scope is the value of type= of the type, empty if it has none. The
// value is in it as a SHA-256 hash only, so that neither an address of a request nor an
// error shows it, and so that it has no characters that an id may not have.
func IDOf(scope, property, value string) string {
	if value == "" {
		return ""
	}
	h := sha256.New()
	for _, part := range []string{scope, property, value} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return IDPrefix + hex.EncodeToString(h.Sum(nil))
}

// Body returns the JSON of a reservation without the properties of its partition key. It
// never expires: one that shared the time to live of its document would end before it,
// since each write to the document begins its time anew.
func Body(id string, h Holder) ([]byte, error) {
	holder, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	return []byte(`{"id":` + strconv.Quote(id) + `,"` + Property + `":` + string(holder) + `,"ttl":-1}`), nil
}
