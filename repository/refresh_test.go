package repository

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// forgetful is a policy that has another reader forget what was just learnt of a
// container, as one does that knows it to be out of date, so often.
type forgetful struct{ times *atomic.Int32 }

func (f forgetful) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	container, rest := splitLink(r.Raw().URL.EscapedPath())
	if err == nil && rest == "/pkranges" && response.StatusCode == http.StatusNotModified && f.times.Add(-1) >= 0 {
		route := routeOf(r.Raw().URL.Host + container)
		_, version := route.known()
		route.forget(version)
	}
	return response, err
}

// TestRefreshBesideOthers learns the physical partitions while others forget what
// is learnt, as they do where the container is split on and on.
func TestRefreshBesideOthers(t *testing.T) {
	for _, times := range []int32{1, 4, 9} {
		var left atomic.Int32
		options := Configure(nil)
		options.PerCallPolicies = append([]policy.Policy{forgetful{&left}}, options.PerCallPolicies...)
		server := emulator.New(t, emulator.Options{Partitions: 3})
		client := server.Client(options)
		ctx := context.Background()
		_, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		db, err := client.NewDatabase("db")
		if err != nil {
			t.Fatal(err)
		}
		definition := azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/pk"}, Version: 2}
		if _, err := db.CreateContainer(ctx, azcosmos.ContainerProperties{ID: "c", PartitionKeyDefinition: definition}, nil); err != nil {
			t.Fatal(err)
		}
		container, err := db.NewContainer("c")
		if err != nil {
			t.Fatal(err)
		}
		s := &store{container: container}
		_, version, err := s.physical(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Split("db", "c", "0"); err != nil {
			t.Fatal(err)
		}
		left.Store(times)
		m, now, err := s.refresh(ctx, version)
		if err != nil || now <= version || len(m.ranges) < 4 {
			t.Errorf("forgotten %d times: version %d after %d, %v", times, now, version, err)
		}
	}
}
