package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

func TestConnectionString(t *testing.T) {
	srv := emulator.New(t, emulator.Options{})
	client, err := azcosmos.NewClientFromConnectionString(srv.ConnectionString(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Error(err)
	}
	if srv.Key() != emulator.WellKnownKey || !strings.HasPrefix(srv.Endpoint(), "http://127.0.0.1:") {
		t.Errorf("key %q, endpoint %q", srv.Key(), srv.Endpoint())
	}
}

func TestWrongKey(t *testing.T) {
	srv := emulator.New(t, emulator.Options{Key: "b3RoZXI="})
	credential, err := azcosmos.NewKeyCredential(emulator.WellKnownKey)
	if err != nil {
		t.Fatal(err)
	}
	client, err := azcosmos.NewClientWithKey(srv.Endpoint(), credential, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil)
	if status(err) != http.StatusUnauthorized {
		t.Errorf("wrong key: %v, want 401", err)
	}
	if _, err := srv.Client(nil).CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Errorf("right key: %v", err)
	}
}

func TestClientLeavesOptionsAlone(t *testing.T) {
	srv := emulator.New(t, emulator.Options{})
	calls := 0
	o := &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
		PerCallPolicies: []policy.Policy{policyFunc(func(r *policy.Request) (*http.Response, error) {
			calls++
			return r.Next()
		})},
	}}
	if _, err := srv.Client(o).CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	if calls == 0 {
		t.Error("the policy of the caller was not used")
	}
	if o.Transport != nil || o.Telemetry.Disabled || len(o.PerCallPolicies) != 1 || o.Logging.AllowedHeaders != nil {
		t.Errorf("the options were changed: %+v", o)
	}
}

type policyFunc func(*policy.Request) (*http.Response, error)

func (f policyFunc) Do(r *policy.Request) (*http.Response, error) { return f(r) }

func TestWrongOptions(t *testing.T) {
	if _, err := emulator.Start(emulator.Options{Key: "!"}); err == nil || !strings.Contains(err.Error(), "base64") {
		t.Errorf("Start with a wrong key: %v", err)
	}
	var fake fakeTB
	func() {
		defer func() { _ = recover() }()
		emulator.New(&fake, emulator.Options{Key: "!"})
	}()
	if !strings.Contains(fake.fatal, "base64") {
		t.Errorf("New reported %q", fake.fatal)
	}
}

// fakeTB is a test that fails by a panic.
type fakeTB struct{ fatal string }

func (*fakeTB) Helper()        {}
func (*fakeTB) Cleanup(func()) {}
func (f *fakeTB) Fatalf(format string, args ...any) {
	f.fatal = fmt.Sprintf(format, args...)
	panic(f.fatal)
}

func TestCloseEndsEverything(t *testing.T) {
	defer goleak.VerifyNone(t)
	srv, err := emulator.Start(emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := srv.Client(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}})
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	srv.Close()
	srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err == nil || ctx.Err() != nil {
		t.Errorf("a request to a closed server: %v", err)
	}
}

func TestFaultsThroughTheSDK(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{})
	ctx := t.Context()
	create(t, c, "1", "a", 1)

	srv.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusTooManyRequests, Count: 2, RetryAfter: time.Millisecond})
	if _, err := c.ReadItem(ctx, pk("a"), "1", nil); err != nil {
		t.Errorf("a throttled read was not retried: %v", err)
	}
	srv.Inject(emulator.Fault{Operation: emulator.OpDeleteItem, Status: 449})
	if _, err := c.DeleteItem(ctx, pk("a"), "1", nil); status(err) != 449 {
		t.Errorf("delete: %v, want 449", err)
	}

	// A connection that breaks after the write took effect: the SDK's retry, if
	// it makes one, meets its own item; if it makes none, the caller does not
	// know. Either way the item is there.
	srv.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Drop: true, After: true})
	_, err := c.CreateItem(ctx, pk("b"), []byte(`{"id":"2","pk":"b"}`), nil)
	if err == nil {
		t.Error("the create whose connection broke succeeded")
	}
	if _, err := c.ReadItem(ctx, pk("b"), "2", nil); err != nil {
		t.Errorf("the item of the broken create: %v", err)
	}
}

func TestLatency(t *testing.T) {
	_, c := newContainer(t, emulator.Options{Latency: 10 * time.Millisecond})
	start := time.Now()
	create(t, c, "1", "a", 1)
	if took := time.Since(start); took < 10*time.Millisecond {
		t.Errorf("a request took %v, want at least 10 ms", took)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := c.ReadItem(ctx, pk("a"), "1", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a request with a deadline of 1 ms: %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 4})
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			key := fmt.Sprint(worker % 4)
			for i := range 20 {
				body := fmt.Appendf(nil, `{"id":"%d-%d","pk":%q}`, worker, i, key)
				if _, err := c.UpsertItem(t.Context(), pk(key), body, nil); err != nil {
					t.Error(err)
				}
				if _, err := ids(t.Context(), c, "SELECT * FROM c WHERE c.id != ''", azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{PageSizeHint: 50}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, id := range []string{"0", "1", "2", "3", "4", "5"} {
		if err := srv.Split("db", "docs", id); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	pages, err := ids(t.Context(), c, "SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	if got := len(slices.Concat(pages...)); err != nil || got != 160 {
		t.Errorf("%d of 160 items, %v", got, err)
	}
}
