package queries

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func newTicks(t testing.TB) (*harness.Account, *fixtures.TickRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("ticks", "/partitionKey"), repository.Configure(nil))
	return server, fixtures.NewTickRepository(container)
}

// TestWithin compares ranges with the same ranges in Go, for instants around the
// ends of the ranges and of days.
func TestWithin(t *testing.T) {
	_, r := newTicks(t)
	ctx := context.Background()
	midnight := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	random := rand.New(rand.NewPCG(3, 1))
	steps := []time.Duration{0, 1, 99, 100, 101, time.Second, time.Hour, 24 * time.Hour}
	near := func() time.Time {
		at := midnight.AddDate(0, 0, random.IntN(5))
		for range 2 {
			at = at.Add(time.Duration(random.IntN(3)-1) * steps[random.IntN(len(steps))])
		}
		return at.In(time.FixedZone("", 5*3600+1800))
	}
	stored := map[string]time.Time{}
	for n := range 200 {
		doc := &fixtures.Tick{ID: fmt.Sprint(n), DeviceID: "d", At: repository.NewTime(near())}
		stored[doc.ID] = doc.At.Time()
		if err := r.Create(ctx, doc); err != nil {
			t.Fatal(err)
		}
	}
	found := 0
	for range 60 {
		from, to := near(), near()
		if to.Before(from) {
			from, to = to, from
		}
		docs, err := r.ByDeviceIDBetween("d", from, to).Collect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, doc := range docs {
			got = append(got, doc.ID)
		}
		for id, at := range stored {
			if !at.Before(from) && at.Before(to) {
				want = append(want, id)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("from %v to %v there are %v, want %v", from, to, got, want)
		}
		found += len(got)
	}
	if found < 1000 {
		t.Errorf("%d documents were found in all, which says little", found)
	}
	days := r.ByDeviceIDBetween("d", midnight, midnight.AddDate(0, 0, 2))
	if plan, err := days.Plan(ctx); err != nil || plan.LogicalPartitions != 2 {
		t.Errorf("the plan for two days is %v, %v", plan, err)
	}
	if n, err := days.Where().Count(ctx); err != nil || n == 0 {
		t.Errorf("two days count %d, %v", n, err)
	}
	harness.Settled(t)
}

// TestWithinIsRefused asks for ranges that have no text.
func TestWithinIsRefused(t *testing.T) {
	server, r := newTicks(t)
	last := time.Date(9999, 12, 31, 23, 59, 59, 999999900, time.UTC)
	server.ResetRequests()
	for name, test := range map[string]struct {
		from, to    time.Time
		field, want string
	}{
		"reversed":        {last, last.Add(-1), "from", "swap them"},
		"no end":          {last, time.Time{}, "to", "zero time"},
		"after all texts": {last, last.Add(1), "to", "the last instant that has a text"},
	} {
		_, err := r.ByDeviceIDBetween("d", test.from, test.to).Collect(t.Context())
		var keyError *partition.KeyError
		if !errors.As(err, &keyError) || keyError.Type != "Tick" || keyError.Field != test.field || !strings.Contains(keyError.Reason, test.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n := server.Documents(); len(n) != 0 {
		t.Errorf("requests were sent: %v", n)
	}
	if docs, err := r.ByDeviceIDBetween("d", last, last).Collect(t.Context()); err != nil || len(docs) != 0 {
		t.Errorf("a range of no instant has %v, %v", docs, err)
	}
}
