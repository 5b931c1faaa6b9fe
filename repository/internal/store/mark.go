package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// A document moves from one place to another by marks: a property of its own says what
// of the two is the document. docs/architecture.md has the protocol.

// MarkProperty is the name of this property.
const MarkProperty = "_move"

// States of what is stored.
const (
	Unmarked = ""        // a document that has not moved
	Moved    = "moved"   // at the old place: the document is at the new one, or was deleted
	Removed  = "removed" // at the old place: the document was deleted after it had moved
	Copied   = "copy"    // at the new place: the document if the old place says that it has moved
	Final    = "final"   // at the new place: the document
	Gone     = "gone"    // at the new place: the document is about to be deleted
)

// Mark is the property of a document that moves.
type Mark struct {
	State string `json:"state"`
	Token string `json:"token,omitempty"` // which attempt to move the document it was
	From  string `json:"from,omitempty"`  // of a copy: the ETag of the document that was copied
	At    int64  `json:"at,omitempty"`    // when the document came to this place, in seconds
}

// MarkOf returns the mark of a stored document.
func MarkOf(raw []byte) (Mark, error) {
	var m Mark
	value := text.ValueAt(raw, []string{MarkProperty})
	if value == nil {
		return m, nil
	}
	err := json.Unmarshal(value, &m)
	return m, err
}

// Hidden reports whether something that is stored is no document, but what a move has
// left or is about to make one.
func (m Mark) Hidden() bool { return m.State != Unmarked && m.State != Final }

// Times of moves, by the clock of the service. It writes whole seconds, and the clocks of
// its machines differ.
const (
	// Margin is how long before its beginning a query takes a document to be where it
	// was: more than by what clocks differ.
	Margin = 5 * time.Second

	// CommitWait is how long after a move a write is acknowledged: a query that begins
	// then reads the document at its new place.
	CommitWait = Margin + 4*time.Second

	// Grace is how long the mark of a document stays after the document has moved. No
	// query takes as long, and no cursor is as old.
	Grace = 24 * time.Hour
)

// Moves says what queries need to know of documents that move; nil if none do.
type Moves struct {
	// Finish makes the copy of a document that has moved the document, if it is a copy
	// that counts.
	Finish func(ctx context.Context, raw []byte) error
}

// IsHidden reports whether a stored document is hidden while documents move.
func (s *Store) IsHidden(raw []byte) bool {
	if s.Moves == nil {
		return false
	}
	m, err := MarkOf(raw)
	return err == nil && m.Hidden()
}
