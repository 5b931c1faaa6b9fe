package stored

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// handle runs a processor of the name p for as long as a process needs that finds the leases
// of one that ended without giving them back.
func handle[T any, K generated.Key](p *program, docs *repository.Documents[T, K], k kind[T]) error {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	processor := feed.NewProcessor(docs, "p", p.container("leases"), func(_ context.Context, changes []feed.Delivery[T]) error {
		p.noting.Lock() // ranges are handled in parallel
		defer p.noting.Unlock()
		for _, change := range changes {
			id, text := k(change.Doc)
			p.handled(id + ": " + text)
		}
		return nil
	}, feed.CloseWindows(time.Minute), feed.PollEvery(20*time.Second))
	ended := make(chan error, 1)
	go func() { ended <- processor.Run(ctx) }()
	time.Sleep(2 * time.Minute)
	lags, err := processor.Lag(p.ctx)
	cancel()
	if failed := <-ended; failed != nil && ctx.Err() == nil {
		return failed
	}
	for _, lag := range lags {
		if lag.Changes != 0 {
			return fmt.Errorf("after two minutes a lease lags: %+v", lag)
		}
	}
	return err
}

// handledAll demands that all documents were handled as they are, by the processes before or by
// this one, and that nothing comes again of which the progress was saved.
func (p *program) handledAll(docs state) {
	p.Helper()
	for id, text := range docs {
		if !slices.Contains(p.had, id+": "+text) && !slices.Contains(p.now, id+": "+text) {
			p.Errorf("nobody handled %s: %s; before %q, now %q", id, text, p.had, p.now)
		}
	}
	for _, handled := range p.now {
		if slices.Contains(p.had[:p.saved], handled) {
			p.Errorf("%s came again, after %q were saved", handled, p.had[:p.saved])
		}
	}
}

func makeLeases(p *program) {
	p.Helper()
	_, err := admin.EnsureLeases(p.ctx, p.db, "leases", admin.AnyThroughput())
	p.need(err)
}

var processorScenarios = []scenario{
	{
		name: "processor", about: "A processor of one container, with leases, which ends and goes on.",
		prepare: func(p *program) {
			prepareUsers(p)
			makeLeases(p)
		},
		before: state{"u0": storedUser(0, "a"), "u1": storedUser(1, "b")}, read: readUsers, alike: true,
		settling: state{"u0": storedUser(0, "f")},
		settle: func(p *program) {
			p.need(p.users().Upsert(p.ctx, userOf(0, "f")))
			p.need(handle(p, p.users().Documents, aUser))
			p.ways = look
			p.handledAll(readUsers(p))
		},
		steps: []step{
			{name: "Run", run: func(p *program) error { return handle(p, p.users().Documents, aUser) }},
			{name: "Create u2", run: func(p *program) error { return p.users().Create(p.ctx, userOf(2, "c")) }, effect: state{"u2": storedUser(2, "c")}},
			{name: "Upsert u1", run: func(p *program) error { return p.users().Upsert(p.ctx, userOf(1, "d")) }, effect: state{"u1": storedUser(1, "d")}},
			{name: "Run again", run: func(p *program) error { return handle(p, p.users().Documents, aUser) }},
		},
	},
	{
		name: "processor-windows", about: "A processor of the containers of three months, which closes those that are over.",
		prepare: func(p *program) {
			prepareVisits(p)
			makeLeases(p)
		},
		before: fiveVisits, read: readVisits, alike: true, partitions: 1, settling: state{"v4 in 2000-01": "bob 44"},
		settle: func(p *program) {
			v := visitOf(4)
			v.Length = 44
			p.need(p.visits().Upsert(p.ctx, v))
			p.need(handle(p, p.visits().Documents, aVisit))
			p.ways = look
			p.handledAll(readVisits(p))
		},
		steps: []step{
			{name: "Run", run: func(p *program) error { return handle(p, p.visits().Documents, aVisit) }},
			{name: "Upsert v0 in a closed window", run: func(p *program) error {
				v := visitOf(0)
				v.Length = 10
				return p.visits().Upsert(p.ctx, v)
			}, effect: state{"v0 in 1999-11": "ada 10"}},
			{name: "Upsert v3", run: func(p *program) error {
				v := visitOf(3)
				v.Length = 13
				return p.visits().Upsert(p.ctx, v)
			}, effect: state{"v3 in 2000-01": "ada 13"}},
			{name: "Run again", run: func(p *program) error { return handle(p, p.visits().Documents, aVisit) }},
		},
	},
}
