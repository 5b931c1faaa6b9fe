package partition

import (
	"fmt"
	"time"
)

// Periods returns, in order, the starts of all periods between two times, including those of
// both times: the years, months, days or hours of UTC, by the finest unit of layout. Its times
// are equal by == to those of [Year], [Month], [Day] and [Hour].
//
// The error is a [*KeyError]: from is after to, one of them is zero or outside of the years 1
// to 9999, the layout is finer than an hour, or there are more periods than limit. It costs a
// few formats by the layout and the result, and is safe for concurrent use.
func Periods(from, to time.Time, layout string, limit int) ([]time.Time, error) {
	n, err := CountPeriods(from, to, layout)
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, &KeyError{Reason: fmt.Sprintf("%d periods of %q lie between from and to, more than the limit of %d: ask for less at a time",
			n, layout, limit)}
	}
	p := periodOf(layout)
	starts := make([]time.Time, n)
	for i := range starts {
		starts[i] = p.start(from, i)
	}
	return starts, nil
}

// CountPeriods returns the number of periods that [Periods] would return, at a cost that does
// not depend on it. It returns the same errors except for that of the limit.
func CountPeriods(from, to time.Time, layout string) (int, error) {
	if err := Check("", instant("from", from), instant("to", to)); err != nil {
		return 0, err
	}
	if from.After(to) {
		return 0, &KeyError{Field: "from", Reason: "is after to: swap them"}
	}
	p := periodOf(layout)
	if p == noPeriod {
		return 0, &KeyError{Reason: fmt.Sprintf("the layout %q tells no years, months, days or hours apart: ranges are over these", layout)}
	}
	return int(p.number(to)-p.number(from)) + 1, nil
}

// period is the finest unit of a layout.
type period int

const (
	noPeriod period = iota
	years
	months
	days
	hours
)

// periodOf returns the finest unit that changes the text of a layout, or noPeriod if that unit
// is finer than an hour or does not exist.
func periodOf(layout string) period {
	start := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	differs := func(t time.Time) bool { return t.Format(layout) != start.Format(layout) }
	switch {
	case differs(start.Add(59*time.Minute + 59*time.Second + 999999999)):
		return noPeriod
	case differs(start.Add(time.Hour)):
		return hours
	case differs(start.AddDate(0, 0, 1)):
		return days
	case differs(start.AddDate(0, 1, 0)):
		return months
	case differs(start.AddDate(1, 0, 0)):
		return years
	}
	return noPeriod
}

// number counts the periods from the first one of 1970 to that of t.
func (p period) number(t time.Time) int64 {
	t = t.UTC()
	switch p {
	case years:
		return int64(t.Year() - 1970)
	case months:
		return int64(t.Year()-1970)*12 + int64(t.Month()-time.January)
	case days:
		return Day(t).Unix() / (24 * 60 * 60)
	default:
		return Hour(t).Unix() / (60 * 60)
	}
}

// start returns the start of the period that comes n periods after t's.
func (p period) start(t time.Time, n int) time.Time {
	t = t.UTC()
	switch p {
	case years:
		return time.Date(t.Year()+n, time.January, 1, 0, 0, 0, 0, time.UTC)
	case months:
		return time.Date(t.Year(), t.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	case days:
		return time.Date(t.Year(), t.Month(), t.Day()+n, 0, 0, 0, 0, time.UTC)
	default:
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour()+n, 0, 0, 0, time.UTC)
	}
}
