package queries

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// incomplete leaves a physical partition out of the next answers about them, as the service
// may during a split.
type incomplete struct{ left atomic.Int64 }

func (i *incomplete) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err != nil || !strings.HasSuffix(r.Raw().URL.Path, "/pkranges") || response.StatusCode != http.StatusOK || i.left.Add(-1) < 0 {
		return response, err
	}
	var page map[string]any
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	ranges, _ := page["PartitionKeyRanges"].([]any)
	page["PartitionKeyRanges"], page["_count"] = ranges[1:], len(ranges)-1
	response.Header.Del("x-ms-item-count")
	body, err := json.Marshal(page)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, err
}

// TestIncompleteRefresh has a physical partition split, and the answers about the new ones
// be incomplete: a query succeeds after a few of them, and says why after too many.
func TestIncompleteRefresh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			answers int64
			fails   bool
		}{{3, false}, {1000, true}} {
			i := &incomplete{}
			o := azcosmos.ClientOptions{}
			o.PerRetryPolicies = []policy.Policy{i}
			server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(&o))
			events := fleet.NewVehicleEventRepository(container)
			kit.Fill(t, events, 50)
			if got, err := events.ByDate(kit.Day).Collect(t.Context()); err != nil || len(got) != 50 {
				t.Fatalf("%d, %v", len(got), err)
			}
			if err := server.Split("db", fleet.VehicleEventContainer().ID, "0"); err != nil {
				t.Fatal(err)
			}
			i.left.Store(test.answers)
			got, err := events.ByDate(kit.Day).Collect(t.Context())
			if !test.fails && (err != nil || len(got) != 50) {
				t.Errorf("%d documents, %v", len(got), err)
			}
			var own *repository.Error
			if test.fails && (!errors.As(err, &own) || !strings.Contains(err.Error(), "410") || !strings.Contains(err.Error(), "physical partition")) {
				t.Errorf("%v", err)
			}
			if test.fails && !strings.Contains(err.Error(), "make no map") && !strings.Contains(err.Error(), "incomplete set of ranges") {
				t.Errorf("the error does not say why the physical partitions are not known: %v", err)
			}
			t.Log(err)
		}
	})
}
