package repository

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
)

// Time is an instant in a form that Cosmos DB can order: UTC, with seven digits of a second,
// such as 2018-08-09T06:05:04.1200000Z. Microsoft's page "Working with dates in Azure Cosmos
// DB" recommends this form. All its texts have the same length, so they sort as the instants
// do. In queries, a field of this type is a [documents.Instant].
//
// A time.Time is written with only as many digits as it needs and with its own offset. As text,
// 06:05:04Z sorts after 06:05:04.5Z, and one instant has many texts, so queries cannot order or
// compare them.
//
// A Time has exactly the precision of its text, units of 100 nanoseconds in UTC, so storing it
// loses nothing. It is comparable: two Times are == if and only if they are the same instant.
// The zero value is in the year 1, like that of time.Time. It is written as
// 0001-01-01T00:00:00.0000000Z unless the property is tagged omitzero. (The option omitempty
// never leaves out a struct.)
//
// The years 0 to 9999 have a text; marshalling another year is an error.
type Time struct { //nolint:recvcheck // only unmarshalling changes a Time, as with time.Time
	t time.Time // UTC, whole ticks, no monotonic clock
}

// NewTime returns t in UTC, truncated to 100 nanoseconds.
func NewTime(t time.Time) Time {
	return Time{t.UTC().Truncate(jsonvalue.Tick)}
}

// ParseTime parses a date and time in RFC 3339, with any number of digits and any offset.
// Digits beyond the seventh are dropped. It fails for a leap second, and for an instant outside
// the years 0 to 9999 of UTC.
func ParseTime(text string) (Time, error) {
	var t Time
	err := t.UnmarshalText([]byte(text))
	return t, err
}

// Now returns the current time, truncated as by [NewTime].
func Now() Time { return NewTime(time.Now()) }

// Add returns t+d, truncated to 100 nanoseconds.
func (t Time) Add(d time.Duration) Time { return NewTime(t.t.Add(d)) }

// Sub returns t-u.
func (t Time) Sub(u Time) time.Duration { return t.t.Sub(u.t) }

// Before reports whether t is before u.
func (t Time) Before(u Time) bool { return t.t.Before(u.t) }

// After reports whether t is after u.
func (t Time) After(u Time) bool { return t.t.After(u.t) }

// Format returns t in UTC in a layout of package time.
func (t Time) Format(layout string) string { return t.t.Format(layout) }

// Time returns t as a time.Time in UTC.
func (t Time) Time() time.Time { return t.t }

// IsZero reports whether t is the zero value. The JSON option omitzero calls it.
func (t Time) IsZero() bool { return t == Time{} }

// Equal reports whether t and u are the same instant, as == does. Packages that compare values
// by reflection call it.
func (t Time) Equal(u Time) bool { return t == u }

// Compare returns -1 if t is before u, 1 if it is after u, and 0 if both are the same instant.
// In the years 0 to 9999 their texts compare alike.
func (t Time) Compare(u Time) int { return t.t.Compare(u.t) }

// String returns the stored text of t. Outside the years 0 to 9999 the text is for display
// only.
func (t Time) String() string { return t.t.Format(jsonvalue.TimeLayout) }

// AppendText appends the stored text of t to b. It fails for years outside 0 to 9999.
func (t Time) AppendText(b []byte) ([]byte, error) {
	if err := t.check(); err != nil {
		return b, err
	}
	return t.t.AppendFormat(b, jsonvalue.TimeLayout), nil
}

// MarshalText returns the stored text of t. It fails for years outside 0 to 9999.
func (t Time) MarshalText() ([]byte, error) {
	return t.AppendText(make([]byte, 0, len(jsonvalue.TimeLayout)))
}

// MarshalJSON returns the stored text of t, in quotes. It fails for years outside 0 to 9999.
func (t Time) MarshalJSON() ([]byte, error) {
	b, err := t.AppendText(append(make([]byte, 0, len(jsonvalue.TimeLayout)+2), '"'))
	if err != nil {
		return nil, err
	}
	return append(b, '"'), nil
}

// UnmarshalText sets t to the instant in text, see [ParseTime]. If it fails, t does not change.
func (t *Time) UnmarshalText(text []byte) error {
	if bytes.ContainsAny(text, "tz") { // RFC 3339 allows them, time.Time refuses them
		text = bytes.ToUpper(text)
	}
	var parsed time.Time
	if err := parsed.UnmarshalText(text); err != nil {
		return failure.Reworded("a time is not in the form of RFC 3339, such as "+jsonvalue.TimeLayout, err)
	}
	u := NewTime(parsed)
	if err := u.check(); err != nil {
		return err
	}
	*t = u
	return nil
}

// UnmarshalJSON sets t to the instant in a JSON string, see [ParseTime]. For null, as
// encoding/json expects, and if it fails, t does not change.
func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("time: %w", failure.Discreet(err))
	}
	return t.UnmarshalText([]byte(text))
}

func (t Time) check() error {
	if year := t.t.Year(); year < 0 || year > 9999 {
		return failure.Reworded(jsonvalue.FarYear, nil)
	}
	return nil
}
