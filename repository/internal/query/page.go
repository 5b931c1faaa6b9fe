package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxPageItems is how many documents a page may have. They are all in memory.
const maxPageItems = 1_000_000

// idOrder sorts the pages of a query that has no order of its own.
var idOrder = text.Order{Property: text.Property("/id"), Path: wire.IDPath}

// Page returns the documents of a page, and the cursor of the next one.
func (q Selection) Page(ctx context.Context, cursor string, size int) (docs []any, next string, err error) {
	if err := q.Validate(); err != nil {
		return nil, "", err
	}
	if size < 1 || size > maxPageItems {
		return nil, "", fmt.Errorf("query %s: a page of %d documents: it must have from 1 to %d", q.TypeName(), size, maxPageItems)
	}
	err = q.over(ctx, func(ctx context.Context, q Selection, parts []Part) (_ bool, err error) {
		ctx, end := q.start(ctx)
		defer func() { end(err) }()
		docs, next, err = q.page(ctx, parts, cursor, size)
		return false, err
	})
	if err != nil {
		return nil, "", err
	}
	return docs, next, nil
}

// positionOf returns the position that a cursor says, for q with an order.
func (q Selection) positionOf(cursor string) (position, error) {
	query, err := q.fingerprint()
	if err != nil {
		return position{}, fmt.Errorf("query %s: %w", q.TypeName(), err)
	}
	from := position{Query: query}
	if cursor == "" {
		return from, nil
	}
	if from, err = parseCursor(q.Store.Settings.CursorKeys, cursor); err == nil {
		err = from.fits(query, len(q.Orders), q.Limit)
	}
	if err == nil && (q.Store.Moves != nil) != (from.Since > 0) {
		err = errors.New("it is of a release with other numbers of buckets: begin again without a cursor")
	}
	if err != nil {
		return from, q.cursorError(err)
	}
	return from, nil
}

// newPageRun returns a run that reads size documents from a position on.
func (q Selection) newPageRun(from *position, size int) *pageRun {
	st := q.Statement()
	st.Top = 0
	r := &pageRun{execution: newExecution(q.Store, st, q.Store.Decode), q: q, size: size, pos: from.clone()}
	r.orders = q.Orders
	r.streams.orders = q.Orders
	return r
}

// containers describes which containers q is over, empty for one.
func (q Selection) containers() string {
	if q.source == nil {
		return ""
	}
	from, to, bounded := q.keys.Windows()
	described, _ := json.Marshal(struct { // of texts and times, which have no errors
		Name    string            `json:"name"`
		Texts   map[string]string `json:"texts"`
		From    time.Time         `json:"from"`
		To      time.Time         `json:"to"`
		Bounded bool              `json:"bounded"`
	}{q.keys.Container(), q.keys.ComponentTexts(), from.UTC(), to.UTC(), bounded})
	return string(described)
}

// page is a page over containers. A position is in one of them: see position.In.
type page struct {
	q     Selection // with an order
	from  position
	place Place // of from
	size  int

	// Containers are read one after the other, since the query has no order of its own.
	unordered bool

	items []any
	last  *pageRun // the run in whose container the page ends
	full  bool     // the page ends, though there may be more
}

// page is Page in the one container of q, or in several.
func (q Selection) page(ctx context.Context, parts []Part, text string, size int) (_ []any, next string, err error) {
	named := parts != nil
	if !named {
		parts = []Part{{Store: q.Store, Keys: q.keys}}
	}
	groups := q.groups(parts) // without an order, those by id within each container
	p := &page{q: q.sorted(), unordered: len(q.Orders) == 0, size: size}
	if p.from, err = p.q.positionOf(text); err != nil {
		return nil, "", err
	}
	if named && (p.from.In != "" || p.from.Keys != nil) {
		var known bool
		if p.place, known = q.source.Place(p.from.In); !known {
			return nil, "", q.cursorError(cursor.ErrDamaged)
		}
	}
	if p.q, err = p.q.continued(ctx, &p.from); err != nil {
		return nil, "", err
	}
	lastOnes := false // whether the limit ends the pages
	if left := q.Limit - p.from.Delivered; q.Limit > 0 && left <= size {
		p.size, lastOnes = left, true
	}
	for i, group := range groups {
		if p.from.Keys != nil && q.passed(group, p.place) {
			continue
		}
		more, err := p.read(ctx, group, i == len(groups)-1)
		if err != nil {
			return nil, "", err
		}
		if len(p.items) == p.size && lastOnes || p.full && !more {
			return p.items, "", nil
		}
		if p.full {
			next, err = p.cursor(named)
			return p.items, next, err
		}
	}
	return p.items, "", nil
}

// sorted returns q with the order of pages.
func (q Selection) sorted() Selection {
	if len(q.Orders) == 0 {
		q.Orders = []text.Order{idOrder}
	}
	return q
}

// passed reports whether a group is before the one of a place.
func (q Selection) passed(group []Part, place Place) bool {
	switch first := group[0].Place; {
	case len(q.Orders) == 0:
		return first.before(place)
	case !q.byTime():
		return false
	case q.Orders[0].Descending:
		return first.Start.After(place.Start)
	default:
		return first.Start.Before(place.Start)
	}
}

// since returns the position in a container of a group.
func (p *page) since(in Part) *position {
	fresh := &position{Query: p.from.Query, Since: p.from.Since}
	if p.from.Keys == nil || p.apart(in.Place) {
		return fresh
	}
	switch {
	case in.Name == p.place.Name:
		return &p.from
	case in.before(p.place):
		fresh.Stretches = []stretch{{Max: route.LastKey, All: true}}
	}
	fresh.Keys = p.from.Keys
	return fresh
}

// apart reports whether a container is in another group than the one of the position.
func (p *page) apart(other Place) bool {
	if p.unordered {
		return other.Name != p.place.Name
	}
	return p.q.byTime() && !other.Start.Equal(p.place.Start)
}

// read reads documents of a group into the page. It reports whether there are more, if
// the page is full then.
func (p *page) read(ctx context.Context, group []Part, final bool) (more bool, err error) {
	runs := make([]*pageRun, len(group))
	deep := false
	for i, part := range group {
		since := p.since(part)
		runs[i] = p.q.in(part).newPageRun(since, p.size)
		if since == &p.from {
			p.last = runs[i]
			deep = since.deep()
		}
	}
	if err := p.each(ctx, runs, (*pageRun).open); err != nil {
		return false, err
	}
	admit(runs...)
	for len(p.items) < p.size && !p.full {
		r := leastOf(runs)
		if r == nil {
			break
		}
		if err := p.step(ctx, runs, r, &deep); err != nil {
			return false, err
		}
	}
	for i, part := range group {
		if p.from.Keys != nil && part.Name == p.place.Name && !runs[i].found {
			if err := p.q.in(part).stillThere(ctx, &p.from); err != nil {
				return false, err
			}
		}
	}
	if p.full = p.full || len(p.items) == p.size; !p.full || !final {
		return true, nil
	}
	for _, r := range runs {
		if more, err := r.more(ctx); more || err != nil {
			return more, err
		}
	}
	return false, nil
}

// step gives the next document of a run, which has the least, or reads more of it.
func (p *page) step(ctx context.Context, runs []*pageRun, r *pageRun, deep *bool) error {
	s := r.streams.all[0]
	if len(s.rows) > 0 {
		doc, given, err := r.give(s)
		if given {
			p.items = append(p.items, doc)
		}
		p.last = r
		return err
	}
	wanted := p.size - len(p.items)
	all := !s.opened && !*deep
	*deep = false
	if !all {
		if err := r.fetch(ctx, []*pageStream{s}, wanted); err != nil {
			return err
		}
		p.full = p.last == r && r.overspent(s)
		return nil
	}
	return p.each(ctx, runs, func(r *pageRun, ctx context.Context) error {
		if unopened := r.unopened(); len(unopened) > 0 {
			return r.fetch(ctx, unopened, wanted)
		}
		return nil
	})
}

// each calls work for each of runs at once.
func (p *page) each(ctx context.Context, runs []*pageRun, work func(*pageRun, context.Context) error) error {
	return Together(ctx, len(runs), widest(p.q.Store.Settings), func(ctx context.Context, i int) error { return work(runs[i], ctx) })
}

// leastOf returns the run that gives the next document, the first of those that may; nil
// if none has any left.
func leastOf(runs []*pageRun) *pageRun {
	var found *pageRun
	for _, r := range runs {
		if r.streams.Len() > 0 && (found == nil || r.streams.all[0].compare(found.streams.all[0], r.orders) < 0) {
			found = r
		}
	}
	return found
}

// cursor returns the cursor of the next page. Named says that it has the name of its container.
func (p *page) cursor(named bool) (string, error) {
	r := p.last
	if named {
		r.pos.In = r.store.Client.ID()
	}
	r.pos.Delivered = p.from.Delivered + len(p.items)
	next, err := r.next(len(p.items) == p.size)
	if err != nil {
		return "", &wire.OperationError{Op: "page", Type: p.q.TypeName(), Err: err}
	}
	return next, nil
}

// stillThere returns an error if a position is not of the present container. It costs
// a request, which only a page without documents needs: a document has the RID of its
// container.
func (q Selection) stillThere(ctx context.Context, from *position) error {
	properties, err := q.Store.Properties(ctx)
	if q.Store.LacksItself(err) {
		return nil // its documents were deleted
	}
	if err != nil {
		return wire.NewContainerError("page", q.TypeName(), "", err)
	}
	if !from.within(properties.ResourceID) {
		return q.cursorError(cursor.ErrOtherContainer)
	}
	return nil
}
