package store

import (
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Hiding is a rule by which stored documents of a type are hidden: reads and queries
// leave them out, and writes take them for documents that are not there, but that have
// their ids. A document is hidden if its property is defined and not null.
type Hiding struct {
	Property string // of the document itself, not of an object in it
	Err      error  // why the document is hidden, for errors; errors.Is finds it

	// Deletes says that the document counts as deleted: the change feed gives it as a
	// deletion, and a store that ShowsDeleted does not hide it. Others are not there at
	// all.
	Deletes bool
}

// condition returns the condition on c that the rule hides no document.
func (h Hiding) condition() string {
	p := text.Property("/" + text.Escape(h.Property))
	return "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ")"
}

// hides reports whether the rule hides a stored document.
func (h Hiding) hides(raw []byte) bool {
	value := text.Member(raw, h.Property)
	return value != nil && string(value) != "null"
}

// Concealed returns why a stored document of the type is hidden, nil if it is not.
func (s *Store) Concealed(raw []byte) error {
	for _, h := range s.Hidings {
		if h.hides(raw) && (!h.Deletes || !s.ShowsDeleted) {
			return h.Err
		}
	}
	return nil
}

// Delivers reports whether the change feed gives a stored document of the type, and
// whether as a deletion. It does not matter whether the store shows deleted ones.
func (s *Store) Delivers(raw []byte) (delivers, deleted bool) {
	for _, h := range s.Hidings {
		if h.hides(raw) {
			if !h.Deletes {
				return false, false
			}
			deleted = true
		}
	}
	return true, deleted
}

// ConcealedError is the error about a hidden document at p, which matches kind and why it
// is hidden.
func (s *Store) ConcealedError(op string, p wire.Place, why, kind error) error {
	return &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: concealed{why}}
}

// concealed is the cause of an error about a hidden document.
type concealed struct{ error }

func (c concealed) Unwrap() error { return c.error }

// IsConcealed reports whether an error is about a document that is there, but hidden.
func IsConcealed(err error) bool {
	var c concealed
	return errors.As(err, &c)
}

// shown returns condition and that no rule hides the document; either may be empty.
func (s *Store) shown(condition string) string {
	for _, h := range s.Hidings {
		if !h.Deletes || !s.ShowsDeleted {
			condition = both(condition, h.condition())
		}
	}
	return condition
}

// both returns the condition that two conditions hold, of which either may be empty.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return fmt.Sprintf("(%s) AND (%s)", a, b)
}

// PatchCondition returns the condition on c that a patch may change a document: it is of
// the store's type, not hidden, and of the present form. It is empty if all are.
func (s *Store) PatchCondition() string {
	condition := s.OwnCondition()
	switch {
	case s.Schema == nil:
		return condition
	case condition == "":
		return s.Schema.condition()
	}
	return fmt.Sprintf("(%s) AND (%s)", condition, s.Schema.condition())
}

// OwnCondition returns the condition on c that a document is of the store's type, and not
// hidden by a rule.
func (s *Store) OwnCondition() string { return s.shown(TypeCondition(s.Discriminator)) }
