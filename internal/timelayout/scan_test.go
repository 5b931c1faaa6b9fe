package timelayout

import (
	"strings"
	"testing"
	"time"
)

func TestScan(t *testing.T) {
	for layout, want := range map[string]string{
		"2006":                    "<year>",
		"20060102150405":          "<year><month><day><hour><minute><second>",
		"2.1.2006":                "<day>.<month>.<year>",
		"2006-01-02T15:04:05.000": "<year>-<month>-<day>T<hour>:<minute>:<second><fraction of a second>",
		"_2006年01月":               "_<year>年<month>月",
	} {
		var b strings.Builder
		for _, e := range Scan(layout) {
			if e.Unit == Literal {
				b.WriteString(e.Text)
			} else {
				b.WriteString("<" + e.Unit.String() + ">")
			}
		}
		if b.String() != want {
			t.Errorf("Scan(%q) = %s, want %s", layout, b.String(), want)
		}
	}
}

func TestFiner(t *testing.T) {
	layouts := []string{"", "2006", "01.2006", "2006-1-2", "2006-01-02T15", "15:04 2006-01-02", "20060102150405", "20060102150405.0", Calendar[4].Layout}
	for i, a := range layouts {
		for j, b := range layouts {
			if got := Finer(a, b); got != (i > j) {
				t.Errorf("Finer(%q, %q) = %t", a, b, got)
			}
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
	for _, e := range Scan(layout) {
		if e.Start != end {
			t.Fatalf("Scan(%q): an element begins at %d, the last ended at %d", layout, e.Start, end)
		}
		end = e.End
		if e.Unit == Literal && e.Refusal == "" {
			want.WriteString(e.Text)
			continue
		}
		// Alone, an element is read as within the layout. Followed by a letter, a
		// short name would stop to be one, and so is written without it.
		want.WriteString(at.Format(e.Text))
	}
	if end != len(layout) {
		t.Fatalf("Scan(%q) ends at %d", layout, end)
	}
	if got := at.Format(layout); got != want.String() {
		t.Errorf("layout %q: package time writes %q, the elements give %q", layout, got, want.String())
	}
}

// FuzzScan compares the elements of any layout with those of package time.
func FuzzScan(f *testing.F) {
	for _, s := range []string{time.Layout, time.RFC3339Nano, time.RFC850, "__2006", "_2006", "Januar", "Janu", ".0001", "002006", "Z07:00:0", "-07:0000"} {
		f.Add(s)
	}
	at := time.Date(2031, 10, 28, 22, 47, 58, 987654321, time.FixedZone("CET", 3600+60))
	f.Fuzz(func(t *testing.T, layout string) { agree(t, at, layout) })
}
