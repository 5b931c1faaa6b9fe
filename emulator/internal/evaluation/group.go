package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// maxHeldBytes bounds the memory of one evaluation. The keys of groups, the values of
// DISTINCT, and the rows that a query collects before it returns them may each have this many
// bytes. It is our own limit.
const maxHeldBytes = 128 << 20

// groups collects the combinations of a grouped select.
type groups struct {
	selection *selection
	byKey     map[string]*group
	list      []*group // in the order of their first combinations
	held      int
}

// group is one group: its first combination, from which the expressions of GROUP BY
// are read, and its aggregates.
type group struct {
	doc          *value.Members
	slots        []value.Value
	accumulators []function.Accumulator
}

func (s *selection) newGroups() *groups {
	g := &groups{selection: s}
	if len(s.group) == 0 {
		g.list = []*group{s.newGroup(row{})}
	} else {
		g.byKey = map[string]*group{}
	}
	return g
}

func (s *selection) newGroup(r row) *group {
	g := &group{doc: r.doc, accumulators: make([]function.Accumulator, len(s.arguments))}
	if r.frame != nil {
		g.slots = append(g.slots, r.frame.slots...)
	}
	for i, a := range s.node.Aggregates {
		g.accumulators[i] = function.Accumulate(a.Function)
	}
	return g
}

// add adds a combination to its group. It returns false if the groups need too much
// memory.
func (g *groups) add(r row) bool {
	into := g.find(r)
	for i, argument := range g.selection.arguments {
		v := argument(r)
		g.selection.meter.Spend(v.Bytes() / 16) // MIN and MAX compare texts
		into.accumulators[i].Add(v)
	}
	if g.held > maxHeldBytes {
		r.frame.fail(tooMuchHeld("GROUP BY"))
		return false
	}
	return true
}

// find returns the group of a combination.
func (g *groups) find(r row) *group {
	if g.byKey == nil {
		return g.list[0]
	}
	key := r.frame.buffer[:0]
	for _, e := range g.selection.group {
		key = e(r).AppendIdentity(key)
	}
	r.frame.buffer = key
	g.selection.meter.Spend(len(key) / 4)
	found := g.byKey[string(key)]
	if found == nil {
		found = g.selection.newGroup(r)
		g.byKey[string(key)] = found
		g.list = append(g.list, found)
		g.held += len(key) + 64*(len(found.slots)+len(found.accumulators)+4)
	}
	return found
}

// each calls yield for the groups, with the results of their aggregates in place.
func (g *groups) each(r row, yield func(row) bool) bool {
	for _, group := range g.list {
		if g.byKey != nil { // a select without GROUP BY has one group, which sees the names of the outer select
			r.doc = group.doc
			copy(r.frame.slots, group.slots)
		}
		for i, a := range g.selection.node.Aggregates {
			r.frame.aggregates[a.Slot] = group.accumulators[i].Result()
		}
		if !yield(r) || r.frame.err != nil {
			return false
		}
	}
	return true
}

// tooMuchHeld is the error for an evaluation that would hold too much memory.
func tooMuchHeld(what string) *cosmossql.Error {
	return cosmossql.NewError("", 0, 0, cosmossql.CodeEvaluation, "%s holds more than %d bytes; filter more, or ask for fewer properties", what, maxHeldBytes)
}
