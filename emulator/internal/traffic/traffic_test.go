package traffic

import (
	"fmt"
	"testing"
	"time"
)

var start = time.Unix(1_800_000_000, 0)

func TestSeconds(t *testing.T) {
	var c Counter
	c.Add("a", "0", "", 5, false, start)
	c.Add("a", "0", "", 2, true, start)
	c.Add("a", "0", "", 1, false, start.Add(2*time.Second))
	c.Add("b", "0", "", 9, false, start)
	got := c.Seconds("a", "0", 4, start.Add(3*time.Second))
	want := []Second{{7, 2, 1}, {}, {1, 1, 0}, {}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := c.Seconds("a", "0", 2, start.Add(Window*time.Second+2*time.Second)); got[0] != (Second{}) {
		t.Errorf("a second outside the window is %v", got[0])
	}
	// The ring comes round: the second takes the place of one that is too old.
	c.Add("a", "0", "", 3, false, start.Add(Window*time.Second))
	if got := c.Seconds("a", "0", Window, start.Add(Window*time.Second)); got[Window-1].Charge != 3 || got[1].Charge != 1 || got[0].Charge != 0 {
		t.Errorf("after a whole window: first %v %v, last %v", got[0], got[1], got[Window-1])
	}
}

func TestHottest(t *testing.T) {
	var c Counter
	for i := range 10_000 {
		c.Add("a", "0", fmt.Sprintf(`["rare%d"]`, i), 1, false, start)
		c.Add("a", "1", `["hot"]`, 1, i%2 == 0, start.Add(time.Duration(i%30)*time.Second))
	}
	keys, total := c.Hottest("a", 3, start.Add(35*time.Second))
	if len(keys) != 3 || keys[0] != (Key{`["hot"]`, "1", 10_000, 10_000, 5000}) || total != 20_000 {
		t.Errorf("got %v of %v", keys, total)
	}
	if keys, total := c.Hottest("a", 3, start.Add(2*time.Minute)); len(keys) != 0 || total != 0 {
		t.Errorf("after two minutes: %v of %v", keys, total)
	}
}

func TestSweep(t *testing.T) {
	var c Counter
	for i := range 100 {
		c.Add(fmt.Sprint(i), "0", `["k"]`, 1, false, start.Add(time.Duration(i)*time.Minute))
	}
	if len(c.ranges) > 12 || len(c.keys) > 12 {
		t.Errorf("%d ranges and %d containers are kept, most of them idle for long", len(c.ranges), len(c.keys))
	}
}

func BenchmarkAdd(b *testing.B) {
	var c Counter
	keys := make([]string, 5000)
	for i := range keys {
		keys[i] = fmt.Sprintf(`["key%d"]`, i)
	}
	b.ReportAllocs()
	for i := range b.N {
		c.Add("container", "0", keys[i%len(keys)], 1, false, start.Add(time.Duration(i)*time.Microsecond))
	}
}
