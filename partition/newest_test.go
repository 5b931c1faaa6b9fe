package partition

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestAppendNewest has texts that (DateTime.MaxValue.Ticks - t.Ticks).ToString("d19")
// writes. The third is an example of a blog about Table Storage.
func TestAppendNewest(t *testing.T) {
	for _, tt := range []struct {
		at   time.Time
		want string
	}{
		{time.Time{}, "3155378975999999999"},
		{time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), "0000000000000000000"},
		{time.Date(2014, 6, 16, 2, 40, 0, 0, time.UTC), "2519994143999999999"},
		{time.Date(2014, 6, 16, 4, 40, 0, 0, time.FixedZone("east", 2*60*60)), "2519994143999999999"},
		{time.Date(2014, 6, 16, 2, 40, 0, 199, time.UTC), "2519994143999999998"},
		{time.Date(1969, 12, 31, 23, 59, 59, 999_999_900, time.UTC), "2534023008000000000"},
		{time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC), "3155378975999999999"},
		{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), "0000000000000000000"},
	} {
		if got := string(AppendNewest([]byte("x"), tt.at)); got != "x"+tt.want {
			t.Errorf("%v: got %s, want x%s", tt.at, got, tt.want)
		}
	}
}

// TestNewestSortsBackwards compares the order of texts with that of ticks.
func TestNewestSortsBackwards(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	at := func() time.Time {
		return time.Unix(random.Int64N(253402300800+toUnix)-toUnix, random.Int64N(1e9)).In(time.FixedZone("", int(random.Int64N(86400))-43200))
	}
	for range 10_000 {
		a := at()
		b := a.Add(time.Duration(random.Int64N(2001)-1000) * time.Nanosecond)
		if random.IntN(2) == 0 {
			b = at()
		}
		if y := b.UTC().Year(); y < 1 || y > 9999 {
			continue
		}
		x, y := string(AppendNewest(nil, a)), string(AppendNewest(nil, b))
		if (x > y) != Tick(a).Before(Tick(b)) || (x == y) != Tick(a).Equal(Tick(b)) {
			t.Fatalf("%v is %s and %v is %s", a, x, b, y)
		}
	}
	buf := make([]byte, 0, 32)
	now := time.Now()
	if n := testing.AllocsPerRun(100, func() { AppendNewest(buf, Tick(now)) }); n != 0 {
		t.Errorf("AppendNewest allocates %v times, want 0", n)
	}
}
