package simulation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
)

// state is the stored content at the key of one document.
type state struct {
	exists, hidden bool
	value, version int
	tag, mail      string
	restored       bool // its ETag is another one than when its tag was written
	ttl            int  // seconds, 0 if it does not expire
	label          string
	size           int
	form           int // of types of which two releases run, else 0
	revision       int // of types with it
}

// code is how an operation ends at one document: one of the constants, or, of a read, the
// number of the state that it returns.
type code uint32

const (
	notYet code = iota
	ok
	okTwice // it has taken effect again, since its first answer was lost
	okThrice
	exists
	notFound
	precondition
	newerDocument
	firstState
)

func (c code) String() string {
	if c >= firstState {
		return "a document"
	}
	return [...]string{"nothing", "success", "success twice", "success thrice", "ErrAlreadyExists", "ErrNotFound", "ErrPreconditionFailed", "ErrNewerDocument"}[c]
}

// operation is what an actor does to one document.
type operation struct {
	kind     string
	tag      string // of what it writes
	mail     string
	value    int // what it writes, or expects
	ttl      int // of what it writes
	add      int // what it adds to the value
	label    string
	size     int
	form     int   // that the program writes, 0 where all write one
	revision int   // of what it writes
	version  int   // that its answer has, if it writes a whole document
	expected state // the document that it has read, for conditions on an ETag
	tagged   bool  // it has a condition on the ETag of expected
	stale    bool  // which it has read so long ago that the same may have been written since

	marks bool // deletions mark documents
	purge bool // which then expire
	once  bool // increments count once, though their requests arrive twice
	count bool // documents count their versions
	moves bool // documents move, and get another ETag
	ages  bool // documents move, with the rest of their time to live
	given bool // the times of stamps come from WithClock, so that no write is recognised by them

	joined bool // it is one of a transaction
	beside bool // another write of the document was under way meanwhile
	loops  bool // it begins anew if another program writes: see docs/errors.md

	faulted bool // a request has failed
	doubled bool // a request has arrived twice

	began, ended time.Time

	relies *writeregions.Use // what of it is refused with several write regions; nil for nothing
}

// outcome is what an operation may do to a state.
type outcome struct {
	after state
	code  code
}

// lanes is how many operations may be under way at once.
const lanes = 8

// config is a state of a document, by its code, and how the operations under way have ended. A
// write has a code of its own after it has taken effect. A read has the number of a set in
// slot.sets: the codes of all states since it began. So reads do not multiply configs.
type config struct {
	state code
	done  [lanes]code
}

// slot is one document: all that its history so far allows.
type slot struct {
	configs []config
	pending [lanes]*operation
	states  []state // by code, from firstState on
	codes   map[state]code
	sets    [][]code // of what reads may return, sorted, by number
	numbers map[string]code
	makers  map[code][]*operation // of states that expire
	fenced  bool                  // writes of other documents may store it again, and so begin its time to live anew
	last    map[code]time.Time    // when a document was last visible in a state, notFound for none
	stored  map[code]time.Time    // when a state was stored last
	history []string
}

func newSlot() *slot {
	s := &slot{codes: map[state]code{}, numbers: map[string]code{}, makers: map[code][]*operation{}, last: map[code]time.Time{}, stored: map[code]time.Time{}}
	s.number(nil)
	s.configs = []config{{state: s.code(state{})}}
	return s
}

// code returns the code of a state.
func (s *slot) code(of state) code {
	c, known := s.codes[of]
	if !known {
		c = firstState + code(len(s.states))
		s.states = append(s.states, of)
		s.codes[of] = c
	}
	return c
}

// number returns the number of a set.
func (s *slot) number(set []code) code {
	var text strings.Builder
	for _, c := range set {
		fmt.Fprintf(&text, "%d ", c)
	}
	n, known := s.numbers[text.String()]
	if !known {
		n = code(len(s.sets))
		s.sets = append(s.sets, set)
		s.numbers[text.String()] = n
	}
	return n
}

// visit adds the state of a config to the sets of all reads under way.
func (s *slot) visit(c *config) {
	seen := s.seen(s.at(c.state))
	for lane, o := range s.pending {
		if o == nil || o.kind != "read" || s.hasExpired(c.state, o.began) {
			continue
		}
		set := s.sets[c.done[lane]]
		if i, has := slices.BinarySearch(set, seen); !has {
			c.done[lane] = s.number(slices.Insert(slices.Clone(set), i, seen))
		}
	}
}

// at returns the state of a code.
func (s *slot) at(c code) state { return s.states[c-firstState] }

// visible is what a read returns of a state.
func visible(s state) state {
	s.restored, s.form = false, 0
	return s
}

// seen returns the code of what a read returns of a state.
func (s *slot) seen(of state) code {
	if of.exists && !of.hidden {
		return s.code(visible(of))
	}
	return notFound
}

// recent ends a read that may be of an earlier time, and reports whether the document was
// visible in a state since that time.
func (s *slot) recent(lane int, of code, since time.Time) bool {
	s.abandon(lane)
	at, was := s.last[of]
	return was && !at.Before(since)
}

// outcomes returns what an operation may do to a state.
func (s *slot) outcomes(o *operation, now state) []outcome {
	there := now.exists && !now.hidden
	switch o.kind {
	case "drop":
		return []outcome{{state{}, ok}}
	case "create":
		return o.create(now)
	case "upsert":
		if now.hidden {
			return []outcome{{now, exists}}
		}
		if o.refuses(now) {
			return []outcome{{now, newerDocument}}
		}
		return []outcome{{o.stores(now), ok}}
	case "replace":
		return o.replace(now, there)
	case "delete":
		return o.remove(now, there)
	case "restore", "purge":
		return o.unmark(now, there)
	case "add", "addif":
		return o.change(now, there)
	}
	panic("an operation without a rule: " + o.kind)
}

// next returns the version of what an operation stores.
func (o *operation) next(now state) int {
	if o.count {
		return now.version + 1
	}
	return 0
}

// stores returns the state after a write of a whole document.
func (o *operation) stores(now state) state {
	return state{exists: true, value: o.value, version: o.next(now), tag: o.tag, mail: o.mail, ttl: o.ttl, label: o.label, size: o.size, form: o.form, revision: o.revision}
}

// refuses reports whether the program knows that it must not write a document of the next form.
func (o *operation) refuses(now state) bool { return now.exists && o.form == 1 && now.form == 2 }

// renewed returns what a state becomes on the way of an operation, which has not ended then: a
// program of the newer release brings a document to its form before it changes a part of it, and
// admin.Upgrade brings all of them there.
func (o *operation) renewed(now state) state {
	if o.kind == "renew" && now.exists || o.form == 2 && now.form == 1 && !now.hidden && (o.kind == "add" || o.kind == "addif") {
		now.restored, now.form = true, min(now.form, 1)*2
	}
	return now
}

// differs reports whether the document is another one than the operation expects.
func (o *operation) differs(now state) bool {
	return o.tagged && (o.expected.tag != now.tag || o.expected.version != now.version)
}

func (o *operation) create(now state) []outcome {
	if now.exists {
		return []outcome{{now, exists}}
	}
	after := o.stores(now)
	if o.doubled { // another program may write over it before it is read: see docs/errors.md
		return []outcome{{after, ok}, {after, exists}}
	}
	return []outcome{{after, ok}}
}

func (o *operation) replace(now state, there bool) []outcome {
	switch {
	case !there && o.tagged && (o.moves || o.faulted || now.hidden): // an attempt may have failed before the document was deleted or marked
		return []outcome{{now, notFound}, {now, precondition}}
	case !there:
		return []outcome{{now, notFound}}
	case o.refuses(now) && o.differs(now):
		return []outcome{{now, newerDocument}, {now, precondition}}
	case o.refuses(now):
		return []outcome{{now, newerDocument}}
	case o.differs(now):
		return []outcome{{now, precondition}}
	}
	after := o.stores(now)
	out := []outcome{{after, ok}}
	if o.tagged && (now.restored || o.moves || o.stale) {
		out = append(out, outcome{now, precondition})
	}
	if o.doubled { // another program may write over it, or delete it, before it is read: see docs/errors.md
		out = append(out, outcome{after, notFound})
		if o.tagged {
			out = append(out, outcome{after, precondition})
		}
	}
	return out
}

func (o *operation) remove(now state, there bool) []outcome {
	gone := state{}
	if o.marks {
		gone = now
		gone.hidden, gone.version = true, o.next(now)
		if o.purge {
			gone.ttl = int(purge / time.Second)
		}
	}
	switch {
	case !there && o.faulted: // who deleted it is not known
		return []outcome{{now, notFound}, {now, ok}}
	case now.hidden && o.joined: // it may be restored before it is read: see docs/errors.md
		return []outcome{{now, notFound}, {now, precondition}}
	case !there:
		return []outcome{{now, notFound}}
	case o.differs(now):
		return []outcome{{now, precondition}}
	}
	out := []outcome{{gone, ok}}
	if o.tagged && (now.restored || o.moves || o.stale) {
		out = append(out, outcome{now, precondition})
	}
	if o.doubled { // the second request finds nothing, which docs/errors.md tells
		out = append(out, outcome{gone, notFound})
		if o.moves && o.tagged { // and another program may create it before the other place is read
			out = append(out, outcome{gone, precondition})
		}
	}
	return out
}

// unmark restores or purges a document that is marked as deleted.
func (o *operation) unmark(now state, there bool) []outcome {
	switch {
	case !now.exists && o.faulted && o.kind == "purge": // which program purged it is not known
		return []outcome{{now, notFound}, {now, ok}}
	case !now.exists:
		return []outcome{{now, notFound}}
	case there && o.faulted && o.kind == "restore": // which program restored it is not known
		return []outcome{{now, precondition}, {now, ok}}
	case there:
		return []outcome{{now, precondition}}
	case o.kind == "purge" && o.doubled: // the second request finds nothing, which docs/errors.md tells
		return []outcome{{state{}, ok}, {state{}, notFound}}
	case o.kind == "purge":
		return []outcome{{state{}, ok}}
	case o.refuses(now):
		return []outcome{{now, newerDocument}}
	}
	after := now
	after.hidden, after.restored, after.version = false, true, o.next(now)
	if o.purge {
		after.ttl = 0
	}
	return []outcome{{after, ok}}
}

// change adds to the value of a document.
func (o *operation) change(now state, there bool) []outcome {
	if now.hidden { // it may be restored before it is read: see docs/errors.md
		return []outcome{{now, notFound}, {now, precondition}}
	}
	if !there {
		return []outcome{{now, notFound}}
	}
	if o.refuses(now) {
		return []outcome{{now, newerDocument}}
	}
	if o.kind == "addif" && now.value != o.value {
		return []outcome{{now, precondition}}
	}
	after := now
	after.value += o.add
	after.tag, after.restored, after.version, after.form = o.tag, false, o.next(now), o.form
	out := []outcome{{after, ok}}
	if o.doubled { // another program may delete it, or write over it, before it is read: see docs/errors.md
		out = append(out, outcome{after, notFound}, outcome{after, precondition})
		if o.form == 1 { // and that program may be of the newer release
			out = append(out, outcome{after, newerDocument})
		}
	}
	return out
}

// repeats reports whether an operation that has failed once may take effect again.
func (o *operation) repeats() bool {
	return o.addsTwice() || o.doubled && o.loops || (o.faulted || o.doubled) && !o.tagged && o.kind != "read" && o.kind != "add" && o.kind != "addif"
}

// countsTwice reports whether an operation that has failed once may count itself as two
// versions.
func (o *operation) countsTwice() bool { return o.count && o.kind == "upsert" || o.addsTwice() }

// addsTwice reports whether a request that has arrived twice may add twice: see
// docs/errors.md.
func (o *operation) addsTwice() bool { return o.doubled && !o.once && o.kind == "add" }

func (s *slot) begin(lane int, o *operation) {
	o.began = time.Now()
	for _, other := range s.pending {
		if other != nil && other != o && other.kind != "read" && o.kind != "read" {
			o.beside, other.beside = true, true
		}
	}
	s.pending[lane] = o
	if o.kind == "read" {
		for i := range s.configs {
			s.visit(&s.configs[i])
		}
	}
}

// expand adds what follows if operations that are under way take effect now.
func (s *slot) expand() {
	all := s.pool()
	for _, c := range s.configs {
		all.add(c)
	}
	for i := 0; i < len(all.configs); i++ { //nolint:intrange // it grows meanwhile
		if all.gone[i] {
			continue
		}
		c := all.configs[i]
		if s.mayExpire(c.state) {
			gone := config{state: s.code(state{}), done: c.done}
			s.visit(&gone)
			all.add(gone)
		}
		for lane, o := range s.pending {
			if o == nil || o.kind == "read" || s.hasExpired(c.state, o.began) {
				continue
			}
			if other := o.renewed(s.at(c.state)); other != s.at(c.state) {
				next := c
				next.state = s.code(other)
				for _, maker := range s.makers[c.state] {
					s.wrote(next.state, maker)
				}
				s.wrote(next.state, o)
				s.visit(&next)
				all.add(next)
			}
			if o.kind == "renew" {
				continue
			}
			again := c.done[lane] == ok || c.done[lane] == okTwice
			now := s.at(c.state)
			if c.done[lane] != notYet && (!again || !o.repeats() || now.tag == o.tag && !o.countsTwice()) {
				continue
			}
			for _, out := range s.outcomes(o, now) {
				next := c
				if next.state = s.code(out.after); out.code == ok {
					s.wrote(next.state, o)
				}
				switch {
				case !again:
					next.done[lane] = out.code
				case o.doubled && o.marks && o.kind == "delete" && !now.exists: // its mark was purged before it was seen: see docs/errors.md
					next.done[lane] = notFound
				case out.code != ok:
					continue
				default:
					next.done[lane]++
				}
				s.visit(&next)
				all.add(next)
				all.add(s.purged(next, o, out))
			}
		}
	}
	s.configs = all.left()
}

// ended returns how an operation may have ended in a config, nothing if it has not taken effect.
func (s *slot) ended(c config, lane int) []code {
	switch done := c.done[lane]; {
	case s.pending[lane] == nil:
		return nil
	case s.pending[lane].kind == "read":
		return s.sets[done]
	case done == notYet:
		return nil
	default:
		return []code{done}
	}
}

// purged returns a config after an operation. If that has purged the document, a deletion whose
// request has arrived twice may find nothing when it reads who has marked it.
func (s *slot) purged(c config, o *operation, out outcome) config {
	if o.kind != "purge" || out.code != ok {
		return c
	}
	for lane, other := range s.pending {
		if other != nil && other.kind == "delete" && other.marks && other.doubled && c.done[lane] == ok {
			c.done[lane] = notFound
		}
	}
	return c
}

// end ends an operation: open says that it may not have taken effect, and accepts which
// codes agree with what it returned. It returns false if no history agrees.
func (s *slot) end(lane int, open bool, accepts func(code) bool) bool {
	now := s.passes()
	var left []config
	for _, c := range s.configs {
		ended := s.ended(c, lane)
		if len(ended) == 0 && open || slices.ContainsFunc(ended, accepts) {
			c.done[lane] = notYet
			left = append(left, c)
		}
	}
	if o := s.pending[lane]; o != nil { // a read that was of an earlier time ends again
		o.ended = now
	}
	s.pending[lane] = nil
	if len(left) == 0 {
		for i := range s.configs {
			s.configs[i].done[lane] = notYet
		}
		return false
	}
	all := s.pool()
	for _, c := range left {
		all.add(c)
	}
	s.configs = all.left()
	return true
}

// passes notes what may be stored now.
func (s *slot) passes() time.Time {
	s.expand()
	now := time.Now()
	for _, c := range s.configs {
		s.last[s.seen(s.at(c.state))], s.stored[c.state] = now, now
	}
	return now
}

// lose tells that a failover has lost the writes of an unknown time, which is since or later.
// The document has one of the states that it had since then. A write that is under way may have
// been lost, too, and take effect again. A document that moves may be lost: its copy, and not the
// removal of the original.
func (s *slot) lose(since time.Time, moves bool) {
	s.passes()
	var states []code
	if moves {
		states = append(states, s.code(state{}))
	}
	for c := range s.states {
		if at, was := s.stored[firstState+code(c)]; was && !at.Before(since) {
			states = append(states, firstState+code(c))
		}
	}
	all := s.pool()
	for _, c := range s.configs {
		for _, again := range s.undone(c) {
			for _, state := range states {
				next := again
				next.state = state
				s.visit(&next)
				all.add(next)
			}
		}
	}
	s.configs = all.left()
}

// undone returns a config, and what it becomes if some of the writes under way have not taken
// effect.
func (s *slot) undone(c config) []config {
	all := []config{c}
	for lane, o := range s.pending {
		if o == nil || o.kind == "read" || c.done[lane] == notYet {
			continue
		}
		for _, other := range slices.Clone(all) {
			other.done[lane] = notYet
			all = append(all, other)
		}
	}
	return all
}

// abandon ends an operation without any result: it may have taken effect or not.
func (s *slot) abandon(lane int) {
	s.end(lane, true, func(code) bool { return true })
}

// possible returns which codes an operation may end with, and ends it with any.
func (s *slot) possible(lane int) map[code]bool {
	s.expand()
	out := map[code]bool{}
	for _, c := range s.configs {
		for _, code := range s.ended(c, lane) {
			out[code] = true
		}
	}
	s.abandon(lane)
	return out
}

// note adds a line to the history of the document.
func (s *slot) note(format string, a ...any) {
	s.history = append(s.history, fmt.Sprintf(format, a...))
}

// String describes what may be stored.
func (s *slot) String() string {
	var b strings.Builder
	for _, c := range s.configs {
		fmt.Fprintf(&b, "\tmay be %+v", s.at(c.state))
		for lane := range c.done {
			for _, code := range s.ended(c, lane) {
				fmt.Fprintf(&b, ", lane %d has %s", lane, code)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
