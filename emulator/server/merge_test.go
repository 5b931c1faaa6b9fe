package server

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	const f = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	r := newRig(t, Options{Partitions: 4})
	r.container("")
	for i := range 100 {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"1","pk":"%d"}`, i))
	}
	feed := []string{"A-IM", "Incremental Feed"}
	etag := r.send("GET", ranges, "", feed...).status(200, "").Header().Get("etag")
	if err := r.Merge("db", "c", "2", "1"); err != nil {
		t.Fatal(err)
	}
	next := r.send("GET", ranges, "", append(feed, "If-None-Match", etag)...).status(200, "")
	if got, want := next.rangeList(), [][]string{{"4", "[1 2]", "0" + f, "2" + f}}; !reflect.DeepEqual(got, want) {
		t.Errorf("incremental ranges %q, want %q", got, want)
	}
	for _, id := range []string{"1", "2"} {
		r.query("SELECT * FROM c", rangeID, id).status(410, "1002")
		r.send("GET", docs, "", "A-IM", "Incremental feed", rangeID, id).status(410, "1002")
		r.send("GET", docs, "", rangeID, id).status(410, "1002")
	}
	sum := 0
	for _, id := range []string{"0", "4", "3"} {
		sum += len(r.query("SELECT * FROM c", rangeID, id, "x-ms-max-item-count", "-1").status(200, "").rows())
	}
	if sum != 100 {
		t.Errorf("%d documents in all ranges, want 100", sum)
	}
	for i := range 100 {
		r.send("GET", docs+"/1", "", pkKey, fmt.Sprintf(`["%d"]`, i)).status(200, "")
	}
	// A merged range splits, and its children merge again, with all their ancestors.
	if err := r.Split("db", "c", "4"); err != nil {
		t.Fatal(err)
	}
	if err := r.Merge("db", "c", "0", "5", "6", "3"); err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"7", "[0 1 2 3 4 5 6]", "", "FF"}}
	if got := r.send("GET", ranges, "").status(200, "").rangeList(); !reflect.DeepEqual(got, want) {
		t.Errorf("ranges %q, want %q", got, want)
	}
}

func TestRefusedMerges(t *testing.T) {
	r := newRig(t, Options{Partitions: 4})
	r.container("")
	for _, test := range []struct {
		database, container string
		ids                 []string
		says                string
	}{
		{"db", "x", []string{"0", "1"}, "no container"},
		{"x", "c", []string{"0", "1"}, "no container"},
		{"db", "c", nil, "two range ids"},
		{"db", "c", []string{"0"}, "two range ids"},
		{"db", "c", []string{"0", "0"}, "named twice"},
		{"db", "c", []string{"0", "9"}, `no partition key range "9"`},
		{"db", "c", []string{"0", "2"}, "not neighbours"},
		{"db", "c", []string{"0", "3"}, "not neighbours"},
		{"db", "c", []string{"3", "2", "0"}, "not neighbours"},
	} {
		if err := r.Merge(test.database, test.container, test.ids...); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("Merge(%q): %v, want %q", test.ids, err, test.says)
		}
	}
	if got := r.send("GET", ranges, "").status(200, "").rangeList(); len(got) != 4 {
		t.Errorf("ranges %q, want the four old ones", got)
	}
}

// TestContinuationsAcrossMerges reads a container in small pages, without a range,
// while ranges split and merge at random and documents come and go: every document
// that was there all the time comes once, and none twice.
func TestContinuationsAcrossMerges(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 7))
		r := newRig(t, Options{Partitions: 1 + rng.IntN(4)})
		r.container("")
		want := map[string]bool{}
		for i := range 60 {
			id := fmt.Sprint("d", i)
			want[`"`+id+`"`] = true
			r.create(fmt.Sprintf(`["%d"]`, i%20), fmt.Sprintf(`{"id":%q,"pk":"%d","tags":[1,2,3]}`, id, i%20))
		}
		sql, times := "SELECT VALUE c.id FROM c", 1
		if seed%3 == 1 {
			sql, times = "SELECT VALUE c.id FROM c JOIN t IN c.tags", 3
		}
		seen := map[string]int{}
		token := ""
		for pages := 0; pages == 0 || token != ""; pages++ {
			if pages > 500 {
				t.Fatalf("seed %d: no end", seed)
			}
			headers := []string{"x-ms-documentdb-query-enablecrosspartition", "True", "x-ms-max-item-count", fmt.Sprint(1 + rng.IntN(7))}
			if token != "" {
				headers = append(headers, "x-ms-continuation", token)
			}
			a := r.query(sql, headers...).status(200, "")
			for _, row := range a.rows() {
				seen[row]++
			}
			token = a.Header().Get("x-ms-continuation")
			r.shuffle(rng)
			r.send("POST", docs, fmt.Sprintf(`{"id":"new%d","pk":"%d","tags":[]}`, pages, pages), pkKey, fmt.Sprintf(`["%d"]`, pages)).status(201, "")
		}
		for id := range want {
			if seen[id] != times {
				t.Errorf("seed %d: document %s came %d times, want %d", seed, id, seen[id], times)
			}
		}
		for id, n := range seen {
			if n > times {
				t.Errorf("seed %d: document %s came %d times", seed, id, n)
			}
		}
	}
}

// shuffle splits or merges a range, or does neither.
func (r *rig) shuffle(rng *rand.Rand) {
	r.t.Helper()
	list := r.send("GET", ranges, "").status(200, "").rangeList()
	at := rng.IntN(len(list))
	var err error
	switch n := rng.IntN(3); {
	case n == 0 && len(list) < 12:
		err = r.Split("db", "c", list[at][0])
	case n == 1 && at+1 < len(list):
		err = r.Merge("db", "c", list[at][0], list[at+1][0])
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// TestTokensOfRangesAcrossAMerge goes on in a merged range with the token of each of
// its parents, in the window that was the parent's, as SDKs do.
func TestTokensOfRangesAcrossAMerge(t *testing.T) {
	for _, sql := range []string{
		"SELECT VALUE c.id FROM c",
		"SELECT VALUE c.id FROM c ORDER BY c.n DESC",
		"SELECT VALUE t FROM c JOIN t IN c.two",
	} {
		r := newRig(t, Options{Partitions: 2})
		r.container("")
		const n = 60
		for i := range n {
			r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d","n":%d,"two":["%d","-%d"]}`, i, i, i%7, i, i))
		}
		var seen []string
		tokens := map[string]string{}
		list := r.send("GET", ranges, "").status(200, "").rangeList()
		for _, line := range list {
			a := r.query(sql, rangeID, line[0], "x-ms-max-item-count", "9").status(200, "")
			seen = append(seen, a.rows()...)
			tokens[line[0]] = a.Header().Get("x-ms-continuation")
		}
		if err := r.Merge("db", "c", "0", "1"); err != nil {
			t.Fatal(err)
		}
		// Without the window the token says nothing of the other half.
		r.query(sql, rangeID, "2", "x-ms-continuation", tokens["0"]).status(400, "")
		other := append(windowHeaders(list[1][2], "FF"), rangeID, "2", "x-ms-continuation", tokens["0"])
		r.query(sql, other...).status(400, "")
		for _, line := range list {
			for token := tokens[line[0]]; token != ""; {
				a := r.query(sql, append(windowHeaders(line[2], line[3]), rangeID, "2", "x-ms-max-item-count", "9", "x-ms-continuation", token)...).status(200, "")
				seen = append(seen, a.rows()...)
				token = a.Header().Get("x-ms-continuation")
			}
		}
		slices.Sort(seen)
		want := n
		if strings.Contains(sql, "JOIN") {
			want = 2 * n
		}
		if got := len(seen); got != want || len(slices.Compact(seen)) != want {
			t.Errorf("%s: %d rows, want %d, once each", sql, got, want)
		}
	}
}

// TestChangeFeedAcrossAMerge goes on in a merged range from the etags of its parents.
func TestChangeFeedAcrossAMerge(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	write := func(n int) {
		for i := range n {
			r.send("POST", docs, fmt.Sprintf(`{"id":"1","pk":"%d"}`, i), pkKey, fmt.Sprintf(`["%d"]`, i), "x-ms-documentdb-is-upsert", "True")
		}
	}
	write(40)
	list := r.send("GET", ranges, "").status(200, "").rangeList()
	n := 0
	etags := map[string]string{}
	for i, line := range list {
		page, etag := r.changes(rangeID, line[0], "x-ms-max-item-count", fmt.Sprint(3+9*i))
		n += len(page)
		etags[line[0]] = etag
	}
	if err := r.Merge("db", "c", "0", "1"); err != nil {
		t.Fatal(err)
	}
	read := func() {
		t.Helper()
		for _, line := range list {
			for {
				page, etag := r.changes(append(windowHeaders(line[2], line[3]), rangeID, "2", "x-ms-max-item-count", "7", "If-None-Match", etags[line[0]])...)
				etags[line[0]] = etag
				if n += len(page); page == nil {
					break
				}
			}
		}
		if n != 40 {
			t.Errorf("%d changes were seen, want 40", n)
		}
		n = 0
	}
	read()
	write(40)
	read()
	if page, _ := r.changes(rangeID, "2", "x-ms-max-item-count", "-1"); len(page) != 40 {
		t.Errorf("%d changes in the merged range from the beginning, want 40", len(page))
	}
	if page, _ := r.changes(rangeID, "2", "If-None-Match", "*"); page != nil {
		t.Errorf("from now: %v", page)
	}
}
