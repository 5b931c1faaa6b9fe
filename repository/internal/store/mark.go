package store

import (
	"context"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// MarkOf returns the mark of a stored document, the zero Mark if it has none.
func MarkOf(raw []byte) (marks.Mark, error) { return marks.Parse(text.Member(raw, marks.Property)) }

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
