package stored

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// scenario is a set of documents and what is done to them. A generation that was recorded
// depends on its name, its documents and its steps: a change of these is another scenario.
type scenario struct {
	name       string
	partitions int // of each container, if not 2
	about      string
	prepare    func(p *program)
	before     state // after prepare
	steps      []step
	read       func(p *program) state // in p.ways
	settle     func(p *program)       // waits, sweeps, and demands that all has ended
	settling   state                  // what settle changes
	ended      func(p *program) state // read after settle, if not as before it
	alike      bool                   // settle calls the operation again, so that nothing else has to
	endings    []ending               // besides those of all scenarios
}

// step is an operation that is acknowledged when run returns nil.
type step struct {
	name    string
	run     func(p *program) error
	effect  state   // what is different afterwards; a document with no text is gone
	between []state // what else readers may see meanwhile, as a difference

	// waits is how long readers may disagree after the request that has the effect, which
	// is acknowledged that much later.
	waits time.Duration
}

// ending is a way to go on after a stop.
type ending struct {
	name string
	run  func(p *program, got state) // read got at the stop
}

// state is what readers see: a text for each document.
type state map[string]string

func (s state) with(effect state) state {
	out := maps.Clone(s)
	for id, text := range effect {
		if out[id] = text; text == "" {
			delete(out, id)
		}
	}
	return out
}

// after returns the state after so many steps.
func (s *scenario) after(steps int) state {
	out := s.before
	for _, step := range s.steps[:steps] {
		out = out.with(step.effect)
	}
	return out
}

// stopped returns the states that may be read at a stop, the one before the step first.
func (s *scenario) stopped(at stop) []state {
	list := []state{s.after(at.steps)}
	if at.within {
		list = append(list, s.after(at.steps+1))
		for _, effect := range s.steps[at.steps].between {
			list = append(list, list[0].with(effect))
		}
	}
	return list
}

// again calls the operation that was stopped once more, or the next one if none was. It may
// say that its effect is there already if readers say so.
func (s *scenario) again(p *program, at stop, got state) {
	p.Helper()
	if at.steps == len(s.steps) {
		return
	}
	step, want := s.steps[at.steps], s.after(at.steps+1)
	effective := at.within && cmp.Equal(got, want)
	if err := patient(func() error { return step.run(p) }); err != nil && !effective {
		p.Fatalf("%s, again: %v", step.name, err)
	}
	p.expect("after "+step.name, want, s.read(p))
}

// settled settles, and demands that all documents are as before it.
func (s *scenario) settled(p *program, want state) {
	p.Helper()
	s.settle(p)
	read := s.read
	if s.ended != nil {
		read = s.ended
	}
	p.expect("when all is settled", want.with(s.settling), read(p))
}

// view is what one way of reading returned.
type view struct {
	name string
	docs state
}

// same demands that all ways of reading agree, and returns what they say.
func (p *program) same(views ...view) state {
	p.Helper()
	for _, v := range views[1:] {
		if diff := cmp.Diff(views[0].docs, v.docs); diff != "" {
			p.Fatalf("%s and %s differ (-%[1]s +%[2]s):\n%s", views[0].name, v.name, diff)
		}
	}
	return views[0].docs
}

// expect demands a state.
func (p *program) expect(when string, want, got state) {
	p.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		p.Fatalf("%s (-want +got):\n%s", when, diff)
	}
}

// kind says what tests see of a type.
type kind[T any] func(*T) (id, text string)

// listed is the view of an iteration, which has each document once.
func listed[T any](p *program, name string, docs iter.Seq2[*T, error], k kind[T]) view {
	p.Helper()
	v := view{name, state{}}
	for doc, err := range docs {
		if err != nil {
			p.Fatalf("%s: %v", name, err)
		}
		id, text := k(doc)
		if other, twice := v.docs[id]; twice {
			p.Fatalf("%s has %s twice: %s and %s", name, id, other, text)
		}
		v.docs[id] = text
	}
	return v
}

// paged is the view of pages from a cursor on.
func paged[T any](p *program, name string, q repository.Query[T], cursor string, k kind[T]) view {
	p.Helper()
	return listed(p, name, func(yield func(*T, error) bool) {
		for {
			page, err := q.Page(p.ctx, cursor, 2)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, doc := range page.Items {
				if !yield(doc, nil) {
					return
				}
			}
			if cursor = page.Cursor; cursor == "" {
				return
			}
		}
	}, k)
}

// got is the view of reads of each key alone.
func got[T, K any](p *program, name string, get func(K) (*T, error), k kind[T], keys ...K) view {
	p.Helper()
	return listed(p, name, func(yield func(*T, error) bool) {
		for _, key := range keys {
			doc, err := get(key)
			if errors.Is(err, repository.ErrNotFound) {
				continue
			}
			if !yield(doc, err) {
				return
			}
		}
	}, k)
}

// counted demands that a query counts as many documents as a view has.
func counted[T any](p *program, q repository.Query[T], v view) view {
	p.Helper()
	if n, err := q.Count(p.ctx); err != nil || n != len(v.docs) {
		p.Fatalf("Count is %d, %v, and %s has %d documents", n, err, v.name, len(v.docs))
	}
	return v
}

// fed is the view of the change feed: the last change of each document.
func fed[T any, K generated.Key](p *program, docs *repository.Documents[T, K], from feed.From, k kind[T]) view {
	p.Helper()
	v := view{"the change feed", state{}}
	for change, err := range feed.Changes(p.ctx, docs, from, feed.UntilCaughtUp()) {
		if err != nil {
			p.Fatalf("%s: %v", v.name, err)
		}
		id, text := k(change.Doc)
		v.docs[id] = text
	}
	return v
}

// only is a view without documents that are gone by now: the feed of latest versions does
// not say that a document was removed.
func (v view) only(of view) view {
	out := view{v.name, maps.Clone(v.docs)}
	maps.DeleteFunc(out.docs, func(id, _ string) bool { return of.docs[id] == "" })
	return out
}

// play runs one ending of one stop.
func (s *scenario) play(t *testing.T, r *recording, stored contents, i int, end string) {
	t.Helper()
	at := r.stops[i]
	time.Sleep(time.Until(at.at) + time.Millisecond) // the clocks of two processes are not the same
	p := thaw(t, stored).program(t)
	p.texts = maps.Clone(r.texts)
	p.stop = at
	for _, earlier := range r.stops[:i+1] {
		if p.had = append(p.had, earlier.handled...); !earlier.within {
			p.saved = len(p.had)
		}
	}
	p.handled = func(name string) { p.now = append(p.now, name) }
	if at.within {
		time.Sleep(s.steps[at.steps].waits)
	}
	// A query finishes some moves. So where an operation is only called again, every other
	// stop has no query before it.
	thorough := end == s.names(at)[0] && (!s.alike || i%2 == 0)
	if p.ways = glance; thorough {
		p.ways = study
	}
	got := s.read(p)
	allowed := s.stopped(at)
	if !slices.ContainsFunc(allowed, func(want state) bool { return cmp.Equal(want, got) }) {
		p.Fatalf("there is (-want +got):\n%s", cmp.Diff(allowed[0], got))
	}
	switch end {
	case "again":
		p.ways = look
		s.again(p, at, got)
		s.settled(p, s.after(min(at.steps+1, len(s.steps))))
	case "left": // in all ways, at the stop and in the end
		p.ways = study
		s.settled(p, got)
	default:
		p.ways = look
		for _, e := range s.endings {
			if e.name == end {
				e.run(p, got)
			}
		}
	}
}

// names returns the endings of a stop. Where an acknowledgement is all that is new, it is
// enough to begin the next step.
func (s *scenario) names(at stop) []string {
	switch acknowledged := len(at.changes) == 0 && at.steps < len(s.steps); {
	case acknowledged && s.alike:
		return []string{"read"}
	case acknowledged:
		return []string{"again"}
	}
	list := []string{"left"}
	if !s.alike {
		list = append(list, "again")
	}
	for _, e := range s.endings {
		list = append(list, e.name)
	}
	return list
}
