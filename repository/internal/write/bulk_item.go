package write

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// BulkItem is one item on its way to the service. It is not generic, so that a program
// has the code that sends items once, and not for each document type.
type BulkItem struct {
	Given     any // a *given, or nil if the item is not the caller's
	Index     int
	SourceErr error // why the source ends, for an item that is not the caller's
	Document        // of a deletion, the place alone

	// In writes to the container of the item, if the type has several; nil means that
	// of the bulk operation.
	In *Writer

	// Unchanged is the ETag that the document must have. Empty means any. A bulk
	// operation that looks first fills it in.
	Unchanged azcore.ETag

	// Means says which document of the type is meant; see verify.
	Means func(doc any) bool

	// Send sends the item alone, which may have been sent before if repeated.
	Send func(ctx context.Context, repeated bool) (azcore.ETag, error)

	// What became of it:
	ETag         azcore.ETag
	RequestUnits float64
	Err          error
}
