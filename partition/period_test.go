package partition

import (
	"encoding/json"
	"testing"
	"time"
)

func TestPeriods(t *testing.T) {
	at := time.Date(2018, 8, 9, 23, 45, 12, 345, time.FixedZone("west", -7*60*60)) // 06:45:12 UTC of the next day
	for _, tt := range []struct {
		name   string
		start  func(time.Time) time.Time
		layout string
		want   time.Time
	}{
		{"hour", Hour, "2006-01-02T15", time.Date(2018, 8, 10, 6, 0, 0, 0, time.UTC)},
		{"day", Day, "2006-01-02", time.Date(2018, 8, 10, 0, 0, 0, 0, time.UTC)},
		{"month", Month, "2006-01", time.Date(2018, 8, 1, 0, 0, 0, 0, time.UTC)},
		{"year", Year, "2006", time.Date(2018, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// Compared by ==, as the fields of key types are.
			if got := tt.start(at); got != tt.want {
				t.Errorf("start of %v = %#v, want %#v", at, got, tt.want)
			}
			if got := Truncate(at, tt.layout); got != tt.want {
				t.Errorf("Truncate(%v, %q) = %#v, want %#v", at, tt.layout, got, tt.want)
			}
			if got := tt.start(tt.want); got != tt.want {
				t.Errorf("start of a start = %v, want %v", got, tt.want)
			}
			if got := tt.start(time.Time{}); got != (time.Time{}) {
				t.Errorf("start of the zero time = %#v, want the zero time", got)
			}
			if got := Truncate(time.Time{}, tt.layout); got != (time.Time{}) {
				t.Errorf("Truncate of the zero time = %#v, want the zero time", got)
			}
			now := time.Now() // with a monotonic clock reading
			if a, b := tt.start(now), tt.start(now.Round(0).UTC()); a != b {
				t.Errorf("start of now = %#v with a clock reading, %#v without", a, b)
			}
		})
	}
}

// monrovia is an instant of 1 January 1970 in UTC with the offset that Monrovia
// had then, -00:44:30. JSON has it as 1969-12-31T23:15:40-00:44, 30 seconds
// before midnight in UTC.
var monrovia = time.Date(1969, 12, 31, 23, 15, 40, 0, time.FixedZone("MMT", -(44*60+30)))

// TestOffsetsWithSeconds checks that what finds the start of a period leaves a
// time alone for which Time has a reason, and that there is one exactly where
// JSON holds another instant.
func TestOffsetsWithSeconds(t *testing.T) {
	for _, start := range []func(time.Time) time.Time{
		Hour, Day, Month, Year, func(t time.Time) time.Time { return Truncate(t, "2006-01-02") },
	} {
		if got := start(monrovia); got != monrovia || Check("T", Time("At", got)) == nil {
			t.Errorf("the start of the period is %v, which may be stored", got)
		}
	}
	for seconds := range 3 * 60 {
		at := time.Date(1890, 5, 1, 0, 0, 10, 0, time.FixedZone("LMT", seconds-90))
		data, err := json.Marshal(at)
		if err != nil {
			t.Fatal(err)
		}
		var stored time.Time
		if err := json.Unmarshal(data, &stored); err != nil {
			t.Fatal(err)
		}
		if err := Check("T", Time("At", at)); (err == nil) != stored.Equal(at) {
			t.Errorf("%v is stored as %v, and Time says %v", at, stored, err)
		}
	}
}

func TestTruncateToOtherLayouts(t *testing.T) {
	at := time.Date(2018, 8, 9, 1, 2, 3, 456789012, time.FixedZone("east", 2*60*60))
	for _, tt := range []struct {
		at     time.Time
		layout string
		want   time.Time
	}{
		{at, "2006-01-02T15:04", time.Date(2018, 8, 8, 23, 2, 0, 0, time.UTC)},
		{at, "20060102150405.000", time.Date(2018, 8, 8, 23, 2, 3, 456000000, time.UTC)},
		{at, "no element", time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)},
		{time.Date(12018, 8, 9, 1, 0, 0, 0, time.UTC), "2006-01-02", time.Date(12018, 8, 9, 1, 0, 0, 0, time.UTC)},
		{time.Date(-1, 8, 9, 1, 0, 0, 0, time.UTC), "2006", time.Date(-1, 8, 9, 1, 0, 0, 0, time.UTC)},
	} {
		if got := Truncate(tt.at, tt.layout); got != tt.want {
			t.Errorf("Truncate(%v, %q) = %#v, want %#v", tt.at, tt.layout, got, tt.want)
		}
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add(int64(1533772800), int64(5), "2006-01-02")
	f.Add(int64(-62135596800), int64(0), "2006")
	f.Add(int64(253402300800), int64(999999999), "2006-01-02T15:04:05.000")
	f.Add(int64(0), int64(0), "Jan _2 MST -0700")
	f.Fuzz(func(t *testing.T, seconds, nanoseconds int64, layout string) {
		at := time.Unix(seconds, nanoseconds)
		if got := Truncate(at, layout); got.Location() != time.UTC || got != got.Round(0) {
			t.Errorf("Truncate(%v, %q) = %#v, want UTC without a clock reading", at, layout, got)
		}
		for _, calendar := range []struct {
			start  func(time.Time) time.Time
			layout string
		}{{Hour, "2006-01-02T15"}, {Day, "2006-01-02"}, {Month, "2006-01"}, {Year, "2006"}} {
			start := calendar.start(at)
			if year := start.Year(); year < 0 || year > 9999 {
				continue
			}
			if got := Truncate(at, calendar.layout); got != start {
				t.Errorf("Truncate(%v, %q) = %#v, want %#v", at, calendar.layout, got, start)
			}
			if a, b := string(AppendTime(nil, at, calendar.layout)), string(AppendTime(nil, start, calendar.layout)); a != b {
				t.Errorf("%v has the text %q, the start of its period %q", at, a, b)
			}
		}
	})
}
