package partition

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zones with summer time, wherever the test runs

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

func utcTime(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestPeriodsBetween(t *testing.T) {
	for _, tt := range []struct{ from, to, layout, want string }{
		{"2018-08-09T00:00:00Z", "2018-08-09T00:00:00Z", "2006-01-02", "2018-08-09"},
		{"2018-08-09T23:59:59.999999999Z", "2018-08-10T00:00:00Z", "2006-01-02", "2018-08-09 2018-08-10"},
		{"2018-08-09T00:00:00Z", "2018-08-09T23:59:59.999999999Z", "2006-01-02", "2018-08-09"},
		{"2018-02-27T12:00:00Z", "2018-03-01T11:00:00Z", "2006-01-02", "2018-02-27 2018-02-28 2018-03-01"},
		{"2020-02-28T12:00:00Z", "2020-03-01T11:00:00Z", "2006-01-02", "2020-02-28 2020-02-29 2020-03-01"},
		{"1900-02-28T12:00:00Z", "1900-03-01T11:00:00Z", "20060102", "19000228 19000301"},
		{"2000-02-28T12:00:00Z", "2000-03-01T11:00:00Z", "02.01.2006", "28.02.2000 29.02.2000 01.03.2000"},
		{"2016-12-31T23:30:00Z", "2017-01-01T00:30:00Z", "2006-01-02T15", "2016-12-31T23 2017-01-01T00"}, // with a leap second between
		{"2018-12-31T12:00:00Z", "2019-01-01T12:00:00Z", "2006", "2018 2019"},
		{"2018-01-31T12:00:00Z", "2018-04-01T00:00:00Z", "2006-01", "2018-01 2018-02 2018-03 2018-04"},
		{"2018-11-30T12:00:00Z", "2019-02-28T12:00:00Z", "2006:01", "2018:11 2018:12 2019:01 2019:02"},
		{"1969-12-31T23:00:00Z", "1970-01-01T01:00:00Z", "2006-01-02T15", "1969-12-31T23 1970-01-01T00 1970-01-01T01"},
		{"1969-12-30T23:00:00Z", "1970-01-02T01:00:00Z", "2006-01-02", "1969-12-30 1969-12-31 1970-01-01 1970-01-02"},
		{"9999-11-30T23:00:00Z", "9999-12-31T23:59:59.999999999Z", "2006-01", "9999-11 9999-12"},
		{"0001-12-31T12:00:00Z", "0002-01-01T12:00:00Z", "2006-01-02", "0001-12-31 0002-01-01"},
		// Other zones: the first day is that of UTC, before or after the local one.
		{"2018-08-10T01:00:00+02:00", "2018-08-10T03:00:00+02:00", "2006-01-02", "2018-08-09 2018-08-10"},
		{"2018-08-09T17:00:00-07:00", "2018-08-09T23:00:00-07:00", "2006-01-02", "2018-08-10"},
		{"2018-12-31T23:30:00-01:00", "2019-01-01T00:30:00-01:00", "2006", "2019"},
		{"2018-08-09T12:29:00+05:30", "2018-08-09T12:31:00+05:30", "2006-01-02T15", "2018-08-09T06 2018-08-09T07"},
		{"2018-08-10T01:00:00+02:00", "2018-08-09T23:00:00Z", "2006-01-02", "2018-08-09"}, // one instant
	} {
		from, to := utcTime(tt.from), utcTime(tt.to)
		starts, err := Periods(from, to, tt.layout, 4)
		if err != nil {
			t.Errorf("Periods(%s, %s, %q): %v", tt.from, tt.to, tt.layout, err)
			continue
		}
		if got := strings.Join(texts(starts, tt.layout), " "); got != tt.want {
			t.Errorf("Periods(%s, %s, %q) = %s, want %s", tt.from, tt.to, tt.layout, got, tt.want)
		}
	}
}

// texts writes times by a layout.
func texts(times []time.Time, layout string) []string {
	out := make([]string, len(times))
	for i, at := range times {
		out[i] = string(AppendTime(nil, at, layout))
	}
	return out
}

func TestPeriodsRefuses(t *testing.T) {
	at := utcTime("2018-08-09T12:00:00+02:00")
	for _, tt := range []struct {
		from, to time.Time
		layout   string
		limit    int
		want     string
	}{
		{at, at.Add(-1), "2006", 10, "from: is after to: swap them"},
		{time.Time{}, at, "2006", 10, "from: is empty, the zero time: set it before the key is made"},
		{at, time.Time{}, "2006", 10, "to: is empty, the zero time: set it before the key is made"},
		{at, at.AddDate(8000, 0, 0), "2006", 10, "to: is in a year of UTC that is not written with four digits: use the years 1 to 9999"},
		{at, at, "2006-01-02T15:04", 10, `the layout "2006-01-02T15:04" tells no years, months, days or hours apart: ranges are over these`},
		{at, at, "2006-01-02T15:04:05.000000000", 10, `the layout "2006-01-02T15:04:05.000000000" tells no years, months, days or hours apart: ranges are over these`},
		{at, at, "none", 10, `the layout "none" tells no years, months, days or hours apart: ranges are over these`},
		{at, at, "2006", 0, `1 periods of "2006" lie between from and to, more than the limit of 0: ask for less at a time`},
		{at, at.AddDate(0, 0, 10), "2006-01-02", 10, `11 periods of "2006-01-02" lie between from and to, more than the limit of 10: ask for less at a time`},
		{utcTime("0001-01-01T00:00:01Z"), utcTime("9999-12-31T23:59:59Z"), "2006-01-02T15", 10_000,
			`87649416 periods of "2006-01-02T15" lie between from and to, more than the limit of 10000: ask for less at a time`},
	} {
		starts, err := Periods(tt.from, tt.to, tt.layout, tt.limit)
		var keyErr *KeyError
		if !errors.As(err, &keyErr) || err.Error() != tt.want || starts != nil {
			t.Errorf("Periods(%v, %v, %q, %d) = %v, %v\nwant %s", tt.from, tt.to, tt.layout, tt.limit, starts, err, tt.want)
		}
	}
}

// TestPeriodsOfOffsetsWithSeconds asks for a range whose ends are not stored, and
// may have any offset.
func TestPeriodsOfOffsetsWithSeconds(t *testing.T) {
	starts, err := Periods(monrovia, monrovia.Add(time.Hour), "2006-01-02", 10)
	if want := []time.Time{utcTime("1970-01-01T00:00:00Z")}; err != nil || !slices.Equal(starts, want) {
		t.Errorf("Periods = %v, %v, want %v", starts, err, want)
	}
}

// model finds the periods without arithmetic on calendars: it walks the range in
// steps of an hour, and takes each text that is new.
func model(from, to time.Time, layout string) []string {
	var out []string
	add := func(at time.Time) {
		if text := string(AppendTime(nil, at, layout)); len(out) == 0 || out[len(out)-1] != text {
			out = append(out, text)
		}
	}
	for at := from; at.Before(to); at = at.Add(time.Hour) {
		add(at)
	}
	add(to)
	return out
}

// checkPeriods compares Periods with the model, and its times with those of
// components.
func checkPeriods(t *testing.T, from, to time.Time, layout string) {
	t.Helper()
	starts, err := Periods(from, to, layout, 1<<20)
	if err != nil {
		t.Fatalf("Periods(%v, %v, %q): %v", from, to, layout, err)
	}
	if got, want := texts(starts, layout), model(from, to, layout); !slices.Equal(got, want) {
		t.Errorf("Periods(%v, %v, %q) = %s, want %s", from, to, layout, got, want)
	}
	for _, start := range starts {
		if start != Truncate(start, layout) {
			t.Errorf("Periods(%v, %v, %q): %#v is not the start of its period", from, to, layout, start)
		}
	}
	if n, err := CountPeriods(from, to, layout); n != len(starts) || err != nil {
		t.Errorf("CountPeriods(%v, %v, %q) = %d, %v, want %d", from, to, layout, n, err, len(starts))
	}
}

// periodLayouts and periodZones are what ranges are tried with.
var (
	periodLayouts = []string{"2006", "2006-01", "2006-01-02", "2006-01-02T15", "01/2006", "15h 02.01.2006"}
	periodZones   = []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "Asia/Kathmandu"}
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return location
}

// TestPeriodsDayByDay goes from every day around leap days, changes of the
// clock, and ends of months and years, over ranges of some lengths.
func TestPeriodsDayByDay(t *testing.T) {
	days := seeds.Rows(t, 15, 3)
	for _, name := range periodZones {
		location := zone(t, name)
		for _, start := range []string{"1899-12-20", "1900-02-20", "1999-12-20", "2000-02-20", "2018-03-05", "2018-10-25", "2020-02-20", "2011-12-25", "9999-10-20"} {
			first := utcTime(start + "T00:00:00Z")
			for day := range days {
				from := time.Date(first.Year(), first.Month(), first.Day()+day, 23-day, 30, 0, 0, location)
				for _, length := range []time.Duration{0, 1, 29 * time.Minute, 31 * time.Minute, 24 * time.Hour, 40*24*time.Hour + time.Hour} {
					for _, layout := range periodLayouts {
						checkPeriods(t, from, from.Add(length), layout)
					}
				}
			}
		}
	}
}

func FuzzPeriods(f *testing.F) {
	f.Add(int64(1533772800), uint32(86400*62), uint32(5), uint8(2))
	f.Add(int64(951782399), uint32(2), uint32(999999999), uint8(9))
	f.Add(int64(-62135596799), uint32(86400*500), uint32(1), uint8(21))
	f.Fuzz(func(t *testing.T, unix int64, seconds, nanos uint32, choice uint8) {
		layout := periodLayouts[int(choice)%len(periodLayouts)]
		location := zone(t, periodZones[int(choice)/len(periodLayouts)%len(periodZones)])
		from := time.Unix(unix, int64(nanos%1e9)).In(location)
		to := from.Add(time.Duration(seconds%(86400*800)) * time.Second)
		if Check("", Time("from", from), Time("to", to)) != nil {
			return
		}
		checkPeriods(t, from, to, layout)
	})
}

func ExamplePeriods() {
	from := time.Date(2020, 2, 28, 22, 0, 0, 0, time.UTC)
	starts, err := Periods(from, from.Add(26*time.Hour), "2006-01-02", 100)
	if err != nil {
		panic(err)
	}
	for _, start := range starts {
		fmt.Println(start.Format(time.DateOnly))
	}
	// Output:
	// 2020-02-28
	// 2020-02-29
	// 2020-03-01
}
