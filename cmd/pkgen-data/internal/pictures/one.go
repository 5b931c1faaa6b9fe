package pictures

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// mostMultiples is the maximum number of layouts side by side in a picture.
const mostMultiples = 8

// One returns the most informative chart of a report: the heat map of time by physical partition of
// each layout, or the sorted load if documents have no time; nil if there is nothing to show.
func One(r *analyze.Report) report.Chart {
	g := &report.Grid{
		Title: "Writes by physical partition", Description: "A heat map of time by physical partition for each layout. The busiest partition limits all.",
		Columns: 2,
	}
	for _, l := range r.Layouts {
		if h := byPartition(r, l); h != nil && len(g.Charts) < mostMultiples {
			h.Title = l.Layout + ": " + report.Number(effective(spread(l))) + " of " + partitions(spread(l))
			g.Charts = append(g.Charts, h)
		}
	}
	top := 0.0
	for _, c := range g.Charts {
		for _, row := range c.(*report.HeatMap).Values {
			top = max(top, slices.Max(row))
		}
	}
	for _, c := range g.Charts {
		c.(*report.HeatMap).Top = top
	}
	switch {
	case len(g.Charts) == 1:
		return g.Charts[0]
	case len(g.Charts) > 1:
		return g
	}
	if c := sorted(r); c != nil {
		return c
	}
	return nil
}

// shown returns the layout to show if there is room for one: the type's own, or the first.
func shown(r *analyze.Report) *analyze.Layout {
	for _, l := range r.Layouts {
		if l.Current {
			return l
		}
	}
	if len(r.Layouts) == 0 {
		return nil
	}
	return r.Layouts[0]
}
