package emulator_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

const (
	west  = "West Europe"
	north = "North Europe"
)

// preferring returns the container docs as a client sees it that prefers regions.
func preferring(t *testing.T, srv *emulator.Server, regions ...string) *azcosmos.ContainerClient {
	t.Helper()
	c, err := srv.Client(&azcosmos.ClientOptions{PreferredRegions: regions}).NewContainer("db", "docs")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// regionsOf returns the regions that requests for items reached since the journal was reset,
// without repetitions.
func regionsOf(srv *emulator.Server) []string {
	var list []string
	for _, r := range srv.Requests() {
		if r.PartitionKey != "" {
			list = append(list, r.Region)
		}
	}
	return slices.Compact(list)
}

// reached fails the test unless requests for items reached these regions in this order.
func reached(t *testing.T, srv *emulator.Server, want ...string) {
	t.Helper()
	if got := regionsOf(srv); !slices.Equal(got, want) {
		t.Errorf("requests reached %q, want %q", got, want)
	}
	srv.ResetRequests()
}

func readItem(t *testing.T, c *azcosmos.ContainerClient, id string) {
	t.Helper()
	if _, err := c.ReadItem(t.Context(), pk("a"), id, nil); err != nil {
		t.Errorf("reading %s: %v", id, err)
	}
}

// TestReadsFailOverToAnotherRegion takes the region offline that azcosmos prefers.
func TestReadsFailOverToAnotherRegion(t *testing.T) {
	t.Parallel()
	srv, first := newContainer(t, emulator.Options{Regions: []string{west, north}})
	create(t, first, "1", "a", 1)
	c := preferring(t, srv, north, west)
	srv.ResetRequests()
	readItem(t, c, "1")
	create(t, c, "2", "a", 2)
	readItem(t, c, "2")
	reached(t, srv, north, west, north)
	if err := srv.SetRegionOnline(north, false); err != nil {
		t.Fatal(err)
	}
	readItem(t, c, "2")
	reached(t, srv, west) // the region refuses connections
	if err := srv.SetRegionOnline(north, true); err != nil {
		t.Fatal(err)
	}
	readItem(t, preferring(t, srv, north, west), "2")
	reached(t, srv, north)
}

// TestReadsOfARemovedRegion removes the region that azcosmos prefers from the account.
func TestReadsOfARemovedRegion(t *testing.T) {
	t.Parallel()
	srv, first := newContainer(t, emulator.Options{Regions: []string{west, north}})
	create(t, first, "1", "a", 1)
	c := preferring(t, srv, north, west)
	readItem(t, c, "1")
	srv.ResetRequests()
	if err := srv.RemoveRegion(north); err != nil {
		t.Fatal(err)
	}
	readItem(t, c, "1")
	reached(t, srv, north, west)
}

// TestWritesFollowTheWriteRegion changes the write region under a client of azcosmos.
func TestWritesFollowTheWriteRegion(t *testing.T) {
	t.Parallel()
	srv, _ := newContainer(t, emulator.Options{Regions: []string{west, north}})
	c := preferring(t, srv, west, north)
	create(t, c, "1", "a", 1)
	srv.ResetRequests()
	if err := srv.Failover(north); err != nil {
		t.Fatal(err)
	}
	create(t, c, "2", "a", 2)
	reached(t, srv, west, north)
	readItem(t, c, "2")
	reached(t, srv, west)
	if err := srv.SetReplication(emulator.Replication{Paused: true}); err != nil {
		t.Fatal(err)
	}
	create(t, c, "3", "a", 3)
	if err := srv.ForceFailover(west); err != nil {
		t.Fatal(err)
	}
	// azcosmos gives up a write that it could not send, and then reads the account again.
	deadline := time.Now().Add(20 * time.Second)
	for {
		_, err := c.CreateItem(t.Context(), pk("a"), []byte(`{"id":"4","pk":"a"}`), nil)
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("writes do not follow a forced failover: %v", err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if _, err := c.ReadItem(t.Context(), pk("a"), "3", nil); status(err) != http.StatusNotFound {
		t.Errorf("a write that had not reached the new write region: %v, want 404", err)
	}
	readItem(t, c, "2")
}

// TestSeveralWriteRegionsOfAClient writes with azcosmos to the region that it prefers.
func TestSeveralWriteRegionsOfAClient(t *testing.T) {
	t.Parallel()
	srv, _ := newContainer(t, emulator.Options{Regions: []string{west, north}, MultiWrite: true})
	c := preferring(t, srv, north, west)
	srv.ResetRequests()
	create(t, c, "1", "a", 1)
	readItem(t, c, "1")
	reached(t, srv, north)
	readItem(t, preferring(t, srv, west), "1")
	reached(t, srv, west)
}

// TestEndpointsOfRegions has a client of one region alone.
func TestEndpointsOfRegions(t *testing.T) {
	srv := emulator.New(t, emulator.Options{Regions: []string{west, north}})
	if srv.RegionEndpoint("Mars") != "" {
		t.Errorf("Mars is at %s", srv.RegionEndpoint("Mars"))
	}
	seen := map[string]bool{srv.Endpoint(): true}
	for _, name := range []string{west, north} {
		endpoint := srv.RegionEndpoint(name)
		answer, err := http.Get(endpoint)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		all := srv.Requests()
		if seen[endpoint] || all[len(all)-1].Region != name {
			t.Errorf("%s is at %s, where %s answers", name, endpoint, all[len(all)-1].Region)
		}
		seen[endpoint] = true
	}
	srv.Close()
	for endpoint := range seen {
		if answer, err := http.Get(endpoint); err == nil {
			_ = answer.Body.Close()
			t.Errorf("%s answers after Close", endpoint)
		}
	}
}
