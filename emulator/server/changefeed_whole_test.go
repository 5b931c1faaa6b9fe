package server

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
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

// must fails the test if a split or merge failed.
func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// TestChangeFeedOverAllRangesSplitAndMerged reads the change feed of all ranges in small
// pages, between which documents are written and ranges split and merged at random. Each
// change that is not overwritten before it is read comes once.
func TestChangeFeedOverAllRangesSplitAndMerged(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := newRig(t, Options{Partitions: 1 + random.IntN(4)})
		r.container("")
		seen, etag, written := map[string]int{}, "", 0
		read := func() bool {
			headers := []string{"A-IM", "Incremental feed", "x-ms-max-item-count", "3"}
			if etag != "" {
				headers = append(headers, "If-None-Match", etag)
			}
			a := r.send("GET", docs, "", headers...)
			etag = a.Header().Get("Etag")
			if a.Code == 304 {
				return false
			}
			for _, d := range a.status(200, "").rows() {
				seen[d]++
			}
			return true
		}
		for range 40 {
			_, c := r.account.Find("db", "c")
			switch random.IntN(4) {
			case 0:
				r.must(r.Split("db", "c", c.Ranges[random.IntN(len(c.Ranges))].ID))
			case 1:
				if n := len(c.Ranges); n > 1 {
					i := random.IntN(n - 1)
					r.must(r.Merge("db", "c", c.Ranges[i].ID, c.Ranges[i+1].ID))
				}
			case 2:
				for range 4 {
					r.create(fmt.Sprintf(`["%d"]`, written), fmt.Sprintf(`{"id":"%d","pk":"%d"}`, written, written))
					written++
				}
			default:
				read()
			}
		}
		for read() {
		}
		for d, n := range seen {
			if n != 1 {
				t.Errorf("seed %d: %s came %d times", seed, d, n)
			}
		}
		if len(seen) != written {
			t.Errorf("seed %d: %d changes, want %d; the last etag is %s", seed, len(seen), written, etag)
		}
	}
}

// TestAllVersionsOverAllRanges reads all versions and deletions without naming a range,
// with a split in between.
func TestAllVersionsOverAllRanges(t *testing.T) {
	r := newRig(t, Options{Partitions: 3, AllVersions: time.Hour})
	r.container("")
	mode := []string{"A-IM", "Full-Fidelity Feed", "x-ms-cosmos-changefeed-wire-format-version", "2021-09-15", "x-ms-max-item-count", "4"}
	etag := r.send("GET", docs, "", append(mode, "If-None-Match", "*")...).status(304, "").Header().Get("Etag")
	seen := 0
	read := func() {
		for {
			a := r.send("GET", docs, "", append(mode, "If-None-Match", etag)...)
			etag = a.Header().Get("Etag")
			if a.Code == 304 {
				return
			}
			seen += len(a.status(200, "").rows())
		}
	}
	for i := range 30 {
		key := fmt.Sprintf(`["%d"]`, i)
		r.create(key, fmt.Sprintf(`{"id":"%d","pk":"%d"}`, i, i))
		r.send("DELETE", fmt.Sprintf("%s/%d", docs, i), "", pkKey, key).status(204, "")
		if i == 15 {
			read()
			r.must(r.Split("db", "c", "1"))
		}
	}
	if read(); seen != 60 {
		t.Errorf("%d changes, want 60", seen)
	}
}

// TestPositionsOfAnotherForm refuses etags that no server has written.
func TestPositionsOfAnotherForm(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	for _, etag := range []string{`"#1"`, `"FF#"`, `"FF#-1"`, `"0A#1"`, `"0B#1,0A#1,FF#1"`, `"0A#1,0A#1,FF#1"`, `"FF#1,FF#1"`, `"FF#1,0B#1,0A#1"`, `"ff#1"`, `"0A#1,FF#1,0B#1,0B#1"`} {
		r.send("GET", docs, "", "A-IM", "Incremental feed", "If-None-Match", etag).status(400, "")
	}
	for _, etag := range []string{`"FF#1"`, `"0A#1,FF#1"`, `"FF#0,0A#1"`, `"0B#7,FF#1,0A#3"`} {
		r.send("GET", docs, "", "A-IM", "Incremental feed", "If-None-Match", etag).status(304, "")
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

// TestChangeFeedOfNoPart asks for changes where no physical partition is.
func TestChangeFeedOfNoPart(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	const half = "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	served := 0
	for _, test := range [][]string{
		{"", "FF", "FFFF"},
		{`["1"]`, "", half},
		{`["1"]`, half, "FF"},
	} {
		for _, etag := range []string{"", "*", `"3"`, `"FF#3"`} {
			a := r.send("GET", docs, "", "A-IM", "Incremental feed", "If-None-Match", etag, pkKey, test[0],
				"x-ms-start-epk", test[1], "x-ms-end-epk", test[2], "x-ms-read-key-type", "EffectivePartitionKeyRange")
			if a.Code == 304 {
				served++ // by the half that holds the key
				continue
			}
			a.status(400, "")
		}
	}
	if served != 4 {
		t.Errorf("%d requests were served, want those about one of the halves", served)
	}
}
