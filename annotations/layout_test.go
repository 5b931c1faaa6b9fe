package annotations

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
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

// TestScanAgreesWithPackageTime checks that the elements that this package sees
// are those of package time: what it takes for literal text comes out of Format
// unchanged, alone and in its place, and what it takes for an element does not.
func TestScanAgreesWithPackageTime(t *testing.T) {
	layouts := []string{
		"", "Jan", "January", "Janu", "Jan2", "JanX", "Mon", "Monday", "Month", "MonX", "MST", "MSTs", "XMST",
		"2006", "_2006", "_2", "__2", "__2006", "_20", "_02", "2", "200", "20", "002", "0002", "006", "0006", "00", "0", "07", "08",
		"1", "11", "15", "151", "115", "3", "4", "5", "6", "7", "8", "9", "01", "02", "03", "04", "05", "06", "010203", "200612",
		"PM", "pm", "Pm", "APM", "rpm", "-07", "-070", "-0700", "-07:00", "-07:00:00", "-070000", "Z07", "Z0700", "Z07:00", "Z", "Z0",
		"Z07:00:00", "Z070000", ".0", ".00", ".9", ",0", ",999", ".01", ".09", ".001", ".0x", ".90", ".", "..0", "05.000", "05.0001",
		time.ANSIC, time.UnixDate, time.RFC850, time.RFC1123Z, time.RFC3339Nano, time.Kitchen, time.StampMicro, time.Layout,
	}
	at := time.Date(2031, 10, 28, 22, 47, 58, 987654321, time.FixedZone("CET", 3600+60))
	for _, a := range layouts {
		for _, b := range layouts {
			for _, sep := range []string{"", "T", "-", ".", " "} {
				agree(t, at, a+sep+b)
			}
		}
	}
}

func agree(t *testing.T, at time.Time, layout string) {
	t.Helper()
	var want strings.Builder
	end := 0
	for _, e := range scan(layout) {
		text := layout[e.start:e.end]
		if e.start != end {
			t.Fatalf("scan(%q): an element begins at %d, the last ended at %d", layout, e.start, end)
		}
		end = e.end
		if e.unit == noUnit && e.refusal == "" {
			want.WriteString(text)
			continue
		}
		// Alone, an element is read as within the layout. Followed by a letter, a
		// short name would stop to be one, and so is written without it.
		want.WriteString(at.Format(text))
	}
	if end != len(layout) {
		t.Fatalf("scan(%q) ends at %d", layout, end)
	}
	if got := at.Format(layout); got != want.String() {
		t.Errorf("layout %q: package time writes %q, the elements give %q", layout, got, want.String())
	}
}

// period is the start of the period that the layout's elements name.
func period(at time.Time, layout string) time.Time {
	finest := noUnit
	digits := 0
	for _, e := range scan(layout) {
		finest = max(finest, e.unit)
		if e.unit == fraction {
			digits = e.end - e.start - 1
		}
	}
	y, mo, d := at.Date()
	h, mi, s := at.Clock()
	ns := at.Nanosecond()
	if finest < month {
		mo = 1
	}
	if finest < day {
		d = 1
	}
	if finest < hour {
		h = 0
	}
	if finest < minute {
		mi = 0
	}
	if finest < second {
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
	if len(textA) != len(textB) && FixedWidth(layout) {
		t.Errorf("layout %q: %q and %q differ in width", layout, textA, textB)
	}
	back, err := time.Parse(layout, textA)
	if err != nil {
		t.Errorf("layout %q: %q does not parse: %v", layout, textA, err)
	}
	if want := period(a, layout); !back.Equal(want) {
		t.Errorf("layout %q: %q parses as %v, want %v", layout, textA, back, want)
	}
	var units []unit
	for _, e := range scan(layout) {
		if e.unit != noUnit {
			units = append(units, e.unit)
		}
	}
	if slices.IsSorted(units) && FixedWidth(layout) && strings.Compare(textA, textB) != period(a, layout).Compare(period(b, layout)) {
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
