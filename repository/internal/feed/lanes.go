package feed

import (
	"context"
	"fmt"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/turn"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
)

// renew makes the SDK read the container and its physical partitions again, if
// no other worker of the feed has. What it keeps is good after a split, of which it
// learns by a 410, but not after the container was deleted and made again: where
// the new one has more physical partitions, it would read those whose ids it knows
// and miss the others.
func (f *feed) renew(ctx context.Context) error {
	end, err := turn.FeedRanges.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
	if f.renewed {
		return nil
	}
	if err := route.RenewFeedRanges(ctx, f.store.Client); err != nil {
		return err
	}
	f.renewed = true
	return nil
}

// maxLanes is how many parts of the key space an open cursor may have for each
// physical partition: more than one where several were merged. Each is polled by
// requests of its own.
const maxLanes = 4

// admit returns why a cursor is refused that divides the key space into so many
// lanes, if it is: somebody may have made it up. A cursor that is closed by a key
// is taken as it is.
func admit(ctx context.Context, s *store.Store, lanes int) (refused, err error) {
	if len(s.Settings.CursorKeys) > 0 {
		return nil, nil
	}
	for renewed := false; ; renewed = true {
		ranges, err := s.Client.ReadFeedRanges(ctx, nil)
		if err == nil {
			err = covered(newLanes(ranges), route.FirstKey, route.LastKey)
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
		if err := route.RenewFeedRanges(ctx, s.Client); err != nil { // the SDK may know them from before a split
			return nil, err
		}
	}
}

// divide returns the parts of a lane that are in one physical partition each, as
// far as the SDK knows, which asks for these once. It would divide a lane itself,
// but fails where it finds more than eight parts ("safety cap" in azcosmos 1.5.0).
func (f *feed) divide(ctx context.Context, l lane) ([]lane, error) {
	ranges, err := f.store.Client.ReadFeedRanges(ctx, nil)
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
	ranges, err := f.store.Client.ReadFeedRanges(ctx, nil)
	return slices.ContainsFunc(ranges, func(r azcosmos.FeedRange) bool {
		return partition.CompareEPK(r.MinInclusive, l.Max) < 0 && partition.CompareEPK(l.Min, r.MaxExclusive) < 0 &&
			!route.Contains(l.Min, l.Max, route.Range{Min: r.MinInclusive, Max: r.MaxExclusive})
	}), err
}

// mixed reports whether some documents belong to other lanes, although a page is not
// shared by what the SDK knows now. Then the SDK has read a physical partition that was
// merged from several and has been split since: what it reads next is not mixed.
func (f *feed) mixed(l lane, documents [][]byte) bool {
	if !f.mapped || f.versions { // accounts that keep all versions merge nothing
		return false
	}
	return slices.ContainsFunc(documents, func(raw []byte) bool {
		epk, err := f.store.EPK(raw)
		return err == nil && !l.has(epk)
	})
}

// has reports whether a lane has an effective partition key.
func (l lane) has(epk string) bool {
	return partition.CompareEPK(epk, l.Min) >= 0 && partition.CompareEPK(epk, l.Max) < 0
}
