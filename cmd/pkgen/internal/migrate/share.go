package migrate

import (
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
	dead   time.Duration // after which a run that shows nothing is dead
	beat   beat
	etag   string
	seen   map[string]observed
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
	return s.enrol(ctx, func(runs []string) ([]string, error) {
		var living []string
		for _, run := range runs {
			alive, err := s.alive(ctx, run)
			if err != nil {
				return nil, err
			}
			if alive {
				living = append(living, run)
			}
		}
		if !slices.Contains(living, s.run) {
			living = append(living, s.run)
		}
		return living, nil
	})
}

// leave removes this run from those at work.
func (s *share) leave(ctx context.Context) error {
	_, err := s.enrol(ctx, func(runs []string) ([]string, error) {
		return slices.DeleteFunc(slices.Clone(runs), func(run string) bool { return run == s.run }), nil
	})
	if s.etag != "" {
		err = errors.Join(err, s.states.account.DeleteItem(ctx, s.states.container, s.beatID(s.run), keyOf(s.beatID(s.run)), ""))
	}
	return err
}

// enrol changes the runs of the migration.
func (s *share) enrol(ctx context.Context, change func([]string) ([]string, error)) ([]string, error) {
	for {
		var p progress
		etag, err := s.states.load(ctx, s.states.name, &p)
		if err != nil {
			return nil, err
		}
		if etag == "" {
			return nil, errors.New("the documents of the migration have been removed: run the command again, with an empty destination")
		}
		runs, err := change(p.Runs)
		if err != nil || slices.Equal(runs, p.Runs) {
			return runs, err
		}
		p.Runs = runs
		if _, err = s.states.replace(ctx, s.states.name, p, etag); !errors.Is(err, errTaken) {
			return runs, err
		}
	}
}
