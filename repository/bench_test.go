package repository_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// Benchmarks of fan-outs compared with what a program would write with azcosmos,
// in one run, since times alone say little. Requests take 5 ms; benchmarks report
// the number of requests with the time.

// bench is a day of events on a number of physical partitions.
type bench struct {
	server    *harness.Account
	container *azcosmos.ContainerClient
}

func newBench(b *testing.B, partitions int) bench {
	b.Helper()
	server, container := harness.NewContainer(b, emulator.Options{Partitions: partitions, Latency: kit.BenchLatency}, fleet.VehicleEventContainer(), repository.Configure(nil))
	events := fleet.NewVehicleEventRepository(container)
	err := kit.Parallel(32, kit.BenchDocuments, func(i int) error { return events.Create(context.Background(), kit.Event(i)) })
	if err != nil {
		b.Fatal(err)
	}
	return bench{server, container}
}

// run measures f, which must find n documents or values at each call.
func (x bench) run(b *testing.B, want int, f func() (int, error)) {
	b.Helper()
	if n, err := f(); err != nil || n != want { // also reads metadata
		b.Fatalf("found %d, want %d; %v", n, want, err)
	}
	x.server.ResetRequests()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(x.server.Requests()))/float64(b.N), "requests/op")
}

// handwritten sends a query to each of the 400 logical partitions of the day, and
// decodes the documents.
func handwritten[R any](x bench, concurrency int, text string, parameters ...azcosmos.QueryParameter) ([]R, error) {
	var mu sync.Mutex
	var all []R
	err := kit.Parallel(concurrency, kit.BenchBuckets, func(i int) error {
		key := azcosmos.NewPartitionKeyString(kit.Day + "." + strconv.Itoa(i+1))
		pager := x.container.NewQueryItemsPager(text, key, &azcosmos.QueryOptions{QueryParameters: parameters}) //nolint:pkgen // by hand, to compare
		for pager.More() {
			page, err := pager.NextPage(context.Background())
			if err != nil {
				return err
			}
			items := make([]R, len(page.Items))
			for i, raw := range page.Items {
				if err := json.Unmarshal(raw, &items[i]); err != nil {
					return err
				}
			}
			mu.Lock()
			all = append(all, items...)
			mu.Unlock()
		}
		return nil
	})
	return all, err
}

// tasks are the queries to compare, each by the repository and by hand.
var tasks = []struct {
	name   string
	want   int
	ours   func(repository.Query[fleet.VehicleEvent]) (int, error)
	byHand func(x bench, concurrency int) (int, error)
}{
	{
		"filter", 126,
		func(q repository.Query[fleet.VehicleEvent]) (int, error) {
			docs, err := q.WhereRaw("c.speed > @limit", azcosmos.QueryParameter{Name: "@limit", Value: 130}).Collect(context.Background())
			return len(docs), err
		},
		func(x bench, concurrency int) (int, error) {
			docs, err := handwritten[*fleet.VehicleEvent](x, concurrency, "SELECT * FROM c WHERE c.speed > @limit",
				azcosmos.QueryParameter{Name: "@limit", Value: 130})
			return len(docs), err
		},
	},
	{
		"top10", 10,
		func(q repository.Query[fleet.VehicleEvent]) (int, error) {
			docs, err := q.OrderBy(fleet.VehicleEventFields.VIN.Desc()).Limit(10).Collect(context.Background())
			return len(docs), err
		},
		func(x bench, concurrency int) (int, error) {
			docs, err := handwritten[*fleet.VehicleEvent](x, concurrency, "SELECT TOP 10 * FROM c ORDER BY c.vin DESC")
			slices.SortFunc(docs, func(a, b *fleet.VehicleEvent) int { return strings.Compare(b.VIN, a.VIN) })
			return len(docs[:min(10, len(docs))]), err
		},
	},
	{
		"count", kit.BenchDocuments,
		func(q repository.Query[fleet.VehicleEvent]) (int, error) { return q.Count(context.Background()) },
		func(x bench, concurrency int) (int, error) {
			counts, err := handwritten[int](x, concurrency, "SELECT VALUE COUNT(1) FROM c")
			n := 0
			for _, c := range counts {
				n += c
			}
			return n, err
		},
	},
}

// BenchmarkFanOut compares one query a physical partition with one query a
// logical partition, 32 at once.
func BenchmarkFanOut(b *testing.B) {
	for _, p := range []int{1, 5, 20, 50} {
		x := newBench(b, p)
		events := fleet.NewVehicleEventRepository(x.container)
		for _, task := range tasks {
			b.Run(fmt.Sprintf("%s/P=%d/ours", task.name, p), func(b *testing.B) {
				x.run(b, task.want, func() (int, error) { return task.ours(events.ByDate(kit.Day)) })
			})
			b.Run(fmt.Sprintf("%s/P=%d/byHand", task.name, p), func(b *testing.B) {
				x.run(b, task.want, func() (int, error) { return task.byHand(x, 32) })
			})
		}
	}
}

// BenchmarkPerKey compares the same requests, one query a logical partition.
func BenchmarkPerKey(b *testing.B) {
	x := newBench(b, 5)
	for _, concurrency := range []int{8, 16, 32} {
		events := fleet.NewVehicleEventRepository(x.container,
			repository.WithStrategy(repository.PerKey), repository.WithConcurrency(concurrency))
		for _, task := range tasks {
			b.Run(fmt.Sprintf("%s/C=%d/ours", task.name, concurrency), func(b *testing.B) {
				x.run(b, task.want, func() (int, error) { return task.ours(events.ByDate(kit.Day)) })
			})
			b.Run(fmt.Sprintf("%s/C=%d/byHand", task.name, concurrency), func(b *testing.B) {
				x.run(b, task.want, func() (int, error) { return task.byHand(x, concurrency) })
			})
		}
	}
}
