package feed

import (
	"context"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Op is the operation of a change feed, as errors and events name it.
const Op = "changes"

// From says where in the change feed to begin. The zero value is the beginning.
type From struct {
	Since  int64 // in seconds, 0 is the beginning
	Cursor string
}

// Settings say how a change feed is read.
type Settings struct {
	Once     bool                // until every physical partition has said that there is nothing new
	MaxPause time.Duration       // the longest pause between two polls
	PageSize int32               // 0 leaves it to the service
	CaughtUp func(cursor string) // may be nil

	// Of a type with several containers:
	Quiet       time.Duration // without changes, after which a container whose period has ended is closed; 0 closes none
	SkipDropped bool          // a container that was dropped is no error
	ListEvery   time.Duration // the pause from one list of the containers to the next; 0 is that of the polls, a second at least
}

// Read reads a change feed from a position on, and yields its items until yield
// returns false, or to the end that settings ask for. An error comes without an item,
// and is the last. Read costs a request for metadata, and one for each page.
func Read(ctx context.Context, s *store.Store, from From, settings Settings, yield func(*Mark, Item, error) bool) {
	ctx, end := s.StartSpan(ctx, Op)
	failure := error(nil)
	defer func() { end(failure) }()
	read(ctx, s, from, settings, func(mark *Mark, item Item, err error) bool {
		failure = err
		return yield(mark, item, err)
	})
}

// read is Read within a span.
func read(ctx context.Context, s *store.Store, from From, settings Settings, yield func(*Mark, Item, error) bool) {
	failed := func(err error) { yield(nil, Item{}, err) }
	position, keyVersion, err := startOf(ctx, s, from)
	if err != nil {
		failed(err)
		return
	}
	f := newFeed(s, settings, &position, keyVersion)
	workCtx, cancel := context.WithCancel(ctx)
	pages := f.start(route.InContainer(workCtx, position.Container), position.Lanes)
	defer func() {
		cancel()
		f.workers.Wait()
	}()
	for p := range pages {
		mark := &Mark{position: position, page: p.step, keys: s.Settings.CursorKeys}
		for _, item := range p.items {
			if !yield(mark, item, nil) {
				return
			}
		}
		if p.err != nil {
			failed(p.err)
			return
		}
		position = position.advance(p.step)
		if f.ends.note(position, p.step) && settings.CaughtUp != nil {
			settings.CaughtUp(position.Cursor(s.Settings.CursorKeys))
		}
	}
	if err := ctx.Err(); err != nil {
		failed(&wire.OperationError{Op: Op, Type: s.Type, Err: err})
	}
}

// startOf returns where to begin, and the version of the container's partition
// key.
func startOf(ctx context.Context, s *store.Store, from From) (position Position, keyVersion int, err error) {
	refused := func(reason error) error {
		return &wire.OperationError{Op: Op, Type: s.Type, Kind: wire.ErrCursor, Err: reason}
	}
	position = Position{Type: s.Type, Since: from.Since}
	if from.Cursor != "" {
		if position, err = ParseCursor(s.Settings.CursorKeys, from.Cursor); err != nil {
			return position, 0, refused(err)
		}
		if position.Type != s.Type {
			return position, 0, refused(fmt.Errorf("it is of another type, %.100q", position.Type))
		}
	}
	if err := s.JoinSession(ctx, Op); err != nil {
		return position, 0, err
	}
	ctx = s.Marked(ctx)
	properties, err := s.Properties(ctx)
	if err != nil {
		return position, 0, wire.NewContainerError(Op, s.Type, "", err)
	}
	keyVersion = properties.PartitionKeyDefinition.Version
	if from.Cursor != "" {
		if position.Container != properties.ResourceID {
			return position, 0, refused(cursor.ErrOtherContainer)
		}
		reason, err := admit(ctx, s, len(position.Lanes))
		switch {
		case err != nil:
			err = wire.NewContainerError(Op, s.Type, "", err)
		case reason != nil:
			err = refused(reason)
		}
		return position, keyVersion, err
	}
	position.Container = properties.ResourceID
	ranges, err := s.Client.ReadFeedRanges(ctx, nil) // old ones make up the key space as well
	if err != nil {
		return position, 0, wire.NewContainerError(Op, s.Type, "", err)
	}
	position.Lanes = newLanes(ranges)
	if err := covered(position.Lanes, route.FirstKey, route.LastKey); err != nil {
		return position, 0, wire.NewContainerError(Op, s.Type, "", err)
	}
	return position, keyVersion, nil
}
