package repository

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// BulkOption changes how a bulk operation works.
type BulkOption func(*bulkOptions)

// bulkOptions are what the options say.
type bulkOptions struct{ write.BulkSettings }

// bulkUnder returns a bulk operation under options.
func bulkUnder(s *write.Writer, op string, opts []BulkOption) *write.Bulk {
	settings := bulkOptions{write.BulkSettings{Concurrency: s.Settings.Concurrency}}
	var wrong error
	for _, o := range opts {
		if o == nil {
			wrong = errors.New("a BulkOption is nil")
			continue
		}
		o(&settings)
	}
	return write.NewBulk(s, op, settings.BulkSettings, wrong)
}

// InBatches sends the items of one logical partition together, as transactional
// batches of up to 100 operations and 2 MB: far fewer requests where items share
// logical partitions, for the same request units.
//
// To find items that belong together, up to 4,096 of them, or 16 MB, wait for
// others in memory. A batch goes out when it is full; when too many wait, the
// largest does, and at the end all do. An item that is alone in its logical
// partition is sent alone.
//
// A batch takes effect as a whole or not at all, but that is not what it is for
// here: if one item makes it fail, this item has the error and the others are
// sent again without it. One that is too large is sent in halves. If the outcome
// of a batch is unclear, upserts are sent again, and creates and deletes one by
// one, whose outcomes tell what became of the batch.
func InBatches() BulkOption {
	return func(s *bulkOptions) { s.Batches = true }
}

// WithRequestUnitBudget keeps a bulk operation to an average of perSecond request
// units a second, by what its requests were charged, retries included, so that
// others of the container have the rest. What the next request will be charged is
// estimated by those before. A budget that is not positive is none.
func WithRequestUnitBudget(perSecond float64) BulkOption {
	return func(s *bulkOptions) { s.PerSecond = max(perSecond, 0) }
}

// WithBulkConcurrency limits a bulk operation to n requests at once, in place of
// what [WithConcurrency] says for the repository; n below 1 is taken as 1, and above
// 4,096, which is how many items wait in memory, as that.
func WithBulkConcurrency(n int) BulkOption {
	return func(s *bulkOptions) { s.Concurrency = max(n, 1) }
}
