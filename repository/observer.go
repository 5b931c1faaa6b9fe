package repository

import (
	"context"
	"errors"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Event describes a request for documents that has ended: one point read or
// write, one transactional batch, one page of a query, or one call of the SDK's
// ReadManyItems or ReadChangeFeed, with all its attempts.
type Event struct {
	// Op is the operation that the request belongs to, as in [Error].
	Op string

	// Type is the name of the document type.
	Type string

	// ID is the item id, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key as JSON would show it, empty for requests
	// to several logical partitions.
	PartitionKey string

	// Range is the id of the physical partition of a query of a fan-out.
	Range string

	// RequestUnits is the charge of the last attempt.
	RequestUnits float64

	// Duration is the time from before the first attempt to behind the last one,
	// pauses included.
	Duration time.Duration

	// Err is why the last attempt failed, nil if it did not. Its text holds no value
	// of a document; errors.As finds the SDK's *azcore.ResponseError, whose text may.
	Err error
}

// WithObserver calls f after every request for documents, to log it or to measure
// it. Fan-outs, bulk operations and change feeds call it from several goroutines at
// once, and wait for it. Several observers are all called. Of a nil f, every
// operation returns an error.
func WithObserver(f func(context.Context, Event)) Option {
	return func(s *settings) {
		if f == nil {
			s.wrong = errors.New("the function of WithObserver is nil")
			return
		}
		before := s.observe
		s.observe = func(ctx context.Context, e wire.Event) {
			if before != nil {
				before(ctx, e)
			}
			f(ctx, Event(e))
		}
	}
}
