package repository_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// pretendMerge makes a store believe that each of its physical partitions is
// still two, which have been merged since.
func pretendMerge(t *testing.T, s mergings) {
	t.Helper()
	m, _, why := s.Physical(context.Background())
	if m == nil {
		t.Fatal(why)
	}
	before := &route.Map{RID: m.RID}
	for i, r := range m.Ranges {
		middle := fmt.Sprintf("%04X", (upperBits(t, r.Min, 0)+upperBits(t, r.Max, 0x4000))/2)
		before.Ranges = append(before.Ranges,
			route.Range{ID: fmt.Sprint("9", i, "0"), Min: r.Min, Max: middle},
			route.Range{ID: fmt.Sprint("9", i, "1"), Min: middle, Max: r.Max})
	}
	s.Partitions.Pretend(before)
}

// upperBits returns the first 16 bits of an effective partition key, and other for
// the ends of the key space.
func upperBits(t *testing.T, epk string, other uint64) uint64 {
	t.Helper()
	if epk == route.FirstKey || epk == route.LastKey {
		return other
	}
	n, err := strconv.ParseUint(epk[:4], 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestMergedPhysicalPartitions has two halves of every physical partition begin
// again in the whole, whose other half is not theirs.
func TestMergedPhysicalPartitions(t *testing.T) {
	t.Parallel()
	server, s := newAccount(t, emulator.Options{Partitions: 3})
	ctx := context.Background()
	const n = 90
	var values []string
	for i := range n {
		pk := fmt.Sprint("p", i%30)
		values = append(values, pk)
		body := fmt.Appendf(nil, `{"id":"%d","pk":%q,"n":%d}`, i, pk, i)
		if _, err := s.Client.CreateItem(ctx, azcosmos.NewPartitionKeyString(pk), body, nil); err != nil {
			t.Fatal(err)
		}
	}
	const field documents.Number[merging, float64] = "/n"
	for name, keys := range map[string]generated.Keys{
		"container": {},
		"keys":      generated.Buckets(30, func(i int) string { return values[i-1] }),
		"prefix":    generated.Buckets(30, func(i int) string { return values[i-1] }).Prefix("p"),
	} {
		q := s.query(keys)
		want := make([]float64, n)
		for i := range want {
			want[i] = float64(i)
		}
		check := func(what string, got []float64, err error) {
			t.Helper()
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %s: got %v, %v", name, what, got, err)
			}
		}
		pretendMerge(t, s)
		server.ResetRequests()
		got, err := repository.Values(q.OrderBy(field.Asc()), field).Collect(ctx)
		check("in order", got, err)
		if !slices.ContainsFunc(server.Requests(), func(r emulator.Request) bool { return r.Status == 410 }) {
			t.Error("no request met a merge")
		}
		pretendMerge(t, s)
		got, err = repository.Values(q, field).Collect(ctx)
		slices.Sort(got)
		check("in no order", got, err)
		pretendMerge(t, s)
		docs, err := q.Collect(ctx)
		if err != nil || len(docs) != n {
			t.Errorf("%s: %d documents, %v", name, len(docs), err)
		}
		pretendMerge(t, s)
		if count, err := q.Count(ctx); err != nil || count != n {
			t.Errorf("%s: counted %d, %v", name, count, err)
		}
		pretendMerge(t, s)
		if v, ok, err := repository.Avg(ctx, q, field); err != nil || !ok || v != (n-1)/2.0 {
			t.Errorf("%s: the average is %v, %v", name, v, err)
		}
	}
}
