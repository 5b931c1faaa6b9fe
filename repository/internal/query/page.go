package query

import (
	"bytes"
	"container/heap"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxPageItems bounds the documents of a page, which are all in memory.
const maxPageItems = 1_000_000

// idOrder is the order of pages of a query without one.
var idOrder = text.Order{Property: text.Property("/id"), Path: wire.IDPath}

// Page returns the documents of a page, and the cursor of the next one, or "".
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

// positionOf parses a cursor of q, which must have an order.
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
		if !bytes.Equal(from.Query, query) {
			if former, failed := q.formerFingerprint(); failed == nil && bytes.Equal(from.Query, former) {
				from.Query = query
			}
		}
		err = from.fits(query, len(q.Orders), q.Limit)
	}
	if err == nil && (q.Store.Moves != nil) != (from.Since > 0) {
		err = errors.New("it is from a release with other bucket counts: begin again without a cursor")
	}
	if err != nil {
		return from, q.cursorError(err)
	}
	return from, nil
}

// newPageRun returns a run that reads size documents from a position.
func (q Selection) newPageRun(from *position, size int) *pageRun {
	st := q.Statement()
	st.Top = 0
	r := &pageRun{execution: q.newExecution(st, q.Store.Decode), q: q, size: size, pos: from.clone()}
	r.orders = q.Orders
	r.streams.orders = q.Orders
	return r
}

// containers describes the containers of q for the fingerprint, or returns "" if q has one.
func (q Selection) containers() string {
	if q.source == nil {
		return ""
	}
	from, to, bounded := q.keys.Windows()
	described, _ := json.Marshal(struct { // texts and times, which have no errors
		Name    string            `json:"name"`
		Texts   map[string]string `json:"texts"`
		From    time.Time         `json:"from"`
		To      time.Time         `json:"to"`
		Bounded bool              `json:"bounded"`
	}{q.keys.Container(), q.keys.ComponentTexts(), from.UTC(), to.UTC(), bounded})
	return string(described)
}

// page is a page over containers. Its position is in one of them; see position.In.
type page struct {
	q     Selection // with an order
	from  position
	place Place // the container of from
	size  int

	// unordered says that the query has no order, so that containers are read one after the
	// other.
	unordered bool

	items []any
	last  *pageRun // the run of the container in which the page ends
	full  bool     // the page ends, but more may follow
}

// page is Page in the container of q, or in parts.
func (q Selection) page(ctx context.Context, parts []Part, text string, size int) (_ []any, next string, err error) {
	named := parts != nil
	if !named {
		parts = []Part{{Store: q.Store, Keys: q.keys}}
	}
	groups := q.groups(parts) // without an order, each container is a group, sorted by id
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
	lastOnes := false // the limit ends the pages
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

// sorted returns q with the order of its pages.
func (q Selection) sorted() Selection {
	if len(q.Orders) == 0 {
		q.Orders = []text.Order{idOrder}
	}
	return q
}

// passed reports whether a group comes before a place.
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

// apart reports whether a container is in another group than the position.
func (p *page) apart(other Place) bool {
	if p.unordered {
		return other.Name != p.place.Name
	}
	return p.q.byTime() && !other.Start.Equal(p.place.Start)
}

// read reads documents of a group into the page. If the page is full, it reports whether
// there are more.
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

// step gives the next document of r, which has the least one, or reads more of r.
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

// each calls work for all runs concurrently.
func (p *page) each(ctx context.Context, runs []*pageRun, work func(*pageRun, context.Context) error) error {
	return parallel.Each(ctx, len(runs), widest(p.q.Store.Settings), func(ctx context.Context, i int) error { return work(runs[i], ctx) })
}

// leastOf returns the first run with the least next document, or nil if all have ended.
func leastOf(runs []*pageRun) *pageRun {
	var found *pageRun
	for _, r := range runs {
		if r.streams.Len() > 0 && (found == nil || r.streams.all[0].compare(found.streams.all[0], r.orders) < 0) {
			found = r
		}
	}
	return found
}

// cursor returns the cursor of the next page. Named says that it includes the name of its
// container.
func (p *page) cursor(named bool) (string, error) {
	r := p.last
	if named {
		r.pos.In = r.store.Client.ID()
	}
	r.pos.Delivered = p.from.Delivered + len(p.items)
	next, err := r.next(len(p.items) == p.size)
	if err != nil {
		return "", &documents.Error{Op: "page", Type: p.q.TypeName(), Err: err}
	}
	return next, nil
}

// stillThere returns an error if a position is not of the present container. It costs a
// request, which only a page without documents needs, because documents have the RID of
// their container.
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

// stream returns the stream of a job after a position. It starts at a token of the position
// only if tokens is set.
func (r *pageRun) stream(j job, since *position, tokens bool) (*pageStream, error) {
	s := &pageStream{job: j, since: since, direction: since.Direction}
	if since.Keys != nil {
		found, divided := since.overlapping(j.low, j.high)
		s.mixed = divided
		s.strict = len(found) > 0 && !divided && found[0].All
	}
	if tokens && !s.strict && since.Keys != nil {
		if t := since.leading(j.low, j.high); t != nil {
			if err := r.resume(s, t); err != nil || s.text != "" {
				return s, err
			}
		}
	}
	return s, r.ask(s, j.low, j.high)
}

// resume makes the query of a stream and starts it at a token, if the token is of this
// query.
func (r *pageRun) resume(s *pageStream, t *pageToken) error {
	from, to := t.listed()
	if err := r.ask(s, from, to); err != nil {
		return err
	}
	if t.Token != "" && !slices.Equal(t.Sum, s.sum) {
		s.text = ""
		return nil
	}
	s.token, s.again = t.Token, t.Read
	return nil
}

// ask makes the query of a stream. The query lists the partition keys between two places in
// the key space.
func (r *pageRun) ask(s *pageStream, from, to string) error {
	st := r.Statement
	s.wide = false
	if s.since.Keys != nil {
		after, parameters := text.After(st.orders, s.since.Keys, s.strict)
		st.conditions = append(st.conditions[:len(st.conditions):len(st.conditions)], after)
		st.parameters = st.parameters[:len(st.parameters):len(st.parameters)]
		for _, p := range parameters {
			st.parameters = append(st.parameters, wire.Parameter(p))
		}
	}
	asked := s.job
	if asked.listed && asked.scoped && (from != asked.low || to != asked.high) {
		var err error
		if asked.values, err = r.listed(from, to); err != nil {
			return err
		}
		in := asked.in
		in.Min = slices.MaxFunc([]string{in.Min, from}, partition.CompareEPK)
		in.Max = slices.MinFunc([]string{in.Max, to}, partition.CompareEPK)
		s.wide = !route.Contains(asked.low, asked.high, in)
	}
	listed, parameters := listCondition(r.store, asked, false)
	s.from, s.to = from, to
	s.text, s.parameters = st.sql(listed), slices.Concat(st.parameters, parameters)
	text, err := json.Marshal(s.parameters)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(append([]byte(s.text), text...))
	s.sum = sum[:6]
	return nil
}

func (r *pageRun) add(jobs []job, tokens bool) error {
	since := r.pos.clone()
	for _, j := range jobs {
		s, err := r.stream(j, since, tokens)
		if err != nil {
			return r.failure(j, err)
		}
		heap.Push(&r.streams, s)
	}
	return nil
}

// lead records the progress of a stream in the position. It returns false if the position
// cannot express it.
func (r *pageRun) lead(s *pageStream) bool {
	t := pageToken{Min: s.job.low, Max: s.job.high}
	if s.from != t.Min || s.to != t.Max {
		t.From, t.To = s.from, s.to
	}
	switch p := r.pos; {
	case p.Keys == nil || !s.opened:
		return false
	case s.since.Keys == nil || s.strict || text.CompareKeys(r.orders, s.since.Keys, p.Keys) != 0:
		// The next query begins with documents that sort like the last one.
		if r.giver == s {
			t.From, t.To, t.Read = "", "", r.alike
			p.lead(t)
		}
		return false
	case len(s.rows) > 0:
		t.Token, t.Read = s.before, s.rows[0].read
	default:
		t.Token = s.token
	}
	if len(t.Token) > maxPageToken || !cursor.FitsHeader(t.Token) {
		return false
	}
	if t.Token != "" {
		t.Sum = s.sum
	}
	r.pos.lead(t)
	return t.Token != ""
}

// maxPassed bounds the documents that a page reads again. For open cursors it limits the
// reading that a forged cursor can cause.
const maxPassed = 1000

// open makes the streams of the page, without reading.
func (r *pageRun) open(ctx context.Context) error {
	jobs, plan, err := r.q.jobs(ctx, r.listing())
	if err != nil {
		return err
	}
	if err := r.store.JoinSession(ctx, r.op); err != nil {
		return err
	}
	if jobs, err = r.q.pageJobs(jobs, plan.Strategy, r.pos); err != nil {
		return err
	}
	return r.add(jobs, true)
}

// admit bounds the concurrent requests of runs.
func admit(runs ...*pageRun) {
	var jobs []job
	for i, r := range runs {
		for _, s := range r.streams.all {
			j := s.job
			j.part = i
			jobs = append(jobs, j)
		}
	}
	slots := make(chan struct{}, width(runs[0].store.Settings, jobs))
	for _, r := range runs {
		r.slots = slots
	}
}

// listing returns a statement with TOP 1, which makes the planner list partition keys
// instead of using a prefix or a range: that would read documents of other keys.
func (r *pageRun) listing() Statement {
	st := r.Statement
	st.Top = 1
	return st
}

// deep reports whether more documents with the same sort values were given than the next
// page reads again.
func (p *position) deep() bool {
	for _, t := range p.Tokens {
		if t.Token != "" {
			return true
		}
	}
	for _, s := range p.Stretches {
		if s.UpTo != nil {
			return true
		}
	}
	return false
}

// give returns the next document of the first stream. Given is false for a document that
// was given before and created again since.
func (r *pageRun) give(s *pageStream) (doc any, given bool, err error) {
	row := s.rows[0]
	if doc, err = r.decode(row.raw); err != nil {
		return nil, false, r.failure(s.job, undecodableOf(r.store, row.raw, err))
	}
	p := r.pos
	alike := p.Keys != nil && text.CompareKeys(r.orders, p.Keys, row.keys) == 0
	if !alike {
		p.Keys, p.Stretches, p.Tokens, p.Last = row.keys, nil, nil, p.Last[:0]
	}
	if !alike || r.giver != s {
		r.giver, r.alike = s, 0
		r.first, r.end = p.reach(s.job.low, s.job.high)
	}
	for i := r.first; i < r.end; i++ {
		p.Stretches[i].add(row.number, p.Direction)
	}
	r.alike++
	s.rows = s.rows[1:]
	if !p.again(nameOf(s.container, text.ValueAt(row.raw, wire.IDPath), r.store.Paths, row.raw).number()) {
		p.Delivered++
		given = true
	}
	r.settle(s)
	return doc, given, nil
}

// settle restores the heap after the first stream has changed.
func (r *pageRun) settle(s *pageStream) {
	if len(s.rows) == 0 && s.ended {
		heap.Pop(&r.streams)
		return
	}
	heap.Fix(&r.streams, 0)
}

// overspent reports whether the page must end before it is full, because it has read too
// many documents that were given before. It then records where the next page resumes.
func (r *pageRun) overspent(s *pageStream) bool {
	if len(r.store.Settings.CursorKeys) > 0 || r.passed <= maxPassed+r.size || len(s.rows) > 0 || !s.opened || s.ended {
		return false
	}
	return r.lead(s)
}

// more reports whether there is a next page.
func (r *pageRun) more(ctx context.Context) (bool, error) {
	for {
		for _, s := range r.streams.all {
			if s.opened {
				return true, nil // with documents or a continuation
			}
		}
		if r.streams.Len() == 0 {
			return false, nil
		}
		if err := r.fetch(ctx, r.unopened(), 1); err != nil {
			return false, err
		}
	}
}

// next returns the cursor of the next page. Full says that the page has all its documents.
func (r *pageRun) next(full bool) (string, error) {
	s, p := r.giver, r.pos
	if s != nil && full {
		if len(s.rows) > 0 && text.CompareKeys(r.orders, s.rows[0].keys, p.Keys) != 0 || len(s.rows) == 0 && s.ended {
			p.finish(s.job.high)
		} else {
			r.lead(s)
		}
	}
	return p.cursor(r.store.Settings.CursorKeys)
}

// unopened returns the streams without a response so far.
func (r *pageRun) unopened() []*pageStream {
	var all []*pageStream
	for _, s := range r.streams.all {
		if !s.opened {
			all = append(all, s)
		}
	}
	return all
}

// fetch reads the next responses of streams concurrently. It replaces a stream whose
// physical partition is gone or whose token is refused.
func (r *pageRun) fetch(ctx context.Context, streams []*pageStream, wanted int) error {
	workCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(streams))
	var workers sync.WaitGroup
	for i, s := range streams {
		work := func() {
			if errs[i] = s.fetch(workCtx, r, wanted); errs[i] != nil && !r.replaceable(s, errs[i]) {
				cancel() // the other responses are useless
			}
		}
		if len(streams) == 1 {
			work()
			break
		}
		workers.Go(work)
	}
	workers.Wait()
	if err := r.failed(streams, errs); err != nil {
		return err
	}
	for i, s := range streams {
		if err := r.arrived(ctx, s, errs[i]); err != nil {
			return err
		}
	}
	heap.Init(&r.streams)
	return nil
}

// replaceable reports whether other streams can take over after err.
func (r *pageRun) replaceable(s *pageStream, err error) bool {
	return s.job.scoped && route.Gone(err) || s.refuses(err)
}

// failed returns the error that ends the page, or nil. A request that was cancelled because
// another one failed does not count.
func (r *pageRun) failed(streams []*pageStream, errs []error) error {
	var failure error
	for i, err := range errs {
		if err == nil || r.replaceable(streams[i], err) {
			continue
		}
		if failure == nil || errors.Is(failure, context.Canceled) {
			var own *documents.Error
			if failure = err; !errors.As(err, &own) {
				failure = r.failure(streams[i].job, err)
			}
		}
	}
	return failure
}

// arrived records a response, or replaces the stream after an error.
func (r *pageRun) arrived(ctx context.Context, s *pageStream, err error) error {
	if err != nil {
		return r.replace(ctx, s, err)
	}
	if s.last != nil {
		r.found = true
	}
	if s.container != "" && !r.pos.within(s.container) {
		return r.q.cursorError(cursor.ErrOtherContainer)
	}
	r.passed += s.passed
	if r.pos.Direction = r.pos.Direction.and(s.direction); r.pos.Direction == unsorted {
		for _, stretch := range r.pos.Stretches {
			if stretch.UpTo != nil {
				return r.failure(s.job, errUnsorted)
			}
		}
	}
	if len(s.rows) == 0 && s.ended {
		r.remove(s)
	}
	return nil
}

// remove removes a stream. The caller must restore the heap.
func (r *pageRun) remove(s *pageStream) {
	kept := r.streams.all[:0]
	for _, other := range r.streams.all {
		if other != s {
			kept = append(kept, other)
		}
	}
	r.streams.all = kept
}

// replace replaces a stream by those of the present physical partitions, or by the same one
// without the refused token.
func (r *pageRun) replace(ctx context.Context, s *pageStream, cause error) error {
	r.remove(s)
	if s.refuses(cause) && !route.Gone(cause) {
		return r.add([]job{s.job}, false)
	}
	jobs, err := r.successors(ctx, s.job, r.failure(s.job, cause))
	if err != nil {
		return err
	}
	r.lead(s)
	return r.add(pieces(jobs, r.pos), true)
}

// pageJobs returns the jobs of a page. They cover disjoint parts of the key space.
func (q Selection) pageJobs(jobs []job, strategy store.Strategy, from *position) ([]job, error) {
	if strategy != store.PerKey {
		return pieces(jobs, from), nil
	}
	// Sorted as physical partitions would be, even if these are unknown.
	values := list(q.Store, q.keys)
	if err := locateAll(values); err != nil {
		return nil, err
	}
	for i := range jobs {
		jobs[i].low, jobs[i].high = values[i].low, afterKey(values[i].low)
	}
	slices.SortFunc(jobs, func(a, b job) int { return partition.CompareEPK(a.low, b.low) })
	for i := range jobs[1:] {
		if partition.CompareEPK(jobs[i].low, jobs[i+1].low) == 0 {
			return nil, fmt.Errorf("query %s: two of its partition keys have one effective partition key: page over each of them", q.TypeName())
		}
	}
	return jobs, nil
}

// afterKey returns a bound above an effective partition key and below all others.
func afterKey(epk string) string { return epk + "1" }

// pieces divides the jobs of physical partitions, so that each list of partition keys
// covers one part of the key space. No part crosses the end of a stretch, so that the
// tokens of a position fit.
func pieces(jobs []job, from *position) []job {
	var all []job
	for len(jobs) > 0 {
		n := 1
		for n < len(jobs) && jobs[n].in.ID == jobs[0].in.ID && jobs[n].low == jobs[0].low {
			n++
		}
		all = append(all, cut(jobs[:n], from)...)
		jobs = jobs[n:]
	}
	return all
}

// cut divides the jobs of one physical partition, which differ in their lists.
func cut(jobs []job, from *position) []job {
	whole := jobs[0]
	if whole.values == nil {
		return jobs[:1]
	}
	var values []Target
	for _, j := range jobs {
		values = append(values, j.values...)
	}
	sortValues(values)
	var all []job
	start, size, low := 0, 0, whole.low
	end := func(i int, high string) {
		part := whole
		part.values, part.name = values[start:i], ""
		part.low, part.high = low, high
		if len(part.values) == 1 {
			part.name = wire.NameOf(part.values[0].Value)
		}
		all = append(all, part)
		start, size, low = i, 0, high
	}
	for i, v := range values {
		if i > start {
			if bound := from.boundBetween(values[i-1].low, v.low); bound != "" {
				end(i, bound)
			} else if i-start == chunkValues || size > chunkBytes {
				end(i, v.low)
			}
		}
		size += len(wire.NameOf(v.Value))
	}
	end(len(values), whole.high)
	return all
}

func sortValues(values []Target) {
	slices.SortStableFunc(values, func(a, b Target) int { return partition.CompareEPK(a.low, b.low) })
}

// boundBetween returns the end of a stretch above low and not above high, or "".
func (p *position) boundBetween(low, high string) string {
	for _, s := range p.Stretches {
		if partition.CompareEPK(low, s.Max) < 0 && partition.CompareEPK(s.Max, high) <= 0 {
			return s.Max
		}
	}
	return ""
}

// listed returns the partition keys of the query from one place in the key space to below
// another.
func (r *pageRun) listed(from, to string) ([]Target, error) {
	if r.values == nil {
		values := list(r.store, r.q.keys)
		if err := locateAll(values); err != nil {
			return nil, err
		}
		sortValues(values)
		r.values = values
	}
	var found []Target
	for _, v := range r.values {
		if v.within(route.Range{Min: from, Max: to}) {
			found = append(found, v)
		}
	}
	return found, nil
}

// pageStream has the documents of one job for a page, in order. It is read one response at
// a time, only as far as the page needs.
type pageStream struct {
	job   job
	since *position // what was given when the stream began; immutable
	mixed bool      // stretches of since divide the job
	wide  bool      // responses may have documents outside the job

	// The query: documents that sort after since. Strict excludes those that sort like
	// since. From and to bound the list of partition keys, which may cover more than the
	// job.
	strict     bool
	text       string
	parameters []wire.Parameter
	from, to   string
	sum        []byte

	// Progress. Rows are the remaining ones of the last response.
	opened, ended bool
	token, before string // the service's continuation after the last response, and before it
	again         int    // how many documents to expect that were given already
	rows          []pageRow
	last          []text.SortValue // the sort values of the last document of the last response

	// From the last response.
	direction direction
	container string
	passed    int // documents that were given before
	number    docNumber
}

// pageRow is a document that was not given yet.
type pageRow struct {
	raw    []byte
	keys   []text.SortValue
	number docNumber
	read   int // the documents before it in the response
}

// fetch reads the next response. Wanted is how many documents the page still needs.
func (s *pageStream) fetch(ctx context.Context, r *pageRun, wanted int) error {
	hint := wanted + min(s.again, wanted) // a cursor cannot make it read more
	hint = min(hint, maxResponse)
	if r.pageSize > 0 {
		hint = min(hint, int(r.pageSize))
	}
	requests := ctx
	if s.job.scoped {
		requests = route.InRange(ctx, s.job.rid, s.job.in.ID)
	}
	o := wire.QueryOptions(ctx)
	o.QueryParameters, o.PageSizeHint, o.ResponseContinuationTokenLimitInKB = s.parameters, int32(hint), 1
	if s.token != "" {
		o.ContinuationToken = &s.token
	}
	var response wire.Page
	err := wire.Reread(ctx, func() (err error) {
		response, err = r.request(requests, s.job, r.store.Target(ctx).NewQueryItemsPager(s.text, s.job.key, &o), s.text, o)
		return err
	})
	if r.store.Lacks(err) {
		s.opened, s.ended, s.rows = true, true, nil
		return nil // its documents were deleted
	}
	if err != nil {
		return err
	}
	if s.job.scoped && len(response.Items) > 0 && !r.from(s.job.rid) {
		return r.createdAgain(s.job, errors.New("its documents are others"))
	}
	s.opened, s.again, s.before, s.token = true, 0, s.token, ""
	if response.ContinuationToken != nil {
		s.token = *response.ContinuationToken
	}
	s.ended = s.token == ""
	return s.take(r, response.Items)
}

// take keeps the documents of a response that were not given yet.
func (s *pageStream) take(r *pageRun, items [][]byte) error {
	s.rows, s.passed = nil, 0
	all := make([]text.SortValue, 0, len(items)*len(r.orders))
	for i, raw := range items {
		start := len(all)
		var err error
		if all, err = text.SortKeys(all, r.orders, raw); err != nil {
			return err
		}
		keys := all[start:len(all):len(all)]
		rid, err := ridOf(raw)
		if err != nil {
			return err
		}
		number, ordered := numberOf(rid)
		if s.container == "" {
			s.container = containerOf(rid)
		} else if c := containerOf(rid); c != "" && c != s.container {
			return r.q.cursorError(cursor.ErrOtherContainer)
		}
		if s.last != nil && text.CompareKeys(r.orders, s.last, keys) == 0 {
			s.direction = s.direction.next(s.number, number)
		}
		if !ordered {
			s.direction = unsorted
		}
		s.last, s.number = keys, number
		given, err := s.given(r, raw, keys, number)
		if err != nil {
			return err
		}
		if given {
			s.passed++
			continue
		}
		s.rows = append(s.rows, pageRow{raw, keys, number, i})
	}
	return nil
}

// given reports whether a document was given before the stream began, or is outside its
// job.
func (s *pageStream) given(r *pageRun, raw []byte, keys []text.SortValue, n docNumber) (bool, error) {
	if foreign, err := foreignTo(r.store, &s.job, raw); err != nil || foreign {
		return foreign, err
	}
	place := s.job.low
	alike := s.since.Keys != nil && text.CompareKeys(r.orders, keys, s.since.Keys) == 0
	if s.wide || alike && s.mixed {
		var err error
		if place, err = r.store.EPK(raw); err != nil {
			return false, err
		}
	}
	switch {
	case partition.CompareEPK(place, s.job.low) < 0 || partition.CompareEPK(place, s.job.high) >= 0:
		return true, nil
	case s.since.Keys == nil:
		return false, nil
	case !alike:
		return text.CompareKeys(r.orders, keys, s.since.Keys) < 0, nil
	}
	stretch := s.since.at(place)
	return stretch != nil && stretch.has(n, s.since.Direction), nil
}

// refuses reports whether the service has refused the token of a cursor: the physical
// partition may be another one by now.
func (s *pageStream) refuses(err error) bool {
	var response *azcore.ResponseError
	return !s.opened && s.token != "" && errors.As(err, &response) && response.StatusCode == http.StatusBadRequest
}

// pageStreams is a heap of streams, by their next documents or by a lower bound of these.
type pageStreams struct {
	orders []text.Order
	all    []*pageStream
}

// bound returns a lower bound of the stream's next sort values, nil if there is none, and
// whether equal values are excluded.
func (s *pageStream) bound() (keys []text.SortValue, after bool) {
	switch {
	case len(s.rows) > 0:
		return s.rows[0].keys, false
	case s.last != nil:
		return s.last, false
	}
	return s.since.Keys, s.strict
}

func (h *pageStreams) Len() int      { return len(h.all) }
func (h *pageStreams) Swap(i, j int) { h.all[i], h.all[j] = h.all[j], h.all[i] }
func (h *pageStreams) Push(x any)    { h.all = append(h.all, x.(*pageStream)) }

func (h *pageStreams) Less(i, j int) bool {
	if c := h.all[i].compare(h.all[j], h.orders); c != 0 {
		return c < 0
	}
	return partition.CompareEPK(h.all[i].job.low, h.all[j].job.low) < 0
}

// compare compares two streams by their bounds.
func (s *pageStream) compare(other *pageStream, orders []text.Order) int {
	a, afterA := s.bound()
	b, afterB := other.bound()
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	if c := text.CompareKeys(orders, a, b); c != 0 || afterA == afterB {
		return c
	}
	if afterB {
		return -1
	}
	return 1
}

func (h *pageStreams) Pop() any {
	last := h.all[len(h.all)-1]
	h.all = h.all[:len(h.all)-1]
	return last
}

// pageRun is the reading of one page in one container.
type pageRun struct {
	*execution
	q       Selection
	size    int
	pos     *position // after everything given so far
	streams pageStreams
	values  []Target // the partition keys of the query by place, once needed

	// The stream that gave the last document, how many documents with the same sort values
	// it gave, and its stretches.
	giver      *pageStream
	alike      int
	first, end int

	found  bool // a document came, given before or not
	passed int  // how many came that were given before
}

// maxResponse bounds the documents of one response. More of one or two kilobytes would not
// fit.
const maxResponse = 1000
