package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// margin is how many times the load of the calls a recommended layout must sustain: loads have
// peaks, and the cost of a request is a model.
const margin = 2

// nowhere replaces a missing spread over physical partitions.
var nowhere = &Spread{}

// decisive returns the spread by which layouts are judged and compared: over the container's own
// physical partitions, or else over the smallest number. More numbers in a report do not change the
// judgement.
func (l *Layout) decisive() *Spread {
	best := nowhere
	for _, s := range l.Partitions {
		if s.Own {
			return s
		}
		if best == nowhere || s.Physical < best.Physical {
			best = s
		}
	}
	return best
}

// mostPartitions returns the largest number of physical partitions of the report.
func (l *Layout) mostPartitions() (most int) {
	for _, s := range l.Partitions {
		most = max(most, s.Physical)
	}
	return most
}

// byTime reports whether enough intervals of time are known.
func (s *Spread) byTime() bool { return s.ByTime != nil && s.ByTime.Intervals > 0 }

// used returns the number of used physical partitions, over the whole sample or in the median
// interval, whichever is worse.
func (s *Spread) used() float64 {
	if s.byTime() {
		return min(s.Effective, s.ByTime.Median)
	}
	return s.Effective
}

// writes returns the sustained writes per second, likewise.
func (s *Spread) writes() float64 {
	if s.byTime() {
		return min(s.SustainableWrites, s.ByTime.SustainableWrites)
	}
	return s.SustainableWrites
}

// loaded reports whether the load is known.
func (l *Layout) loaded() bool { return l.Reads != nil && l.Reads.RequestUnits > 0 }

// headroom returns how many times the load of the calls the layout sustains with a number of
// physical partitions. The busiest one limits it, and calls are assumed to spread like documents.
// It is 0 if the cost is unknown for that number.
func (l *Layout) headroom(s *Spread) float64 {
	if l.Reads == nil {
		return 0
	}
	for _, reads := range append([]*Reads{l.Reads}, l.Reads.Others...) {
		if reads.Partitions == s.Physical && reads.RequestUnits > 0 {
			return s.used() * ThroughputOfPartition / reads.RequestUnits
		}
	}
	return 0
}

// sound reports whether the layout can be recommended: it has no serious finding and, if the load
// is known, it has the margin.
func (l *Layout) sound() bool {
	return len(l.problems()) == 0 && (!l.loaded() || l.headroom(l.decisive()) >= margin)
}

// problems returns the serious findings. Hot keys and partitions count only if the load is unknown;
// otherwise the sustained load is more telling.
func (l *Layout) problems() []string {
	names := []string{}
	for _, name := range []string{Colliding, HotKeyFound, HotRange, MonotonicKey, LowCardinality, Near20GB} {
		serious := l.Has(name)
		switch name {
		case HotKeyFound:
			serious = serious && (!l.loaded() || l.overShare)
		case MonotonicKey, LowCardinality:
			serious = serious && !l.loaded()
		case HotRange:
			_, _, hot := l.hotRange(l.decisive())
			serious = hot && !l.loaded() && !l.eases()
		}
		if serious {
			names = append(names, name)
		}
	}
	return names
}

// hierarchical reports whether the key has several levels.
func (l *Layout) hierarchical() bool { return strings.Contains(l.Layout, "},") }

// lasts is the minimum share of the physical partitions used over the whole sample that the median
// interval must use for first levels to last: a date uses one physical partition today and another
// one tomorrow.
const lasts = 0.8

// divided returns the maximum number of used physical partitions once the service has divided
// ranges within first levels. It is 0 if that makes no difference, if first levels do not last, or
// if the sample does not show it.
func (l *Layout) divided(s *Spread) float64 {
	share, _ := l.Judged()
	if !l.hierarchical() || !s.byTime() || s.Effective <= 1 || s.ByTime.Median < lasts*s.Effective || share == 0 || l.Monotonicity != nil && math.Abs(*l.Monotonicity) >= monotonic {
		return 0
	}
	if most := min(float64(s.Physical), 1/share); most > s.used() {
		return most
	}
	return 0
}

// eases reports whether a hot range ends once the service has divided it.
func (l *Layout) eases() bool {
	s := l.decisive()
	return l.divided(s) >= evenly*float64(s.Physical)
}

// sustains describes what the layout sustains, for each number of physical partitions.
func (l *Layout) sustains() string {
	decisive := l.decisive()
	if decisive == nowhere {
		return ""
	}
	spreads := slices.DeleteFunc(slices.Clone(l.Partitions), func(s *Spread) bool { return s.Physical <= decisive.Physical || l.loaded() && l.headroom(s) == 0 })
	slices.SortFunc(spreads, func(a, b *Spread) int { return a.Physical - b.Physical })
	var b strings.Builder
	fmt.Fprintf(&b, "With %d physical partitions it sustains %s", decisive.Physical, l.capacity())
	for i, s := range spreads {
		b.WriteString([]string{", with", ","}[min(i, 1)])
		if l.loaded() {
			fmt.Fprintf(&b, " %d %s", s.Physical, times(l.headroom(s)))
		} else {
			fmt.Fprintf(&b, " %d %.0f", s.Physical, s.writes())
		}
	}
	return b.String() + "."
}

// capacity describes what the layout sustains: a multiple of the load, or writes per second.
func (l *Layout) capacity() string {
	s := l.decisive()
	text, most := fmt.Sprintf("%.0f writes a second", s.writes()), l.divided(s)
	then := fmt.Sprintf("%.0f", sustainable(most, l.WriteRU))
	if l.loaded() {
		text, then = times(l.headroom(s))+" the load", times(l.headroom(s)*most/s.used())
	}
	if most > 0 {
		text += " until the service divides its first levels, and then " + then + " at most"
	}
	return text
}

// times formats a factor.
func times(f float64) string {
	if f < 10 {
		return fmt.Sprintf("%.1f times", f)
	}
	return fmt.Sprintf("%.0f times", f)
}
