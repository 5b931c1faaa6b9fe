package stored

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// inMonth is a day of a month, counted from January 2000.
func inMonth(m int) time.Time { return time.Date(2000, time.Month(1+m), 10, 0, 0, 0, 0, time.UTC) }

// visitKeys are those of the visits, and of the one that moves to another month.
var visitKeys = []second.VisitKey{
	{ID: "v0", Guest: "ada", At: inMonth(-2)}, {ID: "v1", Guest: "ada", At: inMonth(-1)}, {ID: "v2", Guest: "bob", At: inMonth(-1)},
	{ID: "v3", Guest: "ada", At: inMonth(0)}, {ID: "v4", Guest: "bob", At: inMonth(0)}, {ID: "v1", Guest: "ada", At: inMonth(0)},
}

func visitOf(i int) *second.Visit {
	k := visitKeys[i]
	return &second.Visit{ID: k.ID, Guest: k.Guest, At: k.At, Length: i}
}

// aVisit tells a visit that moves from its copy.
func aVisit(v *second.Visit) (id, text string) {
	return v.ID + " in " + v.At.Format("2006-01"), fmt.Sprintf("%s %d", v.Guest, v.Length)
}

func (p *program) visits() *second.VisitRepository {
	return second.NewVisitRepository(p.db, repository.WithConcurrency(1))
}

// ensureVisits makes the windows of three months and the next, as of a time.
func ensureVisits(p *program, now time.Time) (admin.WindowList, error) {
	policy := admin.WindowPolicy{Present: admin.Manual(800), Past: admin.Manual(400), Now: now}
	return second.EnsureVisitWindows(p.ctx, p.db, inMonth(-2), inMonth(1), policy)
}

func ensureIn(month int) func(p *program) error {
	return func(p *program) error {
		_, err := ensureVisits(p, inMonth(month))
		return err
	}
}

func readVisits(p *program) state {
	p.Helper()
	r := p.visits()
	one := got(p, "Get", func(k second.VisitKey) (*second.Visit, error) { return r.Get(p.ctx, k) }, aVisit, visitKeys...)
	if p.ways == glance {
		return one.docs
	}
	all := counted(p, r.Scan(), listed(p, "Scan", r.Scan().All(p.ctx), aVisit))
	if p.ways == look {
		return p.same(one, all)
	}
	guests := view{"ByGuest", listed(p, "ByGuest", r.ByGuest("ada").All(p.ctx), aVisit).docs.with(listed(p, "ByGuest", r.ByGuest("bob").All(p.ctx), aVisit).docs)}
	return p.same(one, all, guests,
		paged(p, "Page", r.Scan().OrderBy(second.VisitFields.Length.Asc()), "", aVisit),
		listed(p, "ScanBetweenMonths", r.ScanBetweenMonths(inMonth(-2), inMonth(1)).All(p.ctx), aVisit),
		fed(p, r.Documents, feed.FromBeginning(), aVisit).only(one),
	)
}

// settleVisits demands that each visit is in the container of its month.
func settleVisits(p *program) {
	p.Helper()
	list, err := second.VisitWindows(p.db).List(p.ctx)
	p.need(err)
	for _, w := range list {
		p.clean(w.Name)
	}
}

// ensured demands that a window is created, or created again, and has the throughput of its age.
var ensured = ending{"ensured", func(p *program, got state) {
	p.Helper()
	list, err := ensureVisits(p, inMonth(0))
	p.need(err)
	has := state{}
	for _, w := range list {
		has[w.Name] = w.Has.String()
	}
	past, present := admin.Manual(400).String(), admin.Manual(800).String()
	p.expect("of windows", state{"visits-1999-11": past, "visits-1999-12": past, "visits-2000-01": present, "visits-2000-02": present}, has)
	p.expect("when all windows are there", got, readVisits(p))
	p.need(p.visits().Upsert(p.ctx, visitOf(0)))
	id, text := aVisit(visitOf(0))
	p.expect("after a write", got.with(state{id: text}), readVisits(p))
}}

// prepareVisits makes the windows and stores five visits.
func prepareVisits(p *program) {
	p.create(second.RideContainer())
	p.need(ensureIn(0)(p))
	for i := range 5 {
		p.need(p.visits().Create(p.ctx, visitOf(i)))
	}
}

var fiveVisits = state{
	"v0 in 1999-11": "ada 0", "v1 in 1999-12": "ada 1", "v2 in 1999-12": "bob 2",
	"v3 in 2000-01": "ada 3", "v4 in 2000-01": "bob 4",
}

// movedVisit is v1 in its new month.
func movedVisit() *second.Visit {
	v := visitOf(1)
	v.At = inMonth(0)
	return v
}

var visitScenarios = []scenario{
	{
		name: "windows", about: "Windows of months are made, filled, dropped, and get the throughput of their age.",
		prepare: func(p *program) { p.create(second.RideContainer()) }, before: state{},
		read: readVisits, settle: settleVisits, endings: []ending{ensured},
		steps: []step{
			{name: "Ensure", run: ensureIn(0)},
			{name: "Create v0", run: func(p *program) error { return p.visits().Create(p.ctx, visitOf(0)) }, effect: state{"v0 in 1999-11": "ada 0"}},
			{name: "Create v3", run: func(p *program) error { return p.visits().Create(p.ctx, visitOf(3)) }, effect: state{"v3 in 2000-01": "ada 3"}},
			{name: "Drop", run: func(p *program) error {
				_, err := second.VisitWindows(p.db).Drop(p.ctx, admin.WindowDrop{Names: []string{"visits-1999-11"}, OlderThan: time.Hour, Now: inMonth(0)})
				return err
			}, effect: state{"v0 in 1999-11": ""}},
			{name: "Ensure in February", run: ensureIn(1)},
		},
	},
	{
		name: "move", about: "A visit moves from the container of a month to that of another, by PrepareMove and ResumeMove.",
		prepare: prepareVisits, before: fiveVisits, read: readVisits, settle: settleVisits,
		steps: []step{
			{name: "PrepareMove", run: func(p *program) error {
				s, err := p.visits().PrepareMove(p.ctx, visitKeys[1], movedVisit())
				if err != nil {
					return err
				}
				text, err := json.Marshal(s)
				p.texts["state"] = string(text)
				return err
			}},
			{
				name: "ResumeMove", run: func(p *program) error {
					var s repository.MoveState[second.VisitKey]
					if err := json.Unmarshal([]byte(p.texts["state"]), &s); err != nil {
						return err
					}
					return p.visits().ResumeMove(p.ctx, s)
				},
				effect:  state{"v1 in 1999-12": "", "v1 in 2000-01": "ada 1"},
				between: []state{{"v1 in 2000-01": "ada 1"}},
			},
		},
	},
}
