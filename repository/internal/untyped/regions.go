package untyped

import (
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository/internal/rekey"
	"github.com/cosmos-pkgen/pkgen/repository/internal/renewal"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// relies returns wire.Container.Relies for documents that w writes: the part of an
// operation that requires a single write region. Whether a write has an ETag or another
// condition is decided by its request.
func (t *Types) relies(w *write.Writer) func(op string) *writeregions.Use {
	return func(op string) *writeregions.Use {
		switch {
		case op == write.OpMove || op == rekey.Op:
			return writeregions.Moves
		case t.Places != nil && writes(op):
			return writeregions.Buckets
		case t.Unique != nil && writes(op) && op != wire.OpPatch:
			return writeregions.Unique
		case w.Resolves:
			return nil
		case (op == wire.OpUpsert || op == wire.OpReplace) && w.Stamps.Carries():
			return writeregions.Stamps
		case op == OpUpdate, op == write.OpRestore, op == write.OpPurge, op == OpPurgeAll, op == renewal.Op,
			op == wire.OpUpsert && w.Knows(),
			op == wire.OpReplace && (w.Blind() || w.Deleted != nil),
			op == wire.OpPatch && w.Ambiguous,
			op == wire.OpDelete && (w.Looks || w.Deleted != nil):
			return writeregions.Conditions
		}
		return nil
	}
}

// writes reports whether an operation writes documents.
func writes(op string) bool {
	switch op {
	case wire.OpCreate, wire.OpUpsert, wire.OpReplace, wire.OpDelete, wire.OpPatch, OpUpdate, write.OpRestore, write.OpPurge, OpPurgeAll, renewal.Op:
		return true
	}
	return false
}

// Migrating makes all writes of d require a single write region, because a migration moves
// its documents.
func (d *Documents) Migrating() {
	before := d.Store.Relies
	d.Store.Relies = func(op string) *writeregions.Use {
		if writes(op) || op == write.OpMove {
			return writeregions.Migrations
		}
		return before(op)
	}
}
