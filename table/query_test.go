package table_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table"
)

// tables is a service with n entities in each of some logical partitions, in pages of at
// most two.
func tables(n int, partitions ...string) func(int, sent) (*http.Response, error) {
	return func(_ int, s sent) (*http.Response, error) {
		q, err := url.ParseQuery(s.query)
		if err != nil {
			return nil, err
		}
		key := strings.TrimPrefix(strings.Split(q.Get("$filter"), " and ")[0], "PartitionKey eq ")
		key = strings.Trim(key, "'")
		from, _ := strconv.Atoi(q.Get("NextRowKey"))
		top := 2
		if t, err := strconv.Atoi(q.Get("$top")); err == nil && t < top {
			top = t
		}
		value := []map[string]any{}
		var next []string
		if slices.Contains(partitions, key) {
			for i := from; i < min(from+top, n); i++ {
				value = append(value, map[string]any{"PartitionKey": key, "RowKey": fmt.Sprint(i), "odata.etag": "W/\"1\"", "speed": i})
			}
			if from+top < n {
				next = []string{"x-ms-continuation-NextPartitionKey", key, "x-ms-continuation-NextRowKey", fmt.Sprint(from + top)}
			}
		}
		text, err := json.Marshal(map[string]any{"value": value})
		return reply(200, string(text), next...), err
	}
}

func buckets(n int) generated.Keys {
	return generated.Buckets(n, func(i int) string { return fmt.Sprint("d", i) })
}

// TestFanOut reads 400 logical partitions, each document exactly once.
func TestFanOut(t *testing.T) {
	defer goleak.VerifyNone(t)
	docs, f := repo(t, tables(5, "d1", "d7", "d200", "d400"))
	found := map[string]int{}
	for doc, err := range table.NewQuery(docs, buckets(400)).All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		found[doc.Stored+"/"+doc.ID]++
	}
	if len(found) != 20 || len(f.all) != 396+4*3 {
		t.Errorf("%d documents in %d requests", len(found), len(f.all))
	}
	for name, n := range found {
		if n != 1 {
			t.Errorf("%s comes %d times", name, n)
		}
	}
	n, err := table.NewQuery(docs, buckets(400)).Where(eventFields.Speed.Ge(3)).Count(ctx)
	if err != nil || n != 8 {
		t.Errorf("count %d, %v", n, err)
	}
	last := f.all[len(f.all)-1]
	if q, err := url.ParseQuery(last.query); err != nil || q.Get("$select") != "PartitionKey,RowKey,speed" || !strings.HasSuffix(q.Get("$filter"), " and (speed ge 3)") {
		t.Errorf("count asks %v", q)
	}
	for range table.NewQuery(docs, buckets(400)).All(ctx) {
		break // leaves no request
	}
	if _, err := table.NewQuery(docs, buckets(400)).First(ctx); err != nil {
		t.Error(err)
	}
	if _, err := table.NewQuery(docs, generated.Partition("none")).First(ctx); !errors.Is(err, documents.ErrNotFound) {
		t.Errorf("first of none: %v", err)
	}
}

// TestPages walks pages of each size through full and empty logical partitions.
func TestPages(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 7, 19, 20, 50} {
		docs, f := repo(t, tables(5, "d1", "d7", "d100", "d130"))
		var order []string
		cursor, pages := "", 0
		for {
			found, err := table.NewQuery(docs, buckets(130)).Page(ctx, cursor, size)
			page, next := found.Items, found.Cursor
			if err != nil || len(page) > size {
				t.Fatalf("size %d: %d documents, %v", size, len(page), err)
			}
			for _, doc := range page {
				order = append(order, doc.Stored+"/"+doc.ID)
			}
			pages++
			if cursor = next; cursor == "" {
				break
			}
			if pages > 100 {
				t.Fatalf("size %d: pages without an end", size)
			}
		}
		var want []string
		for _, key := range []string{"d1", "d7", "d100", "d130"} {
			for i := range 5 {
				want = append(want, fmt.Sprint(key, "/", i))
			}
		}
		if !slices.Equal(order, want) {
			t.Errorf("size %d: %q", size, order)
		}
		if len(f.all) > 400 {
			t.Errorf("size %d: %d requests", size, len(f.all))
		}
	}
	docs, _ := repo(t, tables(5, "d1"))
	found, err := table.NewQuery(docs, buckets(2)).Page(ctx, "", 2)
	next := found.Cursor
	if err != nil || next == "" {
		t.Fatal(err)
	}
	if _, err := table.NewQuery(docs, buckets(3)).Page(ctx, next, 2); !errors.Is(err, documents.ErrCursor) {
		t.Errorf("a cursor of another query: %v", err)
	}
	if _, err := table.NewQuery(docs, buckets(2)).Where(eventFields.On.Eq(true)).Page(ctx, next, 2); !errors.Is(err, documents.ErrCursor) {
		t.Errorf("a cursor of other conditions: %v", err)
	}
}

// TestEveryValueIsEscaped sends texts that would end a literal.
func TestEveryValueIsEscaped(t *testing.T) {
	docs, f := repo(t, tables(0))
	hostile := "x' or RowKey gt '"
	q := table.NewQuery(docs, generated.Partition(hostile)).Where(eventFields.Name.Eq(hostile), eventFields.Maybe.StartsWith("'")).Rows("a'", "")
	if _, err := q.Collect(ctx); err != nil {
		t.Fatal(err)
	}
	sent, err := url.ParseQuery(f.all[0].query)
	want := "PartitionKey eq 'x'' or RowKey gt ''' and ((name eq 'x'' or RowKey gt ''') and (((maybe ge '''') and (maybe lt '('))) and (RowKey ge 'a'''))"
	if err != nil || sent.Get("$filter") != want {
		t.Errorf("%s\nwant\n%s", sent.Get("$filter"), want)
	}
}

func TestFindInBuckets(t *testing.T) {
	for partitions, want := range map[string]error{"": documents.ErrNotFound, "d3": nil, "d3 d4": documents.ErrAmbiguous} {
		docs, f := repo(t, tables(1, strings.Fields(partitions)...))
		doc, err := table.FindInBuckets(ctx, docs, "0", buckets(9))
		if !errors.Is(err, want) || want == nil && (doc.ID != "0" || doc.Stored != "d3") || len(f.all) != 9 {
			t.Errorf("in %q: %+v, %v, %d requests", partitions, doc, err, len(f.all))
		}
	}
}

// TestLongFilters sends no filter that is longer than servers take, and says how many
// values fit: so many are sent.
func TestLongFilters(t *testing.T) {
	docs, f := repo(t, tables(1, "d1"))
	q := table.NewQuery(docs, generated.Partition("d1"))
	names := make([]string, 3000)
	for i := range names {
		names[i] = fmt.Sprintf("name-%05d", i)
	}
	ask := map[string]func(table.Query[event]) error{
		"Collect": func(q table.Query[event]) error { _, err := q.Collect(ctx); return err },
		"Count":   func(q table.Query[event]) error { _, err := q.Count(ctx); return err },
		"Page":    func(q table.Query[event]) error { _, err := q.Page(ctx, "", 5); return err },
	}
	fit := 0
	for method, run := range ask {
		err := run(q.Where(eventFields.Speed.Ge(3), documents.Or(eventFields.On.Eq(true), eventFields.Name.In(names...))))
		if err == nil || len(f.all) > 0 {
			t.Fatalf("%s: %d requests, %v", method, len(f.all), err)
		}
		_, after, _ := strings.Cut(err.Error(), "and servers accept at most 12288 in a URL: of the 3000 values of field \"name\" about ")
		if n, _ := fmt.Sscanf(after, "%d fit: use several queries of so many values, or Between", &fit); n != 1 {
			t.Fatalf("%s: %v", method, err)
		}
	}
	if err := ask["Collect"](q.Where(eventFields.Speed.Ge(3), documents.Or(eventFields.On.Eq(true), eventFields.Name.In(names[:fit]...)))); err != nil {
		t.Errorf("%d values: %v", fit, err)
	}
	if n := len(f.all[0].query); n > 12<<10+200 || n < 11<<10 {
		t.Errorf("%d values are a query of %d bytes", fit, n)
	}
	sent := len(f.all)
	long := strings.Repeat("é", 5000)
	for want, p := range map[string]documents.Predicate[event]{
		"compare with shorter texts":      eventFields.Name.Eq(long),
		"several queries with fewer cond": documents.And(eventFields.Name.In("a", "b"), eventFields.Name.Ne(long)),
	} {
		if err := ask["Collect"](q.Where(p)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "é") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	// Not is decided here, and not sent.
	if err := ask["Collect"](q.Where(documents.Not(eventFields.Name.In(names...)))); err != nil || len(f.all) != sent+1 {
		t.Errorf("Not: %d requests, %v", len(f.all)-sent, err)
	}
}
