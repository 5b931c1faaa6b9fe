package annotations

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

func TestLayout(t *testing.T) {
	at := time.Date(2018, 8, 9, 7, 6, 5, 43210000, time.UTC)
	for _, tt := range []struct{ format, layout, text string }{
		{"year", "2006", "2018"},
		{"month", "2006-01", "2018-08"},
		{"day", "2006-01-02", "2018-08-09"},
		{"hour", "2006-01-02T15", "2018-08-09T07"},
		{"instant", "2006-01-02T15:04:05.0000000Z", "2018-08-09T07:06:05.0432100Z"},
		{"2006", "2006", "2018"},
		{"2006:01", "2006:01", "2018:08"},
		{"20060102", "20060102", "20180809"},
		{"20060102150405", "20060102150405", "20180809070605"},
		{"02.01.2006", "02.01.2006", "09.08.2018"},
		{"2006-01-02T15:04:05.000", "2006-01-02T15:04:05.000", "2018-08-09T07:06:05.043"},
		{"2006-01-02 15:04:05.000000000", "2006-01-02 15:04:05.000000000", "2018-08-09 07:06:05.043210000"},
		{"2006-01-02T15Z", "2006-01-02T15Z", "2018-08-09T07Z"},
		{"_2006_01", "_2006_01", "_2018_08"},
		{"Month 2006/01", "Month 2006/01", "Month 2018/08"},
		{"2006年01月", "2006年01月", "2018年08月"},
		{"2006+01", "2006+01", "2018+08"},
		{"2006:1:2", "2006:1:2", "2018:8:9"},
		{"2.1.2006 15h4'5.000", "2.1.2006 15h4'5.000", "9.8.2018 07h6'5.043"},
	} {
		got, err := Layout(tt.format)
		if err != nil || got != tt.layout {
			t.Errorf("Layout(%q) = %q, %v, want %q", tt.format, got, err, tt.layout)
			continue
		}
		if text := at.Format(got); text != tt.text {
			t.Errorf("Layout(%q) writes %q, want %q", tt.format, text, tt.text)
		}
	}
}

// period is the start of the period that the layout's elements name.
func period(at time.Time, layout string) time.Time {
	finest := timelayout.Literal
	digits := 0
	for _, e := range timelayout.Scan(layout) {
		finest = max(finest, e.Unit)
		if e.Unit == timelayout.Fraction {
			digits = len(e.Text) - 1
		}
	}
	y, mo, d := at.Date()
	h, mi, s := at.Clock()
	ns := at.Nanosecond()
	if finest < timelayout.Month {
		mo = 1
	}
	if finest < timelayout.Day {
		d = 1
	}
	if finest < timelayout.Hour {
		h = 0
	}
	if finest < timelayout.Minute {
		mi = 0
	}
	if finest < timelayout.Second {
		s = 0
	}
	step := 1_000_000_000
	for range digits {
		step /= 10
	}
	return time.Date(y, mo, d, h, mi, s, ns/step*step, time.UTC)
}

// checkAccepted asserts what is promised of an accepted layout, for two times.
func checkAccepted(t *testing.T, layout string, a, b time.Time) {
	t.Helper()
	textA, textB := a.Format(layout), b.Format(layout)
	if len(textA) != len(textB) && timelayout.FixedWidth(layout) {
		t.Errorf("layout %q: %q and %q differ in width", layout, textA, textB)
	}
	back, err := time.Parse(layout, textA)
	if err != nil {
		t.Errorf("layout %q: %q does not parse: %v", layout, textA, err)
	}
	if want := period(a, layout); !back.Equal(want) {
		t.Errorf("layout %q: %q parses as %v, want %v", layout, textA, back, want)
	}
	var units []timelayout.Unit
	for _, e := range timelayout.Scan(layout) {
		if e.Unit != timelayout.Literal {
			units = append(units, e.Unit)
		}
	}
	if slices.IsSorted(units) && timelayout.FixedWidth(layout) && strings.Compare(textA, textB) != period(a, layout).Compare(period(b, layout)) {
		t.Errorf("layout %q: %q and %q do not sort as their times", layout, textA, textB)
	}
	if again, err := Layout(layout); err != nil || again != layout {
		t.Errorf("Layout(%q) = %q, %v, want it unchanged", layout, again, err)
	}
}

// TestAcceptedLayouts makes layouts from pieces, most of which are refused, and
// checks those that are accepted.
func TestAcceptedLayouts(t *testing.T) {
	pieces := []string{
		"2006", "2006", "2006-01", "2006-01-02", "20060102T15", "01", "02", "15", "04", "05", "15:04:05", "05.000", ".000", ".000000000", ",000",
		"-", "-", ".", ":", "T", "Z", " ", "  ", "/", "_", "+", "é", "J", "M", "P", "Jan", "pm", "-07", "2", "1", "0", "9", "x",
	}
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 50_000 {
		var b strings.Builder
		for range 1 + random.IntN(8) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		layout, err := Layout(b.String())
		if err != nil {
			continue
		}
		accepted++
		a := anyTime(random.Int64(), random.Uint32())
		checkAccepted(t, layout, a, anyTime(random.Int64(), random.Uint32()))
		checkAccepted(t, layout, a, a.Add(time.Duration(random.Int64N(1e12))).Truncate(time.Microsecond))
	}
	if accepted < 500 {
		t.Errorf("only %d layouts were accepted, too few to show anything", accepted)
	}
}

func TestLayoutErrorHasOffsets(t *testing.T) {
	_, err := Layout("2006-102")
	var e *Error
	if !errors.As(err, &e) || e.Offset != 5 || e.End != 6 {
		t.Errorf("Layout: %#v, want an *Error from 5 to 6", err)
	}
	if _, err := Layout("day"); err != nil {
		t.Errorf("Layout(day): %v", err)
	}
}
