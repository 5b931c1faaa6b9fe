package api

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Place is where a document is stored.
type Place struct {
	Partition string // the partition key
	ID        string // unique within the partition key: an id, a row key
}

// Key returns the partition key as errors have it, in JSON; "" if there is none.
func (p Place) Key() string {
	if p.Partition == "" {
		return ""
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(p.Partition) // a text has no error
	return strings.TrimSuffix(b.String(), "\n")
}

// Stored is a document as a service returned it.
type Stored[T any] struct {
	Doc     *T
	Place   Place
	Version string // what a conditional write compares; "" if the API has none

	// Age is the time since the document was last written, by the service's clock. It is 0
	// if the service does not say, and in the answers to queries.
	Age time.Duration
}

// Selection is the documents that a query reads.
type Selection struct {
	// Keys are the logical partitions, each once and in order. If All is true, the query
	// reads all of them, and Keys is nil.
	Keys []string
	All  bool

	// Where are conditions, all of which hold.
	Where []condition.Node

	// Orders sort the documents. Without any, they come in the order that is cheapest for
	// the API, which is the same on every page.
	Orders []condition.Order

	// Limit is how many documents are wanted of All, 0 for all of them. A driver may ask
	// for fewer at once; it may yield more, which nobody takes.
	Limit int
}

// Driver is what one API does with the documents of one type in one container. Each
// method is one request, unless it says otherwise, and sends it once: package documents
// repeats it. A request that failed returns a *failure.Answer, by errors.As. A driver is
// safe for concurrent use.
type Driver[T any] interface {
	// Insert stores a new document, and returns its version. If there is a document at
	// the place, the error's Kind is failure.ErrAlreadyExists.
	Insert(ctx context.Context, at Place, doc *T) (version string, err error)

	// Upsert stores a document, new or not.
	Upsert(ctx context.Context, at Place, doc *T) (version string, err error)

	// Replace stores a document in place of the one that is there, of which the version
	// is version unless that is "". The error's Kind is failure.ErrNotFound if there is
	// none, and failure.ErrPreconditionFailed if it has another version. A driver that
	// cannot tell which returns ErrPreconditionFailed for a version, and ErrNotFound
	// without one.
	Replace(ctx context.Context, at Place, doc *T, version string) (string, error)

	// Remove removes the document, of which the version is version unless that is "".
	// Errors are those of Replace.
	Remove(ctx context.Context, at Place, version string) error

	// Read returns the document at a place: a point read.
	Read(ctx context.Context, at Place) (Stored[T], error)

	// Same reports whether a stored document has all that doc would be stored with,
	// apart from the version. It sends nothing.
	Same(stored Stored[T], at Place, doc *T) (bool, error)

	// All yields each document of a selection once, in as many requests as that takes,
	// and ends at the first error. It repeats requests by [Attempt]. It stops its
	// requests before it returns.
	All(ctx context.Context, sel Selection) iter.Seq2[Stored[T], error]

	// Page returns up to size documents after a position: "" is the beginning, and any
	// other is what Page returned as next. Next is "" on the last page; the driver's
	// position may be any text. It repeats requests by [Attempt].
	Page(ctx context.Context, sel Selection, after string, size int) (docs []Stored[T], next string, err error)

	// Count returns how many documents a selection has, by Attempt as well.
	Count(ctx context.Context, sel Selection) (int, error)
}

// Entry is one write of a batch.
type Entry struct {
	At    Place
	Size  int // how many bytes of a request it takes, at most
	Write any // what the driver has made of the write
}

// Batcher is a [Driver] that can send several writes of one logical partition by one
// request, of which all take effect or none does.
type Batcher[T any] interface {
	// Most returns how many entries one request has, and how many bytes.
	Most() (entries, bytes int)

	// Entry prepares a write: "create", "upsert", or "delete", for which doc is nil. It
	// sends nothing. An error is that of the write alone.
	Entry(op string, at Place, doc *T) (Entry, error)

	// Batch sends entries of one logical partition, of one place each, once, and returns
	// the versions of their documents. If it fails because of an entry that the service
	// has named, the index of that is failed; otherwise failed is -1.
	Batch(ctx context.Context, entries []Entry) (versions []string, failed int, err error)
}

// margin is how long before a call a document may be written that the call has perhaps
// stored: clocks differ, and the service says the time in seconds. Package repository has
// the same.
const margin = 5 * time.Second

// MayBeOf reports whether a document of an age may have been written since a call began.
func MayBeOf(began time.Time, age time.Duration) bool { return age <= time.Since(began)+margin }
