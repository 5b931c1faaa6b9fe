package report

import (
	"math"
	"slices"
)

// polyline is the line of a series: runs of points without a gap.
type polyline struct {
	ink  ink
	dash bool
	runs [][]point
}

// add adds a run.
func (l *polyline) add(run []point) {
	if len(run) > 0 {
		l.runs = append(l.runs, run)
	}
}

// segment is a straight piece of a line, in whole pixels.
type segment [2]point

func segmentOf(a, b point) segment {
	return segment{{math.Round(a.x), math.Round(a.y)}, {math.Round(b.x), math.Round(b.y)}}
}

// sharedDash is the length of dashes where lines coincide.
const sharedDash = 14

// lines draws lines. Coinciding lines alternate in dashes, so that each is visible.
func (d *drawing) lines(all []polyline) {
	on := map[segment][]int{}
	for i, l := range all {
		for _, run := range l.runs {
			for k := range len(run) - 1 {
				s := segmentOf(run[k], run[k+1])
				if same := on[s]; len(same) == 0 || same[len(same)-1] != i {
					on[s] = append(same, i)
				}
			}
		}
	}
	for i, l := range all {
		for _, run := range l.runs {
			if len(run) == 1 { // a dot
				d.box(l.ink, rect{run[0].x - 2, run[0].y - 2, 4, 4})
				continue
			}
			from, same := 0, on[segmentOf(run[0], run[1])]
			for k := 1; k < len(run); k++ {
				var next []int
				if k+1 < len(run) {
					next = on[segmentOf(run[k], run[k+1])]
				}
				if slices.Equal(same, next) {
					continue
				}
				d.strokeBy(l.ink, 2, l.style(same, i), run[from:k+1])
				from, same = k, next
			}
		}
	}
}

// style returns the dashes of line i among coinciding lines.
func (l polyline) style(same []int, i int) dashes {
	switch {
	case len(same) > 1:
		return dashes{sharedDash, sharedDash * float64(len(same)-1), sharedDash * float64(slices.Index(same, i))}
	case l.dash:
		return dashed
	}
	return dashes{}
}
