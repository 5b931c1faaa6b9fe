package partition

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestSuffix(t *testing.T) {
	for _, tt := range []struct {
		key, sep string
		buckets  int
		want     int
	}{
		{"2018-08-09.126", ".", 400, 126},
		{"2018-08-09.1", ".", 400, 1},
		{"2018-08-09.400", ".", 400, 400},
		{"2018-08-09.401", ".", 400, 0},
		{"2018-08-09.4000", ".", 400, 0},
		{"2018-08-09.0", ".", 400, 0},
		{"2018-08-09.0126", ".", 400, 0},
		{"2018-08-09.+126", ".", 400, 0},
		{"2018-08-09.-126", ".", 400, 0},
		{"2018-08-09.126x", ".", 400, 0},
		{"2018-08-09. 126", ".", 400, 0},
		{"2018-08-09.１２６", ".", 400, 0}, // full-width digits
		{"2018-08-09.1_0", ".", 400, 0},
		{"2018-08-09.", ".", 400, 0},
		{"2018-08-09", ".", 400, 0},
		{"", ".", 400, 0},
		{".7", ".", 400, 7},
		{"a.b.7", ".", 400, 7},
		{"a.7.b", ".", 400, 0},
		{"a::7", "::", 400, 7},
		{"a:7", "::", 400, 0},
		{"a::::7", "::", 400, 7},
		{"7", "", 400, 0},
		{"a.5", ".", 0, 0},
		{"a.5", ".", -1, 0},
		{"a.5", ".", -50, 0},
		{"a.5", ".", 4, 0},
		{"a." + strconv.Itoa(math.MaxInt), ".", math.MaxInt, math.MaxInt},
		{"a.99999999999999999999999", ".", math.MaxInt, 0},
		{"a.1" + strings.Repeat("0", 400), ".", math.MaxInt, 0},
	} {
		if got := Suffix(tt.key, tt.sep, tt.buckets); got != tt.want {
			t.Errorf("Suffix(%.40q, %q, %d) = %d, want %d", tt.key, tt.sep, tt.buckets, got, tt.want)
		}
	}
}

func FuzzSuffix(f *testing.F) {
	f.Add("2018-08-09", ".", 126, 400)
	f.Add("2018-08-09.126", ".", 1, 1)
	f.Add("a::", "::", 7, math.MaxInt)
	f.Add("x", "", 0, -1)
	f.Fuzz(func(t *testing.T, base, sep string, bucket, buckets int) {
		got := Suffix(base, sep, buckets)
		if got < 0 || got > max(buckets, 0) {
			t.Fatalf("Suffix(%q, %q, %d) = %d, out of range", base, sep, buckets, got)
		}
		if got != 0 && !strings.HasSuffix(base, sep+strconv.Itoa(got)) {
			t.Fatalf("Suffix(%q, %q, %d) = %d, which does not end the key", base, sep, buckets, got)
		}
		if sep == "" || strings.ContainsAny(sep, "0123456789") || bucket < 0 {
			return // what follows the separator would not be the bucket alone
		}
		want := bucket
		if bucket > buckets {
			want = 0
		}
		key := base + sep + strconv.Itoa(bucket)
		if got := Suffix(key, sep, buckets); got != want {
			t.Errorf("Suffix(%q, %q, %d) = %d, want %d", key, sep, buckets, got, want)
		}
	})
}
