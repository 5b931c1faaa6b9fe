package simulation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/moving"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/multiwrite"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// This file is the model of an account in which all regions write. A document has no state there,
// but versions: what writes have stored. A write replaces the versions that its region had. Of
// two versions that do not know each other, all regions keep the same one in the end: a
// deletion, or else the one with the higher number at the path of the container.
//
// The model does not follow the emulator. It knows when a write began and ended, the regions that
// got its requests, and how long replication takes at most. From this follows which versions a
// region had for certain. A read may give each version that nothing excludes.

// writable are the types of a run with several write regions. Half of those drawn have the option
// conflict. Most writes of the others are refused.
func writable() [][]shapes.Shape {
	return [][]shapes.Shape{multiwrite.All, multiwrite.All, multiwrite.All, multiwrite.All, shapes.All, moving.All}
}

// severally changes a plan for several write regions: a program for two of them at least, and
// rests in which writes reach the others. Documents do not expire, since each region expires its
// own, and there is no index. Documents that move do not.
func (p *plan) severally() {
	if !p.multi {
		return
	}
	p.actors, p.processes = max(2, p.actors), max(2, p.processes)
	p.rest, p.contests = min(p.rest, time.Hour), false
	p.shape.Index, p.shape.Lag = nil, 0
	p.shape.Pause = p.lag
	p.shape.Stages = slices.Clone(p.shape.Stages[len(p.shape.Stages)-1:])
	p.shape.Stages[0].Settle = nil
}

// relies returns what of a kind of operation relies on one write region, as docs/errors.md has it;
// nil if nothing does.
func (p *plan) relies(kind string, tagged bool) *writeregions.Use {
	kind = strings.TrimPrefix(kind, "bulk")
	stores := kind == "upsert" || kind == "replace"
	counts := kind == "add" || kind == "addif"
	looks := p.has("concat") || p.has("shared") && !p.has("prefix") || p.has("unique") || p.has("deleted") || p.has("purged")
	switch {
	case p.has("growing"):
		return writeregions.Buckets
	case p.has("unique") && !counts:
		return writeregions.Unique
	case p.has("conflict"):
		return nil
	case stores && (p.has("created") || p.has("version")):
		return writeregions.Stamps
	case tagged, kind == "update", kind == "addif", kind == "restore", kind == "purge",
		kind != "create" && looks,
		kind != "create" && kind != "delete" && p.has("schema"),
		kind == "add" && p.has("updated"):
		return writeregions.Conditions
	}
	return nil
}

// goes notes a request of an operation that goes to a region.
func (by *running) goes(q *transport.Request, region string) {
	if by.index < 0 || !isOfDocuments(q) {
		return
	}
	by.sent++
	if !slices.Contains(by.in, region) {
		by.in = append(by.in, region)
	}
}

// refuses checks the error of an operation that relies on one write region.
func (r *run) refuses(by *running, use *writeregions.Use, err error) {
	if by.dead || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	refused := errors.Is(err, repository.ErrSeveralWriteRegions) && (by.name == "commit" || strings.Contains(err.Error(), use.Name))
	if !refused && (err == nil || r.undisturbed(by)) {
		r.failed("op %d, %s: %s are not refused with several write regions: %v", by.index, by.name, use.Name, err)
	}
}

// joins makes each operation of a transaction rely on what one of them does.
func joins(ops map[int]*operation) {
	for _, o := range ops {
		for _, other := range ops {
			if o.relies == nil {
				o.relies = other.relies
			}
		}
	}
}

// converge reads all documents in each region when all writes have reached it. All regions have
// the same ones, which the model allows.
func (r *run) converge() {
	time.Sleep(r.lag + time.Second)
	var all [][]shapes.Doc
	in := map[string]bool{}
	for range r.names() {
		p, err := r.newProgram() // which prefers the next region
		if err != nil {
			r.fail(-1, "at the end: %v", err)
			return
		}
		r.programs[0] = p
		for _, kind := range []string{"scan", "pages", "count", "getmany"} {
			s := step{index: r.beyond(), kind: kind}
			if kind == "pages" {
				s.size = 2
			}
			for slot := range r.slots {
				s.slots = append(s.slots, slot)
			}
			r.do(0, s)
		}
		by := &running{index: r.beyond(), name: "converge"}
		docs, err := r.last().Scan(r.world.begin(context.Background(), by), 0)
		if err != nil || len(by.in) != 1 {
			r.fail(-1, "at the end, a program reads in %q: %v", by.in, err)
			return
		}
		slices.SortFunc(docs, func(a, b shapes.Doc) int { return strings.Compare(a.ID, b.ID) })
		in[by.in[0]], all = true, append(all, docs)
	}
	if len(in) != len(all) {
		r.fail(-1, "at the end, %d programs read in %v", len(all), in)
	}
	for _, docs := range all {
		if !slices.Equal(docs, all[0]) {
			r.fail(-1, "at the end, the regions have %+v and %+v", all[0], docs)
		}
	}
}

// version is what a write has stored, or may have stored. Many things happen in one instant of
// virtual time, so their order is counted: start and end are numbers of what the model was told,
// and end is 0 while the write is under way.
type version struct {
	*operation
	start, end int
	in         []string          // the regions that got its requests
	reached    time.Time         // all regions had all writes up to then when it began
	sent       int               // how many requests its step had sent before
	past       map[*version]bool // versions that it has replaced for certain, if it has taken effect
	sure       bool              // it has taken effect
	at         map[string]int    // since when a region has it, by a read there
	known      *state            // what reads have returned of it
}

// item is a document in all regions.
type item struct {
	r        *run
	told     int // how often the model was told something
	versions []*version
	pending  [lanes]*version
}

// newItem returns a document that does not exist.
func newItem(r *run) *item {
	return &item{r: r, versions: []*version{{operation: &operation{kind: "nothing"}, sure: true}}}
}

func (i *item) begin(lane int, o *operation, by *running, reached time.Time) {
	o.began = time.Now()
	i.told++
	v := &version{operation: o, start: i.told, reached: reached, sent: by.sent, at: map[string]int{}}
	if i.pending[lane] = v; o.kind != "read" {
		i.versions = append(i.versions, v)
	}
}

// drop removes a version whose write had no effect.
func (i *item) drop(v *version) {
	i.versions = slices.DeleteFunc(i.versions, func(other *version) bool { return other == v })
}

// gone, hides and shows say what a reader sees of a version.
func (v *version) gone() bool {
	return v.kind == "nothing" || v.kind == "purge" || v.kind == "delete" && !v.marks
}
func (v *version) hides() bool { return v.kind == "delete" && v.marks }
func (v *version) shows() bool { return !v.gone() && !v.hides() }

// whole reports whether a version does not depend on the one before it, apart from stamps.
func (v *version) whole() bool {
	return v.kind == "create" || v.kind == "upsert" || v.kind == "replace"
}

// once reports whether a version was stored by one request.
func (v *version) once() bool { return !v.faulted && !v.doubled && len(v.in) < 2 }

// reader is a request, or several, that sees what some regions have from one time to another.
type reader struct {
	in       []string
	from, to int
	reached  time.Time         // all regions had all writes up to then at from
	session  map[*version]bool // what its session has seen
	self     *version          // the version that it writes; nil for a read
}

// reader returns the operation of a lane as a reader of a slot, and ends it there.
func (r *run) reader(lane int, by *running, slot int) reader {
	v := r.items[slot].pending[lane]
	r.items[slot].pending[lane] = nil
	r.items[slot].told++
	v.end = r.items[slot].told
	q := v.reader()
	q.in = slices.Clone(by.in)
	if by.session != nil {
		q.session = by.session.known
	}
	return q
}

// reader returns a write as a reader: of what it may replace.
func (v *version) reader() reader {
	q := reader{in: v.in, from: v.start, to: v.end, reached: v.reached}
	if v.end == 0 {
		q.to = math.MaxInt
	}
	if v.kind != "read" && v.once() {
		q.self = v
	}
	return q
}

// has reports whether all regions of a reader have a version for certain when it begins.
func (q reader) has(v *version) bool {
	switch {
	case !v.sure:
		return false
	case v.kind == "nothing", q.session[v]:
		return true
	case v.end > 0 && v.end < q.from && (!v.ended.After(q.reached) || q.isWhere(v)):
		return true
	}
	found := v.once() && len(q.in) > 0
	for _, region := range q.in {
		since, has := v.at[region]
		found = found && has && since < q.from
	}
	return found
}

// isWhere reports whether all requests of a reader and of a write went to one region.
func (q reader) isWhere(v *version) bool { return len(q.in) == 1 && slices.Equal(q.in, v.in) }

// replaces notes which versions a write has replaced if it has taken effect: those that its
// region had. What these have replaced, it has.
func (i *item) replaces(v *version) {
	v.past = map[*version]bool{}
	q := v.reader()
	for _, before := range i.versions {
		if before.kind != "nothing" && (before.end == 0 || before.end >= v.start) {
			continue
		}
		if q.has(before) || !before.ended.After(q.reached) || q.isWhere(before) {
			v.past[before] = true
		}
		if q.has(before) {
			maps.Copy(v.past, before.past)
		}
	}
}

// mayFollow reports whether a write may have replaced v.
func (v *version) mayFollow(before *version) bool {
	return v != before && !before.past[v] && (v.end == 0 || v.end > before.start)
}

// span returns the least and the highest number by which a version competes with others.
func (i *item) span(v *version) (least, most float64) {
	least, most = -math.MaxFloat64, math.MaxFloat64
	switch path := i.r.path(); {
	case v.kind == "nothing":
		return math.Inf(-1), math.Inf(-1)
	case v.gone():
		return math.Inf(1), math.Inf(1)
	case path == "/_ts":
		least = float64(v.began.Add(i.r.ahead).Unix())
		if v.end > 0 {
			most = float64(v.ended.Add(i.r.ahead).Unix())
		}
	case path == "/revision" && v.whole():
		least, most = float64(v.revision), float64(v.revision)
	case path == "/revision" && v.known != nil:
		least, most = float64(v.known.revision), float64(v.known.revision)
	case path == "/version" && v.known != nil && v.once():
		least, most = float64(v.known.version), float64(v.known.version)
	}
	return least, most
}

// path is that of the numbers by which the last writer wins.
func (p *plan) path() string {
	if policy := p.shape.Containers[0].ConflictResolutionPolicy; policy != nil && policy.ResolutionPath != "" {
		return policy.ResolutionPath
	}
	return "/_ts"
}

// beats reports whether of two versions that do not know each other, v is kept for certain.
func (i *item) beats(v, other *version) bool {
	least, _ := i.span(v)
	_, most := i.span(other)
	return least > most
}

// may returns the versions that a reader may see.
func (i *item) may(q reader) (all []*version) {
	for _, v := range i.versions {
		if v != q.self && v.start <= q.to && !i.excluded(v, q) {
			all = append(all, v)
		}
	}
	return all
}

// excluded reports whether a reader cannot see a version: its regions have one that has replaced
// it, or one that wins. A version that wins may itself have been replaced by some that follow:
// these win as well, or v is not excluded.
func (i *item) excluded(v *version, q reader) bool {
	for _, w := range i.versions {
		if w == v || w == q.self || !q.has(w) {
			continue
		}
		if w.past[v] || v.kind == "nothing" {
			return true
		}
		wins := i.beats(w, v) && !v.mayFollow(w)
		for _, u := range i.versions {
			if wins && u != q.self && u.start <= q.to && u.mayFollow(w) {
				wins = i.beats(u, v) && !v.mayFollow(u)
			}
		}
		if wins {
			return true
		}
	}
	return false
}

// presence returns 1 for a document that a reader must see, and 1 if it may.
func (i *item) presence(q reader) (must, may int) {
	must = 1
	for _, v := range i.may(q) {
		if v.shows() {
			may = 1
		} else {
			must = 0
		}
	}
	return must, may
}

// matching looks for the writes that made what a read has seen.
type matching struct {
	*item
	steps int // how many it may still take
}

// mostSteps is how many steps matching takes before it allows everything.
const mostSteps = 5_000

// is reports whether a version may be s. An s without tag may have any.
func (m *matching) is(v *version, s state) bool {
	if m.steps--; m.steps < 0 {
		return true
	}
	if v.known != nil && v.once() && v.kind != "restore" {
		known := *v.known
		if s.tag == "" {
			known.tag = ""
		}
		return known == s
	}
	if v.whole() {
		want := v.stores(state{})
		if s.tag == "" {
			want.tag = ""
		}
		want.version = s.version
		return want == s && m.versioned(v, s.version)
	}
	if s.version--; !v.count {
		s.version = 0
	}
	switch v.kind {
	case "restore":
		return m.on(v, s, (*matching).marks)
	case "add", "addif":
		if s.tag != "" && s.tag != v.tag {
			return false
		}
		s.tag = ""
		for times := 1; times == 1 || times < 4 && !v.once(); times++ {
			s.value -= v.add
			if (v.kind == "add" || s.value == v.value || times > 1) && m.on(v, s, (*matching).is) {
				return true
			}
			if v.count {
				s.version--
			}
		}
	}
	return false
}

// on reports whether a version that v may have replaced fits.
func (m *matching) on(v *version, s state, fits func(*matching, *version, state) bool) bool {
	return slices.ContainsFunc(m.may(v.reader()), func(before *version) bool { return fits(m, before, s) })
}

// marks reports whether a version may be s, marked as deleted.
func (m *matching) marks(v *version, s state) bool {
	if s.version--; !v.count {
		s.version = 0
	}
	return v.hides() && m.on(v, s, (*matching).is)
}

// versioned reports whether a write may have counted itself as a version: one more than that of
// the document before it.
func (m *matching) versioned(v *version, n int) bool {
	switch {
	case !v.count || !v.once():
		return true
	case v.kind == "create":
		return n == 1
	case v.sure && v.version > 0 && v.version != n:
		return false
	}
	return m.on(v, state{version: n - 1}, func(_ *matching, before *version, s state) bool {
		switch {
		case before.gone():
			return s.version == 0 && v.kind == "upsert"
		case before.known != nil && before.once():
			return before.known.version == s.version
		case before.whole() && before.version > 0:
			return before.version == s.version || !before.once()
		}
		return s.version > 0
	})
}

// wrote tells the model how a write has ended.
func (r *run) wrote(lane int, by *running, slot int, err error, dead bool) {
	i := r.items[slot]
	v := i.pending[lane]
	i.pending[lane] = nil
	i.told++
	v.end, v.ended, v.in = i.told, time.Now(), slices.Clone(by.in)
	if v.relies != nil {
		r.mu.Unlock()
		r.refuses(by, v.relies, err)
		r.mu.Lock()
		if by.sent > v.sent {
			r.fail(slot, "op %d, %s: %d requests were sent of what several write regions refuse", by.index, by.name, by.sent-v.sent)
		}
		i.drop(v)
		return
	}
	code := r.reason(err)
	switch {
	case err == nil && !dead: // after a fault, another program may have deleted or restored it
		v.sure, code = v.once() || v.whole() || v.kind == "add" || v.kind == "addif", ok
	case err != nil && code == notYet && !dead && r.undisturbed(by) && !v.rivalled(err):
		r.fail(slot, "op %d, %s %s: an error without a fault: %v", by.index, by.name, r.place(slot).ID, err)
	case code != notYet && v.once() && !dead:
		if v.sure {
			r.fail(slot, "op %d, %s has taken effect, and returned %v", by.index, by.name, err)
		}
		i.drop(v)
	}
	i.replaces(v)
	if v.sure && by.session != nil {
		by.session.known[v] = true
	}
	if code == notYet || dead || !v.once() || by.met > 0 || v.joined && code != ok {
		return
	}
	before := i.may(v.reader())
	if !slices.ContainsFunc(before, func(b *version) bool { return v.may(code, b) }) {
		r.fail(slot, "op %d, %s of %s returned %v, and what was there cannot be the reason:\n%s", by.index, by.name, r.place(slot).ID, err, i.list(before))
	}
}

// rivalled reports whether an error says that it is not known which program has written: see
// docs/errors.md.
func (v *version) rivalled(err error) bool {
	return errors.Is(err, repository.ErrUnclear) && (v.kind == "restore" || v.kind == "purge" || v.kind == "add" && v.operation.once)
}

// may reports whether a write may end in a way if it meets a version.
func (v *version) may(how code, before *version) bool {
	switch v.kind {
	case "create":
		return before.gone() == (how == ok)
	case "upsert":
		return before.hides() == (how == exists)
	case "restore", "purge":
		return map[code]bool{ok: before.hides(), precondition: before.shows(), notFound: before.gone()}[how]
	}
	switch how {
	case ok:
		return before.shows()
	case precondition: // a marked document may be restored before it is read
		other := !before.whole() || v.tagged && before.tag != v.expected.tag || v.kind == "addif" && before.value != v.value
		return other || before.hides()
	case notFound:
		return !before.shows()
	}
	return false
}

// found tells the model what a read has seen, and returns false if that cannot be.
func (r *run) found(lane int, by *running, slot int, seen state, absent bool) bool {
	i := r.items[slot]
	q := r.reader(lane, by, slot)
	all := i.may(q)
	var of []*version
	m := &matching{i, mostSteps}
	for _, v := range all {
		if absent && !v.shows() || !absent && v.shows() && m.is(v, seen) {
			of = append(of, v)
		}
	}
	if by.name == "changes" && len(by.in) > 1 { // each region has positions of its own
		return true
	}
	if len(of) == 0 {
		r.fail(slot, "op %d, %s of %s in %q saw %+v (absent: %t), which no version is:\n%s", by.index, by.name, r.place(slot).ID, q.in, seen, absent, i.list(all))
		return false
	}
	if by.session != nil {
		for _, v := range i.versions {
			if q.has(v) {
				by.session.known[v] = true
			}
		}
	}
	if len(of) > 1 || m.steps < 0 || of[0].kind == "nothing" {
		return true
	}
	one := of[0]
	one.sure = true
	if !absent && one.kind != "restore" {
		one.known = &seen
	}
	if len(q.in) == 1 && one.once() {
		if _, has := one.at[q.in[0]]; !has {
			one.at[q.in[0]] = q.to
		}
		if by.session != nil && one.end > 0 {
			by.session.known[one] = true
		}
	}
	return true
}

// list describes versions.
func (i *item) list(all []*version) string {
	var b strings.Builder
	for _, v := range i.versions {
		may := ""
		if slices.Contains(all, v) {
			may = ", may be there"
		}
		fmt.Fprintf(&b, "\t%s %s value %d add %d revision %d, %d from %s to %d %s in %q, sure %t%s", v.kind, v.tag, v.value, v.add, v.revision, v.start, i.r.since(v.began), v.end, i.r.since(v.ended), v.in, v.sure, may)
		for other := range v.past {
			b.WriteString(" >" + other.tag)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// since returns when something was.
func (r *run) since(at time.Time) time.Duration {
	if at.IsZero() {
		return -1
	}
	return at.Sub(r.Began)
}
