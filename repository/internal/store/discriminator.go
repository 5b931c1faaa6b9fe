package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TypeCondition returns the condition on c that a document is of the type which d
// describes, or nothing if all are.
func TypeCondition(d *generated.Discriminator) string {
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

// Condition returns the condition on c that a document is of the store's type and not
// hidden, or nothing if all are.
func (s *Store) Condition() string {
	condition := s.OwnCondition()
	switch {
	case !s.Hides:
		return condition
	case condition == "":
		return tenancy.HiddenCondition
	}
	return tenancy.HiddenCondition + " AND (" + condition + ")"
}

// Owns reports whether a stored document is of the store's type, and not of
// another one in the same container.
func (s *Store) Owns(raw []byte) bool {
	d := s.Discriminator
	if s.Hides && tenancy.IsHidden(raw) {
		return false
	}
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

// OtherTypeError is the error about a document of another type at p, which matches
// kind.
func (s *Store) OtherTypeError(op string, p wire.Place, raw []byte, kind error) error {
	err := wire.ErrOtherType
	if s.Hides && tenancy.IsHidden(raw) {
		return &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: kind}
	}
	if text.ValueAt(raw, []string{s.Discriminator.Property}) != nil {
		err = fmt.Errorf("%w: its property %s says so", wire.ErrOtherType, s.Discriminator.Property)
	}
	return &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: err}
}
