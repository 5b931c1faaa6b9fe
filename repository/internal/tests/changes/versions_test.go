package changes

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

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// versionLog is what a handler of all versions has got, by document.
type versionLog struct {
	mu  sync.Mutex
	all map[string][]string
	n   int
}

func (l *versionLog) handle(_ context.Context, changes []feed.Version[kit.Thing]) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string][]string{}
	}
	for _, v := range changes {
		text := string(v.Operation)
		if v.Doc != nil {
			text += fmt.Sprint(" ", v.Doc.Properties["n"])
		}
		if v.Expired {
			text += " expired"
		}
		if (v.Operation == feed.VersionDeleted) != (v.Doc == nil) || v.PartitionKey == "" || v.Time.IsZero() || v.Doc != nil && v.Doc.ID != v.ID {
			text += fmt.Sprintf(" %+v", v)
		}
		l.all[v.ID] = append(l.all[v.ID], text)
		l.n++
	}
	return nil
}

// await waits for n changes, and returns those of a document.
func (l *versionLog) await(t *testing.T, n int, id string) []string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		l.mu.Lock()
		got, have := slices.Clone(l.all[id]), l.n
		l.mu.Unlock()
		if have >= n {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d changes of %d: %v", have, n, l.all)
		}
	}
}

func TestVersionProcessor(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := kit.NewThings(t, emulator.Options{Partitions: 3, AllVersions: time.Hour}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, c.Server)
	c.Add(t, "before", 5)
	var got versionLog
	start := func() func() {
		return kit.RunProcessor(t, feed.NewVersionProcessor(c.Documents, "p", leases, got.handle, kit.Quick, feed.PageSize(2), feed.PollEvery(20*time.Millisecond)))
	}
	end := start()
	kit.AwaitPositions(t, leases, 3)
	x := &kit.Thing{ID: "x", Base: "x", Properties: map[string]any{"n": 1}}
	steps := func(x *kit.Thing) error {
		return errors.Join(c.Create(ctx, x), c.Upsert(ctx, &kit.Thing{ID: x.ID, Base: "x", Properties: map[string]any{"n": 2}}),
			c.Upsert(ctx, &kit.Thing{ID: x.ID, Base: "x", Properties: map[string]any{"n": 3}}), c.Delete(ctx, kit.ThingKey{ID: x.ID, Base: "x"}))
	}
	if err := steps(x); err != nil {
		t.Fatal(err)
	}
	want := []string{"create 1", "replace 2", "replace 3", "delete"}
	if all := got.await(t, 4, "x"); !slices.Equal(all, want) {
		t.Errorf("the changes are %q, want %q", all, want)
	}
	if err := c.Server.Split("db", "things", "1"); err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprint("y", i))
		if err := steps(&kit.Thing{ID: names[i], Base: "x", Properties: map[string]any{"n": 1}}); err != nil {
			t.Fatal(err)
		}
	}
	got.await(t, 44, "x")
	end()
	if err := steps(&kit.Thing{ID: "z", Base: "x", Properties: map[string]any{"n": 1}}); err != nil {
		t.Fatal(err)
	}
	end = start()
	for _, id := range append(names, "z") {
		if all := got.await(t, 48, id); !slices.Equal(all, want) {
			t.Errorf("the changes of %s are %q, want %q", id, all, want)
		}
	}
	end()
	lags, err := feed.NewVersionProcessor(c.Documents, "p", leases, got.handle).Lag(ctx)
	if err != nil || len(lags) != 4 {
		t.Fatalf("%v, %v", lags, err)
	}
	for _, l := range lags {
		if l.Changes != 0 {
			t.Errorf("after all was handled: %+v", l)
		}
	}
	if err := feed.NewProcessor(c.Documents, "p", leases, func(context.Context, []feed.Delivery[kit.Thing]) error { return nil }).Run(ctx); err == nil || !strings.Contains(err.Error(), "other mode") {
		t.Errorf("leases of all versions in a processor of latest versions: %v", err)
	}
	c.Server.Advance(40 * time.Minute)
	c.Add(t, "late", 30)
	c.Server.Advance(40 * time.Minute)
	c.Add(t, "later", 30) // what is too old is forgotten
	c.Server.Advance(40 * time.Minute)
	p := feed.NewVersionProcessor(c.Documents, "p", leases, got.handle, kit.Quick)
	_, lagErr := p.Lag(ctx)
	for _, err := range []error{p.Run(ctx), lagErr} {
		if err == nil || !strings.Contains(err.Error(), "older than the account keeps") {
			t.Errorf("progress that is older than the retention: %v", err)
		}
	}
}

// TestVersionsThatTheServiceRefuses: each reason is a 400, and only what is known of it is
// claimed.
func TestVersionsThatTheServiceRefuses(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{AllVersions: time.Hour}, repository.Configure(nil), false)
	var got versionLog
	leases := kit.NewLeases(t, c.Server)
	end := kit.RunProcessor(t, feed.NewVersionProcessor(c.Documents, "p", leases, got.handle, kit.Quick, feed.PollEvery(20*time.Millisecond)))
	kit.AwaitPositions(t, leases, 1)
	end()
	const position, lacks, nowEither = "the service refuses the saved progress", "the account does not keep them", "not from now on either"
	fault := emulator.Fault{Path: "/colls/things/docs", Operation: emulator.OpReadChangeFeed, Count: -1, Status: http.StatusBadRequest}
	after := fault
	after.Skip, after.Count = 1, 1 // the first request is from now on
	for _, test := range []struct {
		name, want string
		fault      *emulator.Fault
	}{
		{"all requests are refused", nowEither, &fault},
		{"the first with the position is refused", position, &after},
	} {
		c.Server.Inject(*test.fault)
		err := feed.NewVersionProcessor(c.Documents, "p", leases, got.handle, kit.Quick).Run(t.Context())
		c.Server.ClearFaults()
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), lacks) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	without := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
	err := feed.NewVersionProcessor(without.Documents, "p", kit.NewLeases(t, without.Server), got.handle).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), lacks) {
		t.Errorf("without the feature: %v", err)
	}
}

// TestVersionsOfATimeToLive has a document expire.
func TestVersionsOfATimeToLive(t *testing.T) {
	t.Parallel()
	byDocument := int32(-1)
	properties := harness.Properties("things", "/pk")
	properties.DefaultTimeToLive = &byDocument
	server, container := harness.NewContainer(t, emulator.Options{AllVersions: time.Hour}, properties, repository.Configure(nil))
	things := repository.New(container, &kit.ThingModel)
	leases := kit.NewLeases(t, server)
	var got versionLog
	end := kit.RunProcessor(t, feed.NewVersionProcessor(things, "p", leases, got.handle, kit.Quick, feed.PollEvery(20*time.Millisecond)))
	kit.AwaitPositions(t, leases, 1)
	if err := things.Create(t.Context(), &kit.Thing{ID: "x", Base: "x", Properties: map[string]any{"n": 1, "ttl": 60}}); err != nil {
		t.Fatal(err)
	}
	server.Advance(2 * time.Minute)
	if all := got.await(t, 2, "x"); !slices.Equal(all, []string{"create 1", "delete expired"}) {
		t.Errorf("the changes are %q", all)
	}
	end()
}

// TestVersionsThatDoNotDecode leaves out one of two documents.
func TestVersionsThatDoNotDecode(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{AllVersions: time.Hour}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, c.Server)
	broken := repository.New(c.Server.Container("things", repository.Configure(nil)), &kit.ThingModel, repository.WithUnmarshal(func(data []byte, v any) error {
		if strings.Contains(string(data), `"a0000"`) {
			return errors.New("broken")
		}
		return v.(*kit.Thing).UnmarshalJSON(data)
	}))
	var got versionLog
	left := make(chan error, 10)
	end := kit.RunProcessor(t, feed.NewVersionProcessor(broken, "p", leases, got.handle, kit.Quick, feed.PollEvery(20*time.Millisecond),
		kit.OnUndecodable(func(_ context.Context, _ []byte, err error) bool {
			left <- err
			return true
		})))
	kit.AwaitPositions(t, leases, 1)
	c.Add(t, "a", 2)
	got.await(t, 1, "a0001")
	var own *repository.Error
	if err := <-left; !errors.As(err, &own) || own.ID != "a0000" {
		t.Errorf("left out is %v", err)
	}
	end()
}

func TestVersionProcessorsThatAreRefused(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, c.Server)
	handle := func(context.Context, []feed.Version[kit.Thing]) error { return nil }
	for want, p := range map[string]*feed.Processor{
		"continuous backup":               feed.NewVersionProcessor(c.Documents, "p", leases, handle),
		"DotNet only":                     feed.NewVersionProcessor(c.Documents, "p", leases, handle, feed.WithLeaseDialect(feed.JavaEPK)),
		"begin now":                       feed.NewVersionProcessor(c.Documents, "p", leases, handle, feed.Begin(feed.FromTime(time.Now()))),
		"handler of the processor is nil": feed.NewVersionProcessor(c.Documents, "p", leases, nil),
	} {
		err := p.Run(t.Context())
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if ids := kit.LeaseIDs(t, leases); len(ids) > 0 {
		t.Errorf("before an error there were written %q", ids)
	}
}
