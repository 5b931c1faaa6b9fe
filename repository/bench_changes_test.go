package repository_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// BenchmarkChanges reads the change feed of a container to its end, and compares
// that with a program that reads one physical partition after the other by the
// SDK alone.
func BenchmarkChanges(b *testing.B) {
	x := newBench(b, 5)
	ctx := context.Background()
	b.Run("azcosmos", func(b *testing.B) {
		x.run(b, kit.BenchDocuments, func() (int, error) { return readFeedRanges(ctx, x.container) })
	})
	events := fleet.NewVehicleEventRepository(x.container)
	b.Run("pkgen", func(b *testing.B) {
		x.run(b, kit.BenchDocuments, func() (n int, err error) {
			for change, err := range feed.Changes(ctx, events.Documents, feed.FromBeginning(), feed.UntilCaughtUp()) {
				if err != nil || change.Doc.ID == "" {
					return n, err
				}
				n++
			}
			return n, nil
		})
	})
}

// readFeedRanges reads and decodes all changes.
func readFeedRanges(ctx context.Context, container *azcosmos.ContainerClient) (n int, err error) {
	ranges, err := container.ReadFeedRanges(ctx, nil)
	if err != nil {
		return 0, err
	}
	for _, r := range ranges {
		options := azcosmos.ChangeFeedOptions{FeedRange: &r}
		for {
			response, err := container.ReadChangeFeed(ctx, &options)
			if err != nil {
				return n, err
			}
			if len(response.Items) == 0 {
				break
			}
			for _, raw := range response.Items {
				var e fleet.VehicleEvent
				if err := json.Unmarshal(raw, &e); err != nil {
					return n, err
				}
				n++
			}
			options.Continuation = &response.ContinuationToken
		}
	}
	return n, nil
}

// BenchmarkChangedCursor writes the cursor in the middle of a page of 100.
func BenchmarkChangedCursor(b *testing.B) {
	x := newBench(b, 50)
	n := 0
	for change, err := range feed.Changes(context.Background(), fleet.NewVehicleEventRepository(x.container).Documents, feed.FromBeginning()) {
		if err != nil {
			b.Fatal(err)
		}
		if n++; n == 1000 {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				size = len(change.Cursor())
			}
			b.ReportMetric(float64(size), "bytes/cursor")
			return
		}
	}
}
