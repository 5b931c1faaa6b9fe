package simulate

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// tried is a scenario that is simulated, and run against the emulator. The id is all that
// keys depend on, so that each read finds its document.
const tried = `{
	"seconds": 15, "partitions": 3, "throughput": 1200, "clients": 24, "latency": 6, "documentBytes": 1024,
	"layouts": ["{date}", "{date}.{id%10}", "{date}.{id%400}"],
	"properties": {"date": {"constant": "2018-08-09"}, "id": {"zipf": 40, "exponent": 0.6, "prefix": "v"}},
	"operations": [{"method": "upsert", "rate": 3}, {"method": "get", "rate": 1}]
}`

// documents is how many documents the scenario has.
const documents = 40

// flood is a scenario in which more arrives than the container does, and clients give up.
// All operations cost the same: of those that wait for the same second, the emulator lets
// reads pass first a little more often, whose requests are shorter.
const flood = `{
	"seconds": 60, "partitions": 2, "throughput": 400, "latency": 6, "arrivals": "regular", "retries": {"most": 2},
	"layouts": ["{date}", "{date}.{id%10}"],
	"properties": {"date": {"constant": "2018-08-09"}, "id": {"zipf": 40, "exponent": 0.6, "prefix": "v"}},
	"operations": [{"method": "upsert", "rate": 100}]
}`

// TestAgainstEmulator runs scenarios against the emulator, with azcosmos and its retries,
// and expects the simulated figures within 5 %: operations, failures, 429s and request
// units. Without budgets nothing would be refused, and a date would do as well as 400
// suffixes. The clock of both is that of a bubble, so that a busy machine loses no time.
func TestAgainstEmulator(t *testing.T) {
	scenarios := map[string]string{"clients": tried, "flood": flood}
	if seeds.Part(t, "the scenario with the most requests") {
		delete(scenarios, "flood") // whose requests are the most
	}
	for name, text := range scenarios {
		s, err := parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range r.Layouts {
			t.Run(name+" "+want.Layout, func(t *testing.T) {
				var got count
				synctest.Test(t, func(t *testing.T) { got = emulated(t, s, i, "http://"+name+strconv.Itoa(i)+".test/") })
				t.Logf("emulator %+v, simulated %d operations, %d failed, %d 429s, %v RU", got, want.Completed, want.Failed, want.Throttled, want.RequestUnits)
				for name, pair := range map[string][2]float64{
					"operations": {float64(got.completed), float64(want.Completed)},
					"failed":     {float64(got.failed), float64(want.Failed)},
					"429s":       {float64(got.refused), float64(want.Throttled)},
					"RU":         {got.units, want.RequestUnits},
				} {
					if math.Abs(pair[0]-pair[1]) > 0.05*pair[1] {
						t.Errorf("%s: the emulator counts %v, and %v are simulated", name, pair[0], pair[1])
					}
				}
				if want.Throttled == 0 || (want.Failed == 0) != (name == "clients") {
					t.Error("nothing is refused, or nothing fails: the test says nothing of that")
				}
			})
		}
	}
}

// emulated runs a scenario under layout i against an emulator of its own, whose address
// no other one has: azcosmos keeps what it learns by address.
func emulated(t *testing.T, s *Scenario, i int, endpoint string) count {
	t.Helper()
	makers, err := s.makers()
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(s, s.Layouts[i], makers, 1)
	if err != nil {
		t.Fatal(err)
	}
	account := harness.Bare(t, server.Options{
		Endpoint: endpoint, Key: server.WellKnownKey, Partitions: s.Partitions, Throughput: int(s.Throughput),
		Latency: time.Duration(*s.Latency * float64(time.Millisecond)),
	})
	container := newContainer(t, account, endpoint, *s.Retries.Most)
	store(t, container, e)
	e.draws.rand = rand.New(rand.NewPCG(1, streamDocuments)) // the same documents as those that are simulated

	start := time.Now().Truncate(time.Second).Add(2 * time.Second)
	end := start.Add(time.Duration(s.Seconds) * time.Second)
	time.Sleep(time.Until(start))
	account.ResetRequests()
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	all := e.live(ctx, container)
	for _, request := range account.Requests() {
		switch {
		case request.Start.Add(2 * time.Duration(e.trip)).After(end):
			// The emulator answers after its latency, in the second after the last one.
		case request.Status == http.StatusTooManyRequests:
			all.refused++
		case request.Operation == server.OpUpsertItem, request.Operation == server.OpReadItem:
			all.completed++
			all.units += request.Charge
		}
	}
	return all
}

// live does the operations of the scenario until ctx ends, and counts those that fail.
func (e *engine) live(ctx context.Context, container *azcosmos.ContainerClient) count {
	var mu sync.Mutex
	var all count
	var clients sync.WaitGroup
	one := func(operation int) {
		mu.Lock()
		if operation < 0 {
			operation = e.choose()
		}
		key, document := e.next(operation)
		mu.Unlock()
		if err := do(ctx, container, e.s.Operations[operation].Method, key, document); err != nil && ctx.Err() == nil {
			mu.Lock()
			all.failed++
			mu.Unlock()
		}
	}
	for range e.s.Clients {
		clients.Go(func() {
			for ctx.Err() == nil {
				one(-1)
			}
		})
	}
	if e.s.Clients == 0 {
		for i, o := range e.s.Operations {
			clients.Go(func() {
				ticker := time.NewTicker(time.Duration(float64(time.Second) / o.Rate))
				defer ticker.Stop()
				for ctx.Err() == nil {
					select {
					case <-ctx.Done():
					case <-ticker.C:
						clients.Go(func() { one(i) })
					}
				}
			})
		}
	}
	clients.Wait()
	return all
}

// do does one operation.
func do(ctx context.Context, c *azcosmos.ContainerClient, method, key string, document []byte) error {
	var err error
	if method == methodGet {
		var d struct{ ID string }
		if err = json.Unmarshal(document, &d); err == nil {
			_, err = c.ReadItem(ctx, azcosmos.NewPartitionKeyString(key), d.ID, nil)
		}
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString(key), document, nil)
	return err
}

// next draws a document and its key. The document has its key too, as it is stored.
func (e *engine) next(operation int) (key string, document []byte) {
	e.draws.number++
	text := e.makers[operation].document(&e.draws)
	if e.place.set.Read(text, &e.place.document) != nil {
		return "", nil
	}
	k, err := e.place.document.Key(0)
	if err != nil {
		return "", nil
	}
	key = k.String()
	return key, append(text[:len(text)-1:len(text)-1], `,"partitionKey":"`+key+`"}`...)
}

// store stores each document that reads may ask for.
func store(t *testing.T, container *azcosmos.ContainerClient, e *engine) {
	t.Helper()
	stored := make(map[string]bool)
	for len(stored) < documents {
		key, document := e.next(0)
		if stored[string(document)] {
			continue
		}
		stored[string(document)] = true
		if _, err := container.UpsertItem(t.Context(), azcosmos.NewPartitionKeyString(key), document, nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // a new budget
	}
}

// newContainer makes a container whose client retries as pkgen's repositories do, but so
// often.
func newContainer(t *testing.T, account *server.Server, endpoint string, retries int) *azcosmos.ContainerClient {
	t.Helper()
	credential, err := azcosmos.NewKeyCredential(server.WellKnownKey)
	if err != nil {
		t.Fatal(err)
	}
	client, err := azcosmos.NewClientWithKey(endpoint, credential, repository.Configure(&azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{
		Retry: policy.RetryOptions{MaxRetries: int32(retries)}, Transport: &harness.Link{Account: account},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "d"}, nil); err != nil {
		t.Fatal(err)
	}
	properties := azcosmos.ContainerProperties{ID: "c", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/partitionKey"}, Kind: azcosmos.PartitionKeyKindHash, Version: 2}}
	database, err := client.NewDatabase("d")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := database.CreateContainer(t.Context(), properties, nil); err != nil {
		t.Fatal(err)
	}
	container, err := database.NewContainer("c")
	if err != nil {
		t.Fatal(err)
	}
	return container
}
