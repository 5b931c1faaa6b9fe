package queries

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

func TestTimeText(t *testing.T) {
	west := time.FixedZone("west", -7*3600)
	for name, c := range map[string]struct {
		in   time.Time
		want string
	}{
		"seven digits":        {time.Date(2018, 8, 9, 6, 5, 4, 120_000_000, time.UTC), "2018-08-09T06:05:04.1200000Z"},
		"no fraction":         {time.Date(2018, 8, 9, 6, 5, 4, 0, time.UTC), "2018-08-09T06:05:04.0000000Z"},
		"cut to a tick":       {time.Date(2018, 8, 9, 6, 5, 4, 999_999_999, time.UTC), "2018-08-09T06:05:04.9999999Z"},
		"an offset":           {time.Date(2018, 8, 9, 23, 5, 4, 0, west), "2018-08-10T06:05:04.0000000Z"},
		"the zero value":      {time.Time{}, "0001-01-01T00:00:00.0000000Z"},
		"the first year":      {time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), "0000-01-01T00:00:00.0000000Z"},
		"cut before the year": {time.Date(0, 1, 1, 0, 0, 0, 199, time.UTC), "0000-01-01T00:00:00.0000001Z"},
		"the last tick":       {time.Date(9999, 12, 31, 23, 59, 59, 999_999_900, time.UTC), "9999-12-31T23:59:59.9999999Z"},
	} {
		t.Run(name, func(t *testing.T) {
			at := repository.NewTime(c.in)
			data, err := json.Marshal(at)
			if err != nil || string(data) != `"`+c.want+`"` {
				t.Fatalf("got %s, %v, want %s", data, err, c.want)
			}
			if at.String() != c.want {
				t.Errorf("String gives %s", at)
			}
			text, err := at.MarshalText()
			if err != nil || string(text) != c.want {
				t.Errorf("MarshalText gives %s, %v", text, err)
			}
			var back repository.Time
			if err := json.Unmarshal(data, &back); err != nil || back != at {
				t.Errorf("it comes back as %v, %v", back, err)
			}
			if !back.Equal(at) {
				t.Error("Equal sees a difference")
			}
			if at.Time().Location() != time.UTC {
				t.Errorf("the location is %v", at.Time().Location())
			}
		})
	}
}

func TestTimeDropsTheMonotonicClock(t *testing.T) {
	now := time.Now()
	if a, b := repository.NewTime(now), repository.NewTime(now.Round(0)); a != b {
		t.Errorf("%#v differs from %#v", a, b)
	}
}

func TestTimeReads(t *testing.T) {
	want := repository.NewTime(time.Date(2018, 8, 9, 6, 5, 4, 500_000_000, time.UTC))
	for _, text := range []string{
		"2018-08-09T06:05:04.5Z",
		"2018-08-09T06:05:04.5000000Z",
		"2018-08-09T06:05:04.500000099Z",
		"2018-08-09T08:05:04.5+02:00",
		"2018-08-08T23:05:04.50-07:00",
		"2018-08-09t06:05:04.5z",
	} {
		if got, err := repository.ParseTime(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	// An escape is no other string; null changes nothing.
	got := want
	if err := json.Unmarshal([]byte(`"\u0032018-08-09T06:05:04.5Z"`), &got); err != nil || got != want {
		t.Errorf("an escape gives %v, %v", got, err)
	}
	if err := json.Unmarshal([]byte("null"), &got); err != nil || got != want {
		t.Errorf("null gives %v, %v", got, err)
	}
}

func TestTimeRefuses(t *testing.T) {
	for data, want := range map[string]string{
		`"yesterday"`:                         "in the form of RFC 3339",
		`"2018-08-09"`:                        "in the form of RFC 3339",
		`"2018-02-30T00:00:00Z"`:              "in the form of RFC 3339",
		`"2016-12-31T23:59:60Z"`:              "in the form of RFC 3339",
		`1533794704`:                          "a JSON number does not fit",
		`"9999-12-31T23:59:59.9999999-01:00"`: "a year of UTC before 0 or after 9999",
		`"0000-01-01T00:00:00+01:00"`:         "a year of UTC before 0 or after 9999",
	} {
		at := repository.NewTime(time.Unix(0, 0))
		err := json.Unmarshal([]byte(data), &at)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want an error with %q, got %v", data, want, err)
		}
		if at != repository.NewTime(time.Unix(0, 0)) {
			t.Errorf("%s changed the time to %v", data, at)
		}
	}
	late := repository.NewTime(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	if data, err := json.Marshal(late); err == nil {
		t.Errorf("the year 10000 is written as %s", data)
	}
	if text, err := late.MarshalText(); err == nil {
		t.Errorf("the year 10000 has the text %s", text)
	}
}

func TestTimeIsLeftOut(t *testing.T) {
	type document struct {
		At      repository.Time `json:"at"`
		Omitted repository.Time `json:"omitted,omitzero"`
	}
	data, err := json.Marshal(document{})
	if want := `{"at":"0001-01-01T00:00:00.0000000Z"}`; err != nil || string(data) != want {
		t.Errorf("got %s, %v, want %s", data, err, want)
	}
	var back document
	if err := json.Unmarshal(data, &back); err != nil || back != (document{}) || !back.At.IsZero() {
		t.Errorf("it comes back as %v, %v", back, err)
	}
}

func FuzzTime(f *testing.F) {
	f.Add(int64(0), int64(0), int64(0), int64(1))
	f.Add(int64(1533794704), int64(5e8), int64(1533794704), int64(0))
	f.Add(int64(-62135596800), int64(99), int64(-62135596801), int64(999999999))
	f.Add(int64(253402300799), int64(999999999), int64(253402300800), int64(0))
	f.Fuzz(func(t *testing.T, s1, ns1, s2, ns2 int64) {
		a, b := repository.NewTime(time.Unix(s1, ns1)), repository.NewTime(time.Unix(s2, ns2))
		if a.Equal(b) != (a.Compare(b) == 0) || (a == b) != a.Time().Equal(b.Time()) {
			t.Fatalf("%v and %v: == and the order differ", a, b)
		}
		left, err1 := a.MarshalText()
		right, err2 := b.MarshalText()
		if err1 != nil || err2 != nil {
			return
		}
		if got, want := cmp.Compare(string(left), string(right)), a.Compare(b); got != want {
			t.Fatalf("%s and %s compare as %d, their times as %d", left, right, got, want)
		}
		back, err := repository.ParseTime(string(left))
		if err != nil || back != a {
			t.Fatalf("%s comes back as %v, %v", left, back, err)
		}
	})
}

func TestTimeCounts(t *testing.T) {
	t.Parallel()
	one := repository.NewTime(time.Date(2018, 8, 9, 6, 5, 4, 0, time.UTC))
	two := one.Add(time.Hour + 199*time.Nanosecond)
	if two.Sub(one) != time.Hour+100*time.Nanosecond || !one.Before(two) || !two.After(one) || one.After(two) || two.Before(two) {
		t.Errorf("%v and %v", one, two)
	}
	if got := two.Format(time.TimeOnly); got != "07:05:04" {
		t.Error(got)
	}
	if now := repository.Now(); time.Since(now.Time()) > time.Minute || now.Time().Location() != time.UTC {
		t.Error(now)
	}
}
