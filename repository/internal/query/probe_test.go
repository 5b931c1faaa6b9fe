package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// The probe checks what this package assumes of the service and its
// documentation does not say. It runs against the emulator with every test, so
// that it is known to work, and against an account when
// COSMOS_CONNECTION_STRING names one:
//
//	COSMOS_CONNECTION_STRING=… go test ./repository/internal/query -run TestProbeLive -v
//
// There it creates a database whose name begins with pkgen-probe, with a
// container of 11,000 request units a second and so two physical partitions, and
// deletes it after about a minute. The table that it prints can be pasted into
// an issue as it is.

func TestProbeEmulator(t *testing.T) {
	server := emulator.New(t, emulator.Options{})
	for _, r := range runProbe(t, server.Client(configured())) {
		if r.err != nil {
			t.Errorf("%s: %v", r.assumption, r.err)
		}
	}
}

func TestProbeLive(t *testing.T) {
	connection := os.Getenv("COSMOS_CONNECTION_STRING")
	if connection == "" {
		t.Skip("COSMOS_CONNECTION_STRING names no account to ask")
	}
	client, err := azcosmos.NewClientFromConnectionString(connection, configured())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	results := runProbe(t, client)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| assumption\t| holds\t|")
	fmt.Fprintln(w, "|---\t|---\t|")
	for _, r := range results {
		holds := "yes"
		if r.err != nil {
			holds = "NO: " + strings.ReplaceAll(r.err.Error(), "\n", " ")
			t.Errorf("%s: %v", r.assumption, r.err)
		}
		fmt.Fprintf(w, "| %s\t| %s\t|\n", r.assumption, holds)
	}
	w.Flush()
	t.Logf("\n%s", &table)
}

type probed struct {
	assumption string
	err        error
}

// prober is a container of 100 documents on at least two physical partitions.
type prober struct {
	*store.Store
	m *route.Map
}

// probeDoc has a key of its own for every document, and values to sort and sum.
// Mixed is of another type in each document, and missing in every sixth.
type probeDoc struct {
	ID    string `json:"id"`
	PK    string `json:"pk"`
	N     int    `json:"n"`
	Group string `json:"group"`
	Mixed any    `json:"mixed,omitempty"`
}

func probeDocs() []probeDoc {
	docs := make([]probeDoc, 100)
	for i := range docs {
		mixed := []any{nil, false, 1.5, "text", []int{1}, map[string]int{"a": 1}}[i%6]
		docs[i] = probeDoc{fmt.Sprintf("d%03d", i), fmt.Sprintf("k.%d", i), i, string(rune('a' + i%3)), mixed}
	}
	return docs
}

func runProbe(t *testing.T, client *azcosmos.Client) []probed {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	p := newProber(ctx, t, client)
	var results []probed
	for _, assumption := range assumptions {
		results = append(results, probed{assumption.says, assumption.check(ctx, p)})
	}
	return results
}

func newProber(ctx context.Context, t *testing.T, client *azcosmos.Client) *prober {
	t.Helper()
	name := fmt.Sprintf("pkgen-probe-%d", time.Now().UnixNano())
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: name}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := db.Delete(context.Background(), nil); err != nil {
			t.Errorf("database %s is not deleted: %v", name, err)
		}
	})
	throughput := azcosmos.NewManualThroughputProperties(11_000)
	if _, err := db.CreateContainer(ctx, keyed, &azcosmos.CreateContainerOptions{ThroughputProperties: &throughput}); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(keyed.ID)
	if err != nil {
		t.Fatal(err)
	}
	s := readFrom(container, "Probe")
	for _, doc := range probeDocs() {
		body, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString(doc.PK), body, nil); err != nil {
			t.Fatal(err)
		}
	}
	m, _, err := s.Physical(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Ranges) < 2 {
		t.Fatalf("the container has %d physical partitions, and the probe needs two", len(m.Ranges))
	}
	return &prober{s, m}
}

// query runs SQL, in one physical partition unless that is empty, with small
// pages.
func (p *prober) query(ctx context.Context, rangeID, sql string, parameters ...azcosmos.QueryParameter) ([][]byte, error) {
	if rangeID != "" {
		ctx = route.InRange(ctx, p.m.RID, rangeID)
	}
	var items [][]byte
	pager := p.Client.NewQueryItemsPager(sql, azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{QueryParameters: parameters, PageSizeHint: 10})
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
	}
	return items, nil
}

// everywhere runs SQL in every physical partition and calls see with what each
// gives.
func (p *prober) everywhere(ctx context.Context, sql string, see func([][]byte) error, parameters ...azcosmos.QueryParameter) error {
	for _, r := range p.m.Ranges {
		items, err := p.query(ctx, r.ID, sql, parameters...)
		if err != nil {
			return err
		}
		if err := see(items); err != nil {
			return err
		}
	}
	return nil
}

// itemsOf decodes items.
func itemsOf[V any](items [][]byte) ([]V, error) {
	list := make([]V, len(items))
	for i, item := range items {
		if err := json.Unmarshal(item, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// answered returns an error unless err is a response of this status and substatus.
func answered(err error, want, sub int) error {
	var response *azcore.ResponseError
	if !errors.As(err, &response) {
		return fmt.Errorf("no such answer: %w", err)
	}
	if response.StatusCode != want || wire.Substatus(response) != sub {
		return fmt.Errorf("answered %d/%d, not %d/%d", response.StatusCode, wire.Substatus(response), want, sub)
	}
	return nil
}

// sum adds up numbers over all physical partitions and pages.
func (p *prober) sum(ctx context.Context, sql string, want float64) error {
	total := 0.0
	err := p.everywhere(ctx, sql, func(items [][]byte) error {
		parts, err := itemsOf[float64](items)
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

var assumptions = []struct {
	says  string
	check func(context.Context, *prober) error
}{
	{"queries scoped to each physical partition give every document once", func(ctx context.Context, p *prober) error {
		var ids []string
		err := p.everywhere(ctx, "SELECT VALUE c.id FROM c", func(items [][]byte) error {
			some, err := itemsOf[string](items)
			ids = append(ids, some...)
			return err
		})
		slices.Sort(ids)
		if err == nil && (len(ids) != 100 || len(slices.Compact(ids)) != 100) {
			err = fmt.Errorf("%d documents, some twice or missing", len(ids))
		}
		return err
	}},
	{"documents lie on the physical partition that their computed key says", func(ctx context.Context, p *prober) error {
		for _, r := range p.m.Ranges {
			items, err := p.query(ctx, r.ID, "SELECT * FROM c")
			if err != nil {
				return err
			}
			for _, item := range items {
				epk, err := p.EPK(item)
				if err != nil {
					return err
				}
				if found := p.m.Find(epk); found.ID != r.ID {
					return fmt.Errorf("a document of %s lies on %s", found.ID, r.ID)
				}
			}
		}
		return nil
	}},
	{"scoped: IN with a parameter for each of 400 keys", func(ctx context.Context, p *prober) error {
		list := make([]Target, 400)
		for i := range list {
			list[i] = Target{Value: fmt.Sprintf("k.%d", i)}
		}
		condition, parameters := listCondition(p.Store, job{values: list, listed: true})
		n := 0
		err := p.everywhere(ctx, "SELECT * FROM c WHERE "+condition, func(items [][]byte) error { n += len(items); return nil }, parameters...)
		if err == nil && n != 100 {
			err = fmt.Errorf("%d documents", n)
		}
		return err
	}},
	{"scoped: STARTSWITH with a parameter", func(ctx context.Context, p *prober) error {
		n := 0
		err := p.everywhere(ctx, `SELECT * FROM c WHERE STARTSWITH(c["pk"], @p)`, func(items [][]byte) error { n += len(items); return nil },
			azcosmos.QueryParameter{Name: "@p", Value: "k.1"})
		if err == nil && n != 11 {
			err = fmt.Errorf("%d documents, not 11", n)
		}
		return err
	}},
	{"scoped: ORDER BY without rewriting, over several pages", func(ctx context.Context, p *prober) error {
		return p.everywhere(ctx, `SELECT VALUE c.n FROM c ORDER BY c["n"] DESC`, func(items [][]byte) error {
			list, err := itemsOf[int](items)
			if err == nil && (len(list) < 11 || !slices.IsSortedFunc(list, func(a, b int) int { return b - a })) {
				err = fmt.Errorf("got %v", list)
			}
			return err
		})
	}},
	{"scoped: TOP with ORDER BY", func(ctx context.Context, p *prober) error {
		return p.everywhere(ctx, "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n", func(items [][]byte) error {
			list, err := itemsOf[int](items)
			if err == nil && (len(list) != 3 || !slices.IsSorted(list)) {
				err = fmt.Errorf("got %v", list)
			}
			return err
		})
	}},
	{"scoped: ORDER BY has documents without the property, and types in the order undefined, null, boolean, number, text, array, object", func(ctx context.Context, p *prober) error {
		return p.everywhere(ctx, "SELECT VALUE {\"n\": c.n} FROM c ORDER BY c.mixed", func(items [][]byte) error {
			list, err := itemsOf[struct{ N int }](items)
			ranks := make([]int, len(list))
			for i, item := range list {
				ranks[i] = item.N % 6
			}
			if err == nil && (!slices.IsSorted(ranks) || !slices.Contains(ranks, 0)) {
				err = fmt.Errorf("types come as %v", ranks)
			}
			return err
		})
	}},
	{"scoped: COUNT adds up", func(ctx context.Context, p *prober) error { return p.sum(ctx, "SELECT VALUE COUNT(1) FROM c", 100) }},
	{"scoped: SUM adds up", func(ctx context.Context, p *prober) error { return p.sum(ctx, "SELECT VALUE SUM(c.n) FROM c", 4950) }},
	{"scoped: MIN and MAX", func(ctx context.Context, p *prober) error {
		var least, most []int
		add := func(list *[]int) func([][]byte) error {
			return func(items [][]byte) error {
				some, err := itemsOf[int](items)
				*list = append(*list, some...)
				return err
			}
		}
		err := errors.Join(
			p.everywhere(ctx, "SELECT VALUE MIN(c.n) FROM c", add(&least)),
			p.everywhere(ctx, "SELECT VALUE MAX(c.n) FROM c", add(&most)))
		if err == nil && (slices.Min(least) != 0 || slices.Max(most) != 99) {
			err = fmt.Errorf("got %v and %v", least, most)
		}
		return err
	}},
	{"scoped: DISTINCT", func(ctx context.Context, p *prober) error {
		return p.everywhere(ctx, "SELECT DISTINCT VALUE c[\"group\"] FROM c", func(items [][]byte) error {
			list, err := itemsOf[string](items)
			slices.Sort(list)
			if err == nil && !slices.Equal(list, []string{"a", "b", "c"}) {
				err = fmt.Errorf("got %v", list)
			}
			return err
		})
	}},
	{"a physical partition that never was is answered with 410", func(ctx context.Context, p *prober) error {
		_, err := p.query(ctx, "987654", "SELECT * FROM c")
		if !route.Gone(err) {
			return fmt.Errorf("answered %w", err)
		}
		return nil
	}},
	{"another container's RID is answered with 400/1024", func(ctx context.Context, p *prober) error {
		other := *p.m
		other.RID = strings.Map(func(r rune) rune {
			if r == 'A' {
				return 'B'
			}
			return r
		}, p.m.RID)
		if other.RID == p.m.RID {
			other.RID = "AAAAAA" + p.m.RID[6:]
		}
		q := &prober{p.Store, &other}
		_, err := q.query(ctx, p.m.Ranges[0].ID, "SELECT * FROM c")
		return answered(err, 400, 1024)
	}},
	{"unscoped: the gateway walks all physical partitions for a filter", func(ctx context.Context, p *prober) error {
		items, err := p.query(ctx, "", "SELECT * FROM c WHERE c.n >= 0")
		if err == nil && len(items) != 100 {
			err = fmt.Errorf("%d documents", len(items))
		}
		return err
	}},
	{"unscoped: the gateway refuses ORDER BY with 400/1004", func(ctx context.Context, p *prober) error {
		_, err := p.query(ctx, "", "SELECT * FROM c ORDER BY c.n")
		return answered(err, 400, 1004)
	}},
	{"STRINGEQUALS ignores case", func(ctx context.Context, p *prober) error {
		items, err := p.query(ctx, p.m.Ranges[0].ID, `SELECT * FROM c WHERE STRINGEQUALS(c["group"], "A", true)`)
		if err == nil && len(items) == 0 {
			err = errors.New("it does not")
		}
		return err
	}},
	{"an upsert with If-Match of a missing document creates it", func(ctx context.Context, p *prober) error {
		tag := azcore.ETag(`"00000000-0000-0000-0000-000000000000"`)
		key := azcosmos.NewPartitionKeyString("other")
		_, err := p.Client.UpsertItem(ctx, key, []byte(`{"id":"other","pk":"other"}`), &azcosmos.ItemOptions{IfMatchEtag: &tag})
		if err == nil {
			_, err = p.Client.DeleteItem(ctx, key, "other", nil)
		}
		return err
	}},
}
