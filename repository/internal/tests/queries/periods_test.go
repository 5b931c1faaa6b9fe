package queries

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

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// A sample has the layout {deviceId}@{at|…}.{id%3}, of any layout of time.
type sample struct {
	ID       string    `json:"id"`
	DeviceID string    `json:"deviceId"`
	At       time.Time `json:"at"`
}

type sampleKey struct {
	ID, DeviceID string
	At           time.Time
	layout       string
}

func (k sampleKey) bucket(n int) string {
	b := append([]byte(k.DeviceID), '@')
	b = partition.AppendTime(b, k.At, k.layout)
	return string(b) + "." + strconv.Itoa(n)
}

func (k sampleKey) PartitionKey() string { return k.bucket(partition.Hash{}.Text(k.ID).Bucket(3)) }

func (k sampleKey) Validate() error {
	return partition.Check("sample", partition.ID(k.ID), partition.Text("DeviceID", k.DeviceID), partition.Time("At", k.At))
}

// samples reads and writes samples of one layout.
type samples struct {
	*repository.Documents[sample, sampleKey]
	layout string
}

func newSamples(t testing.TB, layout string, opts ...repository.Option) (*harness.Account, samples) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("samples", "/partitionKey"), repository.Configure(nil))

	// By hand: the same type has several layouts.
	return server, samples{repository.New(container, &generated.Model[sample, sampleKey]{
		Type: "sample",
		Path: "/partitionKey",
		Key: func(s *sample) sampleKey {
			return sampleKey{s.ID, s.DeviceID, partition.Truncate(s.At, layout), layout}
		},
		ID:        func(k sampleKey) string { return k.ID },
		Text:      sampleKey.PartitionKey,
		Synthetic: true,
	}, opts...), layout}
}

func (r samples) byDeviceIDBetween(deviceID string, from, to time.Time) repository.Query[sample] {
	return repository.NewQuery(r.Documents, generated.PeriodBuckets(from, to, r.layout, 3, func(at time.Time, n int) string {
		return sampleKey{DeviceID: deviceID, At: at, layout: r.layout}.bucket(n)
	}, partition.Text("DeviceID", deviceID)).Sorted())
}

// TestBetween stores samples around the edges of periods, and compares what a
// range gives with the periods of each sample, as text.
func TestBetween(t *testing.T) {
	utc := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	east, west := time.FixedZone("", 14*3600), time.FixedZone("", -12*3600)
	for _, test := range []struct {
		name, layout string
		from, to     time.Time
		periods      int
	}{
		{"days over the end of a month", "2006-01-02", utc("2024-01-30T12:00:00Z"), utc("2024-02-02T01:00:00Z"), 4},
		{"days over a leap day", "2006-01-02", utc("2024-02-28T00:00:00Z"), utc("2024-03-01T00:00:00Z"), 3},
		{"days over the end of February", "2006-01-02", utc("2023-02-28T00:00:00Z"), utc("2023-03-01T00:00:00Z"), 2},
		{"a century without a leap day", "2006-01-02", utc("1900-02-28T23:00:00Z"), utc("1900-03-01T00:00:00Z"), 2},
		{"days over the end of a year", "2006-01-02", utc("2023-12-31T23:59:59.999999999Z"), utc("2024-01-01T00:00:00Z"), 2},
		{"one instant", "2006-01-02", utc("2024-02-29T12:00:00Z"), utc("2024-02-29T12:00:00Z"), 1},
		{"the last instant of a day", "2006-01-02", utc("2024-02-28T00:00:00Z"), utc("2024-02-28T23:59:59.999999999Z"), 1},
		{"days of the far east to the far west", "2006-01-02", time.Date(2024, 3, 1, 13, 0, 0, 0, east), time.Date(2024, 3, 1, 13, 0, 0, 0, west), 3},
		{"an offset in the text", "2006-01-02", utc("2024-03-01T00:30:00+01:00"), utc("2024-03-01T00:30:00Z"), 2},
		{"months from the 31st", "2006-01", utc("2024-01-31T00:00:00Z"), utc("2024-04-01T00:00:00Z"), 4},
		{"months over a year", "200601", utc("2023-11-30T00:00:00Z"), utc("2024-02-29T00:00:00Z"), 4},
		{"years", "2006", utc("2019-12-31T23:00:00-01:00"), utc("2024-02-29T00:00:00Z"), 5},
		{"hours over midnight", "2006-01-02T15", utc("2024-02-28T22:59:00Z"), utc("2024-02-29T01:00:00Z"), 4},
		{"hours of a zone with half hours", "2006010215", time.Date(2024, 3, 31, 6, 15, 0, 0, time.FixedZone("", 5*3600+1800)), utc("2024-03-31T01:00:00Z"), 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			server, r := newSamples(t, test.layout)
			ctx := context.Background()
			random := rand.New(rand.NewPCG(7, 7))
			var want []string
			first, last := test.from.UTC().Format(test.layout), test.to.UTC().Format(test.layout)
			start, end := partition.Truncate(test.from, test.layout), partition.Truncate(test.to, test.layout)
			for end.Format(test.layout) == last {
				end = end.Add(time.Hour)
			}
			edges := []time.Time{start.Add(-1), start, end.Add(-1), end, test.from, test.to}
			for n := range 100 {
				at := edges[n%len(edges)]
				if n >= len(edges) {
					steps := []time.Duration{1, time.Hour, 24 * time.Hour, time.Duration(random.Int64N(int64(60 * 24 * time.Hour)))}
					at = at.Add(time.Duration(random.IntN(3)-1) * steps[random.IntN(len(steps))])
				}
				s := sample{ID: fmt.Sprint(n), DeviceID: "d", At: at.In(east)}
				if err := r.Create(ctx, &s); err != nil {
					t.Fatal(err)
				}
				if period := at.UTC().Format(test.layout); first <= period && period <= last {
					want = append(want, s.ID)
				}
			}
			server.ResetRequests()
			docs, err := r.byDeviceIDBetween("d", test.from, test.to).Collect(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, doc := range docs {
				got = append(got, doc.ID)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) || len(got) < 4 || len(got) > 98 {
				t.Errorf("got %v, want %v", got, want)
			}
			plan, err := r.byDeviceIDBetween("d", test.from, test.to).Plan(ctx)
			if err != nil || plan.LogicalPartitions != 3*test.periods {
				t.Errorf("the plan is %v, %v, want %d keys in 3 buckets", plan, err, test.periods)
			}
		})
	}
	harness.Settled(t)
}

// TestOffsetsWithSeconds stores a time whose JSON is another instant, of another
// day than its key.
func TestOffsetsWithSeconds(t *testing.T) {
	server, r := newSamples(t, "2006-01-02")
	ctx := context.Background()
	at := time.Date(1969, 12, 31, 23, 15, 40, 0, time.FixedZone("MMT", -(44*60+30)))
	doc := &sample{ID: "1", DeviceID: "d", At: at}
	server.ResetRequests()
	_, getErr := r.Get(ctx, sampleKey{ID: "1", DeviceID: "d", At: at, layout: r.layout})
	for name, err := range map[string]error{
		"Create": r.Create(ctx, doc), "Upsert": r.Upsert(ctx, doc), "Replace": r.Replace(ctx, doc), "Get": getErr,
	} {
		var keyError *partition.KeyError
		if !errors.As(err, &keyError) || keyError.Field != "At" || !strings.Contains(keyError.Reason, "seconds") {
			t.Errorf("%s returned %v", name, err)
		}
	}
	if n := server.Documents(); len(n) != 0 {
		t.Errorf("requests were sent: %v", n)
	}
	doc.At = at.UTC()
	if err := r.Create(ctx, doc); err != nil {
		t.Fatal(err)
	}
	docs, err := r.byDeviceIDBetween("d", at, at).Collect(ctx)
	if err != nil || len(docs) != 1 || docs[0].At != doc.At {
		t.Errorf("the range of that instant has %v, %v", docs, err)
	}
}

// TestLongRangeIsNoList reads a year of days in three buckets each, by the range
// from the first key to the last, and not by a list of a thousand keys. It leaves
// out documents of other devices whose keys are in that range.
func TestLongRangeIsNoList(t *testing.T) {
	t.Parallel()
	server, r := newSamples(t, "2006-01-02")
	ctx := context.Background()
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	var want []string
	for n := range 120 {
		s := sample{ID: fmt.Sprint(n), DeviceID: "d", At: start.AddDate(0, 0, 4*n-60)}
		if n%10 == 0 {
			s.DeviceID = "d@2024-05-05" // makes keys such as d@2024-05-05@2024-06-01.1
		}
		if err := r.Create(ctx, &s); err != nil {
			t.Fatal(err)
		}
		if s.DeviceID == "d" && s.At.Year() == 2024 {
			want = append(want, s.ID)
		}
	}
	q := r.byDeviceIDBetween("d", start, start.AddDate(1, 0, -1))
	if _, err := q.Plan(ctx); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	docs, err := q.Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, doc := range docs {
		got = append(got, doc.ID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(got) < 50 {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, request := range server.Requests() {
		if !strings.Contains(request.Query, `c["partitionKey"] >= @pkgenK0 AND c["partitionKey"] <= @pkgenK1`) {
			t.Errorf("asked for %s", request.Query)
		}
	}
	if n := server.Documents()[emulator.OpQueryItems]; n != 5 {
		t.Errorf("%d queries of 5 physical partitions", n)
	}
	// An aggregate counts what it is asked for, and so has the list.
	if n, err := q.Count(ctx); err != nil || n != len(want) {
		t.Errorf("counted %d, %v, want %d", n, err, len(want))
	}
}

// TestBetweenOnALevel reads the months of one floor, each a complete key.
func TestBetweenOnALevel(t *testing.T) {
	t.Parallel()
	server, _, r := kit.NewVisits(t)
	all := fillVisits(t, r)
	server.ResetRequests()
	q := r.ByTenantIDAndFloorBetweenMonths("tenant-1", 2,
		time.Date(2024, 1, 31, 23, 0, 0, 0, time.FixedZone("", -3600)), time.Date(2024, 3, 31, 23, 59, 59, 0, time.UTC))
	docs, err := q.Collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var want []fixtures.VisitKey
	for _, v := range all {
		if k := v.Key(); k.TenantID == "tenant-1" && k.Floor == 2 && k.At.Month() >= 2 && k.At.Month() <= 3 {
			want = append(want, k)
		}
	}
	sameVisits(t, docs, want)
	if plan, err := q.Plan(context.Background()); err != nil || plan.LogicalPartitions != 2 {
		t.Errorf("the plan for two months is %v, %v", plan, err)
	}
	if n := server.Documents()[emulator.OpQueryItems]; n > 2 {
		t.Errorf("%d queries for two months", n)
	}
}

func TestRangesThatAreRefused(t *testing.T) {
	server, r := newSamples(t, "2006-01-02")
	day := func(n int) time.Time { return time.Date(2024, 1, n, 0, 0, 0, 0, time.UTC) }
	_, hourly := newSamples(t, "2006-01-02T15")
	_, few := newSamples(t, "2006-01-02", repository.WithMaxKeys(9))
	_, none := newSamples(t, "2006-01-02", repository.WithMaxKeys(-1))
	buckets := func(n int) repository.Query[sample] {
		return repository.NewQuery(few.Documents, generated.Buckets(n, func(int) string { return "k" }))
	}
	server.ResetRequests()
	for name, test := range map[string]struct {
		query repository.Query[sample]
		want  string
		field string // of a KeyError
	}{
		"reversed":        {r.byDeviceIDBetween("d", day(2), day(1)), "is after to: swap them", "from"},
		"no start":        {r.byDeviceIDBetween("d", time.Time{}, day(1)), "zero time", "from"},
		"no end":          {r.byDeviceIDBetween("d", day(1), time.Time{}), "zero time", "to"},
		"no device":       {r.byDeviceIDBetween("", day(1), day(1)), "is empty", "DeviceID"},
		"a year of 10000": {r.byDeviceIDBetween("d", day(1), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), "9999", "to"},
		"ten years":       {r.byDeviceIDBetween("d", day(1), day(1).AddDate(10, 0, 0)), "query sample: it would read 10962 partition keys, more than 10000: narrow the range, or allow more with repository.WithMaxKeys", ""},
		"all of time": {hourly.byDeviceIDBetween("d", time.Date(1, 1, 1, 1, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC)),
			"would read 262948245 partition keys, more than 10000", ""},
		"one day too many":    {few.byDeviceIDBetween("d", day(1), day(4)), "12 partition keys, more than 9", ""},
		"a limit below one":   {none.byDeviceIDBetween("d", day(1), day(1)), "3 partition keys, more than 1:", ""},
		"one bucket too many": {buckets(10), "10 partition keys, more than 9", ""},
		"a condition on it":   {few.byDeviceIDBetween("d", day(1), day(4)).WhereRaw("true"), "12 partition keys", ""},
	} {
		t.Run(name, func(t *testing.T) {
			docs, err := test.query.Collect(context.Background())
			if err == nil || docs != nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, %v, want an error with %q", docs, err, test.want)
			}
			var keyError *partition.KeyError
			if isKeyError := errors.As(err, &keyError); isKeyError != (test.field != "") ||
				isKeyError && (keyError.Field != test.field || keyError.Type != "sample") {
				t.Errorf("got %#v", err)
			}
			if _, again := test.query.First(context.Background()); again == nil || again.Error() != err.Error() {
				t.Errorf("run again, the query gave %v", again)
			}
		})
	}
	if n := server.Documents(); len(n) != 0 {
		t.Errorf("requests were sent: %v", n)
	}
	if docs, err := few.byDeviceIDBetween("d", day(1), day(3)).Collect(context.Background()); err != nil || len(docs) != 0 {
		t.Errorf("just as many keys as allowed: %v, %v", docs, err)
	}
	if _, err := buckets(9).Collect(context.Background()); err != nil {
		t.Errorf("just as many buckets as allowed: %v", err)
	}
}
