package function

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// timeLayout is how the functions write a date and time: in UTC and with seven
// digits after the seconds.
const timeLayout = "2006-01-02T15:04:05.0000000Z"

// tick is the unit in which the service counts time.
const tick = 100 * time.Nanosecond

// parseTime reads a date and time as Microsoft's page "IS_DATETIME" describes:
// YYYY-MM-DD, then optionally T or a space and hh:mm:ss, then optionally a point
// and one to seven digits, then optionally Z.
func parseTime(v value.Value) (time.Time, bool) {
	if v.Kind() != value.String {
		return time.Time{}, false
	}
	s := v.Text()
	if n := len(s); n > 0 && s[n-1] == 'Z' {
		s = s[:n-1]
	}
	layout := "2006-01-02"
	if len(s) > len(layout) {
		layout += s[len(layout):len(layout)+1] + "15:04:05"
		if c := layout[10]; c != 'T' && c != ' ' {
			return time.Time{}, false
		}
	}
	if len(s) > 19 {
		// time.Parse takes any number of digits after the seconds, and a comma.
		if s[19] != '.' || len(s) == 20 || len(s) > 27 {
			return time.Time{}, false
		}
	}
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1 {
		return time.Time{}, false
	}
	return t, true
}

// timeValue writes a date and time; it is undefined for years outside of 1 to 9999.
func timeValue(t time.Time) value.Value {
	if t.Year() < 1 || t.Year() > 9999 {
		return value.Value{}
	}
	return value.OfString(t.UTC().Format(timeLayout))
}

// timeUnit is a part of a date and time.
type timeUnit struct {
	months   int64         // of a calendar unit
	duration time.Duration // of the others
	part     func(time.Time) int
}

// timeUnits are the names of the units, by Microsoft's page "DATETIMEPART".
var timeUnits = func() map[string]*timeUnit {
	units := map[string]*timeUnit{}
	for _, u := range []struct {
		unit  timeUnit
		names []string
	}{
		{timeUnit{12, 0, time.Time.Year}, []string{"year", "yyyy", "yy"}},
		{timeUnit{1, 0, func(t time.Time) int { return int(t.Month()) }}, []string{"month", "mm", "m"}},
		{timeUnit{0, 24 * time.Hour, time.Time.Day}, []string{"day", "dd", "d"}},
		{timeUnit{0, time.Hour, time.Time.Hour}, []string{"hour", "hh"}},
		{timeUnit{0, time.Minute, time.Time.Minute}, []string{"minute", "mi", "n"}},
		{timeUnit{0, time.Second, time.Time.Second}, []string{"second", "ss", "s"}},
		{timeUnit{0, time.Millisecond, func(t time.Time) int { return t.Nanosecond() / 1e6 }}, []string{"millisecond", "ms"}},
		{timeUnit{0, time.Microsecond, func(t time.Time) int { return t.Nanosecond() / 1e3 }}, []string{"microsecond", "mcs"}},
		{timeUnit{0, time.Nanosecond, time.Time.Nanosecond}, []string{"nanosecond", "ns"}},
	} {
		for _, name := range u.names {
			units[name] = &u.unit
		}
	}
	return units
}()

// unitOf returns the unit that a value names.
func unitOf(v value.Value) (*timeUnit, bool) {
	u, ok := timeUnits[v.Text()]
	return u, ok
}

// monthsOf counts months since the year 0.
func monthsOf(t time.Time) int64 { return int64(t.Year())*12 + int64(t.Month()) - 1 }

// addMonths moves a time by months. A day that the month does not have becomes its
// last day.
func addMonths(t time.Time, n int64) (time.Time, bool) {
	months := monthsOf(t) + n
	if months < 12 || months >= 10_000*12 {
		return time.Time{}, false
	}
	year, month := int(months/12), time.Month(months%12+1)
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	clock := t.Sub(t.Truncate(24 * time.Hour))
	return time.Date(year, month, min(t.Day(), last), 0, 0, 0, 0, time.UTC).Add(clock), true
}

// add moves a time by n units. It returns false for a year outside of 1 to 9999.
func (u *timeUnit) add(t time.Time, n int64) (time.Time, bool) {
	if u.months > 0 {
		if n < -120_000 || n > 120_000 {
			return time.Time{}, false
		}
		return addMonths(t, n*u.months)
	}
	// A duration is at most 292 years, so whole days are counted separately.
	day := int64(24 * time.Hour / u.duration)
	days := n / day
	if days < -4_000_000 || days > 4_000_000 {
		return time.Time{}, false
	}
	t = t.AddDate(0, 0, int(days)).Add(time.Duration(n%day) * u.duration)
	return t, t.Year() >= 1 && t.Year() <= 9999
}

// count returns the number of units from a fixed point in the past to a time, rounded down.
// The fixed point depends on the unit, so only differences are meaningful.
func (u *timeUnit) count(t time.Time) int64 {
	if u.months > 0 {
		return monthsOf(t) / u.months
	}
	seconds, within := t.Unix(), int64(t.Nanosecond())
	if u.duration >= time.Second {
		return floorDiv(seconds, int64(u.duration/time.Second))
	}
	// Nanoseconds wrap around, but the difference of two close times is still right.
	return seconds*int64(time.Second/u.duration) + within/int64(u.duration)
}

// whole counts the whole units from one time to another, rounded down.
func (u *timeUnit) whole(from, to time.Time) int64 {
	if u.months > 0 {
		n := floorDiv(monthsOf(to)-monthsOf(from), u.months)
		if start, ok := u.add(from, n); ok && start.After(to) {
			n--
		}
		return n
	}
	seconds := to.Unix() - from.Unix()
	nanoseconds := int64(to.Nanosecond() - from.Nanosecond())
	if u.duration >= time.Second {
		if nanoseconds < 0 {
			seconds--
		}
		return floorDiv(seconds, int64(u.duration/time.Second))
	}
	return seconds*int64(time.Second/u.duration) + floorDiv(nanoseconds, int64(u.duration))
}

// tooFar reports whether the number of units between two times exceeds 64 bits.
func (u *timeUnit) tooFar(a, b time.Time) bool {
	years := b.Year() - a.Year()
	return u.duration == time.Nanosecond && u.months == 0 && (years > 290 || years < -290)
}

// floorDiv divides and rounds down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// ticksOf counts ticks since 1970.
func ticksOf(t time.Time) int64 { return t.Unix()*1e7 + int64(t.Nanosecond())/int64(tick) }

// timeOfTicks is the inverse of ticksOf.
func timeOfTicks(n int64) time.Time {
	seconds := floorDiv(n, 1e7)
	return time.Unix(seconds, (n-seconds*1e7)*int64(tick)).UTC()
}
