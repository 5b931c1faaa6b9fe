package untyped

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// RefuseMove returns an error if documents of the type do not move.
func (d *Documents) RefuseMove() error {
	if err := d.strategy.moves(); err != nil {
		return &wire.OperationError{Op: write.OpMove, Type: d.Store.Type, Err: err}
	}
	return nil
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
