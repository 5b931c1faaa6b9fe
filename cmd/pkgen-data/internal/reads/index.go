package reads

import (
	"math"
	"slices"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// WithIndex returns the cost of the calls in a container without and with a global secondary index
// with these keys, and with as many physical partitions as the container. Calls read the index if
// that touches fewer physical partitions. The service writes the index once per write of a
// document, and twice if its key changes.
func (p *Program) WithIndex(c Container, keys *layout.Layout) *analyze.IndexUse {
	index := Container{Layout: keys, Bytes: c.Bytes, Physical: c.Physical}
	u := &analyze.IndexUse{Layout: c.Layout.String(), Partitions: c.Physical, Answers: []analyze.IndexAnswer{}}
	add := func(to *analyze.Load, k known, each cost) {
		to.Requests += float64(k.PerSecond * each.requests)
		to.RequestUnits += float64(k.PerSecond * each.units)
	}
	var saved, savedOnce float64 // by all calls, and by one of each method
	for _, k := range p.calls {
		without := c.cost(k, p.looks)
		with := without
		answer, known := index.answer(k)
		u.Known = u.Known || known
		if known && analyze.TouchesFewer(answer.touched, without.touched) && answer.units < without.units {
			with = answer
			u.Answers = append(u.Answers, analyze.IndexAnswer{Method: k.Method, Knows: sorted(k.knows), Calls: k.PerSecond, Container: without.one(), Index: with.one()})
			u.Reads += k.PerSecond
			u.IndexReads += float64(k.PerSecond * with.units)
			saved += float64(k.PerSecond * (without.units - with.units))
			savedOnce += without.units - with.units
		}
		add(&u.Without, k, without)
		add(&u.With, k, with)
		u.Calls += k.PerSecond
		documents, entries := k.writes(keys)
		u.Writes += float64(k.PerSecond * documents)
		u.Entries += float64(k.PerSecond * entries)
	}
	write := charge.Write(c.Bytes)
	u.IndexWrites = u.Entries * write
	u.With.RequestUnits += u.IndexWrites
	u.Saves = u.Without.RequestUnits - u.With.RequestUnits
	if u.Writes > 0 {
		reads := 100 * u.Reads / u.Writes
		u.ReadsFor100Writes = &reads
		write *= u.Entries / u.Writes
	}
	if len(u.Answers) == 0 {
		return u
	}
	each := savedOnce / float64(len(u.Answers))
	if u.Reads > 0 {
		each = saved / u.Reads
	}
	reads := 100 * write / each
	u.BreakEven = &reads
	if others := u.Calls - u.Reads; others > 0 {
		needed := u.IndexWrites / each
		share := needed / (others + needed)
		u.BreakEvenShare = &share
	}
	return u
}

// answer returns the cost of a call that reads the index, and whether it can: it knows the key of
// the index, or its first levels. An index has no point reads, because the service makes the ids of
// its documents.
func (c Container) answer(k known) (cost, bool) {
	levels, spread := c.Layout.Reach(k.knows...)
	if levels == 0 || !k.finds {
		return cost{}, false
	}
	n := max(k.Documents, 1)
	if k.does == operations.ReadMany {
		return c.query(c.touched(n*float64(spread)), n), true
	}
	return c.find(k, n), true
}

// one returns the cost for a report.
func (c cost) one() analyze.OneCall {
	return analyze.OneCall{RequestUnits: c.units, Requests: c.requests, Partitions: int(math.Round(c.touched))}
}

// writes returns how many documents a call writes or deletes, and how many writes of an index with
// these keys follow.
func (k known) writes(keys *layout.Layout) (documents, entries float64) {
	switch k.does {
	case operations.CreateEach, operations.UpsertEach, operations.DeleteEach, operations.DeleteFound:
		documents = max(k.Documents, 1)
	case operations.Create, operations.Upsert, operations.Replace, operations.Delete, operations.DeleteVersion, operations.Restore, operations.Purge, operations.Update, operations.Patch:
		documents = 1
	case operations.Move:
		return 1, 2 // one entry is deleted, and another one created
	}
	entries = documents
	if slices.ContainsFunc(keys.Model().Components(), func(c *pk.Component) bool { return slices.Contains(k.Changes, c.Property) }) {
		entries *= 2
	}
	return documents, entries
}
