package requests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/turn"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// stores are what the patient is stored as: as it is, and in ways in which one
// property does not decode.
var stores = map[string]string{
	"sound":      `"name":"text7733secret","iban":"text7733secret","born":"2001-02-03T04:05:06Z","seen":"2001-02-03T04:05:06Z","dose":1`,
	"bad text":   `"iban":"bad text7733secret"`,
	"bad time":   `"born":"text7733secret"`,
	"bad Time":   `"seen":"text7733secret"`,
	"no number":  `"dose":"text7733secret"`,
	"too large":  `"dose":8765432187654321`,
	"a fraction": `"dose":87654321.5`,
	"no text":    `"name":87654321`,
	"no map":     `"notes":[87654321]`,
}

// TestPrivacy stores secrets in every field and has everything fail in many ways.
func TestPrivacy(t *testing.T) {
	faults := map[string]emulator.Fault{
		"none":    {Operation: "none"},
		"lost":    {Path: "/docs", Body: func([]byte) []byte { return nil }, Count: -1},
		"half":    {Path: "/docs", Body: func(b []byte) []byte { return b[:len(b)*2/3] }, Count: -1},
		"dropped": {Path: "/docs", Drop: true, Count: -1},
	}
	for _, status := range []int{400, 401, 403, 404, 409, 410, 412, 413, 429, 449, 500, 503} {
		faults[fmt.Sprint(status)] = emulator.Fault{Path: "/docs", Status: status, RetryAfter: time.Millisecond, Count: -1}
	}
	type run struct{ operation, stored, fault string }
	var runs []run
	for operation := range privately {
		for stored := range stores {
			if !testing.Short() || stored == "sound" || stored == "bad time" || stored == "too large" {
				runs = append(runs, run{operation, stored, "none"})
			}
		}
		for fault := range faults {
			if fault != "none" && (!testing.Short() || fault == "400" || fault == "lost") {
				runs = append(runs, run{operation, "sound", fault})
			}
		}
	}
	var mu sync.Mutex
	failed := map[string]int{}
	// azcosmos waits a second where a connection breaks, which takes no time in a bubble.
	defer turn.FeedRanges.Renew()
	synctest.Test(t, func(t *testing.T) {
		turn.FeedRanges.Renew()
		kit.Concurrently(runs, 32, func(r run) {
			said := new(spoken)
			err := privateRun(t, said, stores[r.stored], faults[r.fault], privately[r.operation])
			for _, problem := range said.leaks(err) {
				t.Errorf("%v: %s", r, problem)
			}
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed[r.operation]++
			}
		})
	})
	for operation := range privately {
		if failed[operation] == 0 {
			t.Errorf("%s never failed", operation)
		}
	}
}

// privateRun runs an operation on an account of its own.
func privateRun(t *testing.T, said *spoken, properties string, fault emulator.Fault, operation func(context.Context, patients) error) error {
	options := repository.Configure(harness.Impatient())
	options.Retry.MaxRetries = 1
	options.PerRetryPolicies = append(options.PerRetryPolicies, talkative{})
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 2}, fixtures.PatientContainer(), options)
	defer server.Close()
	ctx := context.Background()
	body := `{"id":"` + secretID + `","ward":"` + secretWard + `",` + properties + `}`
	if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString(secretWard), []byte(body), nil); err != nil {
		t.Error(err)
		return nil
	}
	d := repository.New(container, fixtures.PatientModel, repository.WithTracing(said.provider()), repository.WithObserver(said.observe))
	server.Inject(fault)
	return operation(ctx, d)
}

// TestForeignErrorsAreFound has those whose texts are not ours.
func TestForeignErrorsAreFound(t *testing.T) {
	said := new(spoken)
	get := privately["get"]
	var (
		parse    *time.ParseError
		kind     *json.UnmarshalTypeError
		response *azcore.ResponseError
	)
	if err := privateRun(t, said, stores["bad time"], emulator.Fault{Operation: "none"}, get); !errors.As(err, &parse) || !strings.Contains(err.Error(), "property born: a time is not of the layout") {
		t.Errorf("got %v", err)
	}
	if err := privateRun(t, said, stores["no number"], emulator.Fault{Operation: "none"}, get); !errors.As(err, &kind) || !strings.HasSuffix(err.Error(), "its JSON does not decode: property dose: a JSON string does not fit the Go type int32") {
		t.Errorf("got %v", err)
	}
	if err := privateRun(t, said, stores["bad text"], emulator.Fault{Operation: "none"}, get); err == nil || !strings.Contains(err.Error(), "property iban: a type of it refuses what is stored") {
		t.Errorf("got %v", err)
	}
	fault := emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusForbidden}
	if err := privateRun(t, said, stores["sound"], fault, get); !errors.As(err, &response) || !strings.Contains(response.Error(), secretText) || !strings.Contains(err.Error(), "status 403: Forbidden, activity ") {
		t.Errorf("got %v", err)
	}
}
