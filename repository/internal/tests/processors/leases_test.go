package processors

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// region sends requests to a regional address, as azcosmos does in an account of several
// regions. It comes after the SDK's choice.
type region struct{ host string }

func (r region) Do(request *policy.Request) (*http.Response, error) {
	request.Raw().URL.Host = r.host
	return request.Next()
}

// regional is a transport that finds the server under a regional address.
type regional struct {
	to   policy.Transporter
	host string // the server's
}

func (r regional) Do(request *http.Request) (*http.Response, error) {
	found := request.Clone(request.Context())
	found.URL.Host = r.host
	response, err := r.to.Do(found)
	if response != nil {
		response.Request = request
	}
	return response, err
}

// TestLeasesHaveTheHostOfTheAccount: other SDKs begin the ids of leases with the address
// of the client, and not with that of the region that answers.
func TestLeasesHaveTheHostOfTheAccount(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, c.Server)
	options := repository.Configure(nil)
	options.PerRetryPolicies = append(options.PerRetryPolicies, region{"account-westeurope.example"})
	options.Transport = regional{&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, strings.Trim(strings.TrimPrefix(c.Server.Endpoint(), "http:"), "/")}
	db := c.Server.Database(options)
	container, err := db.NewContainer("things")
	if err != nil {
		t.Fatal(err)
	}
	var got kit.Handled
	end := kit.RunProcessor(t, feed.NewProcessor(repository.New(container, &kit.ThingModel), "p", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}, kit.Quick))
	got.Await(t, c.Add(t, "a", 1))
	end()
	ids := kit.LeaseIDs(t, leases)
	for _, id := range ids {
		if !strings.HasPrefix(id, "p127.0.0.1_") {
			t.Errorf("a lease has the id %s", id)
		}
	}
	if len(ids) != 2 {
		t.Errorf("there are %q", ids)
	}
}

// TestProcessorRestoresLostLeases deletes leases under a processor, as a forced failover may:
// those that are missing are created again, and their changes come again.
func TestProcessorRestoresLostLeases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		things := kit.NewThings(t, emulator.Options{Partitions: 3}, repository.Configure(nil), false)
		leases := kit.NewLeases(t, things.Server)
		var got kit.Handled
		var restored atomic.Int32
		p := feed.NewProcessor(things.Documents, "p", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
			got.Note(changes)
			return nil
		}, kit.Quick, feed.PollEvery(20*time.Millisecond), kit.Observe(func(_ context.Context, e feed.Event) {
			if e.Op == "restore" {
				restored.Add(1)
			}
		}))
		end := kit.RunProcessor(t, p)
		all := things.Add(t, "a", 30)
		got.Await(t, all)
		lost := 0
		for _, id := range kit.LeaseIDs(t, leases) {
			if strings.Contains(id, "..") && !strings.HasSuffix(id, "..0") {
				if _, err := leases.DeleteItem(t.Context(), azcosmos.NewPartitionKeyString(id), id, nil); err != nil {
					t.Fatal(err)
				}
				lost++
			}
		}
		all = append(all, things.Add(t, "b", 30)...)
		again := got.Await(t, all)
		for deadline := time.Now().Add(2 * time.Minute); (restored.Load() < 2 || again == 0) && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			again = got.Await(t, all) // the handlers of before may have all changes, until they notice
		}
		end()
		if lost != 2 || restored.Load() != 2 || again == 0 || again >= 60 {
			t.Errorf("%d leases were lost, %d restored, and %d documents handled again", lost, restored.Load(), again)
		}
	})
}

// TestProcessorFollowsAMerge merges two of four physical partitions. Their leases become
// leases of ranges, as those of .NET do.
func TestProcessorFollowsAMerge(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{Partitions: 4}, repository.Configure(nil), false)
	var got kit.Handled
	p := feed.NewProcessor(things.Documents, "p", kit.NewLeases(t, things.Server), func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}, kit.Quick, feed.PollEvery(20*time.Millisecond))
	end := kit.RunProcessor(t, p)
	all := things.Add(t, "a", 40)
	got.Await(t, all)
	if err := things.Server.Merge("db", "things", "2", "3"); err != nil {
		t.Fatal(err)
	}
	all = append(all, things.Add(t, "b", 40)...)
	got.Await(t, all)
	var tokens string
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		lags, err := p.Lag(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tokens = ""
		for _, l := range lags {
			tokens += l.Lease + " "
		}
		if strings.Count(tokens, "-") == 2 && len(lags) == 4 {
			break
		}
	}
	if strings.Count(tokens, "-") != 2 || strings.Contains(tokens, "2 ") || strings.Contains(tokens, "3 ") {
		t.Errorf("after a merge there are the leases %q", tokens)
	}
	all = append(all, things.Add(t, "c", 20)...)
	if again := got.Await(t, all); again != 0 {
		t.Errorf("%d documents were handled again", again)
	}
	end()
}

// TestLeasesByIDAfterAMerge: leases of JavaRange cannot follow a merge.
func TestLeasesByIDAfterAMerge(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{Partitions: 3}, repository.Configure(nil), false)
	var got kit.Handled
	java := feed.WithLeaseDialect(feed.JavaRange)
	leases := kit.NewLeases(t, things.Server)
	p := feed.NewProcessor(things.Documents, "p", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}, kit.Quick, java, feed.PollEvery(20*time.Millisecond))
	idle := feed.NewProcessor(repository.New(things.Server.Container("things", repository.Configure(nil)), &kit.ThingModel), "p", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}, kit.Quick, java)
	done := make(chan error, 1)
	go func() { done <- p.Run(t.Context()) }()
	got.Await(t, things.Add(t, "a", 20))
	if _, err := idle.Lag(t.Context()); err != nil { // it knows the physical partitions now
		t.Fatal(err)
	}
	if err := things.Server.Split("db", "things", "0"); err != nil {
		t.Fatal(err)
	}
	got.Await(t, things.Add(t, "b", 20))
	if lags, err := idle.Lag(t.Context()); err != nil || len(lags) != 4 {
		t.Errorf("after a split that another process has seen: %v, %v", lags, err)
	}
	if err := things.Server.Merge("db", "things", "1", "2"); err != nil {
		t.Fatal(err)
	}
	things.Add(t, "c", 20)
	select {
	case err := <-done:
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), "JavaEPK") {
			t.Errorf("Run ends with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Run goes on")
	}
}
