package unique

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Properties are the JSON names of the unique properties of a type.
type Properties []string

// textOf returns the text of the value of a property as JSON, empty for no value: the
// property is absent, null or an empty text.
func textOf(value []byte) (string, error) {
	switch {
	case len(value) == 0 || string(value) == "null":
		return "", nil
	case value[0] == '"':
		var s string
		err := json.Unmarshal(value, &s)
		return s, err
	}
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return strconv.FormatInt(n, 10), nil
	}
	if n, err := strconv.ParseUint(string(value), 10, 64); err == nil {
		return strconv.FormatUint(n, 10), nil
	}
	return "", errors.New("it is neither a text nor an integer")
}

// IDOf returns the id of the reservation of a value, which is its partition key, too:
// empty for no value. Scope is the value of type= of the type, empty if it has none. The
// value is in it as a hash only, so that neither an address of a request nor an error
// shows it, and so that it has no characters that an id may not have.
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

// IDPrefix is what the ids of reservations begin with, and those of no document.
const IDPrefix = "_pkgen-unique-"

// reserved is the reservation that a document needs for a property.
type reserved struct {
	property string
	id       string // empty for no value
}

// IDs returns the ids of the reservations that a document needs, empty for properties
// without a value.
func (p Properties) IDs(scope string, document []byte) ([]string, error) {
	all, err := p.of(scope, document)
	ids := make([]string, len(all))
	for i, r := range all {
		ids[i] = r.id
	}
	return ids, err
}

// of returns the reservations that a document needs, one for each property.
func (p Properties) of(scope string, document []byte) ([]reserved, error) {
	all := make([]reserved, len(p))
	for i, name := range p {
		value, err := textOf(text.Member(document, name))
		if err != nil {
			return nil, fmt.Errorf("the value of the unique property %s: %w", strconv.Quote(name), err)
		}
		all[i] = reserved{name, IDOf(scope, name, value)}
	}
	return all, nil
}
