package emulator_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

func TestQueriesThroughTheSDK(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 5})
	for i := range 30 {
		create(t, c, fmt.Sprintf("%02d", i), fmt.Sprintf("k%d", i%3), i)
	}
	ctx := t.Context()
	cross := azcosmos.NewPartitionKey()

	pages, err := ids(ctx, c, "SELECT * FROM c ORDER BY c.n DESC", pk("k1"), &azcosmos.QueryOptions{PageSizeHint: 4})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != 3 || !slices.Equal(pages[0], []string{"28", "25", "22", "19"}) {
		t.Errorf("ordered pages of one key: %q", pages)
	}

	pages, err = ids(ctx, c, "SELECT * FROM c WHERE c.n >= @n", cross, &azcosmos.QueryOptions{
		PageSizeHint: 3, QueryParameters: []azcosmos.QueryParameter{{Name: "@n", Value: 10}},
	})
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(pages...)
	slices.Sort(all)
	if len(slices.Compact(all)) != 20 {
		t.Errorf("across partitions: %q", pages)
	}

	_, err = ids(ctx, c, "SELECT * FROM c ORDER BY c.n", cross, nil)
	if status(err) != http.StatusBadRequest || substatus(err) != "1004" ||
		!strings.Contains(err.Error(), "cross partition query can not be directly served by the gateway") {
		t.Errorf("ORDER BY across partitions: %v", err)
	}
	pages, err = ids(ctx, c, "SELECT TOP 2 * FROM c WHERE c.pk = 'k2' ORDER BY c.n", cross, nil)
	if err != nil || len(pages) != 1 || !slices.Equal(pages[0], []string{"02", "05"}) {
		t.Errorf("the key in the WHERE clause: %q, %v", pages, err)
	}
	_, err = ids(ctx, c, "SELECT * FORM c", pk("k1"), nil)
	if status(err) != http.StatusBadRequest || !strings.Contains(err.Error(), "FORM") {
		t.Errorf("wrong SQL: %v", err)
	}
	if n := len(srv.Requests()); n == 0 {
		t.Error("the journal is empty")
	}
}

func TestReadManyFindsEverything(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 5})
	var identities []azcosmos.ItemIdentity
	for i := range 150 {
		key := fmt.Sprintf("key-%d", i%40)
		create(t, c, fmt.Sprint(i), key, i)
		identities = append(identities, azcosmos.ItemIdentity{ID: fmt.Sprint(i), PartitionKey: pk(key)})
	}
	identities = append(identities, azcosmos.ItemIdentity{ID: "missing", PartitionKey: pk("key-1")})
	srv.ResetRequests()
	got, err := c.ReadManyItems(t.Context(), identities, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Items) != 150 {
		t.Errorf("found %d items, want 150", len(got.Items))
	}
	queries := 0
	for _, r := range srv.Requests() {
		if r.Operation == emulator.OpQueryItems {
			queries++
			if r.RangeHeader == "" || r.Range != r.RangeHeader {
				t.Errorf("a query of ReadMany is scoped to %q and was served by %q", r.RangeHeader, r.Range)
			}
		}
	}
	if queries != 5 {
		t.Errorf("%d queries, want one for each of 5 partitions", queries)
	}

	// After a split the SDK's map of the ranges is stale: the old id is answered
	// with 410, the SDK reads the ranges again and finds everything.
	if err := srv.Split("db", "docs", "3"); err != nil {
		t.Fatal(err)
	}
	got, err = c.ReadManyItems(t.Context(), identities, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Items) != 150 {
		t.Errorf("found %d items after a split, want 150", len(got.Items))
	}
}

func TestFeedRanges(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 3})
	feed, err := c.ReadFeedRanges(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(feed) != 3 || feed[0].MinInclusive != "" || feed[2].MaxExclusive != "FF" || feed[0].MaxExclusive != feed[1].MinInclusive {
		t.Errorf("ranges %+v", feed)
	}
	asked := 0
	for _, r := range srv.Requests() {
		if r.Operation == emulator.OpReadRanges {
			asked++
		}
	}
	if asked != 2 {
		t.Errorf("the SDK asked for the ranges %d times, want 2: once for 200 and once for 304", asked)
	}
}

func TestHierarchicalKeysThroughTheSDK(t *testing.T) {
	_, c := newContainer(t, emulator.Options{Partitions: 4}, "/tenant", "/user", "/session")
	ctx := t.Context()
	full := pk("t1").AppendNumber(7).AppendBool(true)
	if _, err := c.CreateItem(ctx, full, []byte(`{"id":"1","tenant":"t1","user":7,"session":true}`), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ReadItem(ctx, full, "1", nil); err != nil {
		t.Error(err)
	}
	for _, prefix := range []azcosmos.PartitionKey{pk("t1"), pk("t1").AppendNumber(7), full} {
		if pages, err := ids(ctx, c, "SELECT * FROM c", prefix, nil); err != nil || !slices.Equal(slices.Concat(pages...), []string{"1"}) {
			t.Errorf("prefix %v: %q, %v", prefix, pages, err)
		}
	}
	got, err := c.ReadManyItems(ctx, []azcosmos.ItemIdentity{{ID: "1", PartitionKey: full}}, nil)
	if err != nil || len(got.Items) != 1 {
		t.Errorf("read many: %d items, %v", len(got.Items), err)
	}
	null := pk("t2").AppendNull().AppendNull()
	if _, err := c.CreateItem(ctx, null, []byte(`{"id":"1","tenant":"t2","user":null,"session":null}`), nil); err != nil {
		t.Error(err)
	}
}
