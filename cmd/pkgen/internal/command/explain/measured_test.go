package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/testdata/shop"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestExplainMeasured sends what explain tells the costs of, in containers of
// each size, and compares what is told with what the emulator has counted: each
// request, and of the request units not less, and a quarter more at most.
func TestExplainMeasured(t *testing.T) {
	for _, test := range []struct {
		folder, typ string
		steps       func(t *testing.T, c *azcosmos.ContainerClient, physical int) steps
		container   azcosmos.ContainerProperties
	}{
		{"../../../../../example/fleet", "VehicleEvent", fleetSteps, fleet.VehicleEventContainer()},
		{"../../../../../example/clickstream", "Click", clickSteps, clickstream.ClickContainer()},
		{"../../../testdata/shop", "Order", orderSteps, shop.OrderContainer()},
		{"../../../testdata/shop", "Task", taskSteps, shop.TaskContainer()},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{"explain", "-format", "json", "-type", test.typ, test.folder}, &stdout, &stderr); code != cli.Done {
			t.Fatal(stderr.String())
		}
		var types []Explanation
		if err := json.Unmarshal(stdout.Bytes(), &types); err != nil {
			t.Fatal(err)
		}
		for i, physical := range physicalPartitions {
			if testing.Short() && (physical > 5 || physical > 1 && test.typ != "VehicleEvent") {
				continue // it sends ten times as many requests, or the same to more physical partitions
			}
			t.Run(fmt.Sprintf("%s/%d", test.typ, physical), func(t *testing.T) {
				server, container := measuredContainer(t, physical, test.container)
				steps := test.steps(t, container, physical)
				for _, m := range types[0].Methods {
					step, ok := steps[m.Name]
					if !ok {
						t.Errorf("%s is not measured", m.Name)
						continue
					}
					delete(steps, m.Name)
					server.ResetRequests()
					if err := step(t.Context()); err != nil {
						t.Errorf("%s: %v", m.Name, err)
						continue
					}
					requests, units := measured(server, m.Name)
					told := m.Costs[i]
					if told.Physical != physical || told.Requests != requests || float64(told.Units) < units || float64(told.Units) > 1.25*units {
						t.Errorf("%s took %d requests of %.2f request units, told is %+v", m.Name, requests, units, told)
					}
				}
				for name := range maps.Keys(steps) {
					t.Errorf("nothing is told of %s", name)
				}
			})
		}
	}
}

// TestExplainTellsAll finds every method of a repository that sends requests for
// documents by itself among those that explain tells of.
func TestExplainTellsAll(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"explain", "../../../../../example/fleet"}, &stdout, &stderr); code != cli.Done {
		t.Fatal(stderr.String())
	}
	repo := reflect.TypeFor[*fleet.VehicleEventRepository]()
	for i := range repo.NumMethod() {
		if name := repo.Method(i).Name; !slices.Contains(operations.Apart, name) && !strings.Contains(stdout.String(), "\n  "+name+"(") {
			t.Errorf("nothing is told of %s", name)
		}
	}
}

func measuredContainer(t *testing.T, physical int, properties azcosmos.ContainerProperties) (*harness.Account, *azcosmos.ContainerClient) {
	t.Helper()
	return harness.NewContainer(t, emulator.Options{Partitions: physical}, properties, repository.Configure(nil))
}

// measured returns how many requests for documents a method has sent, and what
// they were charged. The query of DeleteFound is told of apart, and so is what a
// change feed is asked when it has come to its end.
func measured(server *harness.Account, method string) (requests int, units float64) {
	begun := map[string]bool{} // change feeds, by their physical partition
	for _, r := range server.Requests() {
		switch r.Operation {
		case emulator.OpCreateItem, emulator.OpUpsertItem, emulator.OpReadItem, emulator.OpReplaceItem, emulator.OpDeleteItem, emulator.OpPatchItem:
		case emulator.OpQueryItems:
			if method == "DeleteFound" {
				continue
			}
		case emulator.OpReadChangeFeed:
			if begun[r.Range] {
				continue
			}
			begun[r.Range] = true
		default:
			continue
		}
		requests++
		units += r.Charge
	}
	return requests, units
}
