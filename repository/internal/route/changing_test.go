package route

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// forgetful is a policy that has another reader forget what was just read of a
// container, as one does that knows it to be out of date, so often.
type forgetful struct{ times *atomic.Int32 }

func (f forgetful) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	container, rest := SplitLink(r.Raw().URL.EscapedPath())
	if err == nil && rest == "/pkranges" && response.StatusCode == http.StatusNotModified && f.times.Add(-1) >= 0 {
		cache := CacheOf(r.Raw().URL.Host + container)
		_, version := cache.Known()
		cache.Forget(version)
	}
	return response, err
}

// TestRefreshBesideOthers reads the physical partitions while others have forgotten what
// is read, as they do where the container is split on and on.
func TestRefreshBesideOthers(t *testing.T) {
	for _, times := range []int32{1, 4, 9} {
		var left atomic.Int32
		server, c := harness.NewContainer(t, emulator.Options{Partitions: 3}, properties, harness.PerCall(forgetful{&left}, Policy{}))
		ctx := context.Background()
		var p Partitions
		_, version, err := p.Read(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Split("db", "c", "0"); err != nil {
			t.Fatal(err)
		}
		left.Store(times)
		m, now, err := p.Refresh(ctx, c, version)
		if err != nil || now <= version || len(m.Ranges) < 4 {
			t.Errorf("forgotten %d times: version %d after %d, %v", times, now, version, err)
		}
	}
}
