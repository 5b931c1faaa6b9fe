// Package reservation defines the stored form of a unique value's reservation: its id and its body.
// docs/decisions/unique-values.md describes the protocol. Stored data depends on it, so nothing
// here may change.
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

// The properties of the protocol. Users' structs do not have them.
const (
	// Property is the property of reservations.
	Property = "_unique"
	// PendingProperty is the property of a document that has not yet acquired its unique values.
	PendingProperty = "_pending"
	// TypeValue is a reservation's value of the property that distinguishes types, so that no type
	// reads it as a document.
	TypeValue = "_pkgen-unique"
	// IDPrefix begins the ids of reservations, and no id of a document.
	IDPrefix = "_pkgen-unique-"
)

// Bound is the minimum age of a reservation before another program may fence a holder that lacks
// its value, and of a hidden document before a program that wants its id may remove it. The service
// counts whole seconds, so it may be one less. A program sends two requests between the reservation
// and the document, which take much less than ten seconds. Safety does not depend on it.
const Bound = 10 * time.Second

// Holder is the body of a reservation.
type Holder struct {
	Type     string          `json:"type"`     // the name of the Go type, for readers
	Property string          `json:"property"` // the JSON name
	ID       string          `json:"id"`       // the id of the document with the value
	Key      json.RawMessage `json:"key"`      // its partition key: a value, or a list of levels
	Token    string          `json:"token"`    // the attempt that wrote the reservation
}

// HolderOf decodes the value of Property in a reservation.
func HolderOf(value []byte) (h Holder, err error) {
	if err = json.Unmarshal(value, &h); err == nil && (h.ID == "" || len(h.Key) == 0) {
		err = errors.New("it names no document")
	}
	if err != nil {
		err = fmt.Errorf("the property %s of the reservation is broken: remove the reservation by pkgen-data verify -mend: %w", Property, err)
	}
	return h, err
}

// maxInteger is the integer up to which all integers are stored exactly: Cosmos DB stores numbers
// as IEEE 754 doubles.
const maxInteger = 1 << 53

// TextOf returns the text of a property's value, from its JSON. It is empty for no value: the
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

// IDOf returns the id of a value's reservation, which is also its partition key: empty for no
// value. Scope is the value of type= of the type, or empty. The id contains only a SHA-256 hash of
// the value, so that addresses and errors do not reveal it, and all characters are legal in an id.
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

// Body returns the JSON of a reservation without its partition key properties. It never expires:
// with the time to live of its document it would end first, since each write to the document
// restarts the document's time.
func Body(id string, h Holder) ([]byte, error) {
	holder, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	return []byte(`{"id":` + strconv.Quote(id) + `,"` + Property + `":` + string(holder) + `,"ttl":-1}`), nil
}
