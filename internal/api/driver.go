package api

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Place is the place where a document is stored.
type Place struct {
	Partition string // the partition key
	ID        string // unique within the partition key: an id or a row key
}

// Key returns the partition key in JSON, for errors; "" if there is none.
func (p Place) Key() string {
	if p.Partition == "" {
		return ""
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(p.Partition) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// Stored is a document as a service returned it.
type Stored[T any] struct {
	Doc     *T
	Place   Place
	Version string // compared by conditional writes; "" if the API has none

	// Age is the time since the last write of the document, by the service's clock. It is 0 if the
	// service does not report it, and in the results of queries.
	Age time.Duration
}

// Selection describes the documents that a query reads.
type Selection struct {
	// Keys are the logical partitions, each once and in order. If All is true, the query reads all
	// logical partitions, and Keys is nil.
	Keys []string
	All  bool

	// Where are conditions, all of which hold.
	Where []condition.Node

	// Orders sort the documents. Without orders, the driver chooses its cheapest order, which must
	// be the same on every page.
	Orders []condition.Order

	// Limit is the maximum number of documents that All should yield; 0 is no limit. A driver may
	// ask for fewer at once. It may yield more, which the caller ignores.
	Limit int
}

// Driver is an API's access to the documents of one type in one container. Unless noted, each
// method sends one request, once; package documents repeats it. The error of a failed request wraps
// a *failure.Answer. A driver is safe for concurrent use.
type Driver[T any] interface {
	// Insert stores a new document, and returns its version. If a document exists at the place, the
	// error's Kind is failure.ErrAlreadyExists.
	Insert(ctx context.Context, at Place, doc *T) (version string, err error)

	// Upsert creates or replaces a document.
	Upsert(ctx context.Context, at Place, doc *T) (version string, err error)

	// Replace replaces a document. If version is not "", it must be the stored version. The error's
	// Kind is failure.ErrNotFound if there is no document, and failure.ErrPreconditionFailed if it
	// has another version. A driver that cannot tell them apart returns ErrPreconditionFailed with
	// a version, and ErrNotFound without one.
	Replace(ctx context.Context, at Place, doc *T, version string) (string, error)

	// Remove deletes a document. If version is not "", it must be the stored version. Errors are
	// the same as for Replace.
	Remove(ctx context.Context, at Place, version string) error

	// Read returns the document at a place: a point read.
	Read(ctx context.Context, at Place) (Stored[T], error)

	// Same reports whether a stored document equals the stored form of doc, apart from the version.
	// It sends nothing.
	Same(stored Stored[T], at Place, doc *T) (bool, error)

	// All yields each document of a selection once, and stops at the first error. It sends as many
	// requests as it needs, repeats them by [Attempt], and ends them before it returns.
	All(ctx context.Context, sel Selection) iter.Seq2[Stored[T], error]

	// Page returns up to size documents after a position: "" for the beginning, or next of an
	// earlier call. Next is "" on the last page, and any text otherwise. It repeats requests by
	// [Attempt].
	Page(ctx context.Context, sel Selection, after string, size int) (docs []Stored[T], next string, err error)

	// Count returns the number of documents of a selection. It repeats requests by [Attempt].
	Count(ctx context.Context, sel Selection) (int, error)
}

// Entry is one write of a batch.
type Entry struct {
	At    Place
	Size  int // the maximum number of bytes that it adds to a request
	Write any // the driver's form of the write
}

// Batcher is a [Driver] that can send several writes of one logical partition in one atomic
// request.
type Batcher[T any] interface {
	// Most returns the maximum number of entries and of bytes of a request.
	Most() (entries, bytes int)

	// Entry prepares a write: "create", "upsert" or "delete"; for "delete", doc is nil. It sends
	// nothing. An error concerns only this write.
	Entry(op string, at Place, doc *T) (Entry, error)

	// Batch sends entries of one logical partition, each for a different place, once, and returns
	// the versions of their documents. If the service names the entry that made the batch fail,
	// failed is its index; otherwise it is -1.
	Batch(ctx context.Context, entries []Entry) (versions []string, failed int, err error)
}

// margin allows a document that a call may have stored to appear older than the call: clocks
// differ, and the service reports seconds. Package repository has the same margin.
const margin = 5 * time.Second

// MayBeOf reports whether a document of an age may have been written since a call began.
func MayBeOf(began time.Time, age time.Duration) bool { return age <= time.Since(began)+margin }
