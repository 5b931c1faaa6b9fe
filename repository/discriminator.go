package repository

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// ofType returns the condition on c that a document is of the type which d
// describes, or nothing if all are.
func ofType(d *generated.Discriminator) string {
	if d == nil {
		return ""
	}
	p := property("/" + escapeName.Replace(d.Property))
	if d.Value != "" {
		return p + " = " + sqlText(d.Value)
	}
	values := make([]string, len(d.Others))
	for i, other := range d.Others {
		values[i] = sqlText(other)
	}
	return "NOT IS_DEFINED(" + p + ") OR " + p + " NOT IN (" + strings.Join(values, ", ") + ")"
}

// sqlText writes a text as SQL has it, which is as JSON has it.
func sqlText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(quoted)
}

// mine reports whether a stored document is of the store's type, and not of
// another one in the same container.
func (s *store) mine(raw []byte) bool {
	d := s.discriminator
	if d == nil {
		return true
	}
	var value string
	found := valueAt(raw, []string{d.Property})
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
func (s *store) otherType(op string, p place, raw []byte, kind error) error {
	err := ErrOtherType
	if valueAt(raw, []string{s.discriminator.Property}) != nil {
		err = fmt.Errorf("%w: its property %s says so", ErrOtherType, s.discriminator.Property)
	}
	return &Error{Op: op, Type: s.typ, ID: p.id, PartitionKey: p.name, kind: kind, Err: err}
}

// setType writes into a document what says of which type it is. A document that
// says something else already, in a field of its own, is refused.
func (s *store) setType(body []byte) ([]byte, error) {
	d := s.discriminator
	if d == nil {
		return body, nil
	}
	present := valueAt(body, []string{d.Property})
	if d.Value == "" {
		if !s.mine(body) {
			return nil, fmt.Errorf("property %s says that the document is of another type: choose another value", d.Property)
		}
		return body, nil
	}
	value := []byte(sqlText(d.Value))
	empty := present == nil || string(present) == "null" || string(present) == `""`
	if !empty && !bytes.Equal(present, value) {
		return nil, fmt.Errorf("property %s has a value of its own, and has to be %s for this type: leave the field empty", d.Property, strconv.Quote(d.Value))
	}
	return setProperty(body, []string{d.Property}, value)
}
