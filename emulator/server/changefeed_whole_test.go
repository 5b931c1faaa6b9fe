package server

import (
	"fmt"
	"testing"
)

// TestChangeFeedOverAllRanges reads the change feed without naming a range, in small pages,
// while the container is written to and split. Each change must come once.
func TestChangeFeedOverAllRanges(t *testing.T) {
	r := newRig(t, Options{Partitions: 3})
	r.container("")
	write := func(from, to int) {
		for i := from; i < to; i++ {
			r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d"}`, i, i))
		}
	}
	seen := map[string]int{}
	etag := ""
	read := func(pages int) {
		for range pages {
			headers := []string{"A-IM", "Incremental feed", "x-ms-max-item-count", "4"}
			if etag != "" {
				headers = append(headers, "If-None-Match", etag)
			}
			a := r.send("GET", docs, "", headers...)
			etag = a.Header().Get("Etag")
			if a.Code == 304 {
				return
			}
			for _, d := range a.status(200, "").rows() {
				seen[d]++
			}
		}
	}
	write(0, 40)
	read(5)
	if len(seen) == 0 || len(seen) == 40 {
		t.Fatalf("%d changes after five pages", len(seen))
	}
	if err := r.Split("db", "c", "1"); err != nil {
		t.Fatal(err)
	}
	write(40, 60)
	read(100)
	for d, n := range seen {
		if n != 1 {
			t.Errorf("%s came %d times", d, n)
		}
	}
	if len(seen) != 60 {
		t.Errorf("%d changes, want 60", len(seen))
	}
	r.send("GET", docs, "", "A-IM", "Incremental feed", "If-None-Match", `"0#x"`).status(400, "")
	a := r.send("GET", docs, "", "A-IM", "Incremental feed", "If-None-Match", "*").status(304, "")
	write(60, 63)
	etag = a.Header().Get("Etag")
	read(100)
	if len(seen) != 63 {
		t.Errorf("%d changes after a feed from now, want 63", len(seen))
	}
}

// TestChangeFeedOverAllRangesIsFair checks that a range with many changes does not keep
// the others waiting.
func TestChangeFeedOverAllRangesIsFair(t *testing.T) {
	r := newRig(t, Options{Partitions: 3})
	r.container("")
	for i := range 60 {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d"}`, i, i))
	}
	ranges := map[string]bool{}
	etag := ""
	for range 3 {
		headers := []string{"A-IM", "Incremental feed", "x-ms-max-item-count", "1"}
		if etag != "" {
			headers = append(headers, "If-None-Match", etag)
		}
		a := r.send("GET", docs, "", headers...).status(200, "")
		etag = a.Header().Get("Etag")
		ranges[a.Header().Get("X-Ms-Documentdb-Partitionkeyrangeid")] = true
	}
	if len(ranges) != 3 {
		t.Errorf("three pages came from %d ranges, want 3", len(ranges))
	}
}
