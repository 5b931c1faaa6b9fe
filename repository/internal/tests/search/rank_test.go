package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	cmdline "flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

type stories = *repository.Documents[values.Story, values.StoryKey]

// The fields of stories as generated code has them.
var (
	title = documents.FullText[values.Story, string]{String: "?/title"}
	body  = documents.FullText[values.Story, string]{String: "?/body"}
	shelf = documents.String[values.Story, string]("/shelf")
	year  = documents.Number[values.Story, int]("?/year")
	point = documents.Vector[values.Story, float32]("4,cosine/v")
)

// newStories is an empty container of stories.
func newStories(t testing.TB, partitions int) (*harness.Account, stories) {
	t.Helper()
	account := harness.New(t, emulator.Options{Partitions: partitions, QueryTime: time.Hour}, repository.Configure(nil))
	container, err := values.EnsureStoryContainer(t.Context(), account.DB, admin.Manual(400))
	if err != nil {
		t.Fatal(err)
	}
	return account, values.NewStoryRepository(container).Documents
}

// vocabulary are n words, of which no two have the same stem: their first letters differ.
func vocabulary(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = string([]byte{'a' + byte(i/676%26), 'a' + byte(i/26%26), 'a' + byte(i%26)}) + "wort"
	}
	return words
}

// tell makes a text of words, of which the first are frequent and the last rare.
func tell(r *rand.Rand, words []string, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		at := int(float64(len(words)) * math.Pow(r.Float64(), 4))
		b.WriteString(words[at] + []string{" ", ", ", ". ", "\n"}[r.IntN(4)])
	}
	return b.String()
}

// fillStories stores stories: some lack a text, some the vector, and some are alike.
func fillStories(t testing.TB, r *rand.Rand, all stories, words []string, n int) []*values.Story {
	t.Helper()
	list := make([]*values.Story, n)
	for i := range list {
		s := &values.Story{ID: fmt.Sprint(i), Shelf: fmt.Sprintf("shelf%d", i%61), Title: tell(r, words, 4), Body: tell(r, words, 40), V: randomVector(r, 4), Year: 1900 + i%120}
		switch {
		case i%10 == 7: // scores alike
			s.Title, s.Body, s.V = list[i-7].Title, list[i-7].Body, list[i-7].V
		case i%23 == 5:
			s.V = nil
		}
		list[i] = s
	}
	if _, err := all.CreateAll(documents.Items(list...)).Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	return list
}

func titles(all []*values.Story) []string {
	var texts []string
	for _, s := range all {
		texts = append(texts, s.Title)
	}
	return texts
}

func bodies(all []*values.Story) []string {
	var texts []string
	for _, s := range all {
		texts = append(texts, s.Body)
	}
	return texts
}

// checkRanked compares rows with scores by looking at all documents: the same scores in the same
// order, each of its document, and each document once, in the same order each time.
func checkRanked(t *testing.T, rows repository.Rows[repository.Scored[values.Story]], of []*values.Story, limit int, score func(*values.Story) (float64, bool)) {
	t.Helper()
	var want []float64
	for _, s := range of {
		if x, found := score(s); found {
			want = append(want, x)
		}
	}
	slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
	want = want[:min(limit, len(want))]
	var before []string
	for range 2 {
		got, err := rows.Limit(limit).Collect(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%d found, not %d", len(got), len(want))
		}
		var ids []string
		for i, row := range got {
			own, _ := score(row.Document)
			if math.Abs(row.Score-want[i]) > 1e-9 || math.Abs(row.Score-own) > 1e-9 {
				t.Fatalf("number %d is %s with %v, not %v", i, row.Document.ID, row.Score, want[i])
			}
			if slices.Contains(ids, row.Document.ID) {
				t.Fatalf("%s is there twice", row.Document.ID)
			}
			ids = append(ids, row.Document.ID)
		}
		if before != nil && !slices.Equal(ids, before) {
			t.Fatalf("another order:\n%v\n%v", before, ids)
		}
		before = ids
	}
}

// hasText scores documents that have a text.
func hasText(b *kit.BM25, text func(*values.Story) string) func(*values.Story) (float64, bool) {
	return func(s *values.Story) (float64, bool) { return b.Of(text(s)), text(s) != "" }
}

func bodyOf(s *values.Story) string { return s.Body }

var texts = cmdline.Int("texts", 500, "how many texts TestRankOfMany looks at")

// TestRankOfMany compares full-text scores with BM25 over all texts, over 1, 5 and 20 physical
// partitions and after splits, with conditions and partition keys.
func TestRankOfMany(t *testing.T) {
	for _, partitions := range []int{5, 1, 20} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			t.Parallel()
			r, words := rand.New(rand.NewPCG(1, uint64(partitions))), vocabulary(600)
			server, repo := newStories(t, partitions)
			all := fillStories(t, r, repo, words, *texts)
			for n := range 6 {
				if n == 3 && partitions < 20 {
					if err := server.Split("db", "story", "0"); err != nil {
						t.Fatal(err)
					}
				}
				asked := []string{words[n], strings.ToUpper(words[r.IntN(50)]), words[r.IntN(600)]}[:1+n%3]
				score := hasText(kit.NewBM25(bodies(all), asked...), bodyOf)
				q, of := repo.Scan(), all
				switch n % 3 {
				case 1:
					q = q.Where(body.ContainsAny(asked...), year.Gt(1950))
					of = slices.DeleteFunc(slices.Clone(all), func(s *values.Story) bool {
						return s.Year <= 1950 || !slices.ContainsFunc(asked, func(w string) bool { return slices.Contains(kit.WordsOf(s.Body), strings.ToLower(w)) })
					})
				case 2:
					q = q.Where(shelf.Eq("shelf3"))
					of = slices.DeleteFunc(slices.Clone(all), func(s *values.Story) bool { return s.Shelf != "shelf3" })
				}
				checkRanked(t, repository.OrderByRank(q, body.Score(asked...)).Rows, of, []int{10, 1, 300}[n%3], score)
			}
		})
	}
}

// recorder keeps the rows of the queries for each score.
type recorder struct {
	mu   sync.Mutex
	rows map[string][]recorded // by what the query sorts by
}

type recorded struct {
	RID     string                    `json:"_rid"`
	Items   []struct{ Item *float64 } `json:"orderByItems"`
	Payload struct {
		Payload values.Story
		Scores  []float64 `json:"componentScores"`
	}
}

func (rec *recorder) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err != nil || !harness.IsQuery(r.Raw()) || response.StatusCode != http.StatusOK {
		return response, err
	}
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	if err := r.RewindBody(); err != nil {
		return nil, err
	}
	sent, err := io.ReadAll(r.Raw().Body)
	if err != nil {
		return nil, err
	}
	var query struct{ Query string }
	var page struct{ Documents []recorded }
	if err := json.Unmarshal(sent, &query); err != nil {
		return nil, err
	}
	_, order, _ := strings.Cut(query.Query, "ORDER BY ")
	if json.Unmarshal(answer, &page) != nil || !strings.HasPrefix(order, "_") { // a plan, or statistics
		return response, nil
	}
	sorts, _, _ := strings.Cut(order, ",")
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.rows[sorts] = append(rec.rows[sorts], page.Documents...)
	return response, nil
}

// ranker is a score as a test asks for it, how the query for it sorts, and how it is computed by
// looking at all documents.
type ranker struct {
	asks  documents.Score[values.Story]
	sorts string
	of    func(*values.Story) (float64, bool)
	w     float64
}

// TestRankFuses compares scores that are fused with a reference: the ranks of each score among
// the documents that the queries for the scores have sent, at the number that these take.
func TestRankFuses(t *testing.T) {
	for _, partitions := range []int{5, 1, 20}[:few(t)] {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			t.Parallel()
			r, words := rand.New(rand.NewPCG(2, uint64(partitions))), vocabulary(80)
			rec := &recorder{}
			server := harness.New(t, emulator.Options{Partitions: partitions, QueryTime: time.Hour}, repository.Configure(harness.PerRetry(rec)))
			container, err := values.EnsureStoryContainer(t.Context(), server.DB, admin.Manual(400))
			if err != nil {
				t.Fatal(err)
			}
			repo := values.NewStoryRepository(container)
			all := fillStories(t, r, repo.Documents, words, 600)
			for n := range 12 {
				if n == 6 && partitions < 20 {
					if err := server.Split("db", "story", "0"); err != nil {
						t.Fatal(err)
					}
				}
				ask, to := []string{words[r.IntN(30)], words[r.IntN(80)]}, randomVector(r, 4)
				inTitle, inBody := kit.NewBM25(titles(all), ask[0]), kit.NewBM25(bodies(all), ask...)
				scores := []ranker{
					{body.Score(ask...), `_FullTextScore(c.body`, hasText(inBody, bodyOf), 1},
					{point.Distance(to), `_VectorScore(c.v`, func(s *values.Story) (float64, bool) {
						if s.V == nil {
							return math.Inf(-1), false
						}
						return scoreOf("cosine", s.V, to), true
					}, 1},
					{title.Score(ask[0]), `_FullTextScore(c.title`, hasText(inTitle, func(s *values.Story) string { return s.Title }), 1},
				}
				r.Shuffle(3, func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
				scores = scores[:2+n%2]
				for i := range scores {
					if n%4 > 0 {
						scores[i].w = []float64{1, 2, 0.25, 1e-3, 1e7}[r.IntN(5)]
						scores[i].asks = scores[i].asks.Weight(scores[i].w)
					}
				}
				q, of := repo.Scan(), all
				switch n % 3 {
				case 1:
					q, of = q.Where(year.Lt(1960)), slices.DeleteFunc(slices.Clone(all), func(s *values.Story) bool { return s.Year >= 1960 })
				case 2:
					q, of = q.Where(shelf.In("shelf3", "shelf4", "shelf5")), slices.DeleteFunc(slices.Clone(all), func(s *values.Story) bool {
						return s.Shelf < "shelf3" || s.Shelf > "shelf5" || len(s.Shelf) != 6
					})
				}
				checkFusion(t, rec, q, of, scores, []int{10, 1, 100}[r.IntN(3)])
			}
		})
	}
}

func checkFusion(t *testing.T, rec *recorder, q repository.Query[values.Story], of []*values.Story, scores []ranker, limit int) {
	t.Helper()
	rec.rows = map[string][]recorded{}
	var asked []documents.Score[values.Story]
	for _, s := range scores {
		asked = append(asked, s.asks)
	}
	got, err := repository.OrderByRank(q, asked...).Limit(limit).Collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	takes := max(120, 2*limit)
	union := map[string]recorded{}
	for k, s := range scores {
		var rows []recorded
		for sorts, found := range rec.rows {
			if strings.HasPrefix(sorts, s.sorts) {
				rows = found
			}
		}
		rows = slices.DeleteFunc(slices.Clone(rows), func(r recorded) bool { return r.Items[0].Item == nil })
		slices.SortFunc(rows, func(a, b recorded) int {
			return cmp.Or(cmp.Compare(*b.Items[0].Item, *a.Items[0].Item), cmp.Compare(a.RID, b.RID))
		})
		rows = rows[:min(takes, len(rows))]
		var want []float64
		for _, s := range of {
			if x, has := scores[k].of(s); has {
				want = append(want, x)
			}
		}
		slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
		want = want[:min(takes, len(want))]
		if len(rows) != len(want) {
			t.Fatalf("%s: %d found, not %d", s.sorts, len(rows), len(want))
		}
		for i, row := range rows {
			if math.Abs(*row.Items[0].Item-want[i]) > 1e-9 {
				t.Fatalf("%s: number %d has %v, not %v", s.sorts, i, *row.Items[0].Item, want[i])
			}
			for k, s := range scores {
				own, has := s.of(&row.Payload.Payload)
				if has && math.Abs(own-row.Payload.Scores[k]) > 1e-9 || !has && row.Payload.Scores[k] >= 0 {
					t.Fatalf("%s: %s has %v, not %v", s.sorts, row.Payload.Payload.ID, row.Payload.Scores[k], own)
				}
			}
			union[row.RID] = row
		}
	}
	type fused struct {
		recorded
		value float64
	}
	var want []fused
	for _, row := range union {
		f := fused{recorded: row}
		for k, s := range scores {
			greater := map[float64]bool{}
			for _, other := range union {
				if other.Payload.Scores[k] > row.Payload.Scores[k] {
					greater[other.Payload.Scores[k]] = true
				}
			}
			f.value += s.w / float64(60+1+len(greater))
		}
		want = append(want, f)
	}
	slices.SortFunc(want, func(a, b fused) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.RID, b.RID)) })
	want = want[:min(limit, len(want))]
	if len(got) != len(want) {
		t.Fatalf("%d documents, not %d", len(got), len(want))
	}
	for i, row := range got {
		if row.Document.ID != want[i].Payload.Payload.ID || row.Score != want[i].value {
			t.Fatalf("number %d is %s with %v, not %s with %v", i, row.Document.ID, row.Score, want[i].Payload.Payload.ID, want[i].value)
		}
	}
}
