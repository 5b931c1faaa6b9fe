package server

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
)

// all reads a query to its end in pages of a size, and returns the rows.
func (r *rig) all(sql string, size int, headers ...string) []string {
	r.t.Helper()
	pages := r.pages(sql, append(headers[:len(headers):len(headers)], maxItems, fmt.Sprint(size))...)
	if n := slices.Max(shape(pages)); n > size {
		r.t.Errorf("%s: a page of %d rows, want at most %d", sql, n, size)
	}
	return slices.Concat(pages...)
}

// TestPagesOfManyRowsADocument reads queries whose documents give none, one or many
// rows in pages of all sizes: the rows are the same, in the same order.
func TestPagesOfManyRowsADocument(t *testing.T) {
	for _, limit := range []int{0, 3} {
		r := newRig(t, Options{ScanLimit: limit})
		r.container("")
		for i := range 12 {
			tags := make([]string, i%5)
			for j := range tags {
				tags[j] = fmt.Sprintf(`"%d-%d"`, i, j)
			}
			r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a","n":%d,"tags":[%s]}`, i, i%3, strings.Join(tags, ",")))
		}
		for sql, n := range map[string]int{
			"SELECT VALUE t FROM c JOIN t IN c.tags":                                      21,
			"SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY c.n":                         21,
			"SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY c.n DESC OFFSET 3 LIMIT 10":  10,
			"SELECT TOP 8 VALUE t FROM c JOIN t IN c.tags":                                8,
			"SELECT VALUE t FROM c JOIN t IN c.tags OFFSET 5 LIMIT 100":                   16,
			"SELECT c.id, t, u FROM c JOIN t IN c.tags JOIN u IN c.tags WHERE t != u":     2*2 + 2*6 + 2*12,
			"SELECT VALUE t FROM t IN c.tags":                                             21,
			"SELECT c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags)":            9,
			"SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags) FROM c ORDER BY c.n ASC": 12,
		} {
			want := r.all(sql, 1000, pkKey, `["a"]`)
			if len(want) != n {
				t.Errorf("%s: %d rows, want %d: %v", sql, len(want), n, want)
			}
			for size := 1; size < 8; size++ {
				if got := r.all(sql, size, pkKey, `["a"]`); !slices.Equal(got, want) {
					t.Errorf("%s in pages of %d:\n got %v\nwant %v", sql, size, got, want)
				}
			}
		}
	}
}

func TestPagesOfGroups(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for i := range 30 {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a","n":%d}`, i, i%7))
	}
	for _, sql := range []string{
		"SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n",
		"SELECT DISTINCT c.n FROM c",
		"SELECT DISTINCT VALUE c.n FROM c",
		"SELECT DISTINCT c.n FROM c ORDER BY c.n",
	} {
		want := r.all(sql, 1000, pkKey, `["a"]`)
		if len(want) != 7 {
			t.Errorf("%s: %d rows, want 7: %v", sql, len(want), want)
		}
		for size := 1; size < 8; size++ {
			if got := r.all(sql, size, pkKey, `["a"]`); !slices.Equal(got, want) {
				t.Errorf("%s in pages of %d:\n got %v\nwant %v", sql, size, got, want)
			}
		}
	}
	if got := r.all("SELECT DISTINCT TOP 3 c.n FROM c", 2, pkKey, `["a"]`); len(got) != 3 {
		t.Errorf("the first 3 of 7: %v", got)
	}
}

// TestPartsOfWholeSets bounds what a page may read: groups come in parts, and TOP
// does not.
func TestPartsOfWholeSets(t *testing.T) {
	r := newRig(t, Options{ScanLimit: 10})
	r.container("")
	for i := range 25 {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a","n":%d}`, i, i%2))
	}
	if got := r.all("SELECT VALUE COUNT(1) FROM c", 100, pkKey, `["a"]`); !slices.Equal(got, []string{"10", "10", "5"}) {
		t.Errorf("counts in parts: %v", got)
	}
	if got := r.all("SELECT DISTINCT VALUE c.n FROM c", 1, pkKey, `["a"]`); len(got) != 6 {
		t.Errorf("distinct values in parts: %v, want 2 in each of 3", got)
	}
	if got := r.all("SELECT DISTINCT TOP 1 VALUE c.n FROM c", 1, pkKey, `["a"]`); len(got) != 1 {
		t.Errorf("the first of the distinct values: %v", got)
	}
}

func TestQueryOfNoContainer(t *testing.T) {
	r := newRig(t, Options{Partitions: 3, ScanLimit: 1})
	r.container("")
	for i := range 9 {
		r.create(fmt.Sprintf("[%d]", i), fmt.Sprintf(`{"id":"1","pk":%d}`, i))
	}
	if got := r.all("SELECT 1 AS one", 10, crossHeader, "True"); !slices.Equal(got, []string{`{"one":1}`}) {
		t.Errorf("a query of no container: %v", got)
	}
	for _, sql := range []string{"SELECT DISTINCT c.pk FROM c", "SELECT c.pk, COUNT(1) FROM c GROUP BY c.pk"} {
		r.query(sql, crossHeader, "True").status(400, "1004")
		r.query(sql, rangeID, "0").status(200, "")
	}
	if got := r.all("SELECT VALUE c.pk FROM c", 2, crossHeader, "True"); len(got) != 9 {
		t.Errorf("%d documents, want 9", len(got))
	}
}

// TestPagesAcrossSplits reads queries page by page while the partitions split under
// way, at random: no row is lost, and none comes twice.
func TestPagesAcrossSplits(t *testing.T) {
	all := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		r := newRig(t, Options{Partitions: 1 + rng.IntN(3)})
		r.container("")
		for i := range 40 {
			r.create(fmt.Sprintf(`["k%d"]`, i%13), fmt.Sprintf(`{"id":"%d","pk":"k%d","n":%d,"tags":["x","y","z"]}`, i, i%13, i))
		}
		splits := 0
		for _, sql := range []string{
			"SELECT VALUE c.id FROM c", "SELECT VALUE c.id FROM c WHERE c.n >= 0",
			"SELECT VALUE CONCAT(c.id, t) FROM c JOIN t IN c.tags",
		} {
			want := r.all(sql, 1000, crossHeader, "True")
			var got []string
			token := ""
			for {
				headers := []string{crossHeader, "True", maxItems, fmt.Sprint(1 + rng.IntN(6))}
				if token != "" {
					headers = append(headers, header.Continuation, token)
				}
				a := r.query(sql, headers...).status(200, "")
				got = append(got, a.rows()...)
				if token = a.Header().Get(header.Continuation); token == "" {
					break
				}
				if splits < 12 && rng.IntN(3) == 0 && r.Split("db", "c", fmt.Sprint(rng.IntN(10))) == nil {
					splits++
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, %s:\n got %v\nwant %v", seed, sql, got, want)
			}
		}
		all += splits
	}
	if all < 40 {
		t.Errorf("only %d splits in 20 runs", all)
	}
}
