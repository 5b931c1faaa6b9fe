package partition

import (
	"strings"
	"testing"
	"time"
)

// TestParseTimeWithoutPadding takes keys apart whose times are not of one width,
// for each day of a year.
func TestParseTimeWithoutPadding(t *testing.T) {
	for _, layout := range []string{"2006:1:2", "2.1.2006", "2006-1-02", "1/2006/2"} {
		for day := time.Date(2018, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2018; day = day.AddDate(0, 0, 1) {
			key := string(AppendTime([]byte("a:"), day, layout)) + ":17"
			p := Parse("T", key, ":")
			p.Text("A")
			p.Literal(":")
			at := p.Time("At", layout)
			p.Literal(":")
			n := ParseInt[int](p, "N")
			if err := p.Err(); err != nil || at != day || n != 17 || Truncate(day.Add(time.Hour), layout) != day {
				t.Fatalf("%s: %q is %v and %d, %v", layout, key, at, n, err)
			}
		}
	}
	for _, key := range []string{"2018:01:2", "2018:1:02", "2018:1", "2018:1:", "2018:13:1", "2018:1:32", "2018:1:123", "12018:1:2"} {
		p := Parse("T", key, ":")
		if at := p.Time("At", "2006:1:2"); p.Err() == nil || !strings.Contains(p.Err().Error(), "no time of the layout") {
			t.Errorf("%q is %v, %v", key, at, p.Err())
		}
	}
}
