package partition

import "time"

// Hour returns the start of t's hour in UTC. Like [Day], [Month], [Year] and [Truncate] it
// returns a time in UTC without a monotonic clock reading, so that times of one period are
// equal by == and may be fields of comparable keys. The zero time stays zero. A time whose
// offset from UTC has seconds stays unchanged, so that [Time] refuses it. None of the five
// panics, only Truncate allocates, and all are safe for concurrent use.
func Hour(t time.Time) time.Time {
	if offsetHasSeconds(t) {
		return t
	}
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), 0, 0, 0, time.UTC)
}

// Day returns the start of t's day in UTC, see [Hour].
func Day(t time.Time) time.Time {
	if offsetHasSeconds(t) {
		return t
	}
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// Month returns the start of t's month in UTC, see [Hour].
func Month(t time.Time) time.Time {
	if offsetHasSeconds(t) {
		return t
	}
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// Year returns the start of t's year in UTC, see [Hour].
func Year(t time.Time) time.Time {
	if offsetHasSeconds(t) {
		return t
	}
	return time.Date(t.UTC().Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
}

// Truncate returns the start of the period of t, in the units of layout: the time parsed from
// t's text, as [AppendTime] writes it. A layout without the year or another coarser unit gives
// a time of another period. If the text cannot be parsed, as for years beyond 9999, Truncate
// returns t itself, in UTC.
//
// It costs a format, a parse and one allocation, so prefer [Hour], [Day], [Month] and [Year].
func Truncate(t time.Time, layout string) time.Time {
	if offsetHasSeconds(t) {
		return t
	}
	t = t.UTC()
	var array [64]byte
	start, err := time.Parse(layout, string(t.AppendFormat(array[:0], layout)))
	if err != nil {
		return t
	}
	return start.UTC()
}

// offsetHasSeconds reports whether t's offset from UTC is not a whole number of minutes, as in
// zones before standard time, most of them before 1937, and in Monrovia until 1972. RFC 3339,
// which encoding/json uses, drops these seconds, so the stored text is another instant.
func offsetHasSeconds(t time.Time) bool {
	_, offset := t.Zone()
	return offset%60 != 0
}
