package analyze

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

// collecting collects the figures of one layout.
type collecting struct {
	Option

	components components
	clock      *clock
	redrawn    bool // see [Collector.Windows]
	counts     counts
	documents  int64
	bytes      uint64
	byCount    heaviest
	byBytes    heaviest
	spreads    []*spreading
	ring       *grid
	hot        []*hotKeys
	ranked     []ranked
	keyless    []Keyless
	collisions Collisions
}

// ringParts is the number of equal parts of the effective partition keys in [Layout.Ring].
const ringParts = 128

func newCollecting(o Option, parts components, most int, at *clock, options Options) *collecting {
	c := &collecting{Option: o, components: parts, clock: at, counts: newCounts(most, true), ring: at.grid(ringParts)}
	for _, n := range options.Partitions {
		c.spreads = append(c.spreads, &spreading{ranges{n: n}, make([]int64, n), at.grid(n)})
	}
	if n := len(options.Bounds); n > 0 {
		c.spreads = append(c.spreads, &spreading{ranges{n, options.Bounds[1:]}, make([]int64, n), at.grid(n)})
	}
	for _, interval := range hotIntervals {
		c.hot = append(c.hot, newHotKeys(interval.seconds, most/8))
	}
	return c
}

// add adds a document, by layout i of its set.
func (c *collecting) add(d *layout.Document, i int, s seen) {
	for s.slot >= len(c.ranked) {
		c.ranked = append(c.ranked, ranked{})
	}
	key, err := d.Key(i)
	var at place
	if err == nil {
		at, err = placeOf(key)
	}
	if s.slot >= 0 {
		c.ranked[s.slot] = ranked{has: err == nil, timed: s.timed, time: s.seconds, order: s.order, id: at.id, key: key}
	}
	if err != nil {
		c.without(err, s.line)
		return
	}
	c.documents++
	c.bytes += s.bytes
	c.count(key, at.id, d, s)
	lies := at
	if c.redrawn {
		lies = at.redrawn()
	}
	for _, spread := range c.spreads {
		j := spread.of(lies)
		spread.documents[j]++
		if s.timed {
			spread.series.cells[s.row*spread.n+j]++
		}
	}
	if s.timed {
		c.ring.cells[s.row*ringParts+layout.EqualRange(lies.id.hi, ringParts)]++
		for _, h := range c.hot {
			h.add(s.seconds, at.id, key)
		}
	}
}

// count counts a document under its key.
func (c *collecting) count(key layout.Key, id keyID, d *layout.Document, s seen) {
	slot, purged := c.counts.add(id, s.bytes)
	if purged > 0 {
		c.byCount.lower(uint64(purged))
	}
	if s.timed {
		slot.first, slot.last = min(slot.first, uint32(s.seconds)), max(slot.last, uint32(s.seconds))
	}
	if hash := c.components.hash(d); slot.components == 0 {
		slot.components = hash
	} else if slot.components != hash {
		c.collisions.Documents++
		if len(c.collisions.Examples) < mostLines {
			c.collisions.Examples = append(c.collisions.Examples, Collision{key.String(), s.line})
		}
	}
	c.byCount.grow(id, key, uint64(slot.documents))
	c.byBytes.grow(id, key, slot.bytes)
}

// without counts a document without a key.
func (c *collecting) without(err error, line int64) {
	k := Keyless{Problem: layout.Refused.String(), Reason: err.Error()}
	var problem *layout.Error
	if errors.As(err, &problem) {
		k = Keyless{Property: problem.Property, Problem: problem.Problem.String(), Reason: problem.Reason}
	}
	i := slices.IndexFunc(c.keyless, func(known Keyless) bool { return known.Property == k.Property && known.Problem == k.Problem })
	if i < 0 {
		i = len(c.keyless)
		c.keyless = append(c.keyless, k)
	}
	known := &c.keyless[i]
	known.Documents++
	if len(known.Lines) < mostLines {
		known.Lines = append(known.Lines, line)
	}
}

// report returns the figures.
func (c *collecting) report(timed bool) *Layout {
	r := &Layout{
		Layout: c.String(), Current: c.Current, Documents: c.documents, Unique: c.counts.unique(), CountError: int64(c.counts.slack),
		Largest: c.largest(), Biggest: c.biggest(), Keyless: slices.Clone(c.keyless), Collisions: c.collisions, Hot: []Hot{}, Partitions: []*Spread{},
		Ring: c.clock.rows(c.ring), Fan: c.Model().Fan(), Findings: []Finding{},
	}
	if c.keyless == nil {
		r.Keyless = []Keyless{}
	}
	slices.SortStableFunc(r.Keyless, func(a, b Keyless) int { return cmp.Compare(b.Documents, a.Documents) })
	r.LogicalPartitions, r.LogicalPartitionsError = c.counts.distinct()
	r.Monotonicity, r.HashMonotonicity = monotonicity(c.ranked, timed)
	if c.documents > 0 {
		r.WriteRU = charge.Write(int(math.Round(float64(c.bytes) / float64(c.documents))))
		if timed {
			for i, h := range c.hot {
				r.Hot = append(r.Hot, h.report(hotIntervals[i].name))
			}
			r.Stays = staysOf(c.hot)
		}
	}
	for _, s := range c.spreads {
		r.Partitions = append(r.Partitions, s.report(c.clock, r.WriteRU))
	}
	r.Curve = curveOf(c.counts.documents(), c.documents)
	return r
}

// mostLargest is the number of reported keys.
const mostLargest = 10

// largest returns the keys with the most documents.
func (c *collecting) largest() []LogicalPartition {
	all := []LogicalPartition{}
	for _, h := range c.byCount.keys {
		if slot := c.counts.at(h.id); slot.documents > 0 {
			all = append(all, c.logicalPartition(h.key, slot))
		}
	}
	slices.SortFunc(all, func(a, b LogicalPartition) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), strings.Compare(a.Key, b.Key))
	})
	return all[:min(len(all), mostLargest)]
}

func (c *collecting) logicalPartition(key layout.Key, slot *counted) LogicalPartition {
	return LogicalPartition{Key: key.String(), Documents: int64(slot.documents), Share: float64(slot.documents) / float64(c.documents), Bytes: int64(slot.bytes)}
}

// biggest returns the key with the most bytes.
func (c *collecting) biggest() *Growth {
	var best *Growth
	for _, h := range c.byBytes.keys {
		slot := *c.counts.at(h.id)
		if slot.documents == 0 { // it was forgotten; this is a lower bound
			slot = counted{documents: 1, bytes: h.count}
		}
		if best != nil && (int64(slot.bytes) < best.Bytes || int64(slot.bytes) == best.Bytes && h.key.String() > best.Key) {
			continue
		}
		best = &Growth{LogicalPartition: c.logicalPartition(h.key, &slot)}
		first, last := int64(slot.first), int64(slot.last)
		if first >= last {
			continue
		}
		const day = 24 * 60 * 60
		perSecond := float64(slot.bytes) / float64(last-first)
		best.BytesPerDay = int64(math.Round(perSecond * day))
		grows := c.clock.to-last <= (last-first)/2 && last-first >= (c.clock.to-c.clock.from)/2
		if seconds := (MostBytesOfKey - float64(slot.bytes)) / perSecond; grows && seconds < 1000*365*day {
			full := time.Unix(last+int64(max(seconds, 0)), 0).UTC()
			best.Full = &full
		}
	}
	return best
}
