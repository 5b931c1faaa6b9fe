package queries

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestQueriesOfKeysThatEndInTheID asks for each prefix of a key of four levels, also in pages
// of a few documents, while physical partitions split. A query that knows all levels but the id
// is one by a prefix.
func TestQueriesOfKeysThatEndInTheID(t *testing.T) {
	t.Parallel()
	server, _, r := kit.NewSteps(t)
	all := kit.ManySteps()
	if _, err := r.CreateAll(documents.Items(all...)).Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	ranges := map[string]bool{}
	for _, request := range server.Requests() {
		ranges[request.Range] = true
	}
	if len(ranges) < 3 {
		t.Errorf("the documents are on %d physical partitions alone", len(ranges))
	}
	splits := 0
	for _, test := range []struct {
		name  string
		query repository.Query[fixtures.Step]
		keep  func(fixtures.StepKey) bool
	}{
		{"three levels", r.ByTenantAndUserAndSession("t2", "u1", 2), func(k fixtures.StepKey) bool { return k.Tenant == "t2" && k.User == "u1" && k.Session == 2 }},
		{"two levels", r.ByTenantAndUser("t2", "u0"), func(k fixtures.StepKey) bool { return k.Tenant == "t2" && k.User == "u0" }},
		{"one level", r.ByTenant("t3"), func(k fixtures.StepKey) bool { return k.Tenant == "t3" }},
		{"one level, of the repository of a tenant", r.For("t3").Scan(), func(k fixtures.StepKey) bool { return k.Tenant == "t3" }},
		{"no level", r.Scan(), func(fixtures.StepKey) bool { return true }},
		{"nothing", r.ByTenantAndUser("t2", "u"), func(fixtures.StepKey) bool { return false }},
	} {
		var want []fixtures.StepKey
		for _, s := range all {
			if test.keep(s.Key()) {
				want = append(want, s.Key())
			}
		}
		server.ResetRequests()
		docs, err := test.query.Collect(t.Context())
		if err != nil {
			t.Fatal(test.name, err)
		}
		sameSteps(t, test.name, docs, want)
		for _, request := range server.Requests() {
			if request.Operation == emulator.OpQueryItems && request.PartitionKey != "" {
				t.Errorf("%s: a query has the partition key %s", test.name, request.PartitionKey)
			}
		}
		for _, q := range []repository.Query[fixtures.Step]{test.query, test.query.OrderBy(fixtures.StepFields.Value.Desc())} {
			docs = nil
			for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
				page, err := q.Page(t.Context(), cursor, 7)
				if err != nil {
					t.Fatal(test.name, err)
				}
				docs = append(docs, page.Items...)
				cursor = page.Cursor
				if pages == 1 && splits < 6 {
					if err := server.Split("db", "steps", strconv.Itoa(splits)); err != nil {
						t.Fatal(err)
					}
					splits++
				}
			}
			sameSteps(t, test.name+", in pages", docs, want)
		}
	}
	if splits < 6 {
		t.Errorf("%d splits", splits)
	}
	var keyError *partition.KeyError
	if _, err := r.ByTenantAndUser("t1", "").Collect(t.Context()); !errors.As(err, &keyError) || keyError.Field != "User" {
		t.Errorf("a prefix of nothing: %v", err)
	}
	var keys []fixtures.StepKey
	for _, s := range all[:50] {
		keys = append(keys, s.Key())
	}
	docs, err := r.GetMany(context.Background(), keys)
	if err != nil {
		t.Fatal(err)
	}
	sameSteps(t, "GetMany", docs, keys)
	n, err := r.ByTenant("t1").Count(t.Context())
	if err != nil || n != 45 {
		t.Errorf("counted %d, %v", n, err)
	}
}

// sameSteps fails the test unless docs are those with these keys, each once.
func sameSteps(t *testing.T, name string, docs []*fixtures.Step, want []fixtures.StepKey) {
	t.Helper()
	var got, wanted []string
	for _, doc := range docs {
		got = append(got, fmt.Sprint(doc.Key()))
	}
	for _, key := range want {
		wanted = append(wanted, fmt.Sprint(key))
	}
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		t.Errorf("%s: got %d documents, want %d:\n%v\n%v", name, len(got), len(wanted), got, wanted)
	}
}
