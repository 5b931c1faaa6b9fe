package migrate

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// errCutover means that another run compares both sides.
var errCutover = errors.New("another run is at the cutover, and only it may write: wait until it has ended")

// admits returns an error if a run may not write to the destination.
func (p *progress) admits(run string) error {
	switch {
	case p.Closed:
		return p.ended()
	case p.Cutover != "" && p.Cutover != run:
		return errCutover
	}
	return nil
}

// attend calls do while this run is registered with the others. It returns an error if other runs
// have finished the migration, or are doing so.
func (m *Migration) attend(ctx context.Context, do func(context.Context, *share) error) error {
	s := &share{states: m.states, run: m.run, now: time.Now, dead: m.dead, trust: m.trust, check: m.checkContainers, seen: map[string]observed{}, turn: make(chan struct{}, 1)}
	if err := s.show(ctx); err != nil {
		return err
	}
	m.current.Store(s)
	ctx, cancel := context.WithCancelCause(ctx)
	var beats sync.WaitGroup
	beats.Go(func() {
		for sleep(ctx, m.rhythm) == nil {
			if err := s.show(ctx); err != nil {
				cancel(err)
			}
		}
	})
	defer func() {
		cancel(nil)
		beats.Wait()
		m.readers.Wait()
		ctx, done := context.WithTimeout(context.WithoutCancel(ctx), m.leaving)
		defer done()
		_ = s.leave(ctx) // otherwise others detect its end
	}()
	for {
		switch _, err := s.join(ctx); {
		case err == nil:
			return do(ctx, s)
		case !errors.Is(err, errCutover): // a crashed run may have left it
			return err
		}
		if err := sleep(ctx, m.poll); err != nil {
			return err
		}
	}
}

// writing returns a context whose requests are sent only while this run may write. A process that
// was suspended checks again before it resumes.
func (m *Migration) writing(ctx context.Context) context.Context {
	if s := m.current.Load(); s != nil {
		return account.Checking(ctx, s.may)
	}
	return ctx
}

// may returns an error if this run may not write to the destination. It reads the state if the last
// answer is old.
func (s *share) may(ctx context.Context) error {
	s.turn <- struct{}{} // others wait for the same answer
	defer func() { <-s.turn }()
	for s.now().Sub(s.allowed) >= s.trust {
		began := s.now()
		var p progress
		etag, err := s.states.load(ctx, s.states.name, &p)
		switch {
		case err != nil:
			return err
		case etag == "" || s.cutover && p.Cutover != s.run:
			return errTaken
		}
		if err := errors.Join(p.admits(s.run), s.check(ctx)); err != nil {
			return err
		}
		s.allowed = began
	}
	return nil
}

// Cutover brings the destination up to date and compares both sides, while no other run may write.
// If both sides are equal, it closes the migration: no run may write any more, including one that
// was suspended and resumes.
func (m *Migration) Cutover(ctx context.Context) (v *Verdict, err error) {
	err = m.attend(ctx, func(ctx context.Context, s *share) error {
		others := false
		_, err := s.enrol(ctx, func(p *progress) error {
			others, p.Cutover = p.Lost > 0 || len(p.Runs) > 1, s.run
			return p.admits(s.run)
		})
		if err != nil {
			return err
		}
		s.turn <- struct{}{}
		s.cutover = true
		<-s.turn
		alone := time.Now()
		if others { // each may write until it checks again, and its requests in flight need time
			alone = alone.Add(m.trust + m.leaving)
		}
		if err := m.drain(ctx); err != nil {
			return err
		}
		if err := sleep(ctx, time.Until(alone)); err != nil {
			return err
		}
		var after []account.Part
		if v, after, err = m.compare(ctx); err != nil || !v.Equal {
			return err
		}
		return m.close(ctx, s, v, after)
	})
	return v, err
}
