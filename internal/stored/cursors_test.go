package stored

import (
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// walk is a way of reading that a program interrupts after two documents, and of which it
// keeps a cursor.
type walk struct {
	name  string
	first func(p *program) (seen view, cursor string)
	rest  func(p *program, cursor string) view
	feed  bool // documents that changed meanwhile come again
	all   int  // how many documents there are
}

func pagesOf[T any](name string, all int, q func(*program) repository.Query[T], k kind[T]) walk {
	return walk{
		name: name, all: all,
		first: func(p *program) (view, string) {
			p.Helper()
			page, err := q(p).Page(p.ctx, "", 2)
			p.need(err)
			return listed(p, name, func(yield func(*T, error) bool) {
				for _, doc := range page.Items {
					if !yield(doc, nil) {
						return
					}
				}
			}, k), page.Cursor
		},
		rest: func(p *program, cursor string) view {
			p.Helper()
			return paged(p, name, q(p), cursor, k)
		},
	}
}

func feedOf[T any, K generated.Key](name string, all int, docs func(*program) *repository.Documents[T, K], k kind[T]) walk {
	return walk{
		name: name, all: all, feed: true,
		first: func(p *program) (view, string) {
			p.Helper()
			v := view{name, state{}}
			for change, err := range feed.Changes(p.ctx, docs(p), feed.FromBeginning()) {
				p.need(err)
				id, text := k(change.Doc)
				if v.docs[id] = text; len(v.docs) == 2 {
					return v, change.Cursor()
				}
			}
			return v, ""
		},
		rest: func(p *program, cursor string) view {
			p.Helper()
			return fed(p, docs(p), feed.FromCursor(cursor), k)
		},
	}
}

// cursorKey closes cursors.
var cursorKey = []byte("a key of stored cursors, 32 bytes")

var walks = []walk{
	pagesOf("rides", 5, func(p *program) repository.Query[second.Ride] { return p.rides().Scan() }, aRide),
	pagesOf("rides-by-length", 5, func(p *program) repository.Query[second.Ride] {
		return p.rides().ByDay("d").OrderBy(second.RideFields.Length.Desc())
	}, aRide),
	pagesOf("rides-closed", 5, func(p *program) repository.Query[second.Ride] {
		return second.NewRideRepository(p.container("rides"), repository.WithCursorKey(cursorKey)).Scan()
	}, aRide),
	pagesOf("visits", 5, func(p *program) repository.Query[second.Visit] {
		return p.visits().Scan().OrderBy(second.VisitFields.Length.Asc())
	}, aVisit),
	pagesOf("visits-of-a-guest", 3, func(p *program) repository.Query[second.Visit] { return p.visits().ByGuest("ada") }, aVisit),
	pagesOf("members-with-deleted", 3, func(p *program) repository.Query[second.Member] {
		return p.members().WithDeleted().Scan().OrderBy(second.MemberFields.Created.Asc())
	}, aMember),
	feedOf("rides-fed", 5, func(p *program) *repository.Documents[second.Ride, second.RideKey] { return p.rides().Documents }, aRide),
	feedOf("visits-fed", 5, func(p *program) *repository.Documents[second.Visit, second.VisitKey] { return p.visits().Documents }, aVisit),
	feedOf("members-fed", 3, func(p *program) *repository.Documents[second.Member, second.MemberKey] { return p.members().Documents }, aMember),
}

func prepareCursors(p *program) {
	prepareRides(p)
	prepareVisits(p)
	prepareMembers(p)
	p.need(p.members().Delete(p.ctx, memberKeys[1]))
	for _, w := range walks {
		seen, cursor := w.first(p)
		if len(seen.docs) == 0 || cursor == "" {
			p.Fatalf("%s: %v and the cursor %q", w.name, seen.docs, cursor)
		}
		p.texts[w.name] = cursor
		p.texts[w.name+".seen"] = strings.Join(slices.Sorted(maps.Keys(seen.docs)), ",")
	}
}

// readCursors goes on from each cursor: what comes is what had not come, once. A feed lacks a
// ride on its way until a query has finished the move.
func readCursors(p *program) state {
	p.Helper()
	if p.ways == study {
		continueWalks(p, false)
	}
	rides := readRides(p)
	if p.ways == study {
		continueWalks(p, true)
	}
	return rides
}

func continueWalks(p *program, feeds bool) {
	p.Helper()
	for _, w := range walks {
		if w.feed != feeds {
			continue
		}
		rest := w.rest(p, p.texts[w.name])
		seen := strings.Split(p.texts[w.name+".seen"], ",")
		twice := 0
		for _, id := range seen {
			if rest.docs[id] != "" {
				twice++
			}
		}
		again := twice > 0 && w.name != "rides-fed" // rides change when they move
		if again || len(rest.docs)+len(seen)-twice != w.all {
			p.Fatalf("%s: after %q came %v, and there are %d", w.name, seen, rest.docs, w.all)
		}
	}
}

var cursorScenarios = []scenario{{
	name: "cursors", about: "Cursors of pages and of change feeds, taken before rides move to the keys of more buckets.",
	prepare: prepareCursors, before: fiveRides, read: readCursors, alike: true,
	settle: settleRides, ended: readRides, // cursors of pages are refused when the marks are gone
	steps: []step{{name: "Rekey", run: func(p *program) error {
		_, err := admin.Rekey(p.ctx, p.rides().Documents, admin.Run{Concurrency: 1})
		return err
	}}},
}}
