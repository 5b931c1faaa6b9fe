package migrate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"
)

// beat is the document by which a run shows that it is at work.
type beat struct {
	ID string `json:"id"`
	N  int    `json:"n"`
}

// observed is when the document of a run was first seen as it is.
type observed struct {
	etag  string
	since time.Time // by this machine's clock, which is monotonic
}

// share divides the units among the runs that are at work. Two runs may believe for a
// moment that a unit is theirs: that costs request units, and nothing else.
type share struct {
	states *states
	run    string // this one
	now    func() time.Time
	dead   time.Duration               // after which a run that shows nothing is dead
	trust  time.Duration               // after which it asks again whether it may write
	check  func(context.Context) error // whether the containers are still there
	beat   beat
	etag   string
	seen   map[string]observed

	turn    chan struct{} // of one, for what follows
	allowed time.Time     // when it was last found that this run may write
	cutover bool          // this run alone may write
}

func (s *share) beatID(run string) string { return s.states.name + ".run." + run }

// show writes the document of this run anew.
func (s *share) show(ctx context.Context) error {
	s.beat.ID, s.beat.N = s.beatID(s.run), s.beat.N+1
	var err error
	if s.etag == "" {
		s.etag, err = s.states.create(ctx, s.beat.ID, s.beat)
	} else {
		s.etag, err = s.states.replace(ctx, s.beat.ID, s.beat, s.etag)
	}
	if errors.Is(err, errTaken) { // nobody else writes it: an answer was lost
		var now beat
		s.etag, err = s.states.load(ctx, s.beat.ID, &now)
	}
	return err
}

// alive reports whether a run is at work, as far as is known.
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

// join adds this run to those at work, and removes dead ones. It returns those at work.
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
			p.Cutover = "" // of a run that has crashed
		}
		p.Runs = living
		return p.admits(s.run)
	})
}

// leave removes this run from those at work.
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
