package repository

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// rangesTurn is held by the one that makes the SDK read physical partitions anew.
var rangesTurn = make(chan struct{}, 1)

// lockRanges waits for its turn, which the function that it returns ends.
func lockRanges(ctx context.Context) (func(), error) {
	select {
	case rangesTurn <- struct{}{}:
		return func() { <-rangesTurn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// renew makes the SDK read the container and its physical partitions again, if
// no other worker of the feed has. What it keeps is good after a split, of which it
// learns by a 410, but not after the container was deleted and made again: where
// the new one has more physical partitions, it would read those whose ids it knows
// and miss the others.
func (f *feed) renew(ctx context.Context) error {
	unlock, err := lockRanges(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if f.renewed {
		return nil
	}
	if err := f.store.renewRanges(ctx); err != nil {
		return err
	}
	f.renewed = true
	return nil
}

// renewRanges makes the SDK read the container and its physical partitions again.
func (s *store) renewRanges(ctx context.Context) error {
	// For a feed range that overlaps none, it reads them before it gives up
	// (resolveFeedRangeToChildren in azcosmos 1.5.0).
	nowhere := azcosmos.FeedRange{MinInclusive: lastKey, MaxExclusive: lastKey}
	_, err := s.container.ReadChangeFeed(ctx, &azcosmos.ChangeFeedOptions{FeedRange: &nowhere})
	if err != nil && !errors.Is(err, azcosmos.ErrFeedRangeUnresolved) {
		return err
	}
	return nil
}

// maxLanes is how many parts of the key space an open cursor may have for each
// physical partition: more than one where several were merged. Each is polled by
// requests of its own.
const maxLanes = 4

// admit returns why a cursor is refused that divides the key space into so many
// lanes, if it is: somebody may have made it up. A cursor that is closed by a key
// is taken as it is.
func (s *store) admit(ctx context.Context, lanes int) (refused, err error) {
	if len(s.settings.cursorKeys) > 0 {
		return nil, nil
	}
	for renewed := false; ; renewed = true {
		ranges, err := s.container.ReadFeedRanges(ctx, nil)
		if err == nil {
			err = covered(newLanes(ranges), firstKey, lastKey)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case lanes <= maxLanes*len(ranges):
			return nil, nil
		case renewed:
			return fmt.Errorf("it has %d parts, and the container %d physical partitions: begin again without a cursor, or close cursors by WithCursorKey", lanes, len(ranges)), nil
		}
		if err := s.renewRanges(ctx); err != nil { // the SDK may know them from before a split
			return nil, err
		}
	}
}

// divide returns the parts of a lane that are in one physical partition each, as
// far as the SDK knows, which asks for these once. It would divide a lane itself,
// but fails where it finds more than eight parts ("safety cap" in azcosmos 1.5.0).
func (f *feed) divide(ctx context.Context, l lane) ([]lane, error) {
	ranges, err := f.store.container.ReadFeedRanges(ctx, nil)
	if err != nil {
		return nil, err
	}
	var parts []lane
	for _, r := range ranges {
		part := l
		part.Min = slices.MaxFunc([]string{l.Min, r.MinInclusive}, partition.CompareEPK)
		part.Max = slices.MinFunc([]string{l.Max, r.MaxExclusive}, partition.CompareEPK)
		if partition.CompareEPK(part.Min, part.Max) < 0 {
			parts = append(parts, part)
		}
	}
	sortLanes(parts)
	return parts, covered(parts, l.Min, l.Max)
}

// shared reports whether a page of so many documents may hold others than the
// lane's, and whether that can be told: a physical partition that was merged from
// several holds the documents of several lanes, and the SDK reads all of it.
func (f *feed) shared(ctx context.Context, l lane, documents int) (bool, error) {
	if documents == 0 || !f.mapped {
		return false, nil
	}
	ranges, err := f.store.container.ReadFeedRanges(ctx, nil)
	return slices.ContainsFunc(ranges, func(r azcosmos.FeedRange) bool {
		return partition.CompareEPK(r.MinInclusive, l.Max) < 0 && partition.CompareEPK(l.Min, r.MaxExclusive) < 0 &&
			!contains(l.Min, l.Max, keyRange{Min: r.MinInclusive, Max: r.MaxExclusive})
	}), err
}

// inContainer returns the context of change feed requests to the container with
// this RID, and to no other of its name.
func inContainer(ctx context.Context, rid string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rid: rid})
}

// pinFeed is what the policy does with requests for a change feed of ours, which
// the SDK scopes to physical partitions itself. They go to one container, and no
// other of its name. The time at which they begin is in GMT, as HTTP writes it:
// azcosmos writes UTC, and a service that does not understand the time may begin
// with the oldest change (azure-cosmos-dotnet-v3, pull request 2042).
func pinFeed(request *http.Request) {
	s, ok := request.Context().Value(scopeKey{}).(scope)
	if !ok {
		return
	}
	request.Header.Set(headerIntendedRID, s.rid)
	const since = "If-Modified-Since"
	if text, ok := strings.CutSuffix(request.Header.Get(since), " UTC"); ok {
		request.Header.Set(since, text+" GMT")
	}
}
