package store

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrForeign is the cause of an error about a document of other components.
var ErrForeign = errors.New("the document of this id there is another, whose fields make the same partition key")

// ForeignError returns the error about the document of other components at p.
func (s *Store) ForeignError(op string, p wire.Place, kind error) error {
	return &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: ErrForeign}
}
