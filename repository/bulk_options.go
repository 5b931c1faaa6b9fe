package repository

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// BulkOption changes how a bulk operation works.
type BulkOption func(*bulkOptions)

// bulkOptions are the values that the options set.
type bulkOptions struct{ write.BulkSettings }

// newBulk returns a bulk operation with options.
func newBulk(d *untyped.Documents, op string, opts []BulkOption) *write.Bulk {
	settings := bulkOptions{write.BulkSettings{Concurrency: d.Store.Settings.Concurrency}}
	wrong := d.Wrong()
	for _, o := range opts {
		if o == nil {
			wrong = errors.New("a BulkOption is nil")
			continue
		}
		o(&settings)
	}
	return write.NewBulk(d.Writer, op, settings.BulkSettings, wrong)
}

// InBatches sends the items of one logical partition together, as transactional
// batches of up to 100 operations and 2 MB: far fewer requests where items share
// logical partitions, for the same request units.
//
// To find items that belong together, it holds up to 4,096 items, or 16 MB, in
// memory. It sends a batch when it is full. When too many items wait, it sends
// the largest batch, and at the end all of them. An item that is alone in its
// logical partition is sent alone.
//
// A batch takes effect as a whole or not at all, but here it only saves requests:
// if one item makes it fail, that item has the error, and the others are sent
// again without it. A batch that is too large is sent in halves. If the outcome
// of a batch is unclear, upserts are sent again as a batch. Creates and deletes
// are sent again one by one, because their outcomes tell whether the batch took
// effect.
func InBatches() BulkOption {
	return func(s *bulkOptions) { s.Batches = true }
}

// WithRequestUnitBudget limits a bulk operation to an average of perSecond
// request units a second, so that the rest of the throughput is left for others.
// It counts the charges of all requests, including retries, and estimates the
// charge of the next request by those before. A budget of 0 or less sets no
// limit.
func WithRequestUnitBudget(perSecond float64) BulkOption {
	return func(s *bulkOptions) { s.PerSecond = max(perSecond, 0) }
}

// WithBulkConcurrency limits a bulk operation to n requests at once, in place of
// the limit of [WithConcurrency]. An n below 1 counts as 1, and an n above 4,096,
// the number of items that wait in memory, as 4,096.
func WithBulkConcurrency(n int) BulkOption {
	return func(s *bulkOptions) { s.Concurrency = max(n, 1) }
}
