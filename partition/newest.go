package partition

import "time"

// maxTicks is the number of ticks of 100 ns from the beginning of year 1 to the last one
// of year 9999: DateTime.MaxValue.Ticks of .NET.
const maxTicks = 3_155_378_975_999_999_999

// toUnix is the number of seconds from the beginning of year 1 to that of 1970.
const toUnix = 62_135_596_800

// Tick returns the start of t's tick of 100 ns in UTC, the precision of times in tables.
// Results for the same tick are equal by ==.
func Tick(t time.Time) time.Time { return t.UTC().Truncate(100 * time.Nanosecond) }

// AppendNewest appends a time so that later times sort first: 19 digits of the ticks of 100 ns
// between t and the end of year 9999. This is the log tail pattern of Azure's table design
// guide
// (https://learn.microsoft.com/azure/storage/tables/table-storage-design-patterns#log-tail-pattern),
// whose programs write (DateTime.MaxValue.Ticks - time.Ticks).ToString("d19").
//
// A time outside of the years 1 to 9999, which [Time] refuses, is written as the nearest tick
// of these years. It does not allocate if b has room.
func AppendNewest(b []byte, t time.Time) []byte {
	var ticks int64
	switch year := t.UTC().Year(); {
	case year > 9999:
		ticks = maxTicks
	case year >= 1:
		ticks = (t.Unix()+toUnix)*10_000_000 + int64(t.Nanosecond())/100
	}
	var digits [19]byte
	n := maxTicks - ticks
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = byte('0' + n%10)
		n /= 10
	}
	return append(b, digits[:]...)
}
