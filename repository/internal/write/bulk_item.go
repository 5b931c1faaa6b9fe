package write

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// BulkItem is one item on its way to the service. It is not generic, nor is what
// sends it, so that a program has their code once, and not for each document type.
type BulkItem struct {
	Given    any // a *given, or nil if the item is none of the caller's
	Index    int
	Ends     error // of an item that is none of the caller's: why the source ends
	Document       // of a deletion, the place alone

	// Unchanged is the ETag that the document must have; empty is none. A bulk
	// operation that looks first finds it.
	Unchanged azcore.ETag

	// Means says which document of the type is meant; see verify.
	Means func(doc any) bool

	// Send sends the item alone, which may have been sent before if repeated.
	Send func(ctx context.Context, repeated bool) (azcore.ETag, error)

	// What became of it:
	Tag   azcore.ETag
	Units float64
	Err   error
}

// Unread is the item for what the source of a bulk operation could not give.
func (b *Bulk) Unread(err error) *BulkItem {
	item := &BulkItem{Err: err, Ends: err}
	var own *wire.OperationError
	if !errors.As(err, &own) {
		item.Err = &wire.OperationError{Op: b.Op, Type: b.Type, Err: err}
	}
	return item
}
