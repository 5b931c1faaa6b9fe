package analyze

import (
	"cmp"
	"math"
	"slices"
)

// spreading counts documents by physical partition.
type spreading struct {
	ranges

	documents []int64
	series    *grid
}

// report returns the spread of documents. WriteRU is the cost of a write in request units.
func (s *spreading) report(c *clock, writeRU float64) *Spread {
	r := &Spread{Physical: s.n, Own: s.bounds != nil, Documents: s.documents, Series: c.rows(s.series)}
	r.Effective, r.BusiestShare = effective(s.documents)
	r.SustainableWrites = sustainable(r.Effective, writeRU)
	if r.Series == nil {
		return r
	}
	b := &SpreadByTime{Effective: make([]float64, len(r.Series))}
	for i := range r.Series {
		b.Effective[i], _ = effective(sums(r.Series[i:i+1], s.n))
	}
	var judged []float64
	b.Together, judged = judgedTimes(r.Series, s.n)
	if b.Intervals = len(judged); b.Intervals > 0 {
		slices.Sort(judged)
		b.Median, b.Worst = judged[(len(judged)-1)/2], judged[0]
		b.SustainableWrites = sustainable(b.Median, writeRU)
	}
	r.ByTime = b
	return r
}

// fewestTimes is the minimum number of times into which a sample is divided.
const fewestTimes = 3

// judgedTimes returns the numbers of used partitions at times with enough documents. Together is
// the number of intervals per time: the smallest for which half of the times with documents have
// enough, or else the smallest for which any has. It is 1 if there are no such times.
func judgedTimes(series [][]uint32, partitions int) (together int, judged []float64) {
	together = 1
	for k := 1; k == 1 || k*fewestTimes <= len(series); k *= 2 {
		var found []float64
		busy := 0
		for from := 0; from < len(series); from += k {
			documents := sums(series[from:min(from+k, len(series))], partitions)
			var all int64
			for _, n := range documents {
				all += n
			}
			if all > 0 {
				busy++
			}
			if all >= documentsForEach*int64(partitions) {
				used, _ := effective(documents)
				found = append(found, used)
			}
		}
		if len(found) > 0 && (judged == nil || 2*len(found) >= busy) {
			together, judged = k, found
		}
		if 2*len(found) >= busy {
			break
		}
	}
	return together, judged
}

// sums returns the documents of intervals, by physical partition.
func sums(series [][]uint32, partitions int) []int64 {
	all := make([]int64, partitions)
	for _, row := range series {
		for i, n := range row {
			all[i] += int64(n)
		}
	}
	return all
}

// documentsForEach is the number of documents per physical partition from which an interval's
// spread is significant: chance alone takes a third of 50 partitions then.
const documentsForEach = 20

// effective returns the number of used physical partitions, given that the busiest one limits the
// writes, and its share. Both are 0 without documents.
func effective(documents []int64) (partitions, busiest float64) {
	var sum, most int64
	for _, n := range documents {
		sum += n
		most = max(most, n)
	}
	if sum == 0 {
		return 0, 0
	}
	return float64(sum) / float64(most), float64(most) / float64(sum)
}

// sustainable returns how many documents can be written per second.
func sustainable(partitions, writeRU float64) float64 {
	if writeRU == 0 {
		return 0
	}
	return partitions * ThroughputOfPartition / writeRU
}

// curveOf returns the sorted load curve of the counts of keys.
func curveOf(each []uint32, documents int64) []Point {
	slices.SortFunc(each, func(a, b uint32) int { return cmp.Compare(b, a) })
	points := []Point{}
	var sum int64
	for i, n := range each {
		sum += int64(n)
		if onCurve(i, len(each)) {
			points = append(points, Point{Rank: int64(i + 1), Documents: int64(n), Share: float64(sum) / float64(documents)})
		}
	}
	return points
}

// mostPoints is the maximum number of points of a curve.
const mostPoints = 200

// onCurve reports whether element i of n is a point of the curve: all if there are few, otherwise
// the first, the last, and points at equal distances of the logarithm of their ranks, since most of
// the load is at the beginning.
func onCurve(i, n int) bool {
	if n <= mostPoints || i == 0 || i == n-1 {
		return true
	}
	scale := (mostPoints - 2) / math.Log(float64(n))
	return math.Floor(math.Log(float64(i+1))*scale) != math.Floor(math.Log(float64(i))*scale)
}
