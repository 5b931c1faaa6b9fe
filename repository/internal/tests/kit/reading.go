package kit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// HashContainer is the properties of a container with composite indexes for readings.
func HashContainer(name, path string) azcosmos.ContainerProperties {
	return azcosmos.ContainerProperties{
		ID:                     name,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{path}, Version: 2},
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
			IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
			CompositeIndexes: [][]azcosmos.CompositeIndex{
				{{Path: "/kind", Order: azcosmos.CompositeIndexAscending}, {Path: "/value", Order: azcosmos.CompositeIndexDescending}},
				{{Path: "/at", Order: azcosmos.CompositeIndexAscending}, {Path: "/value", Order: azcosmos.CompositeIndexAscending}},
			},
		},
	}
}

// Readings are the repository of readings on an emulator.
type Readings struct {
	*repository.Documents[fixtures.Reading, fixtures.ReadingKey]
	Server *harness.Account
	DB     *azcosmos.DatabaseClient
}

// NewReadings is readings without containers.
func NewReadings(t testing.TB, partitions int, opts ...repository.Option) Readings {
	t.Helper()
	server, db := NewDatabase(t, emulator.Options{Partitions: partitions}, nil)
	return Readings{repository.NewIn(db, fixtures.ReadingModel, opts...), server, db}
}

// Window is the month of 2024 with this number, and month its container.
func Window(month int) string { return fmt.Sprintf("telemetry-2024-%02d", month) }

// Make creates containers.
func (r Readings) Make(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := r.DB.CreateContainer(context.Background(), HashContainer(name, "/pk"), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Drop removes a container.
func (r Readings) Drop(t testing.TB, name string) {
	t.Helper()
	container, err := r.DB.NewContainer(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := container.Delete(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
}

// StoredIn returns how many documents a container has.
func (r Readings) StoredIn(t testing.TB, name string) int {
	t.Helper()
	container, err := r.DB.NewContainer(name)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	pager := container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Items)
	}
	return n
}

// ReadingAt is a reading of a month of 2024.
func ReadingAt(id string, month, day int) *fixtures.Reading {
	return &fixtures.Reading{
		ID: id, Device: "d" + id[len(id)-1:], Kind: []string{"a", "b", "c"}[(month+day)%3], Value: month*31 + day,
		At: repository.NewTime(time.Date(2024, time.Month(month), day, 12, 0, 0, 0, time.UTC)),
	}
}

// WantError fails unless err matches all of wanted.
func WantError(t testing.TB, what string, err error, wanted ...error) {
	t.Helper()
	if err == nil || slices.ContainsFunc(wanted, func(w error) bool { return !errors.Is(err, w) }) {
		t.Errorf("%s: %v, want %v", what, err, wanted)
	}
}

// byDevice selects the readings of a device: all of them, or those of a range of time.
func (r Readings) byDevice(device string) repository.Query[fixtures.Reading] {
	return repository.NewQuery(r.Documents, generated.Keys{}.Where("/device", device))
}

func (r Readings) ByDeviceBetween(device string, from, to time.Time) repository.Query[fixtures.Reading] {
	return repository.NewQuery(r.Documents, generated.Periods(from, to, "2006-01-02", func(day time.Time) string {
		return fixtures.ReadingKey{Device: device, At: day}.PartitionKey()
	}, partition.Text("Device", device)).Where("/device", device).Between(from, to).Within("/at"))
}

func (r Readings) Between(from, to time.Time) repository.Query[fixtures.Reading] {
	return repository.NewQuery(r.Documents, generated.Keys{}.Between(from, to).Within("/at"))
}

// Fill stores n random readings in the first months of 2024.
func (r Readings) Fill(t testing.TB, random *rand.Rand, n, months int) []*fixtures.Reading {
	t.Helper()
	all := make([]*fixtures.Reading, n)
	for i := range all {
		at := time.Date(2024, time.Month(1+random.IntN(months)), 1+random.IntN(28), random.IntN(24), 0, 0, 0, time.UTC)
		all[i] = &fixtures.Reading{
			ID: fmt.Sprintf("r%04d", i), Device: fmt.Sprintf("d%d", random.IntN(3)), At: repository.NewTime(at),
			Value: random.IntN(20), Kind: []string{"a", "b", "c"}[random.IntN(3)],
		}
	}
	if _, err := r.CreateAll(documents.Items(all...)).Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	return all
}

// Disturb makes trouble that queries survive.
func (r Readings) Disturb(random *rand.Rand, months int) {
	name := Window(1 + random.IntN(months))
	switch random.IntN(4) {
	case 0:
		_ = r.Server.Split("db", name, strconv.Itoa(random.IntN(6)))
	case 1:
		r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: random.IntN(5), Status: 429, Substatus: 3200, RetryAfter: time.Millisecond, Count: 1 + random.IntN(3)})
	case 2:
		r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: random.IntN(5), Status: 410, Substatus: 1002})
	case 3:
		r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Status: 449})
	}
}

// SelectedReadings is a query, and the same as a model.
type SelectedReadings struct {
	Name  string
	Query repository.Query[fixtures.Reading]
	Keeps func(*fixtures.Reading) bool
}

// Selections are queries over 12 windows, of which some are missing.
func (r Readings) Selections(random *rand.Rand) []SelectedReadings {
	from := time.Date(2024, time.Month(1+random.IntN(12)), 1+random.IntN(28), 3, 0, 0, 0, time.UTC)
	to := from.Add(time.Duration(random.IntN(150*24)) * time.Hour)
	within := func(x *fixtures.Reading) bool { return !x.At.Time().Before(from) && x.At.Time().Before(to) }
	return []SelectedReadings{
		{"Scan", r.Scan(), func(*fixtures.Reading) bool { return true }},
		{"Scan where", r.Scan().Where(ReadingValue.Ge(10), ReadingKind.Ne("b")), func(x *fixtures.Reading) bool { return x.Value >= 10 && x.Kind != "b" }},
		{"a device", r.byDevice("d1"), func(x *fixtures.Reading) bool { return x.Device == "d1" }},
		{"a range", r.Between(from, to), within},
		{"a device and a range", r.ByDeviceBetween("d1", from, to), func(x *fixtures.Reading) bool { return x.Device == "d1" && within(x) }},
		{"a window", repository.NewQuery(r.Documents, generated.Keys{}.In(Window(3))), func(x *fixtures.Reading) bool { return x.Key().Container() == Window(3) }},
		{"a missing window", repository.NewQuery(r.Documents, generated.Keys{}.In("telemetry-2031-01")), func(*fixtures.Reading) bool { return false }},
	}
}

// Spread stores n readings in the windows after March that exist.
func (r Readings) Spread(t testing.TB, random *rand.Rand, n int) []*fixtures.Reading {
	t.Helper()
	months := []int{5, 6, 7, 8, 10, 11, 12}
	all := make([]*fixtures.Reading, n)
	for i := range all {
		all[i] = ReadingAt(fmt.Sprintf("s%04d", i), months[random.IntN(len(months))], 1+random.IntN(28))
		all[i].Value = random.IntN(20)
		if err := r.Upsert(context.Background(), all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// CompareSums compares aggregates, rows and values with a model.
func (r Readings) CompareSums(t *testing.T, s SelectedReadings, all []*fixtures.Reading) {
	t.Helper()
	ctx := context.Background()
	kept := slices.DeleteFunc(slices.Clone(all), func(x *fixtures.Reading) bool { return !s.Keeps(x) })
	sum, low, values := 0, 0, map[int]bool{}
	for i, x := range kept {
		sum += x.Value
		values[x.Value] = true
		if i == 0 || x.Value < low {
			low = x.Value
		}
	}
	n, err := s.Query.Count(ctx)
	if err != nil || n != len(kept) {
		t.Errorf("%s: Count: %d, %v, want %d", s.Name, n, err, len(kept))
	}
	added, err := repository.Sum(ctx, s.Query, ReadingValue)
	if err != nil || int(added) != sum {
		t.Errorf("%s: Sum: %v, %v, want %d", s.Name, added, err, sum)
	}
	least, ok, err := repository.Min(ctx, s.Query, ReadingValue)
	if err != nil || ok != (len(kept) > 0) || least != low {
		t.Errorf("%s: Min: %v, %t, %v, want %d", s.Name, least, ok, err, low)
	}
	mean, ok, err := repository.Avg(ctx, s.Query, ReadingValue)
	if err != nil || ok != (len(kept) > 0) || ok && mean != float64(sum)/float64(len(kept)) {
		t.Errorf("%s: Avg: %v, %t, %v", s.Name, mean, ok, err)
	}
	distinct, err := repository.Values(s.Query.OrderBy(ReadingValue.Desc()), ReadingValue).Distinct().Collect(ctx)
	if err != nil || len(distinct) != len(values) || !slices.IsSortedFunc(distinct, func(a, b int) int { return b - a }) {
		t.Errorf("%s: Distinct: %v, %v, want %d values", s.Name, distinct, err, len(values))
	}
	rows, err := repository.Select[struct {
		ID string `json:"id"`
	}](s.Query.OrderBy(ReadingValue.Asc())).Collect(ctx)
	if err != nil || len(rows) != len(kept) {
		t.Errorf("%s: Select: %d, %v, want %d", s.Name, len(rows), err, len(kept))
	}
	first, err := s.Query.OrderBy(ReadingAtF.Desc()).First(ctx)
	switch {
	case len(kept) == 0:
		WantError(t, s.Name+": First", err, repository.ErrNotFound)
	case err != nil || slices.ContainsFunc(kept, func(x *fixtures.Reading) bool { return x.At.Compare(first.At) > 0 }):
		t.Errorf("%s: First: %v, %v", s.Name, first, err)
	}
}

var (
	PatchValue   = repository.PatchNumber[fixtures.Reading, int]("/value")
	ReadingValue = documents.Number[fixtures.Reading, int]("/value")
	ReadingAtF   = documents.Instant[fixtures.Reading]("/at")
	ReadingKind  = documents.String[fixtures.Reading, string]("/kind")
)

// RequestsOf is how many requests for documents a server has had, by container.
func RequestsOf(server *harness.Account) map[string]int {
	counts := map[string]int{}
	for _, q := range server.Requests() {
		if _, rest, ok := strings.Cut(q.Path, "/colls/"); ok && strings.Contains(rest, "/docs") {
			counts[strings.SplitN(rest, "/", 2)[0]]++
		}
	}
	return counts
}

// Put stores readings.
func (r Readings) Put(t testing.TB, all ...*fixtures.Reading) {
	t.Helper()
	for _, x := range all {
		if err := r.Upsert(context.Background(), x); err != nil {
			t.Fatal(err)
		}
	}
}

// Changed are the ids of n changes after a cursor, or of all, sorted, and the cursor after
// them.
func (r Readings) Changed(t testing.TB, cursor string, n int, opts ...feed.Option) (ids []string, after string, err error) {
	t.Helper()
	after = cursor
	caughtUp := feed.OnCaughtUp(func(c string) { after = c })
	for change, err := range feed.Changes(t.Context(), r.Documents, feed.FromCursor(cursor), append(opts, feed.UntilCaughtUp(), caughtUp)...) {
		if err != nil {
			slices.Sort(ids)
			return ids, after, err
		}
		ids, after = append(ids, change.Doc.ID), change.Cursor()
		if n--; n == 0 {
			break
		}
	}
	slices.Sort(ids)
	return ids, after, nil
}

// Elsewhere is the repository of another process.
func (r Readings) Elsewhere(t testing.TB, configured bool, opts ...repository.Option) Readings {
	t.Helper()
	var o *azcosmos.ClientOptions
	if configured {
		o = repository.Configure(nil)
	}
	r.DB = r.Server.Database(o)
	r.Documents = repository.NewIn(r.DB, fixtures.ReadingModel, opts...)
	return r
}

// polls is how often a window was asked for changes.
func (r Readings) polls(month int) (n int) {
	for _, q := range r.Server.Requests() {
		if q.Operation == emulator.OpReadChangeFeed && strings.Contains(q.Path, "/colls/"+Window(month)+"/") {
			n++
		}
	}
	return n
}

// Polled waits until the window of June was polled more often, and returns the polls of
// that of January.
func (r Readings) Polled(t testing.TB) int {
	t.Helper()
	began := time.Now()
	for before := r.polls(6); r.polls(6) < before+8; {
		if time.Since(began) > time.Minute {
			t.Fatal("the window of June is polled no more")
		}
		time.Sleep(5 * time.Millisecond)
	}
	return r.polls(1)
}

// Queried returns the containers that were asked, each time another one was.
func (r Readings) Queried() []string {
	var names []string
	for _, q := range r.Server.Requests() {
		if _, rest, ok := strings.Cut(q.Path, "/colls/"); ok && strings.Contains(rest, "/docs") {
			names = append(names, strings.SplitN(rest, "/", 2)[0])
		}
	}
	return slices.Compact(names)
}

// NewLeases makes a container for leases next to the windows.
func (r Readings) NewLeases(t testing.TB) *azcosmos.ContainerClient {
	t.Helper()
	leases, err := admin.EnsureLeases(context.Background(), r.DB, "leases", admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	return leases
}
