package table

import "github.com/cosmos-pkgen/pkgen/internal/documents"

// BulkOption changes how a bulk operation works.
type BulkOption func(*bulkOptions)

// bulkOptions are the values that the options set.
type bulkOptions struct{ batches bool }

// bulk returns the documents for a bulk operation with options.
func (d *Documents[T, K]) bulk(opts []BulkOption) *documents.Collection[T, K] {
	var o bulkOptions
	for _, set := range opts {
		if set != nil {
			set(&o)
		}
	}
	if o.batches {
		return d.inner.InBatches()
	}
	return d.inner
}

// InBatches sends the items of one logical partition together, as entity group
// transactions of up to 100 operations and 2 MB: far fewer requests where items share
// logical partitions. Cosmos DB charges what the items cost one by one; Azure Storage
// counts each operation of a transaction.
//
// To find items that belong together, it holds up to 4,096 items, or 16 MB, in memory. It
// sends a batch when it is full. When too many items wait, it sends the largest batch, and
// at the end all of them. An item that is alone in its logical partition is sent alone, and
// so are upserts and deletes of a type whose keys can collide, which look first. Items of
// one row key are never in one batch: the later one waits.
//
// A batch takes effect as a whole or not at all, but here it only saves requests. If an
// item makes it fail, that item is sent alone, and the others together without it; if that
// fails too, each is sent alone. So a batch with one failing item costs three requests, and
// one with several at most two more than its items, and each creation that finds a document
// in its way costs a point read more. If answers to a batch are lost, it is sent again, up
// to three times; if the service then refuses it, each item is sent alone, and its answer
// tells whether the batch had taken effect. An item whose outcome stays unknown matches
// [ErrUnclear]. The charge of a batch is divided equally among its items.
func InBatches() BulkOption {
	return func(o *bulkOptions) { o.batches = true }
}
