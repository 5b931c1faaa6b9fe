package repository

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ofType returns the condition on c that a document is of the type which d
// describes, or nothing if all are.
func ofType(d *generated.Discriminator) string {
	if d == nil {
		return ""
	}
	p := text.Property("/" + text.Escape(d.Property))
	if d.Value != "" {
		return p + " = " + text.Quote(d.Value)
	}
	values := make([]string, len(d.Others))
	for i, other := range d.Others {
		values[i] = text.Quote(other)
	}
	return "NOT IS_DEFINED(" + p + ") OR " + p + " NOT IN (" + strings.Join(values, ", ") + ")"
}

// mine reports whether a stored document is of the store's type, and not of
// another one in the same container.
func (s *store) mine(raw []byte) bool {
	d := s.discriminator
	if d == nil {
		return true
	}
	var value string
	found := text.ValueAt(raw, []string{d.Property})
	if found == nil || json.Unmarshal(found, &value) != nil {
		return d.Value == ""
	}
	if d.Value == "" {
		return !slices.Contains(d.Others, value)
	}
	return value == d.Value
}

// otherType is the error about a document of another type at p, which matches
// kind.
func (s *store) otherType(op string, p wire.Place, raw []byte, kind error) error {
	err := ErrOtherType
	if text.ValueAt(raw, []string{s.discriminator.Property}) != nil {
		err = fmt.Errorf("%w: its property %s says so", ErrOtherType, s.discriminator.Property)
	}
	return &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: err}
}

// setType writes into a document what says of which type it is. A document that
// says something else already, in a field of its own, is refused.
func setType(s *store, body []byte) ([]byte, error) {
	d := s.discriminator
	if d == nil {
		return body, nil
	}
	present := text.ValueAt(body, []string{d.Property})
	if d.Value == "" {
		if !s.mine(body) {
			return nil, fmt.Errorf("property %s says that the document is of another type: choose another value", d.Property)
		}
		return body, nil
	}
	value := []byte(text.Quote(d.Value))
	empty := present == nil || string(present) == "null" || string(present) == `""`
	if !empty && !bytes.Equal(present, value) {
		return nil, fmt.Errorf("property %s has a value of its own, and has to be %s for this type: leave the field empty", d.Property, strconv.Quote(d.Value))
	}
	return text.SetProperty(body, []string{d.Property}, value)
}
