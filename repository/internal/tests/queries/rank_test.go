package queries

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// The fields of stories as generated code has them.
var (
	storyTitle = documents.FullText[values.Story, string]{String: "?/title"}
	storyBody  = documents.FullText[values.Story, string]{String: "?/body"}
	storyShelf = documents.String[values.Story, string]("/shelf")
	storyYear  = documents.Number[values.Story, int]("?/year")
	storyPoint = documents.Vector[values.Story, float32]("4,cosine/v")
)

// stories are 80 stories of 20 shelves.
type stories struct {
	*values.StoryRepository
	server *harness.Account
	all    []*values.Story
}

func newStories(t testing.TB, partitions int, client *azcosmos.ClientOptions, opts ...repository.Option) stories {
	t.Helper()
	// Time for a page is not limited: scores of large texts take seconds under the race detector.
	account := harness.New(t, emulator.Options{Partitions: partitions, QueryTime: time.Hour}, repository.Configure(client))
	container, err := values.EnsureStoryContainer(t.Context(), account.DB, admin.Manual(10_000))
	if err != nil {
		t.Fatal(err)
	}
	s := stories{values.NewStoryRepository(container, opts...), account, nil}
	r := rand.New(rand.NewPCG(5, uint64(partitions)))
	words := []string{"red", "blue", "green", "bicycle", "house"}
	for i := range 80 {
		story := &values.Story{ID: fmt.Sprint(i), Shelf: fmt.Sprintf("shelf%d", i%20), Title: words[r.IntN(5)], Year: 2000 + i, V: []float32{float32(i), 1, float32(i % 7), 2}}
		for range r.IntN(12) {
			story.Body += words[r.IntN(5)] + " "
		}
		if err := s.Create(t.Context(), story); err != nil {
			t.Fatal(err)
		}
		s.all = append(s.all, story)
	}
	return s
}

// ofRanking are the operations of rankings.
var ofRanking = []string{server.OpReadQueryPlan, emulator.OpQueryItems}

// queries are the texts of the queries that were sent since ResetRequests, that for the plan first.
func (s stories) queries() (texts []string, charge float64) {
	for _, r := range s.server.Requests() {
		if slices.Contains(ofRanking, r.Operation) {
			texts, charge = append(texts, r.Query), charge+r.Charge
		}
	}
	return texts, charge
}

// fused ranks by both texts and a vector.
func (s stories) fused(q repository.Query[values.Story]) repository.Ranking[values.Story] {
	return repository.OrderByRank(q, storyBody.Score("red", "bicycle"), storyPoint.Distance([]float32{9, 1, 2, 2}).Weight(2), storyTitle.Score("house").Weight(0.5))
}

// TestRankRequests counts the requests of rankings, which their plans foretell.
func TestRankRequests(t *testing.T) {
	s := newStories(t, 5, nil)
	near := []documents.Score[values.Story]{storyPoint.Distance([]float32{9, 1, 2, 2}), storyPoint.Distance([]float32{1, 1, 1, 1})}
	one := s.Scan().Where(storyShelf.Eq("shelf3"))
	byKey := s.ByShelf("shelf3")
	for name, test := range map[string]struct {
		rows                        repository.Ranking[values.Story]
		requests, physical, logical int
	}{
		"a text":                 {repository.OrderByRank(s.Scan(), storyBody.Score("red")), 1 + 5 + 5, 5, 0},
		"a condition":            {repository.OrderByRank(one, storyBody.Score("red")), 1 + 5 + 5, 5, 0},
		"two texts and a vector": {s.fused(s.Scan()), 1 + 5 + 15, 5, 0},
		"vectors":                {repository.OrderByRank(s.Scan(), near...), 1 + 10, 5, 0},
		"local":                  {s.fused(s.Scan()).FullTextScoreScope(repository.Local), 1 + 5 + 15, 5, 0},
		"by a key":               {s.fused(byKey), 1 + 5 + 3, 1, 1},
		"by a key, local":        {s.fused(byKey).FullTextScoreScope(repository.Local), 1 + 1 + 3, 1, 1},
		"by a key, global again": {s.fused(byKey).FullTextScoreScope(repository.Local).FullTextScoreScope(repository.Global), 1 + 5 + 3, 1, 1},
		"by a key, vectors":      {repository.OrderByRank(byKey, near...), 1 + 2, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s.server.ResetRequests()
			rows := test.rows.Limit(7)
			plan, err := rows.Plan(t.Context())
			if texts, _ := s.queries(); err != nil || len(texts) > 0 {
				t.Fatalf("the plan sent %d queries: %v", len(texts), err)
			}
			if plan.Strategy != repository.Scoped || plan.Requests != test.requests || plan.PhysicalPartitions != test.physical || plan.LogicalPartitions != test.logical ||
				math.Abs(plan.RequestUnits-2.8*float64(test.requests-1)) > 1e-9 || !strings.HasPrefix(plan.Why, "1 request for the plan") {
				t.Errorf("the plan is %+v", plan)
			}
			var meter repository.Meter
			if _, err := rows.Collect(repository.WithMeter(t.Context(), &meter)); err != nil {
				t.Fatal(err)
			}
			texts, charge := s.queries()
			if len(texts) != test.requests || !strings.Contains(texts[0], "ORDER BY RANK") {
				t.Errorf("%d requests, not %d: %q", len(texts), test.requests, texts)
			}
			if n := meter.Requests(); n != test.requests || math.Abs(meter.RequestUnits()-charge) > 1e-6 {
				t.Errorf("the meter has %d requests and %v of %v request units", n, meter.RequestUnits(), charge)
			}
		})
	}
}

// texts are the ids and scores of a ranking.
func texts(rows []repository.Scored[values.Story]) string {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%s:%.12g ", row.Document.ID, row.Score)
	}
	return b.String()
}

// TestRankScope compares the scores of one key with statistics over all physical partitions, and
// over its own.
func TestRankScope(t *testing.T) {
	t.Parallel()
	s := newStories(t, 5, nil)
	var all, own []string
	ctx := t.Context()
	for _, story := range s.all {
		all = append(all, story.Body)
		held, err := s.ByShelf("shelf3").Plan(ctx)
		if err != nil || held.LogicalPartitions != 1 {
			t.Fatal(held, err)
		}
	}
	// Which stories are in the physical partition of shelf3 the journal says of reads.
	home := ""
	for _, story := range slices.Backward(s.all) {
		s.server.ResetRequests()
		if _, err := s.Get(ctx, story.Key()); err != nil {
			t.Fatal(err)
		}
		at := s.server.Requests()[0].Range
		if story.Shelf == "shelf3" {
			home = at
		}
	}
	for _, story := range s.all {
		s.server.ResetRequests()
		if _, err := s.Get(ctx, story.Key()); err != nil {
			t.Fatal(err)
		}
		if s.server.Requests()[0].Range == home {
			own = append(own, story.Body)
		}
	}
	if len(own) == len(all) || len(own) < 5 {
		t.Fatalf("%d stories are with shelf3", len(own))
	}
	for _, test := range []struct {
		scope repository.FullTextScoreScope
		texts []string
	}{{repository.Global, all}, {repository.Local, own}} {
		score := kit.NewBM25(test.texts, "red", "house")
		rows, err := repository.OrderByRank(s.ByShelf("shelf3"), storyBody.Score("red", "house")).FullTextScoreScope(test.scope).Limit(10).Collect(ctx)
		if err != nil || len(rows) == 0 {
			t.Fatal(len(rows), err)
		}
		for _, row := range rows {
			if want := score.Of(row.Document.Body); row.Document.Shelf != "shelf3" || math.Abs(want-row.Score) > 1e-9 {
				t.Errorf("scope %d: %s has %v, not %v", test.scope, row.Document.ID, row.Score, want)
			}
		}
	}
}

// TestRankFaults has each request of a ranking fail in each way once. The answer is the same.
func TestRankFaults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testRankFaults)
}

func testRankFaults(t *testing.T) {
	s := newStories(t, 3, harness.Impatient())
	rows := s.fused(s.Scan().Where(storyYear.Ge(2010))).Limit(15)
	first, err := rows.Collect(t.Context())
	if err != nil || len(first) != 15 {
		t.Fatal(len(first), err)
	}
	const requests = 1 + 3 + 9
	for name, fault := range map[string]emulator.Fault{
		"too many requests":  {Status: http.StatusTooManyRequests, Substatus: 3200, RetryAfter: time.Millisecond},
		"gone":               {Status: http.StatusGone, Substatus: 1002},
		"not run":            {Drop: true},
		"a lost answer":      {Drop: true, After: true},
		"half an answer":     {Body: func(body []byte) []byte { return body[:len(body)/2] }},
		"no answer":          {Body: func([]byte) []byte { return nil }},
		"many lost answers":  {Drop: true, After: true, Count: 3},
		"many too many":      {Status: http.StatusTooManyRequests, Substatus: 3200, RetryAfter: time.Millisecond, Count: 3},
		"another page of it": {Body: func([]byte) []byte { return []byte(`{"_rid":"","Documents":[{}],"_count":1}`) }},
	} {
		for at := range requests {
			if fault.Operation, fault.Skip = emulator.OpQueryItems, at-1; at == 0 {
				fault.Operation, fault.Skip = server.OpReadQueryPlan, 0
			}
			s.server.Inject(fault)
			got, err := rows.Collect(t.Context())
			if at == 0 && fault.Body != nil && err != nil && strings.Contains(err.Error(), "no hybridSearchQueryInfo") {
				s.server.ClearFaults()
				continue // a page of documents is no plan
			}
			if err != nil || texts(got) != texts(first) {
				t.Errorf("%s of request %d: %v\ngot  %s\nwant %s", name, at, err, texts(got), texts(first))
			}
			s.server.ClearFaults()
		}
	}
}

// at calls a function before one of the queries that are sent.
type at struct {
	n  atomic.Int64
	do func()
}

func (a *at) Do(r *policy.Request) (*http.Response, error) {
	if harness.IsQuery(r.Raw()) && a.n.Add(-1) == 0 {
		a.do()
	}
	return r.Next()
}

// TestRankWhileSplit splits and merges physical partitions before each of the requests of a
// ranking.
func TestRankWhileSplit(t *testing.T) {
	t.Parallel()
	const requests = 1 + 3 + 9
	part := seeds.Part(t, "before each request")
	for n := range requests + 2 {
		if part && n%4 != 2 {
			continue
		}
		for name, change := range map[string]func(*harness.Account) error{
			"split": func(s *harness.Account) error { return s.Split("db", "story", "1") },
			"split of two": func(s *harness.Account) error {
				return errors.Join(s.Split("db", "story", "0"), s.Split("db", "story", "2"))
			},
			"merge": func(s *harness.Account) error { return s.Merge("db", "story", "0", "1") },
			"split, merged": func(s *harness.Account) error {
				return errors.Join(s.Split("db", "story", "1"), s.Merge("db", "story", "3", "4"), s.Split("db", "story", "5"))
			},
		} {
			hook := &at{}
			s := newStories(t, 3, harness.PerCall(hook))
			rows := s.fused(s.Scan().Where(storyYear.Ge(2010))).Limit(15)
			first, err := rows.Collect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			hook.do = func() {
				if err := change(s.server); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			hook.n.Store(int64(n))
			for range 2 { // with an old map, and a new one
				got, err := rows.Collect(t.Context())
				if err != nil || texts(got) != texts(first) {
					t.Errorf("%s before request %d: %v\ngot  %s\nwant %s", name, n, err, texts(got), texts(first))
				}
			}
		}
	}
}

// TestRankInAContainerMadeAgain has another container under the name before each of the requests
// of a ranking. All documents are of one of them.
func TestRankInAContainerMadeAgain(t *testing.T) {
	t.Parallel()
	const requests = 1 + 2 + 6
	for n := range requests + 2 {
		hook := &at{}
		s := newStories(t, 2, harness.PerCall(hook))
		rows := s.fused(s.Scan()).Limit(200)
		if got, err := rows.Collect(t.Context()); err != nil || len(got) != 80 {
			t.Fatal(len(got), err)
		}
		hook.do = func() {
			container := s.server.Container("story", nil)
			s.server.Recreate(container, values.StoryContainer())
			fresh := values.NewStoryRepository(container)
			for i := range 3 {
				if err := fresh.Create(t.Context(), &values.Story{ID: fmt.Sprint("new", i), Shelf: fmt.Sprint("shelf", i), Body: "red", Title: "house"}); err != nil {
					t.Error(err)
				}
			}
		}
		hook.n.Store(int64(n))
		got, err := rows.Collect(t.Context())
		fresh := 0
		for _, row := range got {
			if strings.HasPrefix(row.Document.ID, "new") {
				fresh++
			}
		}
		switch {
		case err != nil && (strings.Contains(err.Error(), "created again") || strings.Contains(err.Error(), "does not exist")): // for a moment there is none
		case err != nil || fresh != 0 && fresh != len(got) || len(got) != 3 && len(got) != 80:
			t.Errorf("before request %d: %d documents, %d of the new container: %v", n, len(got), fresh, err)
		}
	}
}

// TestRankOfLargeDocuments has rows that do not fit one page.
func TestRankOfLargeDocuments(t *testing.T) {
	t.Parallel()
	s := newStories(t, 1, nil)
	filler := strings.Repeat("-", 1_400_000)
	for i := range 4 {
		if err := s.Create(t.Context(), &values.Story{ID: fmt.Sprint("large", i), Shelf: "large", Body: strings.Repeat("red ", 1+i) + filler}); err != nil {
			t.Fatal(err)
		}
	}
	s.server.ResetRequests()
	got, err := repository.OrderByRank(s.Scan().Where(storyShelf.Eq("large")), storyBody.Score("red")).Limit(4).Collect(t.Context())
	if err != nil || len(got) != 4 {
		t.Fatal(len(got), err)
	}
	if sent, _ := s.queries(); len(sent) < 4 { // one for the plan, one for statistics; a busy machine may send one again
		t.Errorf("%d requests, so that all came in one page", len(sent))
	}
	for i := 1; i < 4; i++ {
		if got[i-1].Score < got[i].Score {
			t.Errorf("%v comes before %v", got[i-1].Score, got[i].Score)
		}
	}
}

// TestRankOfHostileWords looks for words that would change a query if they were in its text: what
// they find is right, or they are refused by the service.
func TestRankOfHostileWords(t *testing.T) {
	t.Parallel()
	s := newStories(t, 2, nil)
	for _, word := range []string{
		"red", "RED", "grün", "日本", "\U0001F6B2", "it's", `"red"`, `re\d`, "red)", "red' OR 1=1 --", "@pkgenR0", "[1,2]", "\x00", "%s", "{0}",
		"{documentdb-formattableorderbyquery-filter}", "{documentdb-formattablehybridsearchquery-totaldocumentcount}",
		"{documentdb-formattablehybridsearchquery-hitcountsarray-0}", strings.Repeat("a", 300),
	} {
		s.server.ResetRequests()
		got, err := repository.OrderByRank(s.Scan(), storyBody.Score("bicycle", word), storyTitle.Score(word)).Limit(3).Collect(t.Context())
		var failure *repository.Error
		if err != nil && (!errors.As(err, &failure) || failure.Status != http.StatusBadRequest) || err == nil && len(got) != 3 {
			t.Errorf("%q: %d documents, %v", word, len(got), err)
		}
		sent, _ := s.queries()
		for _, query := range sent {
			if len(word) > 4 && strings.Contains(query, word) && !strings.HasPrefix(word, "{documentdb-") && word != "@pkgenR0" {
				t.Errorf("%q is in the text of the query %s", word, query)
			}
			if err == nil && strings.Contains(query, "{documentdb-") {
				t.Errorf("a place was not filled: %s", query)
			}
		}
	}
}

// TestRankRefuses has rankings that cannot be run. Nothing is sent.
func TestRankRefuses(t *testing.T) {
	t.Parallel()
	s := newStories(t, 2, nil)
	q, red := s.Scan(), storyBody.Score("red")
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	near := storyPoint.Distance([]float32{1, 2, 3, 4})
	container := s.server.Container("story", nil)
	s.server.ResetRequests()
	for _, test := range []struct {
		rows repository.Rows[repository.Scored[values.Story]]
		says string
	}{
		{repository.OrderByRank(q, red).Rows, "query Story: OrderByRank needs a limit"},
		{repository.OrderByRank(q, red).Limit(0), "limit 0: it must be at least 1"},
		{repository.OrderByRank(q).Limit(1), "OrderByRank has no score"},
		{repository.OrderByRank(q, near).Limit(1), "call Nearest"},
		{repository.OrderByRank(q.OrderBy(storyYear.Asc()), red).Limit(1), "remove OrderBy"},
		{repository.OrderByRank(q, storyBody.Score()).Limit(1), "there are no words"},
		{repository.OrderByRank(q, storyBody.Score("red", " ")).Limit(1), "a word is empty"},
		{repository.OrderByRank(q, storyBody.Score("red", "\xff")).Limit(1), "not UTF-8"},
		{repository.OrderByRank(q, red, documents.Score[values.Story]{}).Limit(1), "the zero Score"},
		{repository.OrderByRank(q, red, near.Weight(0)).Limit(1), "the weight 0 of a score"},
		{repository.OrderByRank(q, red, near.Weight(-1)).Limit(1), "the weight -1 of a score"},
		{repository.OrderByRank(q, red, near.Weight(math.NaN())).Limit(1), "the weight NaN of a score"},
		{repository.OrderByRank(q, red, near.Weight(math.Inf(1))).Limit(1), "the weight +Inf"},
		{repository.OrderByRank(q, red, storyPoint.Distance([]float32{1})).Limit(1), "the vector has 1 numbers"},
		{repository.OrderByRank(q, red, storyPoint.Distance([]float32{1, nan, 1, 1})).Limit(1), "number 1 of the vector is NaN"},
		{repository.OrderByRank(q, red, storyPoint.Distance([]float32{1, 1, inf, 1})).Limit(1), "number 2 of the vector is NaN or infinite"},
		{repository.OrderByRank(q, red, storyPoint.Distance(make([]float32, 4))).Limit(1), "only zeros"},
		{repository.OrderByRank(q, red, documents.Vector[values.Story, float32]("/v").Distance([]float32{1})).Limit(1), "is not that of a vector"},
		{repository.OrderByRank(q, documents.FullText[values.Story, string]{String: "<text/body"}.Score("red")).Limit(1), "old documents have the property"},
		{repository.OrderByRank(q, red).FullTextScoreScope(7).Limit(1), "pass Global or Local"},
		{repository.OrderByRank(q, red).Limit(1).Distinct(), "Distinct is for Values"},
		{repository.OrderByRank(q.WhereRaw(`c.year > 1 OR c["{documentdb-formattableorderbyquery-filter}"]`), red).Limit(1), `has the text "{documentdb-"`},
		{repository.OrderByRank(s.ByShelf(""), red).Limit(1), "Shelf"},
		{repository.OrderByRank(values.NewStoryRepository(container, repository.WithStrategy(repository.Gateway)).Scan(), red).Limit(1), "strategy gateway is not possible"},
		{repository.OrderByRank(values.NewStoryRepository(container, repository.WithStrategy(repository.PerKey)).Scan(), red).Limit(1), "is not possible"},
	} {
		got, err := test.rows.Collect(t.Context())
		if err == nil || !strings.Contains(err.Error(), test.says) || got != nil {
			t.Errorf("%s: %d documents, %v", test.says, len(got), err)
		}
	}
	if n := len(s.server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	got, err := repository.OrderByRank(values.NewStoryRepository(container).Scan(), red).Limit(1).Collect(t.Context())
	if err == nil || !strings.Contains(err.Error(), "repository.Configure") {
		t.Errorf("a client without Configure: %d documents, %v", len(got), err)
	}
}

// TestRankNowhere ranks the documents of an empty container, of conditions that none meets, and
// ends early.
func TestRankNowhere(t *testing.T) {
	t.Parallel()
	s := newStories(t, 5, nil)
	ctx := t.Context()
	if got, err := s.fused(s.Scan().Where(storyYear.Lt(0))).Limit(5).Collect(ctx); err != nil || len(got) != 0 {
		t.Error(len(got), err)
	}
	if got, err := s.fused(s.ByShelf("none")).Limit(5).Collect(ctx); err != nil || len(got) != 0 {
		t.Error(len(got), err)
	}
	if _, err := s.fused(s.ByShelf("none")).First(ctx); !errors.Is(err, repository.ErrNotFound) {
		t.Error(err)
	}
	if row, err := s.fused(s.Scan()).First(ctx); err != nil || row.Document == nil {
		t.Error(row, err)
	}
	n := 0
	for _, err := range s.fused(s.Scan()).Limit(5).All(ctx) {
		if n++; err != nil || n > 2 {
			t.Fatal(n, err)
		}
		if n == 2 {
			break
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if got, err := s.fused(s.Scan()).Limit(5).Collect(ended); !errors.Is(err, context.Canceled) || got != nil {
		t.Error(len(got), err)
	}
	empty := newStories(t, 5, nil)
	for _, story := range empty.all {
		if err := empty.Delete(ctx, story.Key()); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := empty.fused(empty.Scan()).Limit(5).Collect(ctx); err != nil || len(got) != 0 {
		t.Error(len(got), err)
	}
}
