package analyze

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Options are the options of a collector.
type Options struct {
	// Type is the Go name of the type, for the report.
	Type string
	// Discriminator is the value of the property "type" in documents of the type; "" if all
	// documents are of the type.
	Discriminator string
	// Layouts are the layouts to compare, at least one.
	Layouts []Option
	// Indexes are the keys of global secondary indexes of the container.
	Indexes []*layout.Layout
	// Partitions are numbers of physical partitions to compare, each at least 1.
	Partitions []int
	// Bounds are the lower bounds of a container's own physical partitions; nil if there is
	// no container.
	Bounds []string
	// Times are the JSON pointers of properties that may have the time of writing. The first one
	// that occurs in the first document with any of them is used. If there are several, a text must
	// be a time of day in RFC 3339.
	Times []string
}

// Option is a layout to compare.
type Option struct {
	*layout.Layout

	Current bool // it is the layout in the lock
}

// mostKeys is the approximate number of keys that all layouts together count exactly: the maximum
// number of slots in their tables. A slot has 40 bytes, and three quarters of the slots are used.
const mostKeys = 1 << 21

// Collector collects the figures of documents. Its memory is bounded: at most about 200 MB for up
// to ten layouts. It is not safe for concurrent use.
type Collector struct {
	options  Options
	report   Report
	set      *layout.Set
	document layout.Document
	types    int // pointers of the set
	times    int
	timed    int // the index of the time property; -1 before it is known
	clock    *clock
	all      *grid
	chosen   *reservoir
	layouts  []*collecting // the layouts of the options, followed by the keys of the indexes
}

// New returns a collector.
func New(o Options) *Collector {
	c := &Collector{options: o, report: Report{Type: o.Type}, timed: -1, clock: newClock(), chosen: newReservoir()}
	c.all = c.clock.grid(1)
	o.Bounds = slices.SortedFunc(slices.Values(o.Bounds), partition.CompareEPK)
	most := 1 << 10
	all := slices.Clone(o.Layouts)
	for _, keys := range o.Indexes {
		all = append(all, Option{Layout: keys})
	}
	for most*2 <= mostKeys/len(all) {
		most *= 2
	}
	pointers := append([]string{"/type"}, o.Times...)
	c.times = 1
	layouts := make([]*layout.Layout, len(all))
	for i, l := range all {
		layouts[i] = l.Layout
		c.layouts = append(c.layouts, newCollecting(l, componentsOf(l.Model(), &pointers), most, c.clock, o))
	}
	c.set = layout.NewSet(layouts, pointers...)
	return c
}

// mostLines is the number of reported lines of invalid documents.
const mostLines = 5

// Invalid counts a line that is not a document. Reason is the predicate of a sentence.
func (c *Collector) Invalid(line int64, reason string) {
	c.report.Invalid++
	if len(c.report.InvalidLines) < mostLines {
		c.report.InvalidLines = append(c.report.InvalidLines, Line{line, reason})
	}
}

// Add adds a document, on a line of the sample. It keeps no bytes of it, and costs a few
// allocations per layout.
func (c *Collector) Add(line int64, document []byte) {
	if err := c.set.Read(document, &c.document); err != nil {
		var problem *layout.Error
		errors.As(err, &problem)
		c.Invalid(line, problem.Reason)
		return
	}
	if c.options.Discriminator != "" {
		if text, _ := c.document.Text(c.types); text != c.options.Discriminator {
			c.report.Others++
			return
		}
	}
	n := int64(len(document))
	c.report.Documents++
	c.report.named.add(document)
	c.report.Bytes += n
	c.report.Largest = max(c.report.Largest, n)
	s := seen{line: line, bytes: uint64(n), row: -1, slot: c.chosen.slot(), order: c.report.Documents}
	if seconds, ok := c.timeOf(); ok {
		s.timed, s.seconds, s.row = true, seconds, c.clock.at(seconds)
		c.all.cells[s.row]++
	}
	for i, l := range c.layouts {
		l.add(&c.document, i, s)
	}
}

// seen has the facts of a document other than its key.
type seen struct {
	line    int64
	bytes   uint64
	timed   bool
	seconds int64
	row     int // in the grids
	slot    int // among the ranked documents, or -1
	order   int64
}

// timeOf returns the time of the document.
func (c *Collector) timeOf() (seconds int64, ok bool) {
	if c.timed >= 0 {
		return parseTime(c.document.Value(c.timed))
	}
	for i := range c.options.Times {
		value := c.document.Value(c.times + i)
		if seconds, ok := parseTime(value); ok && (len(c.options.Times) == 1 || value[0] != '"' || len(value) > len(`"2006-01-02T15:04:05"`)) {
			c.timed = c.times + i
			return seconds, true
		}
	}
	return 0, false
}

// Report returns the figures, without findings: see [Report.Judge].
func (c *Collector) Report() *Report {
	r := c.report
	if r.Documents > 0 {
		r.Average = int64(math.Round(float64(r.Bytes) / float64(r.Documents)))
	}
	if c.timed >= 0 {
		at := c.clock
		r.Times = &Times{
			Property: c.options.Times[c.timed-c.times], From: time.Unix(at.from, 0).UTC(), To: time.Unix(at.to, 0).UTC(), Seconds: at.width,
			Start: time.Unix(at.from/at.width*at.width, 0).UTC(), Documents: []int64{}, Untimed: r.Documents,
		}
		for _, row := range at.rows(c.all) {
			r.Times.Documents = append(r.Times.Documents, int64(row[0]))
			r.Times.Untimed -= int64(row[0])
		}
		r.Times.Intervals = len(r.Times.Documents)
	}
	for i, l := range c.layouts {
		figures := l.report(c.timed >= 0)
		if i < len(c.options.Layouts) {
			r.Layouts = append(r.Layouts, figures)
			continue
		}
		r.Indexes = append(r.Indexes, newIndex(figures, l.Model()))
	}
	r.InvalidLines = slices.Clone(r.InvalidLines)
	return &r
}
