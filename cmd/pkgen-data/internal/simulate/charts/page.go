package charts

import (
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/simulate"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// page returns a page with all charts, and the figures as tables.
func page(r *simulate.Report) *report.Page {
	title := r.Title
	if title == "" {
		title = "A load under several layouts"
	}
	clients := "by rates"
	if r.Clients > 0 {
		clients = strconv.Itoa(r.Clients)
	}
	p := &report.Page{
		Title: title, By: "pkgen-data simulate",
		Lead: "A simulation in virtual time: the same operations on the same documents under each layout.",
		Facts: []report.Fact{
			{Name: "physical partitions", Value: strconv.Itoa(r.Partitions)},
			{Name: "RU/s of the container", Value: report.Number(r.Throughput)},
			{Name: "seconds", Value: strconv.Itoa(r.Seconds)},
			{Name: "clients", Value: clients},
			{Name: "seed", Value: strconv.FormatUint(r.Seed, 10)},
		},
		Foot: "docs/simulate.md describes the model. Charges are the emulator's, so a bill differs.",
	}
	throughput := Throughput(r)
	throughput.Title = throughputTitle // the page itself has the scenario's title
	maps := &report.Grid{Title: "Request units by physical partition and second", Description: fmt.Sprintf("Each physical partition provides %s RU/s.", report.Number(r.Throughput/float64(r.Partitions))), Columns: 2}
	for i := range r.Layouts {
		maps.Charts = append(maps.Charts, partitions(&r.Layouts[i]))
	}
	p.Sections = []report.Section{
		{Title: "Throughput", Blocks: []report.Block{compared(r), report.Shown{Chart: throughput}, report.Shown{Chart: refused(r)}}},
		{Title: "Physical partitions", Blocks: []report.Block{report.Shown{Chart: maps}}},
		{Title: "Latency", Blocks: []report.Block{report.Shown{Chart: latencies(r)}}},
	}
	if len(r.Layouts[0].Methods) > 1 {
		p.Sections = append(p.Sections, report.Section{Title: "Operations", Blocks: []report.Block{methods(r)}})
	}
	if len(r.Layouts[0].Indexes) > 0 {
		p.Sections = append(p.Sections, report.Section{Title: "Indexes", Blocks: []report.Block{indexes(r)}})
	}
	return p
}

// compared returns the figures of each layout.
func compared(r *simulate.Report) report.Table {
	t := report.Table{Title: "Layouts", Columns: []string{"layout", "completed/s", "sustained/s", fmt.Sprintf("of %d", r.Partitions), "429s", "failed", "unfinished", "RU/s"}}
	for _, l := range r.Layouts {
		t.Rows = append(t.Rows, []string{
			l.Layout, report.Number(l.PerSecond), report.Number(l.Sustainable), report.Number(l.Effective),
			whole(l.Throttled), whole(l.Failed), whole(l.Unfinished), report.Number(l.RequestUnits / float64(r.Seconds)),
		})
	}
	return t
}

// methods returns the figures of each operation under each layout.
func methods(r *simulate.Report) report.Table {
	t := report.Table{Title: "Operations", Text: 2, Columns: []string{"operation", "layout", "completed/s", "429s", "failed", "RU/s", "p50, ms", "p99, ms"}}
	for i, m := range r.Layouts[0].Methods {
		for _, l := range r.Layouts {
			of := l.Methods[i]
			t.Rows = append(t.Rows, []string{
				m.Name, l.Layout, report.Number(float64(of.Completed) / float64(r.Seconds)), whole(of.Throttled), whole(of.Failed),
				report.Number(of.RequestUnits / float64(r.Seconds)), report.Number(of.Latency.P50), report.Number(of.Latency.P99),
			})
		}
	}
	return t
}

// indexes returns the figures of each index under each layout.
func indexes(r *simulate.Report) report.Table {
	t := report.Table{Title: "Indexes", Text: 2, Columns: []string{"index", "layout", "queries/s", "429s", "failed", "RU/s for queries", "for changes", "provided", "lag p50, ms", "p99, ms", "max, ms", "waiting", "oldest, ms"}}
	for i := range r.Layouts[0].Indexes {
		for _, l := range r.Layouts {
			x := l.Indexes[i]
			t.Rows = append(t.Rows, []string{
				x.Layout, l.Layout, report.Number(float64(x.Completed) / float64(r.Seconds)), whole(x.Throttled), whole(x.Failed),
				report.Number(x.QueryUnits / float64(r.Seconds)), report.Number(x.ApplyingUnits / float64(r.Seconds)), report.Number(x.Throughput),
				report.Number(x.Lag.P50), report.Number(x.Lag.P99), report.Number(x.Lag.Max), whole(x.Waiting), report.Number(x.Oldest),
			})
		}
	}
	return t
}

// refused returns a chart of the 429s in each second, by layout.
func refused(r *simulate.Report) *report.Lines {
	c := &report.Lines{Title: "429s in each second", Description: "After a 429, a client waits until the physical partition has request units again.", X: report.Numbers("second", 0, r.Seconds), Unit: "429s/s"}
	for _, l := range r.Layouts {
		s := report.Series{Name: l.Layout}
		for _, second := range l.BySeconds {
			s.Values = append(s.Values, float64(second.Throttled))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// partitions returns a chart of the request units of each physical partition in each
// second.
func partitions(l *simulate.Result) *report.HeatMap {
	m := &report.HeatMap{
		Title: l.Layout, Description: "Request units by physical partition and second.",
		Rows: report.Numbers("partition", 0, len(l.Physical)), Columns: report.Numbers("second", 0, len(l.BySeconds)),
		Values: make([][]float64, len(l.Physical)), Unit: "RU/s", Mean: true,
	}
	for _, second := range l.BySeconds {
		for i, units := range second.Units {
			m.Values[i] = append(m.Values[i], units)
		}
	}
	return m
}

// latencies returns a chart of percentiles, by layout.
func latencies(r *simulate.Report) *report.Bars {
	c := &report.Bars{
		Title: "Latency of completed operations", Description: "Includes the waits after 429s. Leaves out unfinished operations.", Unit: "ms",
		Series: []report.Series{{Name: "p50"}, {Name: "p90"}, {Name: "p99"}, {Name: "longest"}}, ByGroup: true,
	}
	for _, l := range r.Layouts {
		c.Groups = append(c.Groups, l.Layout)
		for i, v := range []float64{l.Latency.P50, l.Latency.P90, l.Latency.P99, l.Latency.Max} {
			c.Series[i].Values = append(c.Series[i].Values, v)
		}
	}
	return c
}

// whole returns a count for people.
func whole(n int) string { return report.Number(float64(n)) }
