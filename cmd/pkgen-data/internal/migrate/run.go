package migrate

import (
	"context"
	"errors"
	"sync"
	"time"
)

// current is the maximum duration of the last pass over all units, by which the destination may lag
// when a run ends. If passes take longer, because of a small budget or many writes, a run ends
// after a number of passes.
const (
	current = 10 * time.Second
	enough  = 3
)

// Run copies until everything is in the destination and each unit has nothing new. Several
// processes can run concurrently, and a run resumes the work of earlier ones.
func (m *Migration) Run(ctx context.Context) error {
	return m.attend(ctx, func(ctx context.Context, s *share) error {
		if err := m.rounds(ctx, s); err != nil {
			return err
		}
		return m.recheck(ctx)
	})
}

// rounds copies while there are changes.
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

// round copies this run's units, concurrently. It reports whether those of others have been copied
// too.
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

// errRemoved means that the state is incomplete.
var errRemoved = errors.New("a document of the migration has been removed: begin anew with an empty destination")

// claim takes this run's share of the units that no live run owns. It returns them, and the number
// of units that others are to copy.
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

// sleep waits, or returns the error of ctx once it ends.
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
