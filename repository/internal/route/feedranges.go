package route

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// RenewFeedRanges makes the SDK read the container and its physical partitions
// again, which it keeps for ReadFeedRanges and ReadChangeFeed: up to three requests
// for metadata. It is called in the turn of turn.FeedRanges.
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
