package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// queried is a container of 100 documents on at least two physical partitions.
type queried struct {
	account   *account.Account
	container *account.Container
	ranges    []account.Range
	rid       string // the RID of the container in requests
}

// document has a partition key of its own, and values to sort and sum. Mixed varies in type between
// documents, and every sixth lacks it.
type document struct {
	ID    string `json:"id"`
	PK    string `json:"pk"`
	N     int    `json:"n"`
	Group string `json:"group"`
	Mixed any    `json:"mixed,omitempty"`
}

// documents is the number of documents.
const documents = 100

// queries checks assumptions about queries.
func queries(ctx context.Context, a *account.Account, database string) ([]Result, error) {
	c, err := create(ctx, a, database, "queries", 11_000)
	if err != nil {
		return nil, err
	}
	for i := range documents {
		mixed := []any{nil, false, 1.5, "text", []int{1}, map[string]int{"a": 1}}[i%6]
		d := document{fmt.Sprintf("d%03d", i), fmt.Sprintf("k.%d", i), i, string(rune('a' + i%3)), mixed}
		text, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		if _, err := a.CreateItem(ctx, c, fmt.Sprintf("[%q]", d.PK), text); err != nil {
			return nil, err
		}
	}
	ranges, err := a.Ranges(ctx, c)
	if err != nil {
		return nil, err
	}
	if len(ranges) < 2 {
		return nil, fmt.Errorf("a container of 11,000 RU/s has %d physical partitions, and two are needed", len(ranges))
	}
	return check(ctx, &queried{a, c, ranges, c.RID}, ofQueries())
}

type parameter struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// query runs SQL with small pages, in one physical partition, or in all if rangeID is "".
func (p *queried) query(ctx context.Context, rangeID, sql string, parameters ...parameter) ([]json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"query": sql, "parameters": append([]parameter{}, parameters...)})
	if err != nil {
		return nil, err
	}
	link := "dbs/" + p.container.Database + "/colls/" + p.container.ID
	r := account.Request{
		What: "a query", Method: http.MethodPost, Path: link + "/docs", Resource: "docs", Link: link, Body: string(body),
		Header: map[string]string{
			"Content-Type": "application/query+json", "x-ms-documentdb-query": "True",
			"x-ms-documentdb-query-enablecrosspartition": "True", "x-ms-max-item-count": "10",
		},
	}
	if rangeID != "" {
		r.Header["x-ms-documentdb-partitionkeyrangeid"] = rangeID
		r.Header["x-ms-cosmos-intended-collection-rid"] = p.rid
	}
	var rows []json.RawMessage
	for {
		var page struct{ Documents []json.RawMessage }
		header, err := p.account.DoHeader(ctx, r, &page)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.Documents...)
		if r.Header["x-ms-continuation"] = header.Get("x-ms-continuation"); r.Header["x-ms-continuation"] == "" {
			return rows, nil
		}
	}
}

// everywhere runs SQL in every physical partition and calls see with the rows of each.
func (p *queried) everywhere(ctx context.Context, sql string, see func([]json.RawMessage) error, parameters ...parameter) error {
	for _, r := range p.ranges {
		rows, err := p.query(ctx, r.ID, sql, parameters...)
		if err != nil {
			return err
		}
		if err := see(rows); err != nil {
			return err
		}
	}
	return nil
}

// count expects a number of rows of a query, over all physical partitions.
func (p *queried) count(ctx context.Context, want int, sql string, parameters ...parameter) error {
	n := 0
	err := p.everywhere(ctx, sql, func(rows []json.RawMessage) error { n += len(rows); return nil }, parameters...)
	if err == nil && n != want {
		err = fmt.Errorf("%d documents, not %d", n, want)
	}
	return err
}

// sum expects the sum of numbers over all physical partitions and pages.
func (p *queried) sum(ctx context.Context, sql string, want float64) error {
	total := 0.0
	err := p.everywhere(ctx, sql, func(rows []json.RawMessage) error {
		parts, err := itemsOf[float64](rows)
		for _, part := range parts {
			total += part
		}
		return err
	})
	if err == nil && total != want {
		err = fmt.Errorf("the parts add up to %v, not %v", total, want)
	}
	return err
}

// ints expects right to accept the numbers of each physical partition.
func (p *queried) ints(ctx context.Context, sql string, right func([]int) bool) error {
	return p.everywhere(ctx, sql, func(rows []json.RawMessage) error {
		list, err := itemsOf[int](rows)
		if err == nil && !right(list) {
			err = fmt.Errorf("got %v", list)
		}
		return err
	})
}

// ofQueries are the assumptions about queries.
func ofQueries() []assumption[*queried] {
	return []assumption[*queried]{
		{"queries scoped to each physical partition give every document once", once},
		{"documents lie on the physical partition that their computed key says", placed},
		{"scoped: IN with a parameter for each of 400 keys", inList},
		{"scoped: STARTSWITH with a parameter", func(ctx context.Context, p *queried) error {
			return p.count(ctx, 11, `SELECT * FROM c WHERE STARTSWITH(c["pk"], @p)`, parameter{"@p", "k.1"})
		}},
		{"scoped: ORDER BY without rewriting, over several pages", func(ctx context.Context, p *queried) error {
			return p.ints(ctx, `SELECT VALUE c.n FROM c ORDER BY c["n"] DESC`, func(list []int) bool {
				return len(list) > 10 && slices.IsSortedFunc(list, func(a, b int) int { return b - a })
			})
		}},
		{"scoped: TOP with ORDER BY", func(ctx context.Context, p *queried) error {
			return p.ints(ctx, "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n", func(list []int) bool { return len(list) == 3 && slices.IsSorted(list) })
		}},
		{"scoped: ORDER BY has documents without the property, and types in the order undefined, null, boolean, number, text, array, object", func(ctx context.Context, p *queried) error {
			return p.everywhere(ctx, "SELECT VALUE {\"n\": c.n} FROM c ORDER BY c.mixed", sortedByType)
		}},
		{"scoped: COUNT adds up", func(ctx context.Context, p *queried) error {
			return p.sum(ctx, "SELECT VALUE COUNT(1) FROM c", documents)
		}},
		{"scoped: SUM adds up", func(ctx context.Context, p *queried) error {
			return p.sum(ctx, "SELECT VALUE SUM(c.n) FROM c", documents*(documents-1)/2)
		}},
		{"scoped: MIN and MAX", extremes},
		{"scoped: DISTINCT", func(ctx context.Context, p *queried) error {
			return p.everywhere(ctx, "SELECT DISTINCT VALUE c[\"group\"] FROM c", func(rows []json.RawMessage) error {
				list, err := itemsOf[string](rows)
				slices.Sort(list)
				if err == nil && !slices.Equal(list, []string{"a", "b", "c"}) {
					err = fmt.Errorf("got %v", list)
				}
				return err
			})
		}},
		{"a physical partition that never was is answered with 410", func(ctx context.Context, p *queried) error {
			_, err := p.query(ctx, "987654", "SELECT * FROM c")
			return answered(err, http.StatusGone, -1)
		}},
		{"another container's RID is answered with 400/1024", otherRID},
		{"unscoped: the gateway walks all physical partitions for a filter", func(ctx context.Context, p *queried) error {
			rows, err := p.query(ctx, "", "SELECT * FROM c WHERE c.n >= 0")
			if err == nil && len(rows) != documents {
				err = fmt.Errorf("%d documents", len(rows))
			}
			return err
		}},
		{"unscoped: the gateway refuses ORDER BY with 400/1004", func(ctx context.Context, p *queried) error {
			_, err := p.query(ctx, "", "SELECT * FROM c ORDER BY c.n")
			return answered(err, http.StatusBadRequest, 1004)
		}},
		{"STRINGEQUALS ignores case", func(ctx context.Context, p *queried) error {
			rows, err := p.query(ctx, p.ranges[0].ID, `SELECT * FROM c WHERE STRINGEQUALS(c["group"], "A", true)`)
			if err == nil && len(rows) == 0 {
				err = errors.New("it does not")
			}
			return err
		}},
		{"an upsert with If-Match of a missing document creates it", conditionalUpsert},
	}
}

// once expects every document once.
func once(ctx context.Context, p *queried) error {
	var ids []string
	err := p.everywhere(ctx, "SELECT VALUE c.id FROM c", func(rows []json.RawMessage) error {
		some, err := itemsOf[string](rows)
		ids = append(ids, some...)
		return err
	})
	slices.Sort(ids)
	if err == nil && (len(ids) != documents || len(slices.Compact(ids)) != documents) {
		err = fmt.Errorf("%d documents, some twice or missing", len(ids))
	}
	return err
}

// placed compares the physical partitions of documents with their effective partition keys.
func placed(ctx context.Context, p *queried) error {
	for _, r := range p.ranges {
		rows, err := p.query(ctx, r.ID, "SELECT VALUE c.pk FROM c")
		if err != nil {
			return err
		}
		keys, err := itemsOf[string](rows)
		if err != nil {
			return err
		}
		for _, key := range keys {
			epk, err := partition.EPK(key)
			if err != nil {
				return err
			}
			if partition.CompareEPK(epk, r.Min) < 0 || r.Max != "FF" && partition.CompareEPK(epk, r.Max) >= 0 {
				return fmt.Errorf("a document of %s lies on %s, which ends at %s", epk, r.ID, r.Max)
			}
		}
	}
	return nil
}

// inList queries 400 keys at once.
func inList(ctx context.Context, p *queried) error {
	names, values := make([]string, 400), make([]parameter, 400)
	for i := range names {
		names[i] = fmt.Sprintf("@k%d", i)
		values[i] = parameter{names[i], fmt.Sprintf("k.%d", i)}
	}
	return p.count(ctx, documents, `SELECT * FROM c WHERE c["pk"] IN (`+strings.Join(names, ", ")+")", values...)
}

// sortedByType expects rows in the order of types.
func sortedByType(rows []json.RawMessage) error {
	list, err := itemsOf[struct{ N int }](rows)
	ranks := make([]int, len(list))
	for i, item := range list {
		ranks[i] = item.N % 6
	}
	if err == nil && (!slices.IsSorted(ranks) || !slices.Contains(ranks, 0)) {
		err = fmt.Errorf("types come as %v", ranks)
	}
	return err
}

// extremes expects the least and the largest number.
func extremes(ctx context.Context, p *queried) error {
	var least, most []int
	add := func(list *[]int) func([]json.RawMessage) error {
		return func(rows []json.RawMessage) error {
			some, err := itemsOf[int](rows)
			*list = append(*list, some...)
			return err
		}
	}
	err := errors.Join(
		p.everywhere(ctx, "SELECT VALUE MIN(c.n) FROM c", add(&least)),
		p.everywhere(ctx, "SELECT VALUE MAX(c.n) FROM c", add(&most)))
	if err == nil && (len(least) == 0 || slices.Min(least) != 0 || slices.Max(most) != documents-1) {
		err = fmt.Errorf("got %v and %v", least, most)
	}
	return err
}

// otherRID sends the RID of another container of the same name.
func otherRID(ctx context.Context, p *queried) error {
	other := *p
	other.rid = strings.Map(func(r rune) rune {
		if r == 'A' {
			return 'B'
		}
		return r
	}, p.rid)
	if other.rid == p.rid {
		other.rid = "AAAAAA" + p.rid[6:]
	}
	_, err := other.query(ctx, p.ranges[0].ID, "SELECT * FROM c")
	return answered(err, http.StatusBadRequest, 1024)
}

// conditionalUpsert upserts a missing document with an ETag as the condition.
func conditionalUpsert(ctx context.Context, p *queried) error {
	link := "dbs/" + p.container.Database + "/colls/" + p.container.ID
	err := p.account.Do(ctx, account.Request{
		What: "an upsert", Method: http.MethodPost, Path: link + "/docs", Resource: "docs", Link: link, Body: `{"id":"other","pk":"other"}`,
		Header: map[string]string{
			"Content-Type": "application/json", "x-ms-documentdb-is-upsert": "True", "x-ms-documentdb-partitionkey": `["other"]`,
			"If-Match": `"00000000-0000-0000-0000-000000000000"`,
		},
	}, nil)
	if err != nil {
		return err
	}
	return p.account.DeleteItem(ctx, p.container, "other", `["other"]`, "")
}
