package charts

import (
	"fmt"
	"math"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/simulate"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// throughputTitle is the title for a scenario without one.
const throughputTitle = "Operations completed in each second"

// Throughput returns a chart of completed operations per second, by layout. If operations cost the
// same under all layouts, a line shows the capacity of the container with all physical partitions
// busy.
func Throughput(r *simulate.Report) *report.Lines {
	c := &report.Lines{
		Title:       throughputTitle,
		Description: fmt.Sprintf("By layout, on %d physical partitions of %s RU/s each.", r.Partitions, report.Number(r.Throughput/float64(r.Partitions))),
		X:           report.Numbers("second", 0, r.Seconds),
		Unit:        "operations/s",
	}
	if r.Title != "" {
		c.Title = r.Title
	}
	for _, l := range r.Layouts {
		s := report.Series{Name: l.Layout}
		for _, second := range l.BySeconds {
			s.Values = append(s.Values, float64(second.Completed))
		}
		c.Series = append(c.Series, s)
	}
	if all := capacity(r); all > 0 {
		c.Limits = []report.Limit{{Name: fmt.Sprintf("%d busy physical partitions", r.Partitions), Value: all}}
	}
	return c
}

// capacity returns the operations per second of the whole container, or 0 if they depend on the
// layout.
func capacity(r *simulate.Report) float64 {
	least, most := math.Inf(1), 0.0
	for _, l := range r.Layouts {
		if l.Effective == 0 {
			return 0 // no operation began
		}
		all := l.Sustainable / l.Effective * float64(r.Partitions)
		least, most = min(least, all), max(most, all)
	}
	if most > least*1.01 {
		return 0
	}
	return most
}
