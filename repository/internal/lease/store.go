package lease

import (
	"context"
	"errors"
)

// Store keeps the leases of one processor.
type Store interface {
	// List reads all leases: one query.
	List(ctx context.Context) ([]Lease, error)

	// Read reads the lease of this id, or returns ErrGone.
	Read(ctx context.Context, id string) (Lease, error)

	// Replace writes a lease whose document still has l.ETag, and returns it with
	// its new one. It returns ErrChanged if the document has another, and ErrGone if
	// there is none. After any other error the lease may have been written. It sets
	// the time of the lease.
	Replace(ctx context.Context, l Lease) (Lease, error)

	// Create writes a lease that is not there yet. If it is, Create leaves it.
	Create(ctx context.Context, l Lease) error

	// Delete removes a lease whose document still has l.ETag. It returns ErrChanged
	// if the document has another.
	Delete(ctx context.Context, l Lease) error
}

// What a store says of a lease.
var (
	ErrChanged = errors.New("the lease was written by somebody else")
	ErrGone    = errors.New("the lease is no more")

	// ErrUnusable says that a lease is not of this processor, as it is: of another
	// dialect, another container, or a physical partition that was merged.
	ErrUnusable = errors.New("the leases cannot be used")

	// ErrLost says that a worker does not have a lease any more, or that it cannot
	// know whether it has: it must not go on, and cannot save.
	ErrLost = errors.New("the lease was lost to another worker")
)
