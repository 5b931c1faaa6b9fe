package search

import (
	"cmp"
	"context"
	cmdline "flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// newPages is an empty container of pages with vectors of a metric.
func newPages(t testing.TB, partitions, dimensions int, metric string) (*harness.Account, *repository.Documents[values.Page, values.PageKey], documents.Vector[values.Page, float32]) {
	t.Helper()
	account := harness.New(t, emulator.Options{
		Partitions: partitions,
		QueryTime:  time.Hour, // it looks at all vectors, where the service has an index
	}, repository.Configure(nil))
	container, err := admin.Ensure(t.Context(), account.DB, pageContainer(dimensions, metric), admin.Manual(400))
	if err != nil {
		t.Fatal(err)
	}
	field := documents.Vector[values.Page, float32](fmt.Sprintf("%d,%s/v", dimensions, metric))
	model := *values.PageModel
	model.Vectors = []generated.Vector{{Property: "/v", Dimensions: dimensions}}
	return account, repository.New(container, &model), field
}

// few is how many of three rows a test takes.
func few(t testing.TB) int { return seeds.Rows(t, 3, 1) }

func pageContainer(dimensions int, metric string) azcosmos.ContainerProperties {
	return azcosmos.ContainerProperties{
		ID:                     "pages",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/group"}, Version: 2},
		VectorEmbeddingPolicy: &azcosmos.VectorEmbeddingPolicy{VectorEmbeddings: []azcosmos.VectorEmbedding{
			{Path: "/v", DataType: azcosmos.VectorDataTypeFloat32, DistanceFunction: azcosmos.VectorDistanceFunction(metric), Dimensions: int32(dimensions)},
		}},
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
			IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
			ExcludedPaths: []azcosmos.ExcludedPath{{Path: `/"_etag"/?`}, {Path: "/v/*"}},
			VectorIndexes: []azcosmos.VectorIndex{{Path: "/v", Type: azcosmos.VectorIndexTypeFlat}},
		},
	}
}

// scoreOf compares two vectors by the formula of a metric, and says which score is nearer.
func scoreOf(metric string, a, b []float32) float64 {
	var product, first, second, apart float64
	for i := range a {
		x, y := stored(a[i]), stored(b[i])
		product, first, second, apart = product+x*y, first+x*x, second+y*y, apart+(x-y)*(x-y)
	}
	switch metric {
	case "euclidean":
		return math.Sqrt(apart)
	case "dotproduct":
		return product
	}
	return product / math.Sqrt(first*second)
}

// stored is a number as JSON and so the service has it, in the fewest digits.
func stored(x float32) float64 {
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	if err != nil {
		panic(err)
	}
	return f
}

// nearestScores are the scores of the nearest pages, by looking at all.
func nearestScores(metric string, all []*values.Page, to []float32, limit int) []float64 {
	var scores []float64
	for _, p := range all {
		if len(p.V) == len(to) {
			scores = append(scores, scoreOf(metric, p.V, to))
		}
	}
	slices.SortFunc(scores, func(a, b float64) int {
		if metric == "euclidean" {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(b, a)
	})
	return scores[:min(limit, len(scores))]
}

func randomVector(r *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// TestNearest compares the nearest with those found by looking at all vectors, of each
// metric and over 1, 5 and 20 physical partitions, with ties, with documents without a
// vector, in one logical partition and in all, and after a split.
func TestNearest(t *testing.T) {
	ctx := context.Background()
	for i, metric := range []string{"cosine", "dotproduct", "euclidean"} {
		for _, partitions := range []int{5, 1, 20}[:few(t)] {
			t.Run(fmt.Sprintf("%s over %d", metric, partitions), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(i), uint64(partitions)))
				server, pages, field := newPages(t, partitions, 8, metric)
				all := fillPages(t, r, pages, 150, 8)
				for n := range 6 {
					if n == 3 && partitions < 20 {
						if err := server.Split("db", "pages", "0"); err != nil {
							t.Fatal(err)
						}
					}
					q, of := pages.Scan(), all
					if n%3 == 2 {
						q = q.Where(documents.String[values.Page, string]("/group").Eq("g3"))
						of = slices.DeleteFunc(slices.Clone(all), func(p *values.Page) bool { return p.Group != "g3" })
					}
					to, limit := randomVector(r, 8), []int{1, 10, 1000}[n%3]
					checkNearest(t, metric, repository.Nearest(q, field, to), of, to, limit)
					checkNearest(t, metric, repository.NearestExact(q, field, to), of, to, limit)
				}
				first, err := repository.Nearest(pages.Scan(), field, all[0].V).First(ctx)
				if err != nil || first.Document == nil {
					t.Fatalf("First: %v, %v", first, err)
				}
			})
		}
	}
}

// fillPages stores pages with random vectors, some alike and some without.
func fillPages(t testing.TB, r *rand.Rand, pages *repository.Documents[values.Page, values.PageKey], n, dimensions int) []*values.Page {
	t.Helper()
	all := make([]*values.Page, n)
	for i := range all {
		all[i] = &values.Page{ID: strconv.Itoa(i), Group: "g" + strconv.Itoa(i%37), V: randomVector(r, dimensions)}
		switch {
		case i%10 == 7:
			all[i].V = all[i-7].V // scores alike
		case i%50 == 9:
			all[i].V = nil
		}
	}
	if _, err := pages.CreateAll(documents.Items(all...)).Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	return all
}

func checkNearest(t *testing.T, metric string, rows repository.Rows[repository.Scored[values.Page]], all []*values.Page, to []float32, limit int) {
	t.Helper()
	var before []repository.Scored[values.Page]
	for range 2 { // the same order each time, ties too
		got, err := rows.Limit(limit).Collect(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := nearestScores(metric, all, to, limit)
		if len(got) != len(want) {
			t.Fatalf("%d found, not %d", len(got), len(want))
		}
		seen := map[string]bool{}
		for i, near := range got {
			if math.Abs(near.Score-want[i]) > 1e-9 || math.Abs(scoreOf(metric, near.Document.V, to)-near.Score) > 1e-9 || seen[near.Document.ID] {
				t.Fatalf("number %d is %s with %v, not %v", i, near.Document.ID, near.Score, want[i])
			}
			seen[near.Document.ID] = true
			if before != nil && before[i].Document.ID != near.Document.ID {
				t.Fatalf("number %d was %s, and is %s now", i, before[i].Document.ID, near.Document.ID)
			}
		}
		before = got
	}
}

func TestNearestRefuses(t *testing.T) {
	server, pages, field := newPages(t, 5, 3, "cosine")
	ctx := context.Background()
	q := pages.Scan()
	server.ResetRequests()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		rows repository.Rows[repository.Scored[values.Page]]
		says string
	}{
		{repository.Nearest(q, field, []float32{1, 2, 3}), "query Page: Nearest needs a limit"},
		{repository.Nearest(q, field, []float32{1, 2}).Limit(1), `query Page: Nearest: the vector has 2 numbers, and those at c["v"] have 3`},
		{repository.Nearest(q, field, []float32{1, nan, 2}).Limit(1), "number 1 of the vector is NaN or infinite"},
		{repository.Nearest(q, field, []float32{1, 2, inf}).Limit(1), "number 2 of the vector is NaN or infinite"},
		{repository.Nearest(q, field, []float32{0, 0, 0}).Limit(1), "only zeros"},
		{repository.Nearest(q, field, []float32{1, 2, 3}).Limit(0), "limit 0: it must be at least 1"},
		{repository.Nearest(q, field, []float32{1, 2, 3}).Distinct().Limit(1), "Distinct is for Values"},
		{repository.Nearest(q.OrderBy(documents.String[values.Page, string]("/id").Asc()), field, []float32{1, 2, 3}).Limit(1), "remove OrderBy"},
		{repository.Nearest(q, "/v", []float32{1, 2, 3}).Limit(1), "is not that of a vector"},
	} {
		got, err := test.rows.Collect(ctx)
		if err == nil || !strings.Contains(err.Error(), test.says) || got != nil {
			t.Errorf("%s: %v, %v", test.says, got, err)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

var vectors = cmdline.Int("vectors", 300, "how many vectors TestNearestOfMany looks at")

// TestNearestOfMany is the same for many vectors of 128 dimensions.
func TestNearestOfMany(t *testing.T) {
	n := *vectors
	for _, partitions := range []int{5, 1, 20}[:few(t)] {
		for i, metric := range []string{"cosine", "dotproduct", "euclidean"}[:few(t)] {
			r := rand.New(rand.NewPCG(uint64(i), uint64(partitions)))
			_, pages, field := newPages(t, partitions, 128, metric)
			all := fillPages(t, r, pages, n, 128)
			for range 3 {
				to := randomVector(r, 128)
				checkNearest(t, metric, repository.Nearest(pages.Scan(), field, to), all, to, 10)
			}
		}
	}
}
