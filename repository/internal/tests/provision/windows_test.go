package provision

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

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// monthly is the model of a type with a container for each month, which has the properties
// that the tests of this package want.
var monthly = func() generated.Model[fixtures.Reading, fixtures.ReadingKey] {
	model, containers := *fixtures.ReadingModel, *fixtures.ReadingModel.Containers
	containers.Properties = func(name string) azcosmos.ContainerProperties {
		return wanted(func(p *azcosmos.ContainerProperties) { p.ID = name })
	}
	model.Containers = &containers
	return model
}()

func month(year int, m time.Month) time.Time { return time.Date(year, m, 1, 0, 0, 0, 0, time.UTC) }

// june is in the middle of June 2026.
var june = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// byAge gives autoscale 10,000 to present windows, and the lowest throughput to past ones.
func byAge(now time.Time) admin.WindowPolicy {
	return admin.WindowPolicy{Present: admin.Autoscale(10_000), Past: admin.LeastThroughput(), Now: now}
}

// windowsOf are the windows of a database, by a client of their own.
func windowsOf(t testing.TB, server *harness.Account) *admin.Windows {
	t.Helper()
	return admin.NewWindows(server.Database(repository.Configure(nil)), &monthly, generated.Keys{})
}

// lines are those of a list, with single spaces.
func lines(l admin.WindowList) []string {
	var list []string
	for line := range strings.Lines(l.String()) {
		list = append(list, strings.Join(strings.Fields(line), " "))
	}
	return list
}

func checkLines(t testing.TB, what string, l admin.WindowList, want ...string) {
	t.Helper()
	if got := lines(l); !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestWindowsGrowOld has windows of the first half of a year ensured in June, and again in
// July.
func TestWindowsGrowOld(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
	w := windowsOf(t, server)
	policy := byAge(june)
	policy.Ahead = 20 * 24 * time.Hour // to 5 July
	list, err := w.Ensure(t.Context(), month(2026, 4), month(2026, 7), policy)
	if err != nil {
		t.Fatal(err)
	}
	checkLines(t, "June", list,
		"telemetry-2026-04 created the least that is allowed",
		"telemetry-2026-05 created the least that is allowed",
		"telemetry-2026-06 created autoscale up to 10000 RU/s",
		"telemetry-2026-07 created autoscale up to 10000 RU/s")
	server.ResetRequests()
	if list, err = w.Ensure(t.Context(), month(2026, 4), month(2026, 7), policy); err != nil {
		t.Fatal(err)
	}
	checkLines(t, "June again", list,
		"telemetry-2026-04 found manual 400 RU/s",
		"telemetry-2026-05 found manual 400 RU/s",
		"telemetry-2026-06 found autoscale up to 10000 RU/s",
		"telemetry-2026-07 found autoscale up to 10000 RU/s")
	if got := len(ensureOperations(server)); got != 16 {
		t.Errorf("%d requests, want 4 for each window: %v", got, ensureOperations(server))
	}
	policy.Now, policy.Late = month(2026, 7).Add(time.Hour), 2*time.Hour
	if list, err = w.Ensure(t.Context(), month(2026, 4), month(2026, 7), policy); err != nil || len(list.Left()) != 0 || list[2].Action != admin.WindowFound {
		t.Errorf("June is past too early: %v\n%v", list, err)
	}
	policy.Now = policy.Now.Add(time.Hour)
	if list, err = w.Ensure(t.Context(), month(2026, 6), month(2026, 7), policy); err != nil {
		t.Fatal(err)
	}
	checkLines(t, "July", list,
		"telemetry-2026-06 changed autoscale up to 1000 RU/s, was autoscale up to 10000 RU/s",
		"telemetry-2026-07 found autoscale up to 10000 RU/s")
	if list[0].Start != month(2026, 6) || list[0].End != month(2026, 7) || list[0].Had != admin.Autoscale(10_000) || list[0].Has != admin.Autoscale(1000) {
		t.Errorf("got %+v", list[0])
	}
}

// TestWindowsFromEightProgramsAtOnce makes a year of windows, changes the kind of their
// throughput, and drops old ones, each from eight clients at once.
func TestWindowsFromEightProgramsAtOnce(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
	programs := make([]*admin.Windows, 8)
	for i := range programs {
		programs[i] = windowsOf(t, server)
	}
	together := func(do func(*admin.Windows) error) {
		t.Helper()
		start := make(chan struct{})
		var wg sync.WaitGroup
		for _, w := range programs {
			wg.Go(func() {
				<-start
				if err := do(w); err != nil {
					t.Error(err)
				}
			})
		}
		close(start)
		wg.Wait()
	}
	ensure := func(p admin.WindowPolicy) func(*admin.Windows) error {
		return func(w *admin.Windows) error {
			list, err := w.Ensure(t.Context(), month(2026, 1), month(2027, 1), p)
			if len(list) != 12 || len(list.Left()) != 0 {
				return fmt.Errorf("%v\n%w", list, err)
			}
			return err
		}
	}
	together(ensure(admin.WindowPolicy{Present: admin.Manual(1500), Past: admin.Manual(700), Now: june}))
	if got := changesOfThroughput(server); got != 0 {
		t.Errorf("%d changes of throughput of new windows", got)
	}
	server.ResetRequests()
	together(ensure(admin.WindowPolicy{Present: admin.Autoscale(4000), Past: admin.LeastThroughput(), Now: june}))
	if got := changesOfThroughput(server); got != 5+2*7 { // past ones are lowered, others change their kind and amount
		t.Errorf("%d changes of throughput, want 19", got)
	}
	old := []string{"telemetry-2026-01", "telemetry-2026-02", "telemetry-2026-03"}
	together(func(w *admin.Windows) error {
		list, err := w.Drop(t.Context(), admin.WindowDrop{Names: old, OlderThan: 30 * 24 * time.Hour, Now: june})
		if len(list) != 3 || len(list.Left()) != 0 {
			return fmt.Errorf("%v\n%w", list, err)
		}
		return err
	})
	list, err := programs[0].List(t.Context())
	if err != nil || len(list) != 9 || list[0].Name != "telemetry-2026-04" {
		t.Errorf("%v\n%v", list, err)
	}
}

// TestWindowsBeyondTheChangesOfAnAccount lowers a year of windows by day, which takes
// more changes of throughput than the service allows in five minutes.
func TestWindowsBeyondTheChangesOfAnAccount(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
	w := windowsOf(t, server)
	from, to := month(2024, 1), month(2026, 7)
	policy := admin.WindowPolicy{Present: admin.Manual(1000), Past: admin.Manual(800), Now: june}
	if _, err := w.Ensure(t.Context(), from, to, policy); err != nil { // 29 past ones and June
		t.Fatal(err)
	}
	policy.Past = admin.LeastThroughput()
	policy.Ahead = 60 * 24 * time.Hour // July and August are missing
	list, err := w.Ensure(t.Context(), from, to, policy)
	if !errors.Is(err, repository.ErrThrottled) {
		t.Fatalf("got %v", err)
	}
	left := list.Left()
	if len(list) != 32 || len(left) != 4 || left[0].Name != "telemetry-2024-01" || left[3].Name != "telemetry-2024-04" || list[31].Action != admin.WindowCreated {
		t.Errorf("left %v of\n%v", left, list)
	}
	for _, window := range left {
		if !errors.Is(window.Err, repository.ErrThrottled) || window.Has != admin.Manual(800) {
			t.Errorf("%v: has %v, %v", window.Name, window.Has, window.Err)
		}
	}
	server.Advance(5 * time.Minute)
	if list, err = w.Ensure(t.Context(), from, to, policy); err != nil || len(list.Left()) != 0 || list[0].Action != admin.WindowChanged {
		t.Errorf("later: %v\n%v", list, err)
	}
}

// TestWindowsWait waits for the service instead.
func TestWindowsWait(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
	quick := azcosmos.ClientOptions{}
	quick.Retry.MaxRetries = -1
	w := admin.NewWindows(server.Database(repository.Configure(&quick)), &monthly, generated.Keys{})
	policy := admin.WindowPolicy{Present: admin.Manual(1000), Now: june, Wait: 100 * time.Millisecond}
	for _, operation := range []string{emulator.OpCreateContainer, emulator.OpReadContainer, emulator.OpReplaceOffer} {
		server.Inject(emulator.Fault{Operation: operation, Status: http.StatusTooManyRequests, RetryAfter: 20 * time.Millisecond, Count: 2})
		if list, err := w.Ensure(t.Context(), month(2026, 6), month(2026, 8), policy); err != nil || len(list.Left()) != 0 {
			t.Errorf("%s: %v\n%v", operation, list, err)
		}
		server.Inject(emulator.Fault{Operation: operation, Status: http.StatusTooManyRequests, RetryAfter: 60 * time.Millisecond, Count: 2})
		policy.Present = admin.Manual(1100)
		list, err := w.Ensure(t.Context(), month(2026, 6), month(2026, 8), policy)
		if operation != emulator.OpCreateContainer && (!errors.Is(err, repository.ErrThrottled) || len(list.Left()) != 2) {
			t.Errorf("%s, longer: %v\n%v", operation, list, err)
		}
		server.ClearFaults()
		if _, err := w.Ensure(t.Context(), month(2026, 6), month(2026, 8), policy); err != nil {
			t.Error(err)
		}
		policy.Present = admin.Manual(1200)
	}
}

// TestWindowsThatDiffer has one window with another partition key, and one whose throughput
// the service bounds. The others are made all the same.
func TestWindowsThatDiffer(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	other := wanted(func(p *azcosmos.ContainerProperties) {
		p.ID, p.PartitionKeyDefinition.Paths = "telemetry-2026-05", []string{"/other"}
	})
	bounded := wanted(func(p *azcosmos.ContainerProperties) { p.ID = "telemetry-2026-04" })
	for _, p := range []azcosmos.ContainerProperties{other, bounded} {
		if _, err := db.CreateContainer(t.Context(), p, &azcosmos.CreateContainerOptions{ThroughputProperties: manualRUs(60_000)}); err != nil {
			t.Fatal(err)
		}
	}
	policy := admin.WindowPolicy{Present: admin.Manual(400), Past: admin.Autoscale(1000), Now: june}
	w := windowsOf(t, server)
	list, err := w.Ensure(t.Context(), month(2026, 3), month(2026, 7), policy)
	var differs *admin.ContainerError
	if !errors.As(err, &differs) || len(list.Left()) != 2 {
		t.Fatalf("%v\n%v", list, err)
	}
	checkLines(t, "list", list,
		"telemetry-2026-03 created autoscale up to 1000 RU/s",
		`telemetry-2026-04 left container "telemetry-2026-04" of database "db" differs from the code: throughput: have autoscale up to 6000 RU/s, want autoscale up to 1000 RU/s; it was changed from manual 60000 RU/s; the service allows no less than 6000 RU/s here, because of the stored data or earlier throughput`,
		`telemetry-2026-05 left container "telemetry-2026-05" of database "db" differs from the code: partitionKey.paths: have /other, want /partitionKey; `+immutable+` throughput: have manual 60000 RU/s, want autoscale up to 1000 RU/s; FixDifferences changes it, the bill changes with it`,
		"telemetry-2026-06 created manual 400 RU/s")
	if list[1].Has != admin.Autoscale(6000) || list[1].Had != admin.Manual(60_000) {
		t.Errorf("got %+v", list[1])
	}
	if _, err := w.Drop(t.Context(), admin.WindowDrop{Names: []string{"telemetry-2026-03", "telemetry-2026-05"}, OlderThan: time.Hour, Now: june}); err == nil || !strings.Contains(err.Error(), "it has another partition key than the type") {
		t.Errorf("got %v", err)
	}
	if list, err := w.List(t.Context()); err != nil || len(list) != 4 {
		t.Errorf("something was dropped: %v, %v", list, err)
	}
}

// TestWindowsSurvive lets requests fail, drops a window between two requests, and ends the
// context.
func TestWindowsSurvive(t *testing.T) {
	t.Parallel()
	for _, fault := range []emulator.Fault{
		{Status: http.StatusServiceUnavailable, RetryAfter: time.Millisecond},
		{Status: http.StatusServiceUnavailable, RetryAfter: time.Millisecond, After: true},
		{Drop: true},
		{Drop: true, After: true},
		{Status: http.StatusNotFound, Skip: 1},
	} {
		for _, operation := range []string{emulator.OpReadContainer, emulator.OpCreateContainer, emulator.OpReplaceOffer, emulator.OpReadOffer} {
			fault := fault
			t.Run(fmt.Sprintf("%s %d %t %t", operation, fault.Status, fault.Drop, fault.After), func(t *testing.T) {
				t.Parallel()
				server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
				w := windowsOf(t, server)
				if _, err := w.Ensure(t.Context(), month(2026, 5), month(2026, 7), admin.WindowPolicy{Present: admin.Manual(1000), Now: june}); err != nil {
					t.Fatal(err)
				}
				fault.Operation = operation
				server.Inject(fault)
				if operation == emulator.OpCreateContainer && fault.Status == http.StatusNotFound {
					server.ClearFaults() // the database is gone, which is an error
				}
				list, err := w.Ensure(t.Context(), month(2026, 4), month(2026, 9), byAge(june))
				if err != nil || len(list) != 5 || len(list.Left()) != 0 {
					t.Errorf("%v\n%v", list, err)
				}
				server.ClearFaults()
				if list, err = w.Ensure(t.Context(), month(2026, 4), month(2026, 9), byAge(june)); err != nil || list[2].Has != admin.Autoscale(10_000) || list[0].Has != admin.Manual(400) {
					t.Errorf("%v\n%v", list, err)
				}
			})
		}
	}
}

// TestWindowsAreMadeAgain has one program drop windows while others ensure them.
func TestWindowsAreMadeAgain(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	policy := admin.WindowPolicy{Present: admin.Manual(500), Past: admin.Manual(600), Now: june}
	for range 3 {
		w := windowsOf(t, server)
		wg.Go(func() {
			for ctx.Err() == nil {
				list, err := w.Ensure(ctx, month(2026, 4), month(2026, 7), policy)
				contended := err != nil && strings.Contains(err.Error(), "other programs keep changing the container: try again later") // ten times, on a slow machine
				if err != nil && ctx.Err() == nil && !contended {
					t.Errorf("%v\n%v", list, err)
				}
			}
		})
	}
	w := windowsOf(t, server)
	dropped := 0
	least := seeds.Few(15, 5)
	for round := 0; round < least || dropped == 0 && round < 1000; round++ { // until the others have made a window
		list, err := w.Drop(ctx, admin.WindowDrop{Names: []string{"telemetry-2026-04", "telemetry-2026-05"}, OlderThan: time.Hour, Now: june})
		if err != nil {
			t.Errorf("%v\n%v", list, err)
		}
		for _, window := range list {
			if window.Action == admin.WindowDropped {
				dropped++
			}
		}
		if list, err = w.List(ctx); err != nil || len(list) > 3 {
			t.Errorf("%v\n%v", list, err)
		}
	}
	cancel()
	wg.Wait()
	if dropped == 0 {
		t.Error("nothing was dropped")
	}
	list, err := w.Ensure(t.Context(), month(2026, 4), month(2026, 7), policy)
	if err != nil || len(list) != 3 || list[0].Has != admin.Manual(600) {
		t.Errorf("%v\n%v", list, err)
	}
}

// TestListsOfWindowsThatAreCutOff lets the request that lists containers lose some.
func TestListsOfWindowsThatAreCutOff(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
	w := windowsOf(t, server)
	if _, err := w.Ensure(t.Context(), month(2026, 1), month(2026, 3), byAge(june)); err != nil {
		t.Fatal(err)
	}
	lost := emulator.Fault{Operation: emulator.OpQueryContainers, Count: 1, Body: func([]byte) []byte { return []byte(`{"DocumentCollections":[],"_count":2}`) }}
	server.Inject(lost)
	if list, err := w.List(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("after a list that has lost its containers: %v, %v", list, err)
	}
	lost.Count = 20
	server.Inject(lost)
	if list, err := w.List(t.Context()); err == nil {
		t.Errorf("a list that has lost its containers: %v", list)
	}
}

func TestWindowsAreListedWithSizes(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	w := windowsOf(t, server)
	if list, err := w.List(t.Context()); err != nil || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	if _, err := w.Ensure(t.Context(), month(2025, 11), month(2026, 2), byAge(june)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"telemetry", "telemetry-2026", "telemetry-2026-01-01", "other-2026-01"} {
		if _, err := db.CreateContainer(t.Context(), wanted(func(p *azcosmos.ContainerProperties) { p.ID = name }), nil); err != nil {
			t.Fatal(err)
		}
	}
	container, err := db.NewContainer("telemetry-2025-12")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		body := fmt.Appendf(nil, `{"id":"%d","partitionKey":"a","text":%q}`, i, strings.Repeat("x", 2000))
		if _, err := container.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"), body, nil); err != nil {
			t.Fatal(err)
		}
	}
	server.ResetRequests()
	list, err := w.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	checkLines(t, "list", list, "telemetry-2025-11 found", "telemetry-2025-12 found 3 documents, 7168 bytes", "telemetry-2026-01 found")
	if got := len(ensureOperations(server)); got != 4 {
		t.Errorf("%d requests: %v", got, ensureOperations(server))
	}
}

func TestWindowsAreDroppedByNameAndAge(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	w := windowsOf(t, server)
	if _, err := w.Ensure(t.Context(), month(2026, 3), month(2026, 7), byAge(june)); err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(t.Context(), wanted(func(p *azcosmos.ContainerProperties) { p.ID = "telemetry-2020" }), nil); err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	for _, test := range []struct {
		drop admin.WindowDrop
		want string
	}{
		{admin.WindowDrop{Names: []string{"telemetry-2026-03"}}, "OlderThan is 0s"},
		{admin.WindowDrop{OlderThan: day}, "no window is named"},
		{admin.WindowDrop{Names: []string{"telemetry-2026-03", "telemetry-2020"}, OlderThan: day}, `drop windows of Reading "telemetry-2020": it is no window of the type: its template makes another name`},
		{admin.WindowDrop{Names: []string{"telemetry-2026-03", "telemetry-2026-05"}, OlderThan: 15 * day}, `drop windows of Reading "telemetry-2026-05": its period ends at 2026-06-01T00:00:00Z, which is later than the age allows: give an older window, or a smaller age`},
		{admin.WindowDrop{Names: []string{"telemetry-2026-06"}, OlderThan: 1}, "its period ends at 2026-07-01"},
	} {
		test.drop.Now = june
		server.ResetRequests()
		if _, err := w.Drop(t.Context(), test.drop); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
		if got := ensureOperations(server); len(got) != 0 {
			t.Errorf("%s: sent %v", test.want, got)
		}
	}
	drop := admin.WindowDrop{Names: []string{"telemetry-2026-04", "telemetry-2026-02", "telemetry-2026-03", "telemetry-2026-04"}, OlderThan: 30 * day, DryRun: true, Now: june}
	list, err := w.Drop(t.Context(), drop)
	if err != nil {
		t.Fatal(err)
	}
	checkLines(t, "dry run", list, "telemetry-2026-02 missing", "telemetry-2026-03 would drop", "telemetry-2026-04 would drop")
	drop.DryRun = false
	server.Inject(emulator.Fault{Operation: emulator.OpDeleteContainer, Drop: true, After: true}) // the answer is lost
	if list, err = w.Drop(t.Context(), drop); err != nil {
		t.Fatal(err)
	}
	checkLines(t, "drop", list, "telemetry-2026-02 missing", "telemetry-2026-03 dropped", "telemetry-2026-04 dropped")
	if list, err = w.List(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestWindowsThatChangeWhileTheyAreDropped has another program make a window again between
// the look and the deletion.
func TestWindowsThatChangeWhileTheyAreDropped(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{}, nil)
	w := windowsOf(t, server)
	if _, err := w.Ensure(t.Context(), month(2026, 2), month(2026, 5), byAge(june)); err != nil {
		t.Fatal(err)
	}
	server.Inject(emulator.Fault{Operation: emulator.OpDeleteContainer, Path: "2026-03", Status: http.StatusPreconditionFailed})
	list, err := w.Drop(t.Context(), admin.WindowDrop{Names: []string{"telemetry-2026-02", "telemetry-2026-03", "telemetry-2026-04"}, OlderThan: time.Hour, Now: june})
	const want = `drop windows of Reading "telemetry-2026-03": it was changed meanwhile, and was not dropped: check it again (status 412)`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	checkLines(t, "drop", list, "telemetry-2026-02 dropped", "telemetry-2026-03 left "+want, "telemetry-2026-04 left")
}

// TestWindowsOfARegion has names with a text besides the time, and changes more than
// throughput.
func TestWindowsOfARegion(t *testing.T) {
	_, db := kit.NewDatabase(t, emulator.Options{}, nil)
	expiry := ttl(60)
	model, containers := *fixtures.BillModel, *fixtures.BillModel.Containers
	containers.Properties = func(name string) azcosmos.ContainerProperties {
		return wanted(func(p *azcosmos.ContainerProperties) { p.ID, p.DefaultTimeToLive = name, expiry })
	}
	model.Containers = &containers
	policy := admin.WindowPolicy{Present: admin.Manual(400), Now: june}
	for _, region := range []string{"eu", "us"} {
		list, err := admin.NewWindows(db, &model, generated.Keys{}.Named("Region", region)).Ensure(t.Context(), month(2025, 3), month(2026, 7), policy)
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, region, list, "yearly-"+region+"-2025-bills created", "yearly-"+region+"-2026-bills created manual 400 RU/s")
	}
	expiry, policy.Present = nil, admin.Manual(500)
	w := admin.NewWindows(db, &model, generated.Keys{}.Named("Region", "eu"))
	list, err := w.Ensure(t.Context(), month(2025, 3), month(2026, 7), policy)
	if err == nil || len(list.Left()) != 2 || list[1].Has != admin.Manual(400) {
		t.Errorf("%v\n%v", list, err)
	}
	if list, err = w.Ensure(t.Context(), month(2025, 3), month(2026, 7), policy, admin.FixDifferences()); err != nil {
		t.Fatal(err)
	}
	checkLines(t, "fixed", list, "yearly-eu-2025-bills changed", "yearly-eu-2026-bills changed manual 500 RU/s, was manual 400 RU/s")
	if list, err = w.List(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	if storedProperties(t, db, "yearly-us-2026-bills").DefaultTimeToLive == nil {
		t.Error("another region was changed")
	}
}

// TestWindowsWithoutRoom has an account with room for two windows of three.
func TestWindowsWithoutRoom(t *testing.T) {
	server, _ := kit.NewDatabase(t, emulator.Options{MaxResources: 3}, nil)
	list, err := windowsOf(t, server).Ensure(t.Context(), month(2026, 5), month(2026, 9), byAge(june))
	if err == nil || !strings.Contains(err.Error(), `container "telemetry-2026-08": the account has reached its limit of databases and containers`) {
		t.Errorf("got %v", err)
	}
	if left := list.Left(); len(left) != 2 || left[0].Name != "telemetry-2026-05" || left[0].Err != nil || left[1].Err == nil {
		t.Errorf("left %v", left)
	}
}

func TestWindowsThatCannotBeUsed(t *testing.T) {
	_, db := kit.NewDatabase(t, emulator.Options{}, nil)
	one := monthly
	one.Containers = nil
	for want, w := range map[string]*admin.Windows{
		"ensure windows of Reading: the database is nil: pass the *azcosmos.DatabaseClient of the windows": admin.NewWindows(nil, &monthly, generated.Keys{}),
		"ensure windows of Reading: Reading.Region: is empty: set it before the key is made":               admin.NewWindows(db, &monthly, generated.Keys{}.Named("Region", "", partition.Text("Region", ""))),
		"ensure windows of Reading: the type has one container, and no windows":                            admin.NewWindows(db, &one, generated.Keys{}),
	} {
		if _, err := w.Ensure(t.Context(), month(2026, 5), month(2026, 9), byAge(june)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if _, err := w.List(t.Context()); err == nil {
			t.Error("a list of nothing")
		}
		if _, err := w.Drop(t.Context(), admin.WindowDrop{Names: []string{"telemetry-2026-05"}, OlderThan: 1}); err == nil {
			t.Error("nothing was dropped")
		}
	}
	w := admin.NewWindows(db, &monthly, generated.Keys{})
	if _, err := w.Ensure(t.Context(), month(2026, 5), month(2026, 5), byAge(june)); err == nil || !strings.Contains(err.Error(), "the range of windows from") {
		t.Errorf("got %v", err)
	}
	if _, err := w.Ensure(t.Context(), month(1900, 1), month(2026, 1), byAge(june)); err == nil || !strings.Contains(err.Error(), "more than the limit of 500") {
		t.Errorf("got %v", err)
	}
	if _, err := w.Ensure(t.Context(), month(2026, 5), month(2026, 6), byAge(june), nil); err == nil {
		t.Error("a nil option is ignored")
	}
	draft := monthly
	draft.Draft = true
	if list, err := admin.NewWindows(db, &draft, generated.Keys{}).Ensure(t.Context(), month(2026, 5), month(2026, 6), byAge(june)); err != nil || len(list) != 1 {
		t.Errorf("a draft on this machine: %v, %v", list, err)
	}
}
