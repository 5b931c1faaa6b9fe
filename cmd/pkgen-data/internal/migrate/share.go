package migrate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"
)

// beat is the document with a run's signs of life.
type beat struct {
	ID string `json:"id"`
	N  int    `json:"n"`
}

// observed is when the current version of a run's document was first seen.
type observed struct {
	etag  string
	since time.Time // by this machine's monotonic clock
}

// share divides the units among the live runs. Two runs may briefly claim the same unit, which only
// costs request units.
type share struct {
	states *states
	run    string // this run
	now    func() time.Time
	dead   time.Duration               // the time without a sign of life after which a run is dead
	trust  time.Duration               // the interval of checks whether the run may write
	check  func(context.Context) error // checks that the containers still exist
	beat   beat
	etag   string
	seen   map[string]observed

	turn    chan struct{} // held by one goroutine; guards the fields below
	allowed time.Time     // the last time that this run was allowed to write
	cutover bool          // only this run may write
}

func (s *share) beatID(run string) string { return s.states.name + ".run." + run }

// show renews this run's sign of life.
func (s *share) show(ctx context.Context) error {
	s.beat.ID, s.beat.N = s.beatID(s.run), s.beat.N+1
	var err error
	if s.etag == "" {
		s.etag, err = s.states.create(ctx, s.beat.ID, s.beat)
	} else {
		s.etag, err = s.states.replace(ctx, s.beat.ID, s.beat, s.etag)
	}
	if errors.Is(err, errTaken) { // no other run writes it: an answer was lost
		var now beat
		s.etag, err = s.states.load(ctx, s.beat.ID, &now)
	}
	return err
}

// alive reports whether a run is alive, as far as known.
func (s *share) alive(ctx context.Context, run string) (bool, error) {
	if run == "" || run == s.run {
		return run == s.run, nil
	}
	var b beat
	etag, err := s.states.load(ctx, s.beatID(run), &b)
	if err != nil || etag == "" {
		return false, err
	}
	now := s.now()
	if seen, ok := s.seen[run]; !ok || seen.etag != etag {
		s.seen[run] = observed{etag, now}
		return true, nil
	}
	return now.Sub(s.seen[run].since) < s.dead, nil
}

// join adds this run to the live ones, removes dead ones, and returns the live ones.
func (s *share) join(ctx context.Context) ([]string, error) {
	return s.enrol(ctx, func(p *progress) error {
		var living []string
		gone := 0
		for _, run := range p.Runs {
			alive, err := s.alive(ctx, run)
			switch {
			case err != nil:
				return err
			case alive:
				living = append(living, run)
			default:
				gone++
			}
		}
		if !slices.Contains(living, s.run) {
			living = append(living, s.run)
		}
		p.Lost += gone
		if !slices.Contains(living, p.Cutover) {
			p.Cutover = "" // of a crashed run
		}
		p.Runs = living
		return p.admits(s.run)
	})
}

// leave removes this run from the live ones.
func (s *share) leave(ctx context.Context) error {
	_, err := s.enrol(ctx, func(p *progress) error {
		p.Runs = slices.DeleteFunc(p.Runs, func(run string) bool { return run == s.run })
		if p.Cutover == s.run {
			p.Cutover = ""
		}
		return nil
	})
	if s.etag != "" {
		err = errors.Join(err, s.states.account.DeleteItem(ctx, s.states.container, s.beatID(s.run), keyOf(s.beatID(s.run)), ""))
	}
	return err
}

// enrol changes the runs of the migration, and returns them.
func (s *share) enrol(ctx context.Context, change func(*progress) error) ([]string, error) {
	for {
		var p progress
		etag, err := s.states.load(ctx, s.states.name, &p)
		if err != nil {
			return nil, err
		}
		if etag == "" {
			return nil, errors.New("the documents of the migration have been removed: run the command again, with an empty destination")
		}
		before := encode(p)
		if err := change(&p); err != nil || bytes.Equal(before, encode(p)) {
			return p.Runs, err
		}
		if _, err = s.states.replace(ctx, s.states.name, p, etag); !errors.Is(err, errTaken) {
			return p.Runs, err
		}
	}
}
