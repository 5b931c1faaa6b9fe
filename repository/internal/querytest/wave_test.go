package querytest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// crowd is a policy that counts the queries which are under way, of all and of each
// physical partition. While want queries have not come, it holds those that have.
type crowd struct {
	mu         sync.Mutex
	cond       *sync.Cond
	want, sent int
	now, most  int
	at         map[string]int
	mostAt     int
}

func (c *crowd) expect(want int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want, c.sent, c.most, c.mostAt = want, 0, 0, 0
}

func (c *crowd) Do(r *policy.Request) (*http.Response, error) {
	if raw := r.Raw(); raw.Method != http.MethodPost || !strings.HasSuffix(raw.URL.Path, "/docs") || raw.Header.Get("x-ms-documentdb-query") == "" {
		return r.Next()
	}
	id := r.Raw().Header.Get("x-ms-documentdb-partitionkeyrangeid")
	c.mu.Lock()
	c.sent++
	c.now++
	c.at[id]++
	c.most, c.mostAt = max(c.most, c.now), max(c.mostAt, c.at[id])
	c.cond.Broadcast()
	for deadline := time.Now().Add(10 * time.Second); c.sent < c.want && time.Now().Before(deadline); {
		c.cond.Wait()
	}
	c.mu.Unlock()
	response, err := r.Next()
	c.mu.Lock()
	c.now--
	c.at[id]--
	c.mu.Unlock()
	return response, err
}

// newWave is a container of vehicle events on so many physical partitions, whose client
// counts the queries under way.
func newWave(t testing.TB, o emulator.Options, opts ...repository.Option) (*harness.Account, *fleet.VehicleEventRepository, *crowd) {
	t.Helper()
	c := &crowd{at: map[string]int{}}
	c.cond = sync.NewCond(&c.mu)
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	go func() { // so that a query that never comes ends the wait
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				c.cond.Broadcast()
			}
		}
	}()
	options := repository.Configure(nil)
	options.PerRetryPolicies = append(options.PerRetryPolicies, c)
	server, container := harness.NewContainer(t, o, fleet.VehicleEventContainer(), options)
	return server, fleet.NewVehicleEventRepository(container, opts...), c
}

// TestOneWave asks every physical partition at once, up to 128 of them: each waits until
// all have been asked.
func TestOneWave(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ partitions, wave int }{{5, 5}, {50, 50}, {128, 128}, {150, 128}} {
		t.Run(fmt.Sprint(test.partitions), func(t *testing.T) {
			t.Parallel()
			server, events, crowd := newWave(t, emulator.Options{Partitions: test.partitions})
			fill(t, events, 40)
			ctx := context.Background()
			if _, err := events.Scan().Count(ctx); err != nil { // reads metadata
				t.Fatal(err)
			}
			for name, run := range map[string]func() (int, error){
				"documents": func() (int, error) {
					docs, err := events.Scan().Collect(ctx)
					return len(docs), err
				},
				"order": func() (int, error) {
					docs, err := events.Scan().OrderBy(fleet.VehicleEventFields.Speed.Desc()).Collect(ctx)
					return len(docs), err
				},
				"count": func() (int, error) { return events.Scan().Count(ctx) },
				"page": func() (int, error) {
					page, err := events.Scan().Page(ctx, "", 40)
					return len(page.Items), err
				},
			} {
				crowd.expect(test.wave)
				server.ResetRequests()
				if n, err := run(); err != nil || n != 40 {
					t.Errorf("%s: %d, %v", name, n, err)
				}
				if crowd.most != test.wave || crowd.mostAt != 1 {
					t.Errorf("%s: %d queries at once, %d of one physical partition, want %d and 1", name, crowd.most, crowd.mostAt, test.wave)
				}
				if n := server.Sent(emulator.OpQueryItems); n != test.partitions {
					t.Errorf("%s: %d queries, want %d", name, n, test.partitions)
				}
			}
		})
	}
}

// TestWaveIsBounded has no more requests under way than were asked for, and no more than
// 32 where several read one physical partition.
func TestWaveIsBounded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, test := range map[string]struct {
		o    []repository.Option
		most int
	}{
		"option":  {[]repository.Option{repository.WithConcurrency(7)}, 7},
		"more":    {[]repository.Option{repository.WithConcurrency(200)}, 50},
		"per key": {[]repository.Option{repository.WithStrategy(repository.PerKey)}, 32},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, events, crowd := newWave(t, emulator.Options{Partitions: 50, Latency: 2 * time.Millisecond}, test.o...)
			fill(t, events, 40)
			for name, run := range map[string]func() error{
				"documents": func() error { _, err := events.ByDate(day).Collect(ctx); return err },
				"order": func() error {
					_, err := events.ByDate(day).OrderBy(fleet.VehicleEventFields.Speed.Desc()).Collect(ctx)
					return err
				},
				"count": func() error { _, err := events.ByDate(day).Count(ctx); return err },
				"page":  func() error { _, err := events.ByDate(day).Page(ctx, "", 40); return err },
			} {
				crowd.expect(test.most)
				if err := run(); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if crowd.most != test.most {
					t.Errorf("%s: %d queries at once, want %d", name, crowd.most, test.most)
				}
			}
		})
	}
}

// TestWaveStops cancels the requests of a wave when the consumer leaves: goleak looks for
// those that go on.
func TestWaveStops(t *testing.T) {
	t.Parallel()
	_, events, crowd := newWave(t, emulator.Options{Partitions: 50})
	fill(t, events, 200)
	for range 20 {
		for _, err := range events.Scan().All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		crowd.mu.Lock()
		if crowd.now != 0 {
			t.Errorf("%d requests are under way after the loop", crowd.now)
		}
		crowd.mu.Unlock()
	}
}

// BenchmarkWave measures queries in round trips of 50 ms: one wave, and 32 requests at
// once, in turns.
func BenchmarkWave(b *testing.B) {
	const latency = 50 * time.Millisecond
	for _, p := range []int{20, 50, 128} {
		_, container := harness.NewContainer(b, emulator.Options{Partitions: p, Latency: latency}, fleet.VehicleEventContainer(), repository.Configure(&azcosmos.ClientOptions{}))
		wave := fleet.NewVehicleEventRepository(container)
		narrow := fleet.NewVehicleEventRepository(container, repository.WithConcurrency(32))
		fill(b, wave, 500)
		for _, task := range []struct {
			name string
			run  func(repository.Query[fleet.VehicleEvent]) (int, error)
		}{
			{"scan", func(q repository.Query[fleet.VehicleEvent]) (int, error) {
				docs, err := q.Collect(context.Background())
				return len(docs), err
			}},
			{"order", func(q repository.Query[fleet.VehicleEvent]) (int, error) {
				docs, err := q.OrderBy(fleet.VehicleEventFields.Speed.Desc()).Collect(context.Background())
				return len(docs), err
			}},
			{"count", func(q repository.Query[fleet.VehicleEvent]) (int, error) { return q.Count(context.Background()) }},
		} {
			b.Run(fmt.Sprintf("%s/P=%d", task.name, p), func(b *testing.B) {
				turn := func(r *fleet.VehicleEventRepository) float64 {
					start := time.Now()
					if n, err := task.run(r.Scan()); err != nil || n != 500 {
						b.Fatalf("%d, %v", n, err)
					}
					return float64(time.Since(start)) / float64(latency)
				}
				turn(wave)
				var waves, narrows []float64
				for b.Loop() {
					waves, narrows = append(waves, turn(wave)), append(narrows, turn(narrow))
				}
				slices.Sort(waves)
				slices.Sort(narrows)
				b.ReportMetric(waves[len(waves)/2], "roundtrips")
				b.ReportMetric(narrows[len(narrows)/2], "roundtrips-32")
			})
		}
	}
}
