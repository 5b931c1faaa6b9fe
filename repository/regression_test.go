package repository_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
)

// This file holds what once went wrong between features that are right by
// themselves.

// newPrefixed is a container of n documents below one first level.
func newPrefixed(t *testing.T, o *azcosmos.ClientOptions, n int) mergings {
	t.Helper()
	_, c := harness.NewContainer(t, emulator.Options{Partitions: 3}, harness.Properties("h", "/a", "/b"), o)
	s := newMergings(c, "/a", "/b")
	ctx := context.Background()
	for i := range n {
		b := fmt.Sprint("b", i%20)
		body := fmt.Appendf(nil, `{"id":"%d","a":"x","b":%q,"n":%d}`, i, b, i)
		if _, err := s.Client.CreateItem(ctx, azcosmos.NewPartitionKeyString("x").AppendString(b), body, nil); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// unmerge makes the store believe that the physical partition which holds prefix
// "x" was two, in the middle of that prefix, so that the next query finds them
// merged.
func unmerge(t *testing.T, s mergings) {
	t.Helper()
	m, _, err := s.Physical(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	prefix, err := partition.EPK("x")
	if err != nil {
		t.Fatal(err)
	}
	middle := prefix + "20000000000000000000000000000000"
	before := &route.Map{RID: m.RID}
	for i, r := range m.Ranges {
		if partition.CompareEPK(r.Min, middle) < 0 && partition.CompareEPK(middle, r.Max) < 0 {
			before.Ranges = append(before.Ranges,
				route.Range{ID: fmt.Sprint("9", i, "0"), Min: r.Min, Max: middle},
				route.Range{ID: fmt.Sprint("9", i, "1"), Min: middle, Max: r.Max})
			continue
		}
		before.Ranges = append(before.Ranges, r)
	}
	s.Partitions.Pretend(before)
}

func TestPrefixOverAMergeCountsOnce(t *testing.T) {
	t.Parallel()
	s := newPrefixed(t, repository.Configure(nil), 60)
	ctx := context.Background()
	q := s.query(generated.Prefix([]any{"x"}))
	f := documents.Number[merging, float64]("/n")
	unmerge(t, s)
	if n, err := q.Count(ctx); err != nil || n != 60 {
		t.Errorf("counted %d, %v", n, err)
	}
	unmerge(t, s)
	if sum, err := repository.Sum(ctx, q, f); err != nil || sum != 1770 {
		t.Errorf("added up to %v, %v", sum, err)
	}
	unmerge(t, s)
	if docs, err := q.Collect(ctx); err != nil || len(docs) != 60 {
		t.Errorf("collected %d, %v", len(docs), err)
	}
	unmerge(t, s)
	if list, err := repository.Values(q.OrderBy(f.Desc()), f).Collect(ctx); err != nil || len(list) != 60 || list[0] != 59 {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestGatewayGetsNoLimitOfAPrefix(t *testing.T) {
	t.Parallel()
	for _, by := range []repository.Strategy{repository.PerKey, repository.Automatic} {
		s := newPrefixed(t, nil, 60)
		s.Settings.Strategy = store.Strategy(by)
		s.GatewayRefused.Store(by == repository.Automatic)
		q := s.query(generated.Prefix([]any{"x"}))
		if docs, err := q.Limit(3).Collect(context.Background()); err != nil || len(docs) != 3 {
			t.Errorf("%s: %d documents, %v", by, len(docs), err)
		}
		list, err := repository.Values(q, documents.Number[merging, float64]("/n")).Distinct().Collect(context.Background())
		if err != nil || len(list) != 60 {
			t.Errorf("%s: %d values, %v", by, len(list), err)
		}
	}
}

func TestErrorsOfMetadataKeepTheirCause(t *testing.T) {
	server, s := newAccount(t, emulator.Options{Partitions: 3})
	server.Inject(emulator.Fault{Operation: emulator.OpReadRanges, Status: 403, Count: -1})
	_, err := s.query(generated.Keys{}).Count(context.Background())
	var response *azcore.ResponseError
	var own *repository.Error
	if !errors.As(err, &response) || response.StatusCode != 403 || !errors.As(err, &own) || own.Status != 403 {
		t.Errorf("got %v", err)
	}
}

func TestAMeterCountsOnceUnderItself(t *testing.T) {
	_, s := newAccount(t, emulator.Options{})
	var m repository.Meter
	ctx := repository.WithMeter(repository.WithMeter(context.Background(), &m), &m)
	if _, err := s.query(generated.Partition("a")).Collect(ctx); err != nil || m.Requests() != 1 {
		t.Errorf("%d requests, %v", m.Requests(), err)
	}
}

func TestVersionOneIsNeverScoped(t *testing.T) {
	t.Parallel()
	server, s := newAccount(t, emulator.Options{Partitions: 5, Lenient: true})
	ctx := context.Background()
	q := s.query(generated.Keys{})
	if _, err := q.Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Client.Delete(ctx, nil); err != nil {
		t.Fatal(err)
	}
	db := server.Database(nil)
	old := plain
	old.PartitionKeyDefinition.Version = 1
	if _, err := db.CreateContainer(ctx, old, nil); err != nil {
		t.Fatal(err)
	}
	_, first := q.Collect(ctx) // may fail, as it finds out
	for range 3 {
		if plan, err := q.Plan(ctx); err != nil || plan.Strategy == repository.Scoped {
			t.Errorf("the plan is %v, %v, after %v", plan, err, first)
		}
	}
}
