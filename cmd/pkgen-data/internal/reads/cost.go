package reads

import (
	"math"
	"slices"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// What a query costs; see the package comment.
const (
	costKB = 0.55 // RU
	pageKB = 4096 // the maximum size of an answer
)

// Container describes a container for calls.
type Container struct {
	Layout *layout.Layout
	// Own is set if the layout is the type's own, so that a key includes the random suffix.
	Own bool
	// Bytes is the average size of a document.
	Bytes int
	// Physical is the number of physical partitions.
	Physical int
}

// cost is what a call costs.
type cost struct {
	requests, units float64
	touched         float64 // the expected number of physical partitions
}

// Under returns what the calls cost in a container.
func (p *Program) Under(c Container) *analyze.Reads {
	r := &analyze.Reads{Partitions: c.Physical}
	for _, k := range p.calls {
		cost := c.cost(k, p.looks)
		partitions := int(math.Round(cost.touched))
		r.Methods = append(r.Methods, analyze.MethodReads{
			Method: k.Method, Calls: k.PerSecond, Requests: cost.requests, RequestUnits: cost.units, Partitions: partitions,
		})
		r.Calls += k.PerSecond
		r.Requests += float64(k.PerSecond * cost.requests)
		r.RequestUnits += float64(k.PerSecond * cost.units)
		switch {
		case partitions <= 1:
			r.One += k.PerSecond
		case partitions < c.Physical:
			r.Several += k.PerSecond
		default:
			r.All += k.PerSecond
		}
	}
	if r.Calls > 0 {
		r.One, r.Several, r.All = r.One/r.Calls, r.Several/r.Calls, r.All/r.Calls
	}
	return r
}

// cost returns what a call costs.
func (c Container) cost(k known, looks bool) cost {
	readRU, writeRU := charge.Read(c.Bytes), charge.Write(c.Bytes)
	n := max(k.Documents, 1)
	if k.Documents == 0 && k.whole() {
		n = 0 // the number of documents in the container is unknown: count requests only
	}
	point := c.point(k)
	each := cost{1, writeRU, 1}
	switch k.does {
	case operations.Read:
		if point {
			return cost{1, readRU, 1}
		}
		return c.find(k, n)
	case operations.Create, operations.DeleteVersion:
		return each
	case operations.Upsert, operations.Replace, operations.UpsertEach:
		if looks {
			each = cost{2, readRU + writeRU, 1}
		}
		if k.does != operations.UpsertEach {
			return each
		}
		return c.several(each, n)
	case operations.CreateEach:
		return c.several(each, n)
	case operations.Delete, operations.Patch, operations.Update, operations.Restore, operations.Purge, operations.Move:
		return c.changed(k, point, looks, readRU, writeRU)
	case operations.DeleteEach, operations.DeleteFound:
		return c.several(c.changed(k, point, looks, readRU, writeRU), n)
	case operations.ReadMany:
		if point {
			return c.query(c.touched(n), n)
		}
	}
	return c.find(k, n)
}

// changed returns the cost of changing one document whose key a call knows. If that does not make a
// key of the layout, a query finds the document first.
func (c Container) changed(k known, point, looks bool, read, write float64) cost {
	before := cost{1, read, 1}
	if !point {
		before = c.find(k, 1)
	}
	reads := !point
	switch k.does {
	case operations.Move:
		return cost{before.requests + 2, before.units + 2*write, max(before.touched, c.touched(2))}
	case operations.Update, operations.Restore, operations.Purge:
		reads = true
	case operations.Delete, operations.DeleteEach, operations.DeleteFound: // a patch checks the type in its condition
		reads = reads || looks
	}
	if reads {
		return cost{before.requests + 1, before.units + write, before.touched}
	}
	return cost{1, write, 1}
}

// whole reports whether a call reads all documents of the container.
func (k known) whole() bool { return k.does == operations.Scan || k.does == operations.Feed }

// point reports whether a call knows the id and the whole key of a document.
func (c Container) point(k known) bool {
	if k.Knows == nil && c.Own && k.does != named && k.does != operations.Find {
		return true
	}
	levels, spread := c.Layout.Reach(k.knows...)
	return levels == c.Layout.Levels() && spread == 1 && slices.Contains(k.knows, idProperty)
}

// find returns the cost of a query by the properties that a call knows.
func (c Container) find(k known, documents float64) cost {
	levels, spread := c.Layout.Reach(k.knows...)
	if levels == 0 || k.whole() {
		return c.query(float64(c.Physical), documents)
	}
	return c.query(c.touched(float64(spread)*float64(max(k.Periods, 1))), documents)
}

// query returns the cost of a query that touches a number of physical partitions.
func (c Container) query(touched, documents float64) cost {
	kb := documents * float64(c.Bytes) / 1024
	requests := touched * max(1, math.Ceil(kb/touched/pageKB))
	return cost{requests, float64(charge.QueryFloor*requests) + float64(costKB*kb), touched}
}

// several returns the cost of a call that acts on each of several documents.
func (c Container) several(each cost, documents float64) cost {
	return cost{each.requests * documents, each.units * documents, max(each.touched, c.touched(documents))}
}

// touched returns the expected number of physical partitions with a number of logical partitions. A
// prefix of a hierarchical key counts as one: it is on one physical partition, unless it is larger
// than that.
func (c Container) touched(logical float64) float64 {
	return layout.ExpectedRanges(logical, c.Physical)
}
