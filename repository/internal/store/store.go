package store

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Store is a container and what a repository knows of it, whatever the types of
// its documents and keys. What can be done without these types is done here, so
// that a program has the code once, and not for each document type.
type Store struct {
	wire.Container
	Settings Settings

	Discriminator *generated.Discriminator // that writes set; nil if all documents of the container are of the type

	// Rules tell which stored items are documents of the type; nil if all are.
	Rules []Rule

	Decode  func(raw []byte) (any, error) // returns a pointer to the type that documents have
	Aliases []text.Aliased                // properties that old documents have under other names
	// Once returns a function that reports whether a document comes for the first
	// time. A document may come again from another partition key. Once is nil if each
	// document has one partition key.
	Once func() func(doc any) bool

	// ShowsDeleted says that reads and queries have the documents that count as deleted.
	ShowsDeleted bool

	// Schema says by which form of the type a document is stored; nil if none says it.
	Schema *Schema

	// Computed are the properties that the service computes; nil if the type has none.
	Computed *Computed

	// Entries says that stored items are the entries of an index, which have the ids of
	// documents in a property of their own.
	Entries bool

	// Moves is nil if the documents of the type stay where they are.
	Moves *Moves

	Hierarchical   bool        // keys have levels
	GatewayRefused atomic.Bool // the gateway does not walk the partitions of this container
}

// JoinSession prepares an operation: on a store that can be used, in an account whose write
// regions allow it, and under a session, if there is one.
func (s *Store) JoinSession(ctx context.Context, op string) error {
	err := s.Refuses(op)
	if err == nil {
		err = s.Join(ctx)
	}
	if err != nil {
		return &documents.Error{Op: op, Type: s.Type, Err: err}
	}
	return nil
}

// Settings are what the options of a repository say of its operations.
type Settings struct {
	Concurrency int // requests at once
	Wave        int // requests at once to different physical partitions, if they are more
	PageSize    int32
	MaxKeys     int
	Strategy    Strategy
	Unmarshal   func([]byte, any) error // json.Unmarshal, or what does the same
	Tracer      tracing.Tracer
	CursorKeys  cursor.Keys // nil if cursors are open

	Clock // by which documents are stamped

	Hedge *wire.Hedge // nil if no read is sent to a second region

	// Sleep waits for a time of the service's clock.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Clock tells the time of a write. Given says that it is the caller's, which may tell one
// time twice.
type Clock struct {
	Now   func() time.Time
	Given bool
}

// Strategy is a way to read many logical partitions.
type Strategy int

// The strategies, which the face explains.
const (
	Automatic Strategy = iota
	Scoped
	Gateway
	PerKey
)

// String returns the name of s in lower case.
func (s Strategy) String() string {
	switch s {
	case Scoped:
		return "scoped"
	case Gateway:
		return "gateway"
	case PerKey:
		return "per key"
	default:
		return "automatic"
	}
}

// tick is the unit of the times that documents are stamped with.
const tick = 100 * time.Nanosecond

// last is the latest time that Now has returned, in ticks.
var last atomic.Int64

// Now is the present time in units of 100 nanoseconds. It returns no time twice in one
// process, so that the time of a document tells which write has stored it.
func Now() time.Time {
	for {
		before := last.Load()
		now := max(time.Now().UnixNano()/int64(tick), before+1)
		if last.CompareAndSwap(before, now) {
			return time.Unix(0, now*int64(tick))
		}
	}
}

// spanText says why an operation failed without naming a document.
func spanText(err error) string {
	var own *documents.Error
	if !errors.As(err, &own) {
		return failure.DiscreetText(err)
	}
	unnamed := *own
	unnamed.ID, unnamed.PartitionKey, unnamed.Note = "", "", ""
	if unnamed.Kind != nil && unnamed.Status == 0 { // what the cause adds may name some
		unnamed.Err = unnamed.Kind
	}
	return unnamed.Error()
}

// StartSpan begins a span that is called by an operation and the type of its documents.
// The function that it returns ends it.
func (s *Store) StartSpan(ctx context.Context, op string) (context.Context, func(error)) {
	if !s.Settings.Tracer.Enabled() {
		return ctx, func(error) {}
	}
	ctx, span := s.Settings.Tracer.Start(ctx, op+" "+s.Type, &tracing.SpanOptions{Kind: tracing.SpanKindInternal})
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(tracing.SpanStatusError, spanText(err))
		}
		span.End()
	}
}
