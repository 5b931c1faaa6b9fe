package untyped

import (
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// ErrReserves is the error of an operation that cannot keep values unique.
var ErrReserves = errors.New("the type has unique properties, whose reservations are in other logical partitions: call the method of the repository outside of a transaction")

// toMove returns what to do for a document of the type to get another key.
func (d *Documents) toMove() string {
	switch {
	case d.Unique == nil:
		return "use Move"
	case d.Writer.Deleted != nil: // a marked document keeps its values
		return "delete and purge the document, and then create it under its new key"
	}
	return "delete the document, and create it under its new key"
}

// releases reports whether a deletion removes reservations: a document that is marked as
// deleted keeps its values until it is purged.
func (d *Documents) releases() bool { return d.Unique != nil && d.Writer.Deleted == nil }

// RefuseMove returns an error if documents of the type do not move.
func (d *Documents) RefuseMove() error {
	if d.Unique == nil {
		return nil
	}
	return &wire.OperationError{Op: write.OpMove, Type: d.Store.Type, Err: errors.New("the type has unique properties, and between the two writes of a move two documents would have one value: " + d.toMove())}
}

// RefusePatch returns an error if a patch may change a unique value.
func (d *Documents) RefusePatch(p wire.Place, operations []write.PatchOperation) error {
	for _, o := range operations {
		for _, name := range d.Types.Unique {
			if o.Within(name) {
				return d.Store.Failure(wire.OpPatch, p, fmt.Errorf("the property %s is unique, and a patch does not make its reservation: use Update", name))
			}
		}
	}
	return nil
}
