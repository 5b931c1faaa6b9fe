package queries

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestGetManySendsOneQueryForEachPhysicalPartition(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options  *azcosmos.ClientOptions
		strategy repository.Strategy
		want     map[string]int // of 100 events, of which 20 are missing
	}{
		"scoped":             {repository.Configure(nil), repository.Automatic, map[string]int{emulator.OpQueryItems: 5}},
		"without the policy": {nil, repository.Automatic, map[string]int{emulator.OpQueryItems: 5, emulator.OpReadItem: 20}},
		"per key":            {repository.Configure(nil), repository.PerKey, map[string]int{emulator.OpReadItem: 100}},
		"by the gateway":     {repository.Configure(nil), repository.Gateway, map[string]int{emulator.OpQueryItems: 5, emulator.OpReadItem: 20}},
	} {
		t.Run(name, func(t *testing.T) {
			server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), test.options)
			events := fleet.NewVehicleEventRepository(container, repository.WithStrategy(test.strategy))
			ctx := context.Background()
			kit.Fill(t, events, 80)
			keys := kit.EventKeys(100)
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			if _, err := events.GetMany(ctx, keys[:10]); err != nil { // reads what it needs to know
				t.Fatal(err)
			}
			server.ResetRequests()
			var meter repository.Meter
			docs, err := events.GetMany(repository.WithMeter(ctx, &meter), keys)
			if err != nil {
				t.Fatal(err)
			}
			if len(docs) != len(keys) {
				t.Fatalf("%d results for %d keys", len(docs), len(keys))
			}
			for i, key := range keys {
				stored := key.ID < "e0080"
				if (docs[i] != nil) != stored || stored && docs[i].Key() != key {
					t.Errorf("for %v came %+v", key, docs[i])
				}
			}
			got := server.Documents()
			if !maps.Equal(got, test.want) {
				t.Errorf("sent %v, want %v", got, test.want)
			}
			if test.options != nil && meter.Requests() != got[emulator.OpQueryItems]+got[emulator.OpReadItem] {
				t.Errorf("the meter has %d requests", meter.Requests())
			}
		})
	}
}

// TestGetManyReadsSingleDocumentsByPointReads asks for two documents, of two
// physical partitions.
func TestGetManyReadsSingleDocumentsByPointReads(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 30)
	ranges := map[string]string{} // a document of each
	for i := range 30 {
		key := kit.Event(i).Key()
		server.ResetRequests()
		if _, err := events.Get(ctx, key); err != nil {
			t.Fatal(err)
		}
		ranges[server.Requests()[0].Range] = key.ID
	}
	var keys []fleet.VehicleEventKey
	for _, id := range ranges {
		for i := range 30 {
			if kit.Event(i).ID == id {
				keys = append(keys, kit.Event(i).Key())
			}
		}
	}
	keys = append(keys, keys[0]) // once more
	if _, err := events.ByDate(kit.Day).Plan(ctx); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	docs, err := events.GetMany(ctx, keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range docs {
		if d == nil || d.Key() != keys[i] {
			t.Errorf("for %v came %+v", keys[i], d)
		}
	}
	if docs[0] != docs[len(docs)-1] {
		t.Error("one key gave two documents")
	}
	if got, want := server.Documents(), map[string]int{emulator.OpReadItem: len(ranges)}; !maps.Equal(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

func TestGetManyOfNothing(t *testing.T) {
	server, events := kit.NewFleet(t)
	server.ResetRequests()
	docs, err := events.GetMany(context.Background(), nil)
	if err != nil || docs == nil || len(docs) != 0 {
		t.Errorf("got %v, %v", docs, err)
	}
	var keyError *partition.KeyError
	docs, err = events.GetMany(context.Background(), []fleet.VehicleEventKey{kit.Event(0).Key(), {ID: "1", Date: kit.Day}})
	if docs != nil || !errors.As(err, &keyError) || !strings.Contains(err.Error(), "key 1") {
		t.Errorf("got %v, %v", docs, err)
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("nothing, and a bad key, sent %d requests", n)
	}
}

func TestGetManyOfRandomSuffixes(t *testing.T) {
	server, clicks := kit.NewClicks(t)
	ctx := context.Background()
	var keys []clickstream.ClickKey
	for i := range 50 {
		c := clickstream.Click{ID: fmt.Sprint(i), Date: kit.Day, Page: fmt.Sprint("/", i)}
		if err := clicks.Create(ctx, &c); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, c.Key())
	}
	server.ResetRequests()
	docs, err := clicks.GetMany(ctx, keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range docs {
		if c == nil || c.Page != fmt.Sprint("/", i) {
			t.Errorf("for %v came %v", keys[i], c)
		}
	}
	// A physical partition that happens to hold one of them alone is asked for that.
	if got := server.Documents(); got[emulator.OpQueryItems]+got[emulator.OpReadItem] != 5 {
		t.Errorf("sent %v, want 5 requests", got)
	}
	keys[3].Suffix = 0
	if _, err := clicks.GetMany(ctx, keys); err == nil {
		t.Error("a key without its suffix is accepted")
	}
}

// TestGetManyVerifies asks for a note and for another one, whose fields make the
// same partition key.
func TestGetManyVerifies(t *testing.T) {
	_, r := kit.NewNotes(t)
	ctx := context.Background()
	stored := kit.LeftNote
	if err := r.Create(ctx, &stored); err != nil {
		t.Fatal(err)
	}
	docs, err := r.GetMany(ctx, []fixtures.NoteKey{kit.RightNote.Key(), kit.LeftNote.Key(), {ID: "2", Topic: kit.LeftNote.Topic, Title: kit.LeftNote.Title}})
	if err != nil {
		t.Fatal(err)
	}
	if docs[0] != nil || docs[2] != nil || docs[1] == nil || docs[1].Text != kit.LeftNote.Text {
		t.Errorf("got %v", docs)
	}
}

// TestGetManyOfHierarchicalKeys has numbers and booleans in the key, and splits
// under way.
func TestGetManyOfHierarchicalKeys(t *testing.T) {
	seeds.Long(t)
	for _, leveled := range []bool{false, true} {
		r := rand.New(rand.NewPCG(4, 5))
		c := kit.NewThings(t, emulator.Options{Partitions: 3}, repository.Configure(harness.Impatient()), leveled, repository.WithPageSize(7))
		all := c.Fill(t, r, 120)
		for range 20 {
			var keys []kit.ThingKey
			var want []*kit.Thing
			for range r.IntN(200) {
				i := r.IntN(len(all) + 20)
				if i < len(all) {
					keys, want = append(keys, kit.ThingKey{ID: all[i].ID, Base: all[i].Base}), append(want, all[i])
				} else {
					keys, want = append(keys, kit.ThingKey{ID: fmt.Sprint("none", i), Base: "x"}), append(want, nil)
				}
			}
			c.Disturb(r)
			docs, err := c.GetMany(context.Background(), keys)
			c.Server.ClearFaults()
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range docs {
				if (x == nil) != (want[i] == nil) || x != nil && !reflect.DeepEqual(*x, *want[i]) {
					t.Fatalf("leveled %v: for %v came %v, want %v", leveled, keys[i], x, want[i])
				}
			}
		}
	}
	harness.Settled(t)
}

// newLearntFleet is a container of events whose physical partitions the repository
// knows, and a client that sends a request once.
func newLearntFleet(t *testing.T) (*harness.Account, *fleet.VehicleEventRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(harness.Once()))
	events := fleet.NewVehicleEventRepository(container)
	kit.Fill(t, events, 100)
	if _, err := events.ByDate(kit.Day).Plan(context.Background()); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	return server, events
}

// getManyAlone has the request to one of the physical partitions fail twice.
func getManyAlone(t *testing.T, fault emulator.Fault) {
	t.Helper()
	server, events := newLearntFleet(t)
	fault.Operation, fault.Range, fault.Count = emulator.OpQueryItems, "2", 2
	server.Inject(fault)
	docs, err := events.GetMany(context.Background(), kit.EventKeys(100))
	if err != nil {
		t.Fatal(err)
	}
	once(t, docs, 100)
	sent := map[string]int{}
	for _, r := range server.Requests() {
		sent[r.RangeHeader]++
	}
	if want := map[string]int{"0": 1, "1": 1, "2": 3, "3": 1, "4": 1}; !maps.Equal(sent, want) {
		t.Errorf("sent %v, want %v", sent, want)
	}
}

// TestGetManyRepeatsTheLostRequestAlone waits seconds, since azcosmos does. What
// it leaves running, TestMain finds.
func TestGetManyRepeatsTheLostRequestAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		getManyAlone(t, emulator.Fault{Drop: true})
	})
}

func TestGetManyRetriesTheFailedRequestAlone(t *testing.T) {
	for name, test := range map[string]func(t *testing.T){
		"throttled twice": func(t *testing.T) {
			getManyAlone(t, emulator.Fault{Status: http.StatusTooManyRequests, Substatus: 3200})
		},
		"unavailable": func(t *testing.T) {
			getManyAlone(t, emulator.Fault{Status: http.StatusServiceUnavailable})
		},
		"throttled to the end": func(t *testing.T) {
			server, events := newLearntFleet(t)
			server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Range: "2", Status: http.StatusTooManyRequests, Substatus: 3200, Count: 3})
			docs, err := events.GetMany(t.Context(), kit.EventKeys(100))
			if docs != nil || !errors.Is(err, repository.ErrThrottled) || !strings.Contains(err.Error(), "get many VehicleEvent in physical partition 2") {
				t.Errorf("got %d documents, %v", len(docs), err)
			}
		},
		"forbidden": func(t *testing.T) {
			server, events := newLearntFleet(t)
			server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Range: "2", Status: http.StatusForbidden})
			if _, err := events.GetMany(t.Context(), kit.EventKeys(100)); err == nil {
				t.Error("no error")
			}
			if n := len(server.Requests()); n > 5 {
				t.Errorf("a refusal was repeated: %d requests", n)
			}
		},
	} {
		t.Run("fault/"+name, func(t *testing.T) { synctest.Test(t, test) })
	}
	harness.Settled(t)
}

// TestGetManyOfVersion1 has a container whose documents ReadManyItems of the SDK
// does not find.
func TestGetManyOfVersion1(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]*azcosmos.ClientOptions{"with the policy": repository.Configure(nil), "without": nil} {
		properties := fleet.VehicleEventContainer()
		properties.PartitionKeyDefinition.Version = 1
		_, container := harness.NewContainer(t, emulator.Options{Partitions: 5, Lenient: true}, properties, options)
		events := fleet.NewVehicleEventRepository(container)
		kit.Fill(t, events, 50)
		docs, err := events.GetMany(context.Background(), kit.EventKeys(50))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, d := range docs {
			if d == nil || d.ID != kit.Event(i).ID {
				t.Errorf("%s: for event %d came %v", name, i, d)
			}
		}
	}
}

func TestGetManyKeepsItsDeadline(t *testing.T) {
	server, events := kit.NewFleet(t)
	kit.Fill(t, events, 50)
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Delay: time.Minute, Count: -1})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	docs, err := events.GetMany(ctx, kit.EventKeys(50))
	if docs != nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, %v", docs, err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	harness.Settled(t)
}
