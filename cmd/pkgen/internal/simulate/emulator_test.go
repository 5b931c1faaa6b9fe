package simulate

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// tried is a scenario that is simulated, and run against the emulator. The id is all that
// keys depend on, so that each read finds its document.
const tried = `{
	"seconds": 6, "partitions": 3, "throughput": 1200, "clients": 24, "latency": 6, "documentBytes": 1024,
	"layouts": ["{date}", "{date}.{id%10}", "{date}.{id%400}"],
	"properties": {"date": {"constant": "2018-08-09"}, "id": {"zipf": 40, "exponent": 0.6, "prefix": "v"}},
	"operations": [{"method": "upsert", "rate": 3}, {"method": "get", "rate": 1}]
}`

// documents is how many documents the scenario has.
const documents = 40

// TestAgainstEmulator runs a scenario against the emulator in wall time, with azcosmos,
// its retries and HTTP, and expects the simulated figures within 10 %: operations, 429s
// and request units. Without budgets nothing would be refused, and a date would do as
// well as 400 suffixes.
func TestAgainstEmulator(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the scenario's six seconds")
	}
	t.Parallel()
	s, err := parse([]byte(tried))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range r.Layouts {
		t.Run(want.Layout, func(t *testing.T) {
			t.Parallel()
			got := emulated(t, s, i)
			t.Logf("emulator %+v, simulated %d operations, %d 429s, %v RU", got, want.Completed, want.Throttled, want.RequestUnits)
			for name, pair := range map[string][2]float64{
				"operations": {float64(got.served), float64(want.Completed)},
				"429s":       {float64(got.refused), float64(want.Throttled)},
				"RU":         {got.units, want.RequestUnits},
			} {
				if math.Abs(pair[0]-pair[1]) > 0.1*pair[1] {
					t.Errorf("%s: the emulator counts %v, and %v are simulated", name, pair[0], pair[1])
				}
			}
			if want.Throttled == 0 {
				t.Error("nothing is refused: the test says nothing of that")
			}
		})
	}
}

// emulated runs a scenario under layout i against an emulator of its own.
func emulated(t *testing.T, s *Scenario, i int) share {
	t.Helper()
	e, err := newEngine(s, s.Layouts[i], mustMake(t, s), 1)
	if err != nil {
		t.Fatal(err)
	}
	server := emulator.New(t, emulator.Options{Partitions: s.Partitions, Throughput: int(s.Throughput), Latency: time.Duration(*s.Latency * float64(time.Millisecond))})
	container := newContainer(t, server)
	store(t, server, container, e)
	e.draws.rand = rand.New(rand.NewPCG(1, streamDocuments)) // the same documents as those that are simulated

	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(2 * time.Second)))
	server.ResetRequests()
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(s.Seconds)*time.Second)
	defer cancel()
	var drawing sync.Mutex
	var clients sync.WaitGroup
	for range s.Clients {
		clients.Go(func() {
			for ctx.Err() == nil {
				drawing.Lock()
				operation := e.choose()
				key, document := e.next(operation)
				drawing.Unlock()
				if err := do(ctx, container, s.Operations[operation].Method, key, document); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	clients.Wait()

	var all share
	for _, request := range server.Requests() {
		switch {
		case request.Status == http.StatusTooManyRequests:
			all.refused++
		case request.Operation == emulator.OpUpsertItem, request.Operation == emulator.OpReadItem:
			all.served++
			all.units += request.Charge
		}
	}
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
func store(t *testing.T, server *emulator.Server, container *azcosmos.ContainerClient, e *engine) {
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
		server.Advance(time.Second) // a new budget
	}
}

// mustMake returns the makers of a scenario.
func mustMake(t *testing.T, s *Scenario) []maker {
	t.Helper()
	all, err := s.makers()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// newContainer makes a container whose client retries as pkgen's repositories do.
func newContainer(t *testing.T, server *emulator.Server) *azcosmos.ContainerClient {
	t.Helper()
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "d"}, nil); err != nil {
		t.Fatal(err)
	}
	database, err := client.NewDatabase("d")
	if err != nil {
		t.Fatal(err)
	}
	properties := azcosmos.ContainerProperties{ID: "c", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/partitionKey"}, Kind: azcosmos.PartitionKeyKindHash, Version: 2}}
	if _, err := database.CreateContainer(t.Context(), properties, nil); err != nil {
		t.Fatal(err)
	}
	container, err := database.NewContainer("c")
	if err != nil {
		t.Fatal(err)
	}
	return container
}
