package report

import (
	"strconv"
	"strings"
	"time"
)

// Axis is a row of steps: of time, of numbers, or of names. Times, Numbers, Ranks and Names make
// one.
type Axis struct {
	Name   string
	labels []string
	start  time.Time
	step   time.Duration
	first  int
	merged int // how many original steps each step has, for numbers and names
	kind   axisKind
}

type axisKind int

const (
	namedAxis axisKind = iota
	numberAxis
	timeAxis
	rankAxis
	shareAxis
)

// Times returns n steps of time from start, labelled in start's time zone.
func Times(name string, start time.Time, step time.Duration, n int) Axis {
	a := Axis{Name: name, start: start, step: step, kind: timeAxis, merged: 1}
	a.labels = make([]string, n)
	form := "2006-01-02 15:04:05"
	if step%time.Minute == 0 && start.Truncate(time.Minute).Equal(start) {
		form = "2006-01-02 15:04"
	}
	if step%(24*time.Hour) == 0 && start.Hour() == 0 && start.Minute() == 0 && start.Second() == 0 {
		form = time.DateOnly
	}
	for i := range a.labels {
		a.labels[i] = start.Add(time.Duration(i) * step).Format(form)
	}
	return a
}

// Numbers returns n steps, numbered from first.
func Numbers(name string, first, n int) Axis {
	a := Axis{Name: name, first: first, kind: numberAxis, merged: 1}
	a.labels = make([]string, n)
	for i := range a.labels {
		a.labels[i] = strconv.Itoa(first + i)
	}
	return a
}

// Ranks returns steps for increasing numbers, at any distances. The labels are the numbers 1, 2 or
// 5 followed by zeros.
func Ranks(name string, ranks ...int64) Axis {
	a := Axis{Name: name, kind: rankAxis, merged: 1}
	for _, r := range ranks {
		a.labels = append(a.labels, Number(float64(r)))
	}
	return a
}

// Names returns a step for each name.
func Names(name string, names ...string) Axis {
	a := Axis{Name: name, kind: namedAxis, merged: 1}
	for _, n := range names {
		a.labels = append(a.labels, clean(n))
	}
	return a
}

// percentages returns an axis from 0% to 100%.
func percentages(name string) Axis {
	return Axis{Name: name, kind: shareAxis, merged: 1, labels: []string{"0%", "25%", "50%", "75%", "100%"}}
}

// Len returns the number of steps.
func (a Axis) Len() int { return len(a.labels) }

// merge returns the axis with each k steps merged.
func (a Axis) merge(k int) Axis {
	if k <= 1 {
		return a
	}
	n := (len(a.labels) + k - 1) / k
	if a.kind == timeAxis {
		merged := Times(a.Name, a.start, a.step*time.Duration(k), n)
		merged.merged = a.merged * k
		return merged
	}
	merged := Axis{Name: a.Name, first: a.first, kind: a.kind, merged: a.merged * k}
	for from := 0; from < len(a.labels); from += k {
		label := a.labels[from]
		if to := min(from+k, len(a.labels)) - 1; to > from {
			label += " to " + a.labels[to]
		}
		merged.labels = append(merged.labels, label)
	}
	return merged
}

// tick is a position on an axis, in steps from its start, with a mark and a label.
type tick struct {
	at    float64
	label string
}

// rounds are the possible intervals between ticks.
var rounds = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	2 * 24 * time.Hour, 7 * 24 * time.Hour, 14 * 24 * time.Hour, 28 * 24 * time.Hour, 56 * 24 * time.Hour,
	112 * 24 * time.Hour, 364 * 24 * time.Hour,
}

// ticks returns as many labelled steps as fit a width in pixels.
func (a Axis) ticks(width float64) []tick {
	n := len(a.labels)
	if n == 0 {
		return nil
	}
	if a.kind == timeAxis {
		for _, round := range rounds {
			if found := a.timeTicks(round); len(found) > 0 && fits(found, n, width) {
				return found
			}
		}
		return []tick{{0.5, a.labels[0]}}
	}
	switch a.kind {
	case rankAxis:
		return a.rankTicks(width)
	case shareAxis:
		var found []tick
		for i, label := range a.labels {
			found = append(found, tick{float64(i*n) / float64(n-1), label})
		}
		return found
	}
	for scale := 1; ; scale *= 10 {
		for _, times := range []int{1, 2, 5} {
			var found []tick
			every := scale * times
			for i, label := range a.labels {
				number := i
				if a.kind == numberAxis && a.merged == 1 {
					number = a.first + i
				}
				if number%every == 0 || i == 0 && a.kind == namedAxis {
					found = append(found, tick{float64(i) + 0.5, strings.Split(label, " to ")[0]})
				}
			}
			if fits(found, n, width) || every > n {
				return found
			}
		}
	}
}

// rankTicks returns the round numbers.
func (a Axis) rankTicks(width float64) []tick {
	var found []tick
	for _, leading := range []string{"125", "15", "1"} {
		found = nil
		for i, label := range a.labels {
			if strings.Contains(leading, label[:1]) && strings.Trim(label[1:], "0,") == "" {
				found = append(found, tick{float64(i) + 0.5, label})
			}
		}
		if fits(found, len(a.labels), width) {
			break
		}
	}
	return found
}

// timeTicks returns the multiples of round. The first label, and the first of each day, has the
// date.
func (a Axis) timeTicks(round time.Duration) []tick {
	var found []tick
	day := ""
	_, zone := a.start.Zone()
	offset := time.Duration(zone) * time.Second
	end := a.start.Add(time.Duration(a.Len()) * a.step)
	at := a.start.Add(offset).Truncate(round).Add(-offset)
	if at.Before(a.start) {
		at = at.Add(round)
	}
	for ; at.Before(end) && len(found) < 100; at = at.Add(round) {
		label := at.Format("15:04")
		if round < time.Minute {
			label = at.Format("15:04:05")
		}
		if today := at.Format("Jan 2"); today != day {
			day = today
			if label == "00:00" || label == "00:00:00" || round >= 24*time.Hour {
				label = today
			} else {
				label = today + " " + label
			}
		}
		found = append(found, tick{float64(at.Sub(a.start)) / float64(a.step), label})
	}
	return found
}

// fits reports whether the labels of ticks do not touch.
func fits(ticks []tick, n int, width float64) bool {
	const space = 14
	end := 0.0
	for _, t := range ticks {
		at, wide := t.at/float64(n)*width, textWidth(t.label, false)
		if from := at - wide/2; from < end && end > 0 {
			return false
		}
		end = at + wide/2 + space
	}
	return len(ticks) > 0
}
