package route

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// feedRangesTurn is held by the one change feed of the process that makes the SDK
// read physical partitions again.
var feedRangesTurn = make(chan struct{}, 1)

// LockFeedRanges waits for its turn. The function that it returns ends the turn.
func LockFeedRanges(ctx context.Context) (func(), error) {
	select {
	case feedRangesTurn <- struct{}{}:
		return func() { <-feedRangesTurn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RenewFeedRanges makes the SDK read the container and its physical partitions
// again, which it keeps for ReadFeedRanges and ReadChangeFeed: up to three requests
// for metadata. It is called under LockFeedRanges.
func RenewFeedRanges(ctx context.Context, container *azcosmos.ContainerClient) error {
	// For a feed range that overlaps none, it reads them before it gives up
	// (resolveFeedRangeToChildren in azcosmos 1.5.0).
	nowhere := azcosmos.FeedRange{MinInclusive: LastKey, MaxExclusive: LastKey}
	_, err := container.ReadChangeFeed(ctx, &azcosmos.ChangeFeedOptions{FeedRange: &nowhere})
	if err != nil && !errors.Is(err, azcosmos.ErrFeedRangeUnresolved) {
		return err
	}
	return nil
}
