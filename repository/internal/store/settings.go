package store

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

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

	// Now is the clock by which documents are stamped. Given says that it is the caller's,
	// which may say one time twice.
	Now   func() time.Time
	Given bool

	Hedge *wire.Hedge // nil if point reads ask one region alone

	// Sleep waits for a time of the service's clock.
	Sleep func(ctx context.Context, d time.Duration) error
}
