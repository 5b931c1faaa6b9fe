package partition

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"testing"
	"time"
)

// readVectors reads testdata/buckets.json, the vectors that other languages
// have to give too. Rows may be added; a row that is there may never change.
func readVectors(t *testing.T) []bucketVector {
	t.Helper()
	data, err := os.ReadFile("testdata/buckets.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []bucketVector
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	return vectors
}

// bucketVector is one row: the sum of the texts in hexadecimal, and the bucket
// by the number of buckets.
type bucketVector struct {
	Texts   []string
	Sum     string
	Buckets map[string]int
}

func hashOf(texts ...string) Hash {
	var h Hash
	for _, s := range texts {
		h = h.Text(s)
	}
	return h
}

func TestHashGivesTheVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) < 33 {
		t.Fatalf("testdata/buckets.json has %d vectors, want 33 at least: none may be removed", len(vectors))
	}
	for _, v := range vectors {
		h := hashOf(v.Texts...)
		if got := fmt.Sprintf("%08x", h.Sum()); got != v.Sum {
			t.Errorf("sum of %.40q = %s, want %s", v.Texts, got, v.Sum)
		}
		if len(v.Buckets) != 7 {
			t.Errorf("%.40q has %d numbers of buckets, want 7", v.Texts, len(v.Buckets))
		}
		for n, want := range v.Buckets {
			buckets, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			if got := h.Bucket(buckets); got != want {
				t.Errorf("bucket of %.40q in %d = %d, want %d", v.Texts, buckets, got, want)
			}
		}
	}
}

// TestDocumentedVectors repeats, in code, the vectors that the documentation
// prints, so that they cannot be edited away together with the file.
func TestDocumentedVectors(t *testing.T) {
	for _, tt := range []struct {
		text   string
		sum    uint32
		bucket int
	}{
		{"", 0xab3e7c0b, 124},
		{"a", 0x1a80b1b3, 116},
		{"é", 0x8e4756c7, 344},
		{"1HGCM82633A004352", 0xdc52ee7d, 126},
	} {
		h := Hash{}.Text(tt.text)
		if h.Sum() != tt.sum || h.Bucket(400) != tt.bucket {
			t.Errorf("%q: sum %08x, bucket %d, want %08x, %d", tt.text, h.Sum(), h.Bucket(400), tt.sum, tt.bucket)
		}
	}
	if got := (Hash{}).Sum(); got != 0xab3e7c0b {
		t.Errorf("sum of no text = %08x, want that of the empty text", got)
	}
}

func TestHashSeparatesTexts(t *testing.T) {
	seen := map[uint32][]string{}
	for _, texts := range [][]string{
		{""}, {"", ""}, {"", "", ""}, {"a"}, {"a", ""}, {"", "a"}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {"a", "b", "c"},
	} {
		sum := hashOf(texts...).Sum()
		if other, ok := seen[sum]; ok {
			t.Errorf("%q and %q have the sum %08x", texts, other, sum)
		}
		seen[sum] = texts
	}
	if hashOf("a", "b") != hashOf("a\x00b") {
		t.Error("two texts are not their join by a zero byte")
	}
}

func TestHashMethodsAgreeWithTheirText(t *testing.T) {
	at := time.Date(2018, 8, 9, 1, 30, 0, 0, time.FixedZone("east", 2*60*60))
	addr := netip.MustParseAddr("192.0.2.1")
	base := Hash{}.Text("base")
	for _, tt := range []struct {
		name string
		got  Hash
		text string
	}{
		{"smallest int", base.Int(-1 << 63), "-9223372036854775808"},
		{"int", base.Int(42), "42"},
		{"largest uint", base.Uint(1<<64 - 1), "18446744073709551615"},
		{"true", base.Bool(true), "true"},
		{"false", base.Bool(false), "false"},
		{"time in UTC", base.Time(at, "2006-01-02"), "2018-08-08"},
		{"appender", HashText(base, addr), "192.0.2.1"},
		{"marshaler", HashText(base, onlyMarshaler("x")), "x"},
		{"failing", HashText(base, failing{errors.New("no")}), ""},
	} {
		if want := base.Text(tt.text); tt.got != want {
			t.Errorf("%s: %+v, want that of %q, %+v", tt.name, tt.got, tt.text, want)
		}
	}
}

func TestBucketOfNoBuckets(t *testing.T) {
	for _, n := range []int{0, -1, -400} {
		if got := hashOf("a").Bucket(n); got != 0 {
			t.Errorf("Bucket(%d) = %d, want 0", n, got)
		}
	}
}

func FuzzHash(f *testing.F) {
	f.Add("1HGCM82633A004352", int64(-7), uint64(7), int64(1533772800), 400)
	f.Add("", int64(-1<<63), uint64(1<<64-1), int64(-62135596800), 1)
	f.Add("a\x00b", int64(0), uint64(0), int64(253402300800), -3)
	f.Fuzz(func(t *testing.T, s string, i int64, u uint64, unix int64, buckets int) {
		base := Hash{}.Text(s)
		if got, want := base.Int(i), base.Text(strconv.FormatInt(i, 10)); got != want {
			t.Errorf("Int(%d) differs from its decimal", i)
		}
		if got, want := base.Uint(u), base.Text(strconv.FormatUint(u, 10)); got != want {
			t.Errorf("Uint(%d) differs from its decimal", u)
		}
		at := time.Unix(unix, 0)
		if got, want := base.Time(at, time.RFC3339), base.Text(at.UTC().Format(time.RFC3339)); got != want {
			t.Errorf("Time(%v) differs from its format", at)
		}
		switch b := base.Bucket(buckets); {
		case buckets < 1 && b != 0:
			t.Errorf("Bucket(%d) = %d, want 0", buckets, b)
		case buckets >= 1 && (b < 1 || b > buckets):
			t.Errorf("Bucket(%d) = %d, out of range", buckets, b)
		}
	})
}

func TestHashDoesNotAllocate(t *testing.T) {
	at := time.Date(2018, 8, 9, 1, 30, 0, 0, time.FixedZone("east", 2*60*60))
	var sink int
	if n := testing.AllocsPerRun(100, func() {
		sink += Hash{}.Text("1HGCM82633A004352").Int(-42).Uint(42).Bool(true).Time(at, "2006-01-02T15").Bucket(400)
	}); n != 0 {
		t.Errorf("a chain of hashes allocates %v times, want 0", n)
	}
	if sink == 0 {
		t.Error("no bucket")
	}
}

func BenchmarkHashVIN(b *testing.B) {
	vin := "1HGCM82633A004352"
	b.ReportAllocs()
	for b.Loop() {
		if (Hash{}).Text(vin).Bucket(400) != 126 {
			b.Fatal("wrong bucket")
		}
	}
}
