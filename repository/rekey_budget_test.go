package repository_test

import (
	cmdline "flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// rekeyDocuments is for the tests of the night.
var rekeyDocuments = cmdline.Int("documents", 3000, "how many documents Rekey moves with a budget")

// virtualRides is a container without a network, so that its time is that of a bubble of
// testing/synctest. It counts what requests for documents are charged.
type virtualRides struct {
	server   *server.Server
	endpoint string
	began    time.Time

	mu       sync.Mutex
	requests int
	units    float64
	windows  map[int]float64 // units in each ten seconds
}

// virtualAccounts tells accounts apart: what is known of partitions is kept by account.
var virtualAccounts atomic.Int64

const rideContainer = `{"id":"rides","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`

// newVirtualRides makes a container with n documents, as the release before stores them.
func newVirtualRides(t testing.TB, latency time.Duration, n int) *virtualRides {
	t.Helper()
	s, err := server.New(server.Options{Partitions: 4, Latency: latency})
	if err != nil {
		t.Fatal(err)
	}
	v := &virtualRides{server: s, endpoint: fmt.Sprintf("http://emulator-%d/", virtualAccounts.Add(1))}
	var all []string
	for i := range n {
		vin := fmt.Sprintf("V%d", i)
		all = append(all, fmt.Sprintf(`{"id":"e%d","day":"%s","vin":"%s","speed":%d,"pk":"%s"}`, i, day, vin, i%200, rideKey{VIN: vin, Day: day}.at(4)))
	}
	v.load(t, rideContainer, all...)
	return v
}

// load makes a container with documents.
func (v *virtualRides) load(t testing.TB, container string, documents ...string) {
	t.Helper()
	head := fmt.Sprintf(`{"database":"db","container":%s}`, container)
	if _, err := v.server.Load(strings.NewReader(head + "\n" + strings.Join(documents, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
}

// container connects to a container.
func (v *virtualRides) container(t testing.TB, name string) *azcosmos.ContainerClient {
	t.Helper()
	c, err := v.database(t).NewContainer(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// database connects to the database, by a client of these policies.
func (v *virtualRides) database(t testing.TB, perRetry ...policy.Policy) *azcosmos.DatabaseClient {
	t.Helper()
	credential, err := azcosmos.NewKeyCredential(v.server.Key())
	if err != nil {
		t.Fatal(err)
	}
	client, err := azcosmos.NewClientWithKey(v.endpoint, credential, repository.Configure(&azcosmos.ClientOptions{
		ClientOptions: azcore.ClientOptions{Transport: v, PerRetryPolicies: perRetry},
	}))
	if err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// Do implements policy.Transporter.
func (v *virtualRides) Do(q *http.Request) (_ *http.Response, err error) {
	defer func() {
		if aborted := recover(); aborted != nil { // as the server of net/http does
			if err = q.Context().Err(); aborted != http.ErrAbortHandler || err == nil {
				panic(aborted)
			}
		}
	}()
	if q.Body == nil {
		q.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	v.server.ServeHTTP(w, q)
	answer := w.Result()
	answer.Request = q
	header := http.Header{}
	for name, values := range answer.Header { // as one that a network has brought
		for _, value := range values {
			header.Add(name, value)
		}
	}
	answer.Header = header
	if !strings.Contains(q.URL.Path, "/docs") {
		return answer, nil
	}
	units, _ := strconv.ParseFloat(header.Get("x-ms-request-charge"), 64)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.requests++
	v.units += units
	if v.windows != nil {
		v.windows[int(time.Since(v.began)/(10*time.Second))] += units
	}
	return answer, nil
}

// measure begins to count.
func (v *virtualRides) measure() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.began, v.requests, v.units, v.windows = time.Now(), 0, 0, map[int]float64{}
}

// sent returns how many requests were sent since measure.
func (v *virtualRides) sent() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.requests
}

// TestRekeyBudget measures what Rekey spends, in virtual time: neither the whole nor ten
// seconds of it are more than 5% above the budget, and the whole is not much below it, but
// for the second between two looks at the leases.
func TestRekeyBudget(t *testing.T) {
	tests := []struct {
		budget      float64
		concurrency int
		latency     time.Duration
		leases      bool
	}{
		{1000, 16, 5 * time.Millisecond, true},
		{500, 16, 5 * time.Millisecond, false},
		{2000, 4, 2 * time.Millisecond, false},
	}
	for _, test := range tests[:seeds.Few(len(tests), 1)] {
		synctest.Test(t, func(t *testing.T) {
			v := newVirtualRides(t, test.latency, *rekeyDocuments)
			at := repository.New(v.container(t, "rides"), release{now: 12, was: []int{4}}.model())
			opts := []repository.RekeyOption{repository.RekeyBudget(test.budget), repository.RekeyConcurrency(test.concurrency)}
			if test.leases {
				v.load(t, `{"id":"leases","partitionKey":{"paths":["/id"],"kind":"Hash","version":2},"defaultTtl":-1}`)
				opts = append(opts, repository.RekeyLeases(v.container(t, "leases")))
			}
			for _, what := range []string{"moves", "finds nothing"} {
				v.measure()
				s, err := at.Rekey(t.Context(), opts...)
				if err != nil || s.Left != 0 {
					t.Fatalf("%+v, %v", s, err)
				}
				took := time.Since(v.began).Seconds()
				rate := v.units / took / test.budget
				idle := 0.0
				if test.leases {
					idle = 1
				}
				if rate > 1.05 || v.units < 0.95*test.budget*(took-idle) {
					t.Errorf("%+v, %s: %.0f RU in %.1f s are %.3f of the budget", test, what, v.units, took, rate)
				}
				if told := s.RequestUnits / v.units; told > 1.001 || told < 0.999 {
					t.Errorf("%+v, %s: it tells %.0f RU of %.0f", test, what, s.RequestUnits, v.units)
				}
				for i, units := range v.windows {
					if units > 10*test.budget*1.05 {
						t.Errorf("%+v, %s: %.0f RU in the ten seconds from %d on", test, what, units, 10*i)
					}
				}
				t.Logf("%+v, %s: moved %d, %.0f RU in %.1f s are %.3f of it, %d requests", test, what, s.Moved, v.units, took, rate, v.requests)
			}
		})
	}
}
