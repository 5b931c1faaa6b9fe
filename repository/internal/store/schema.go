package store

import (
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Schema is the property that says by which form of the type a document is stored. Each
// write of a program stores the number of its form; reads bring documents of earlier forms
// to that form, and refuse documents of later ones.
type Schema struct {
	Property string // of the document itself, not of an object in it
	Number   int    // of the present form, at least 1
}

// Of returns the number of the form of a stored document: 1 if it has none, or null or 0,
// as documents have that were stored before the type had a number.
func (s *Schema) Of(raw []byte) (int, error) {
	value := text.Member(raw, s.Property)
	if value == nil || string(value) == "null" {
		return 1, nil
	}
	n, err := strconv.Atoi(string(value))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("its property %s is no whole number, and the form of the document is counted there: correct the stored document", s.Property)
	}
	return max(n, 1), nil
}

// Newer returns the error about a stored document of a later form than the present one,
// nil about others. A nil s knows no forms.
func (s *Schema) Newer(raw []byte) error {
	if s == nil {
		return nil
	}
	n, err := s.Of(raw)
	if err == nil && n > s.Number {
		err = s.NewerError(n)
	}
	return err
}

// IsOlder reports whether a stored document is of an earlier form than the present one.
func (s *Schema) IsOlder(raw []byte) bool {
	if s == nil {
		return false
	}
	n, err := s.Of(raw)
	return err == nil && n < s.Number
}

// NewerError is the error about a document of a later form.
func (s *Schema) NewerError(n int) error {
	return fmt.Errorf("%w: its form is %d, and this program knows %d: deploy the newer release", wire.ErrNewerDocument, n, s.Number)
}

// condition returns the condition on c that a document is of the present form.
func (s *Schema) condition() string {
	p := text.Property("/" + text.Escape(s.Property))
	if s.Number == 1 {
		return "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ") OR " + p + " IN (0, 1)"
	}
	return p + " = " + strconv.Itoa(s.Number)
}

// Older returns the condition on c that a document is of an earlier form than the present
// one, whose number is greater than 1.
func (s *Schema) Older() string {
	p := text.Property("/" + text.Escape(s.Property))
	return "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ") OR " + p + " < " + strconv.Itoa(s.Number)
}
