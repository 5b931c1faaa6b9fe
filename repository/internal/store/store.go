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

// Store is a container and the settings of a repository, without the Go types of its
// documents and keys, so that a program contains the code once, not once for each document
// type.
type Store struct {
	wire.Container
	Settings Settings

	Discriminator *generated.Discriminator // set by writes; nil if all documents of the container are of the type

	// Rules decide which stored items are documents of the type; nil if all are.
	Rules []Rule

	Decode  func(raw []byte) (any, error) // returns a pointer to a document
	Aliases []text.Aliased                // properties with other names in old documents
	// Once returns a function that reports whether a document comes for the first time. A
	// document may come again from another partition key. Once is nil if each document has
	// one partition key.
	Once func() func(doc any) bool

	// ShowsDeleted makes reads and queries show documents that are marked as deleted.
	ShowsDeleted bool

	// Schema has the forms of the type; nil if it has none.
	Schema *Schema

	// Computed are the computed properties; nil if the type has none.
	Computed *Computed

	// Entries says that stored items are entries of an index, which store the id of the
	// document in a property of their own.
	Entries bool

	// Moves is nil if documents of the type do not move.
	Moves *Moves

	Hierarchical   bool        // partition keys have levels
	GatewayRefused atomic.Bool // the gateway refuses queries across partitions of this container
}

// JoinSession prepares an operation. It returns an error if the store cannot be used or the
// account's write regions do not allow the operation, and joins the session of ctx, if any.
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

// Settings are the options of a repository.
type Settings struct {
	Concurrency int // concurrent requests
	Wave        int // concurrent requests to different physical partitions, if greater
	PageSize    int32
	MaxKeys     int
	Strategy    Strategy
	Unmarshal   func([]byte, any) error // json.Unmarshal or a replacement
	Tracer      tracing.Tracer
	CursorKeys  cursor.Keys // nil if cursors are open

	Clock // stamps documents

	Hedge *wire.Hedge // nil if reads are not hedged

	// Sleep waits until the service's clock has advanced by d.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Clock returns the time of a write. Given says that the clock is the caller's, which may
// repeat a time.
type Clock struct {
	Now   func() time.Time
	Given bool
}

// Strategy is a way to read many logical partitions.
type Strategy int

// Strategies, documented in package repository.
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

// tick is the unit of stamps.
const tick = 100 * time.Nanosecond

// last is the latest time that Now returned, in ticks.
var last atomic.Int64

// Now returns the present time in units of 100 nanoseconds. Within a process it never
// returns a time twice, so the time in a document identifies the write that stored it.
func Now() time.Time {
	for {
		before := last.Load()
		now := max(time.Now().UnixNano()/int64(tick), before+1)
		if last.CompareAndSwap(before, now) {
			return time.Unix(0, now*int64(tick))
		}
	}
}

// spanText describes an error without naming a document.
func spanText(err error) string {
	var own *documents.Error
	if !errors.As(err, &own) {
		return failure.DiscreetText(err)
	}
	unnamed := *own
	unnamed.ID, unnamed.PartitionKey, unnamed.Note = "", "", ""
	if unnamed.Kind != nil && unnamed.Status == 0 { // the cause may name documents
		unnamed.Err = unnamed.Kind
	}
	return unnamed.Error()
}

// StartSpan begins a span named after an operation and the type. The returned function ends
// it.
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
