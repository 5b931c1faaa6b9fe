package migrate

import (
	"context"
	"errors"
	"sync"
	"time"
)

// current is how long the last look at all units may take: the destination is later than
// the source by so much when a run ends.
// If it keeps taking longer, since the budget is small or much is written, a run ends
// after it has looked enough times.
const (
	current = 10 * time.Second
	enough  = 3
)

// Run copies until everything was in the destination, and each unit had nothing new.
// Several processes can run at the same time, and a run goes on where others ended.
func (m *Migration) Run(ctx context.Context) error {
	return m.attend(ctx, func(ctx context.Context, s *share) error {
		if err := m.rounds(ctx, s); err != nil {
			return err
		}
		return m.recheck(ctx)
	})
}

// rounds copies as long as there is something new.
func (m *Migration) rounds(ctx context.Context, s *share) error {
	for again := 1; ; {
		began := time.Now()
		ended, err := m.round(ctx, s)
		if err != nil {
			return err
		}
		if ended && (time.Since(began) < current || again == enough) {
			return nil
		}
		if ended {
			again++
		}
		if err := sleep(ctx, m.poll); err != nil {
			return err
		}
	}
}

// round brings the units up to date that are this run's part, all at the same time. It
// reports whether those of others have been copied too.
func (m *Migration) round(ctx context.Context, s *share) (ended bool, err error) {
	runs, err := s.join(ctx)
	if err != nil {
		return false, err
	}
	mine, others, err := m.claim(ctx, s, len(runs))
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for _, u := range mine {
		group.Go(func() {
			err := m.copyUnit(ctx, u)
			if err != nil && !errors.Is(err, errTaken) {
				cancel(err)
				return
			}
			if err == nil {
				u.Owner = ""
				err = m.states.save(ctx, u)
			}
			if err != nil && !errors.Is(err, errTaken) {
				cancel(err)
			}
		})
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	return others == 0, nil
}

// errRemoved says that the state is not whole.
var errRemoved = errors.New("a document of the migration has been removed: begin anew with an empty destination")

// claim takes this run's part of the units, which nobody alive has, and returns them,
// and the number of those that others are to copy.
func (m *Migration) claim(ctx context.Context, s *share, runs int) (mine []*unit, others int, err error) {
	var p progress
	known, err := m.states.load(ctx, m.states.name, &p)
	if err != nil {
		return nil, 0, err
	}
	if known == "" {
		return nil, 0, errRemoved
	}
	most := (p.Units + runs - 1) / runs
	for i := range p.Units {
		u := &unit{}
		if u.etag, err = m.states.load(ctx, m.states.unitID(i), u); err != nil {
			return nil, 0, err
		}
		if u.etag == "" {
			return nil, 0, errRemoved
		}
		taken, err := s.alive(ctx, u.Owner)
		if err != nil {
			return nil, 0, err
		}
		if taken && u.Owner != m.run || len(mine) == most {
			if !u.Copied {
				others++
			}
			continue
		}
		u.Owner = m.run
		err = m.states.save(ctx, u)
		if errors.Is(err, errTaken) {
			others++
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		mine = append(mine, u)
	}
	return mine, others, nil
}

// sleep waits, or returns the error of a context that has ended.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
