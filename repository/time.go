package repository

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Time is an instant in a form that Cosmos DB can order: UTC, with seven digits
// of a second, such as 2018-08-09T06:05:04.1200000Z. It is the form that
// Microsoft's page "Working with dates in Azure Cosmos DB" recommends, and it
// has one length, so that the order of texts is the order of instants. Fields of
// this type are an [Instant] in queries.
//
// A time.Time is written with as many digits as it needs and with its own
// offset: 06:05:04Z sorts behind 06:05:04.5Z as text, and one instant has many
// texts. Queries cannot order those, nor compare them.
//
// A Time holds what its text holds, whole units of 100 nanoseconds in UTC, and
// so survives being stored. It is comparable: two are == exactly if they are the
// same instant. The zero value is the year 1, as that of time.Time; it is
// written as 0001-01-01T00:00:00.0000000Z unless the property is tagged
// omitzero. (The option omitempty leaves no struct out.)
//
// The years 0 to 9999 have a text; marshalling another one is an error.
type Time struct { //nolint:recvcheck // a value, which only unmarshalling changes, as time.Time
	t time.Time // UTC, whole ticks, no monotonic clock
}

// timeTick is what the seventh digit of a second stands for.
const timeTick = 100 * time.Nanosecond

// timeLayout is what Microsoft writes as yyyy-MM-ddTHH:mm:ss.fffffffZ. The Z is
// a letter here: a Time is in UTC.
const timeLayout = "2006-01-02T15:04:05.0000000Z"

// NewTime returns t in UTC, without what is smaller than 100 nanoseconds.
func NewTime(t time.Time) Time {
	return Time{t.UTC().Truncate(timeTick)}
}

// ParseTime reads a date and time in the form of RFC 3339, with any number of
// digits and any offset. Digits beyond the seventh are dropped. It fails for a
// leap second, and for an instant outside the years 0 to 9999 of UTC.
func ParseTime(text string) (Time, error) {
	var t Time
	err := t.UnmarshalText([]byte(text))
	return t, err
}

// Time returns t as a time.Time in UTC.
func (t Time) Time() time.Time { return t.t }

// IsZero reports whether t is the zero value. Because of it, the JSON option
// omitzero leaves such a property out.
func (t Time) IsZero() bool { return t == Time{} }

// Equal reports whether t and u are the same instant, as == does. Packages that
// compare values by reflection look for this method.
func (t Time) Equal(u Time) bool { return t == u }

// Compare returns -1 if t is before u, 1 if it is after u, and 0 if both are the
// same instant. For years that have a text, their texts compare alike.
func (t Time) Compare(u Time) int { return t.t.Compare(u.t) }

// String returns the text under which t is stored. For a year that has none it
// is only for people.
func (t Time) String() string { return t.t.Format(timeLayout) }

// AppendText appends the text under which t is stored to b. It fails for years
// outside 0 to 9999.
func (t Time) AppendText(b []byte) ([]byte, error) {
	if err := t.check(); err != nil {
		return b, err
	}
	return t.t.AppendFormat(b, timeLayout), nil
}

// MarshalText returns the text under which t is stored. It fails for years
// outside 0 to 9999.
func (t Time) MarshalText() ([]byte, error) {
	return t.AppendText(make([]byte, 0, len(timeLayout)))
}

// MarshalJSON returns the text under which t is stored, in quotes. It fails for
// years outside 0 to 9999.
func (t Time) MarshalJSON() ([]byte, error) {
	b, err := t.AppendText(append(make([]byte, 0, len(timeLayout)+2), '"'))
	if err != nil {
		return nil, err
	}
	return append(b, '"'), nil
}

// UnmarshalText sets t to the instant that text names, as ParseTime reads it. It
// leaves t alone if it fails.
func (t *Time) UnmarshalText(text []byte) error {
	if bytes.ContainsAny(text, "tz") { // RFC 3339 allows them, time.Time does not
		text = bytes.ToUpper(text)
	}
	var parsed time.Time
	if err := parsed.UnmarshalText(text); err != nil {
		return wire.Reworded("a time is not in the form of RFC 3339, such as "+timeLayout, err)
	}
	u := NewTime(parsed)
	if err := u.check(); err != nil {
		return err
	}
	*t = u
	return nil
}

// UnmarshalJSON sets t to the instant that a JSON string names, as ParseTime
// reads it. It leaves t alone for null, as encoding/json does everywhere, and if
// it fails.
func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("time: %w", wire.Discreet(err))
	}
	return t.UnmarshalText([]byte(text))
}

func (t Time) check() error {
	if year := t.t.Year(); year < 0 || year > 9999 {
		return wire.Reworded("a time is in a year of UTC before 0 or after 9999, and texts order only the years between", nil)
	}
	return nil
}
