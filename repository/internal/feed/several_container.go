package feed

import (
	"context"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// container is one of several containers, and how far it was read.
type container struct {
	at         *containerPosition
	store      *store.Store
	keyVersion int
	ends       time.Time // of its period; zero if it is for none
	given      bool      // by a cursor, and not opened yet

	feed    *feed // nil unless it is open
	cancel  context.CancelFunc
	open    bool
	idle    map[string]bool // the lanes that are at their ends, by Min
	reached map[string]bool // the lanes that were at their ends since CaughtUp was called
	changed time.Time       // when the last change came
	look    time.Time       // when it is looked at again, once it is closed
}

// all reports whether a set has all lanes.
func (c *container) all(set map[string]bool) bool {
	for _, l := range c.at.Lanes {
		if !set[l.Min] {
			return false
		}
	}
	return true
}

// ended reports whether the period of the container has ended.
func (c *container) ended(now time.Time) bool { return !c.ends.IsZero() && !now.Before(c.ends) }

// note notes a step, and reports whether that is another position.
func (c *container) note(s step, now time.Time) bool {
	before := c.at
	c.at = before.advance(s)
	if len(s.after) > 1 || len(s.versions) > 0 || !s.idle {
		delete(c.idle, s.lane.Min)
	}
	if len(s.versions) > 0 {
		c.changed = now
	}
	if len(s.after) > 1 {
		delete(c.reached, s.lane.Min)
	}
	if s.idle {
		c.idle[s.lane.Min], c.reached[s.lane.Min] = true, true
		c.at.End = c.at.End || c.all(c.idle)
	}
	if before.End && c.at.End && s.idle && s.lane.Tag == s.after[0].Tag && s.lane.Passed == nil {
		c.at = before // most polls
		return false
	}
	return true
}

// opened are the lanes of a container that is about to be read.
type opened struct {
	container *container
	lanes     []lane
	err       error
}

// openNew opens a container that was not read before.
func (r *several) openNew(ctx context.Context, l Listed) error {
	in, err := r.In(l.Name)
	if err != nil {
		return err
	}
	ends, _ := r.Ends(l.Name)
	c := &container{at: &containerPosition{Name: l.Name, RID: l.RID}, store: in, keyVersion: l.KeyVersion, ends: ends}
	r.containers[l.Name] = c
	r.open(ctx, c)
	return nil
}

// open reads the physical partitions of a container, or whether the lanes of a cursor
// are not too many for them.
func (r *several) open(ctx context.Context, c *container) {
	c.open, c.feed = true, r.newFeed(c)
	c.idle, c.reached = map[string]bool{}, map[string]bool{}
	if c.at.Closed { // and no change has come since
		c.changed = time.Time{}
	} else if c.changed.IsZero() {
		c.changed = r.Now()
	}
	work, cancel := c.context(ctx)
	c.cancel = cancel
	r.opening++
	lanes, given := c.at.Lanes, c.given
	c.given = false
	r.workers.Go(func() {
		o := opened{container: c, lanes: lanes}
		o.lanes, o.err = r.lanes(work, c.store, lanes, given)
		select {
		case r.opened <- o:
		case <-ctx.Done():
		}
	})
}

// lanes returns the lanes of a container: those that are known already, or one for each
// physical partition.
func (r *several) lanes(ctx context.Context, s *store.Store, known []lane, given bool) ([]lane, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := s.JoinSession(ctx, Op); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		lanes, refused, err := lanesOnce(ctx, s, known, given)
		switch {
		case refused != nil:
			return nil, r.refused(fmt.Errorf("of the container %q: %w", s.Client.ID(), refused))
		case err == nil:
			return lanes, nil
		}
		failure := wire.NewOperationError(Op, s.Type, "", "", err)
		if attempt == wire.MaxReads || ctx.Err() != nil || !passes(failure) || backoff.Pause(ctx, backoff.MaxAttempts) != nil {
			return nil, failure
		}
	}
}

// lanesOnce is lanes, once.
func lanesOnce(ctx context.Context, s *store.Store, known []lane, given bool) (lanes []lane, refused, err error) {
	if len(known) > 0 {
		if given {
			refused, err = admit(ctx, s, len(known))
		}
		return known, refused, err
	}
	ranges, err := s.Client.ReadFeedRanges(ctx, nil) // old ones make up the key space as well
	if err != nil {
		return nil, nil, err
	}
	lanes = newLanes(ranges)
	return lanes, nil, covered(lanes, route.FirstKey, route.LastKey)
}

// start begins to read a container that was opened.
func (r *several) start(ctx context.Context, o opened) error {
	r.opening--
	c := o.container
	if r.containers[c.at.Name] != c { // it was dropped meanwhile
		return nil
	}
	if o.err != nil {
		return r.gone(ctx, c, o.err)
	}
	if c.at.Lanes == nil {
		at := *c.at
		at.Lanes = o.lanes
		c.at = &at
		r.position = r.position.with(c.at)
		r.news = true
	}
	r.feeds[c.feed] = c
	work, cancel := c.context(ctx)
	c.cancel() // of the context in which the lanes were read
	c.cancel = cancel
	c.feed.work(work, c.at.Lanes)
	return nil
}

// gone looks whether a container still exists that a list lacks, or of which a request
// failed. If it does, gone returns the cause. One that was dropped is forgotten where
// nothing of it was left to read, and one that was made again is then read from its
// beginning.
func (r *several) gone(ctx context.Context, c *container, cause error) error {
	if cause != nil && !c.store.LacksItself(cause) && !MadeAgain(cause) {
		return cause
	}
	properties, err := c.store.Properties(c.store.Marked(ctx))
	dropped := err != nil && c.store.LacksItself(err)
	switch {
	case dropped:
	case err != nil && cause == nil:
		return wire.NewOperationError(Op, r.Store.Type, "", "", err)
	case err != nil, properties.ResourceID == c.at.RID:
		return cause
	}
	if c.at.Lanes != nil && !r.SkipDropped && (!c.at.End || !c.ended(r.Now())) {
		return r.lost(c, dropped)
	}
	r.stop(c)
	delete(r.containers, c.at.Name)
	r.position = r.position.without(c.at.Name)
	r.forgotten++
	r.news = true
	if dropped {
		return nil
	}
	return r.openNew(ctx, Listed{Name: c.at.Name, RID: properties.ResourceID, KeyVersion: properties.PartitionKeyDefinition.Version})
}

// Lost is the error of a container that is no more, before or while something happened.
func Lost(name string, dropped bool, reason string) *wire.OperationError {
	what := "was deleted and made again"
	if dropped {
		what = "was dropped"
	}
	return &wire.OperationError{Err: fmt.Errorf("the container %q %s %s", name, what, reason)}
}

// lost is the error of a container that is no more, and of which changes may not have
// been read.
func (r *several) lost(c *container, dropped bool) error {
	reason := "before all its changes were read"
	if c.at.End {
		reason = "before its period has ended"
		if c.ends.IsZero() {
			reason = "while its changes were read"
		}
	}
	failure := Lost(c.at.Name, dropped, reason)
	failure.Op, failure.Type = Op, r.Store.Type
	failure.Note = "begin again without a cursor, or go on without what was in it by repository.SkipDroppedWindows"
	if c.given {
		failure.Kind = wire.ErrCursor
	}
	return failure
}
