package route

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

var properties = harness.Properties("c", "/pk")

// policies are the options of a client whose requests this package sees.
var policies = harness.PerCall(Policy{})

// ids returns the ids of a map's ranges, in order.
func ids(m *Map) []string {
	var list []string
	for _, r := range m.Ranges {
		list = append(list, r.ID)
	}
	return list
}

// TestReadCancelled reads partitions under a context that has ended: azcosmos, which
// knows the container by then, returns neither a document nor an error. Later reads are
// as if there had been none.
func TestReadCancelled(t *testing.T) {
	_, s := harness.NewContainer(t, emulator.Options{Partitions: 3}, properties, policies)
	if _, err := read(context.Background(), s, 0); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	var p Partitions
	if _, _, err := p.Read(ended, s); !errors.Is(err, context.Canceled) {
		t.Fatalf("a read under a context that has ended: %v", err)
	}
	if m, _, err := p.Read(context.Background(), s); err != nil || len(m.Ranges) != 3 {
		t.Fatalf("the next read: %+v, %v", m, err)
	}
}

func TestRead(t *testing.T) {
	server, s := harness.NewContainer(t, emulator.Options{Partitions: 3}, properties, policies)

	ctx := context.Background()
	server.ResetRequests()
	cache, err := read(ctx, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, version := cache.Known()
	if len(m.Ranges) != 3 || m.RID == "" || version != 1 || cache.definition.Version != 2 {
		t.Fatalf("read %+v, version %d, definition %+v", m, version, cache.definition)
	}
	got := server.Counts()
	if got[emulator.OpReadContainer] != 1 || got[emulator.OpReadRanges] != 2 || got[emulator.OpQueryItems] != 0 {
		t.Errorf("the first read sent %v", got)
	}

	// Another client of the same account knows it already.
	server.ResetRequests()
	other := server.Container(properties.ID, policies)
	again, err := read(ctx, other, 0)
	if err != nil || again != cache {
		t.Errorf("another client read %p, %v, want %p", again, err, cache)
	}
	if got := server.Counts(); got[emulator.OpReadRanges] != 0 || got[emulator.OpQueryItems] != 0 {
		t.Errorf("the next read sent %v", got)
	}

	// After a split it has to be asked for.
	if err := server.Split("db", "c", m.Ranges[1].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := read(ctx, s, version); err != nil {
		t.Fatal(err)
	}
	split, newer := cache.Known()
	if newer <= version || len(split.Ranges) != 4 || split.Ranges[0].ID != m.Ranges[0].ID {
		t.Errorf("after a split the map is %v", ids(split))
	}
}

// TestReadAfterAClientWithoutThePolicy has the SDK know the ranges before the
// policy could see them.
func TestReadAfterAClientWithoutThePolicy(t *testing.T) {
	server, bare := harness.NewContainer(t, emulator.Options{Partitions: 2}, properties, nil)
	ctx := context.Background()

	if _, err := bare.ReadFeedRanges(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := read(ctx, bare, 0); !errors.Is(err, ErrNotConfigured) {
		t.Errorf("without the policy: %v", err)
	}
	s := server.Container(properties.ID, policies)
	cache, err := read(ctx, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := cache.Known(); m == nil || len(m.Ranges) != 2 {
		t.Errorf("read %+v", m)
	}
}

func TestReadARecreatedContainer(t *testing.T) {
	server, s := harness.NewContainer(t, emulator.Options{Partitions: 2}, properties, policies)
	ctx := context.Background()

	cache, err := read(ctx, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	before, version := cache.Known()
	server.Recreate(s, properties)
	if _, err := read(ctx, s, version); err != nil {
		t.Fatal(err)
	}
	if after, _ := cache.Known(); after.RID == before.RID {
		t.Errorf("the RID is still %s", after.RID)
	}
}

func TestNewMapRefusesGapsAndOverlaps(t *testing.T) {
	half := "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	for name, ranges := range map[string][]Range{
		"empty":    {},
		"gap":      {{ID: "0", Min: "", Max: "1F"}, {ID: "1", Min: "20", Max: "FF"}},
		"overlap":  {{ID: "0", Min: "", Max: "20"}, {ID: "1", Min: "1F", Max: "FF"}},
		"no end":   {{ID: "0", Min: "", Max: half}},
		"no start": {{ID: "1", Min: half, Max: "FF"}},
	} {
		if m, err := newMap("rid", ranges); err == nil {
			t.Errorf("%s: made %v", name, m)
		}
	}
	m, err := newMap("rid", []Range{
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
		if got := m.Find(epk).ID; got != want {
			t.Errorf("%s is in %s, want %s", epk, got, want)
		}
	}
}
