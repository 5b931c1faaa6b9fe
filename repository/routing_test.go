package repository

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

var plain = azcosmos.ContainerProperties{
	ID: "c",
	PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
		Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/pk"}, Version: 2,
	},
}

// sourceOf returns the container c of a client's database db, made if need be.
func sourceOf(t *testing.T, client *azcosmos.Client, create bool) *store {
	t.Helper()
	ctx := context.Background()
	if create {
		if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if create {
		if _, err := db.CreateContainer(ctx, plain, nil); err != nil {
			t.Fatal(err)
		}
	}
	container, err := db.NewContainer("c")
	if err != nil {
		t.Fatal(err)
	}
	return &store{container: container, typ: "Doc", paths: []string{"/pk"}, settings: newSettings(nil), decode: decoding[merging](json.Unmarshal)}
}

// operations counts the journal's requests by operation.
func operations(server *emulator.Server) map[string]int {
	counts := map[string]int{}
	for _, r := range server.Requests() {
		counts[r.Operation]++
	}
	return counts
}

// ids returns the ids of a map's ranges, in order.
func ids(m *rangeMap) []string {
	var list []string
	for _, r := range m.ranges {
		list = append(list, r.ID)
	}
	return list
}

func TestLearn(t *testing.T) {
	server := emulator.New(t, emulator.Options{Partitions: 3})
	s := sourceOf(t, server.Client(Configure(nil)), true)
	ctx := context.Background()
	server.ResetRequests()
	route, err := s.learn(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, version := route.known()
	if len(m.ranges) != 3 || m.rid == "" || version != 1 || route.definition.Version != 2 {
		t.Fatalf("learnt %+v, version %d, definition %+v", m, version, route.definition)
	}
	got := operations(server)
	if got[emulator.OpReadContainer] != 1 || got[emulator.OpReadRanges] != 2 || got[emulator.OpQueryItems] != 0 {
		t.Errorf("learning sent %v", got)
	}

	// Another client of the same account knows it already.
	server.ResetRequests()
	other := sourceOf(t, server.Client(Configure(nil)), false)
	again, err := other.learn(ctx, 0)
	if err != nil || again != route {
		t.Errorf("another client learnt %p, %v, want %p", again, err, route)
	}
	if got := operations(server); got[emulator.OpReadRanges] != 0 || got[emulator.OpQueryItems] != 0 {
		t.Errorf("learning again sent %v", got)
	}

	// After a split it has to be asked for.
	if err := server.Split("db", "c", m.ranges[1].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.learn(ctx, version); err != nil {
		t.Fatal(err)
	}
	split, newer := route.known()
	if newer <= version || len(split.ranges) != 4 || split.ranges[0].ID != m.ranges[0].ID {
		t.Errorf("after a split the map is %v", ids(split))
	}
}

// TestLearnAfterAClientWithoutThePolicy has the SDK know the ranges before the
// policy could see them.
func TestLearnAfterAClientWithoutThePolicy(t *testing.T) {
	server := emulator.New(t, emulator.Options{Partitions: 2})
	ctx := context.Background()
	bare := sourceOf(t, server.Client(nil), true)
	if _, err := bare.container.ReadFeedRanges(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := bare.learn(ctx, 0); !errors.Is(err, errNoPolicy) {
		t.Errorf("without the policy: %v", err)
	}
	s := sourceOf(t, server.Client(Configure(nil)), false)
	route, err := s.learn(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := route.known(); m == nil || len(m.ranges) != 2 {
		t.Errorf("learnt %+v", m)
	}
}

func TestLearnARecreatedContainer(t *testing.T) {
	server := emulator.New(t, emulator.Options{Partitions: 2})
	ctx := context.Background()
	s := sourceOf(t, server.Client(Configure(nil)), true)
	route, err := s.learn(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	before, version := route.known()
	if _, err := s.container.Delete(ctx, nil); err != nil {
		t.Fatal(err)
	}
	db, err := server.Client(nil).NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(ctx, plain, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.learn(ctx, version); err != nil {
		t.Fatal(err)
	}
	if after, _ := route.known(); after.rid == before.rid {
		t.Errorf("the RID is still %s", after.rid)
	}
}

func TestNewRangeMapRefusesGapsAndOverlaps(t *testing.T) {
	half := "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	for name, ranges := range map[string][]keyRange{
		"empty":    {},
		"gap":      {{ID: "0", Min: "", Max: "1F"}, {ID: "1", Min: "20", Max: "FF"}},
		"overlap":  {{ID: "0", Min: "", Max: "20"}, {ID: "1", Min: "1F", Max: "FF"}},
		"no end":   {{ID: "0", Min: "", Max: half}},
		"no start": {{ID: "1", Min: half, Max: "FF"}},
	} {
		if m, err := newRangeMap("rid", ranges); err == nil {
			t.Errorf("%s: made %v", name, m)
		}
	}
	m, err := newRangeMap("rid", []keyRange{
		{ID: "0", Min: "", Max: half},
		{ID: "1", Min: half, Max: "FF"},
		{ID: "3", Min: "3000", Max: "FF", Parents: []string{"1"}},
		{ID: "2", Min: half, Max: "3000", Parents: []string{"1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(m); len(got) != 3 || got[0] != "0" || got[1] != "2" || got[2] != "3" {
		t.Errorf("got %v", got)
	}
	for epk, want := range map[string]string{
		"00000000000000000000000000000000": "0",
		half:                               "2",
		"2FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF": "2",
		"30000000000000000000000000000000": "3",
		"3FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF": "3",
	} {
		if got := m.find(epk).ID; got != want {
			t.Errorf("%s is in %s, want %s", epk, got, want)
		}
	}
}

func TestJobsHoldEveryValueOnce(t *testing.T) {
	server := emulator.New(t, emulator.Options{Partitions: 7})
	s := sourceOf(t, server.Client(Configure(nil)), true)
	route, err := s.learn(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := route.known()
	var values []located
	for i := range 500 {
		for _, value := range []any{float64(i), i%2 == 0, string(rune('a' + i))} {
			values = append(values, located{value: value})
		}
	}
	if err := locate(values); err != nil {
		t.Fatal(err)
	}
	jobs := scopedJobs(values, "", false, m, 1)
	n := 0
	for _, j := range jobs {
		n += len(j.values)
	}
	if n != len(values) || len(jobs) != 7 {
		t.Errorf("%d jobs hold %d values of %d", len(jobs), n, len(values))
	}
}
