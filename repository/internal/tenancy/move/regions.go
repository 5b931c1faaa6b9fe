package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A forced failover loses the last writes of each physical partition separately: of the
// directory, of the old place and of the destination. In an account with several regions, a
// move therefore takes a step only when all regions have everything that the step relies on:
//
//   - It copies when all have the mark in the directory. So the move cannot be forgotten, and no
//     program writes again without the fence.
//   - It switches when all have the closed fences, after all copies at the destination, and after
//     all that programs wrote at the old place.
//   - It lets programs write at the destination when all have the switch. So no failover takes
//     the tenant back to the old place, without what was written at the destination.
//   - It removes the old documents when all have the end of the pause, and ends when all have the
//     removal.
//
// For tenants with levels, which have no fences, all regions must have the same versions of
// the documents.
//
// A position in the change feed is meaningless after a failover of either side. So a move
// stores none. If it is continued, or notices a failover, it copies all documents again.

// hasRegions reports whether a container that a move writes to is in several regions.
func (m *Move) hasRegions() bool {
	return m.from.HasRegions() || m.to.HasRegions() || m.Records.HasRegions()
}

// errLacks is the error if a region does not have a write yet.
var errLacks = errors.New("the last writes have not arrived")

// Pauses between two checks of the regions.
const (
	firstLook = 10 * time.Millisecond
	maxLook   = time.Second
)

// everywhere waits until are returns nil, and calls it at least twice before it gives up. With
// one region it does not call it. A failover during the wait may leave one region, which must
// then have everything.
func (m *Move) everywhere(ctx context.Context, most time.Duration, are func(context.Context) error) error {
	if !m.hasRegions() {
		return nil
	}
	began, slept := time.Now(), time.Duration(0)
	for look, pause := 1, firstLook; ; look, pause = look+1, min(2*pause, maxLook) {
		err := are(ctx)
		switch {
		case err == nil || ctx.Err() != nil || errors.Is(err, ErrRunning):
			return err
		case look > 1 && max(slept, time.Since(began)) >= most:
			return fmt.Errorf("a region lags by more than %v: run the move again when all regions are up: %w", most, err)
		}
		if err := m.Sleep(ctx, pause); err != nil {
			return err
		}
		slept += pause
	}
}

// written returns a check that all regions have everything that this process has written to
// the directory so far.
func (r *record) written() func(context.Context) error {
	release := r.mu.Hold()
	now, beat := r.document, int64(0)
	if r.state != nil {
		beat = r.state.Beat
	}
	release()
	return func(ctx context.Context) error {
		return r.records.EachRegion(ctx, now.Shared, now.Tenant, func(d tenancy.Document) error {
			var s state
			if d.Version != now.Version || json.Unmarshal(d.Move, &s) != nil || s.Owner != r.owner || s.Beat < beat {
				return errLacks
			}
			return nil
		})
	}
}

// changesReplicas reports whether a failover may have lost documents since copying began.
func (m *Move) changesReplicas() bool {
	return m.hasRegions() && m.session.Changes() != m.replicas
}

// lastEpoch returns the later of the epochs of the two fences.
func (m *Move) lastEpoch(ctx context.Context) (last int64, err error) {
	for _, s := range []*side{m.from, m.to} {
		if s.levels {
			continue
		}
		mark, err := s.fence(ctx)
		if err != nil && wire.StatusOf(err) != http.StatusNotFound {
			return 0, err
		}
		last = max(last, mark.Epoch)
	}
	return last, nil
}

// arrive waits, before the pause of the writers, until all regions have everything written so
// far, so that the pause is short.
func (m *Move) arrive(ctx context.Context) error {
	if err := m.everywhere(ctx, m.Patience, m.record.written()); err != nil {
		return err
	}
	if m.to.levels {
		return m.everywhere(ctx, m.Patience, m.to.isSame)
	}
	least := map[*side]int64{}
	for _, s := range []*side{m.from, m.to} {
		mark, err := s.fence(ctx)
		if err != nil {
			return err
		}
		least[s] = mark.Count
	}
	return m.everywhere(ctx, m.Patience, func(ctx context.Context) error {
		for s, count := range least {
			if err := s.hasFence(ctx, func(m tenancy.Mark) bool { return m.Count >= count }); err != nil {
				return err
			}
		}
		return nil
	})
}

// stays waits, during the pause, until no failover can lose copied documents, or let a program
// write at the old place.
func (m *Move) stays(ctx context.Context) error {
	err := m.everywhere(ctx, maxPausedLag, func(ctx context.Context) error {
		for _, s := range []*side{m.from, m.to} {
			is := s.isSame
			if !s.levels {
				is = func(ctx context.Context) error {
					return s.hasFence(ctx, func(m tenancy.Mark) bool { return !m.Open && !m.Copy })
				}
			}
			if err := is(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = m.everywhere(ctx, maxPausedLag, m.record.written())
	}
	if err == nil && m.changesReplicas() {
		err = errors.New("a failover has happened while the tenant was copied: run the move again")
	}
	return err
}

// hasFence returns an error unless all regions have the fence of this epoch, in the required
// state.
func (s *side) hasFence(ctx context.Context, is func(tenancy.Mark) bool) error {
	return s.EachRegion(ctx, func(ctx context.Context) error {
		response, err := s.ReadItem(ctx, Op, s.tenant)
		if err != nil {
			return err
		}
		mark, _, err := tenancy.MarkOf(response.Value)
		if err == nil && (mark.Epoch != s.epoch || !is(mark)) {
			err = errLacks
		}
		return err
	})
}

// isSame returns an error unless each region has exactly the documents of the write region, in
// the same versions.
func (s *side) isSame(ctx context.Context) error {
	want, err := s.rows(ctx)
	if err != nil {
		return err
	}
	return s.EachRegion(ctx, func(ctx context.Context) error {
		got, err := s.rows(ctx)
		if err == nil && !maps.EqualFunc(got, want, func(a, b row) bool { return a.ETag == b.ETag }) {
			err = errLacks
		}
		return err
	})
}

// isRemoved removes documents that a failover has brought back at the old place. It returns an
// error if a region still has a document there.
func (m *Move) isRemoved(ctx context.Context) error {
	if err := m.remove(ctx); err != nil {
		return err
	}
	return m.from.EachRegion(ctx, func(ctx context.Context) error {
		empty, err := m.from.isEmpty(ctx)
		if err == nil && !empty {
			err = errLacks
		}
		return err
	})
}

// isEmpty reports whether the tenant has no document but the fence.
func (s *side) isEmpty(ctx context.Context) (bool, error) {
	if s.levels {
		rows, err := s.rows(ctx)
		return len(rows) == 0, err
	}
	empty := true
	err := s.ids(ctx, notFence, func(string) { empty = false })
	return empty, err
}
