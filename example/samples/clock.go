package main

import (
	"math/bits"
	"time"
)

// begin is when the first document is made.
var begin = time.Date(2018, time.August, 9, 0, 0, 0, 0, time.UTC)

// longest is the longest time that documents are spread over: ten years.
const longest = 10 * 365 * 24 * time.Hour

// hourly is how busy the hours of a day are, in comparison with each other.
var hourly = [24]uint64{3, 2, 2, 2, 3, 5, 9, 14, 15, 12, 11, 12, 13, 12, 11, 12, 14, 16, 15, 12, 10, 8, 6, 4}

// finest is into how many steps the time from one document to the next is divided.
const finest = 1 << 10

// A clock gives each of n documents its moment. The time is cut so that each document
// has an equally busy piece of it, and the moment is chosen within the piece: so
// moments never go back, however many there are.
type clock struct {
	n     int
	busy  uint64 // of the whole span: milliseconds times hourly
	hour  uint64 // which one the last moment was in
	spent uint64 // how busy the hours before it were
	now   moment
}

const (
	millisecondsPerHour = 3_600_000
	hoursPerDay         = 24
)

func newClock(n int, span time.Duration) *clock {
	c := &clock{n: n}
	left := uint64(span.Milliseconds())
	for hour := uint64(0); left > 0; hour++ {
		length := min(left, millisecondsPerHour)
		c.busy += length * hourly[hour%hoursPerDay]
		left -= length
	}
	c.now.setDay(0)
	return c
}

// next returns the moment of document i. Call it in the order of documents.
func (c *clock) next(i int, d *draw) moment {
	step := uint64(i)*finest + uint64(d.below(finest))
	high, low := bits.Mul64(step, c.busy)
	at, _ := bits.Div64(high, low, uint64(c.n)*finest)
	for {
		length := millisecondsPerHour * hourly[c.hour%hoursPerDay]
		if at < c.spent+length {
			break
		}
		c.spent += length
		c.hour++
		if c.hour%hoursPerDay == 0 {
			c.now.setDay(c.hour / hoursPerDay)
		}
	}
	inHour := (at - c.spent) / hourly[c.hour%hoursPerDay]
	c.now.ms = c.hour%hoursPerDay*millisecondsPerHour + inHour
	c.now.number = uint64(i)
	return c.now
}

// A moment is when a document is made, and which one it is.
type moment struct {
	number uint64 // of the document, from 0 on
	day    uint64 // since begin
	ms     uint64 // since midnight
	date   string // 2018-08-09
}

func (m *moment) setDay(day uint64) {
	m.day = day
	m.date = begin.AddDate(0, 0, int(day)).Format(time.DateOnly)
}

// append appends the moment as RFC 3339 has it, with milliseconds.
func (m moment) append(b []byte) []byte {
	b = append(b, m.date...)
	b = append(b, 'T')
	b = appendDigits(b, m.ms/3_600_000, 2)
	b = append(b, ':')
	b = appendDigits(b, m.ms/60_000%60, 2)
	b = append(b, ':')
	b = appendDigits(b, m.ms/1000%60, 2)
	b = append(b, '.')
	b = appendDigits(b, m.ms%1000, 3)
	return append(b, 'Z')
}
