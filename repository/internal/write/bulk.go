package write

import (
	"context"
	"errors"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// BulkSettings say how a bulk operation works.
type BulkSettings struct {
	Batches     bool
	Concurrency int
	PerSecond   float64 // request units, 0 is no limit
}

// Bulk is what the items of a bulk operation have in common.
type Bulk struct {
	*Writer
	Op string
	BulkSettings

	wrong  error   // why nothing can be sent
	Budget *budget // nil without a limit

	// Looks says that a look comes before each write: it reads whose document is
	// there.
	Looks bool

	// WantsETags says that the ETags of what is stored are wanted.
	WantsETags bool

	// OnStored is called for each item that was stored. It may be nil.
	OnStored func(*BulkItem)

	// Around sends a write of a tenant that may move: it calls send with a context that
	// says where the tenant lives, and again after it has moved. It is nil for others.
	Around func(ctx context.Context, send func(context.Context) error) error
}

// WriterOf returns what writes to the container of an item.
func (b *Bulk) WriterOf(i *BulkItem) *Writer {
	if i.In != nil {
		return i.In
	}
	return b.Writer
}

// NewBulk returns a bulk operation. Wrong is why nothing can be sent, nil if it can.
func NewBulk(s *Writer, op string, settings BulkSettings, wrong error) *Bulk {
	b := &Bulk{Writer: s, Op: op, BulkSettings: settings, wrong: wrong}
	if b.PerSecond > 0 {
		b.Budget = newBudget(b.PerSecond)
	}
	return b
}

// laneOf tells apart the items that have to be stored one after the other: those
// of one document, or of one logical partition if they are to share requests.
func (b *Bulk) laneOf(i *BulkItem) wire.Identity {
	lane := wire.Identity{Partition: i.Name}
	if i.In != nil {
		lane.Partition = i.In.Client.ID() + "/" + i.Name // the name of a container has no slash
	}
	if !b.Batches {
		lane.ID = i.ID
	}
	return lane
}

// failure is an error about an item.
func (b *Bulk) failure(i *BulkItem, err error) *wire.OperationError {
	return b.WriterOf(i).Failed(b.Op, i.ID, i.Name, b.Op != wire.OpDelete, err)
}

// notSent is the error of an item that was not sent, or not by itself after a refused batch,
// since the context has ended.
func (b *Bulk) notSent(i *BulkItem, err error) error {
	failure := b.failure(i, err)
	if failure.Unclear = i.refused; !i.refused {
		failure.Note = "before it was sent"
	}
	return failure
}

// FailedItem returns the item for an error of the source of a bulk operation.
func (b *Bulk) FailedItem(err error) *BulkItem {
	item := &BulkItem{Err: err, SourceErr: err}
	var own *wire.OperationError
	if !errors.As(err, &own) {
		item.Err = &wire.OperationError{Op: b.Op, Type: b.Type, Err: err}
	}
	return item
}

// bulkRun is one run of a bulk operation. The goroutine that runs the loop reads
// the items, hands out groups of them and yields outcomes; workers send.
type bulkRun struct {
	*Bulk
	ctx   context.Context
	yield func(*BulkItem) bool // what became of an item

	window window
	ended  []*BulkItem // whose outcomes are to be yielded

	pace     *pace
	workers  sync.WaitGroup
	started  int // workers
	underWay int // groups
	groups   chan *group
	done     chan *group
}

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

	// refused says that its batch was refused in a way of which the same batch may be the
	// cause, which arrived before.
	refused bool

	// marking is the mark of a deletion within a batch, once it was made. It stays the same,
	// so that the document tells whether an earlier batch has set it.
	marking *wire.Operation

	// What became of it:
	ETag         azcore.ETag
	RequestUnits float64
	Err          error
}
