package pictures_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/pictures"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// start is when the samples of these tests begin.
var start = time.Date(2018, 8, 9, 6, 0, 0, 0, time.UTC)

// sampleReport returns a report of writes under layouts that have so many keys each.
func sampleReport(intervals int, keys ...int) *analyze.Report {
	r := &analyze.Report{
		Type: "VehicleEvent", Average: 812, Largest: 4096, Sample: analyze.Sample{Source: "sample.ndjson", Share: 1},
		Times: &analyze.Times{Property: "/at", From: start, Start: start, To: start.Add(time.Duration(intervals) * time.Minute), Seconds: 60, Intervals: intervals},
	}
	for i := range intervals {
		n := int64(1200 + 800*math.Sin(float64(i)/60) + float64(i*7919%101))
		r.Times.Documents = append(r.Times.Documents, n)
		r.Documents += n
	}
	r.Bytes = r.Documents * r.Average
	for _, n := range keys {
		r.Layouts = append(r.Layouts, layoutOf(r, n))
	}
	return r
}

// layoutOf makes a layout of n keys: 1 is the date alone.
func layoutOf(r *analyze.Report, n int) *analyze.Layout {
	l := &analyze.Layout{
		Layout: "{date}", Documents: r.Documents, LogicalPartitions: int64(n), WriteRU: 5, Fan: n,
		Hot: []analyze.Hot{{Interval: "minute", Intervals: 60, Documents: 600, Share: 1 / float64(n)}, {Interval: "hour", Intervals: 1, Documents: 600, Share: 1 / float64(n)}},
	}
	if n > 1 {
		l.Layout = fmt.Sprintf("{date}.{vin%%%d}", n)
	}
	for i := range min(n, 10) {
		l.Largest = append(l.Largest, analyze.LogicalPartition{Key: fmt.Sprintf("2018-08-09.%d", i+1), Documents: r.Documents / int64(n), Share: 1 / float64(n), Bytes: 812 * r.Documents / int64(n)})
	}
	for rank := int64(1); rank <= int64(n); rank = max(rank+1, rank*5/4) {
		l.Curve = append(l.Curve, analyze.Point{Rank: rank, Documents: r.Documents / int64(n)})
	}
	for _, physical := range []int{5, 20, 50} {
		l.Partitions = append(l.Partitions, spreadOf(r, n, physical))
	}
	for i := range r.Times.Intervals {
		l.Ring = append(l.Ring, counts(r.Times.Documents[i], n, 128, i))
	}
	return l
}

// counts spreads documents of n keys over so many parts.
func counts(documents int64, n, parts, seed int) []uint32 {
	all := make([]uint32, parts)
	for k := range n {
		h := fnv.New32a()
		fmt.Fprintf(h, "key %d", k)
		all[h.Sum32()%uint32(parts)] += uint32(documents)/uint32(n) + uint32((seed*31+k*17)%3)
	}
	return all
}

func spreadOf(r *analyze.Report, n, physical int) *analyze.Spread {
	s := &analyze.Spread{Physical: physical, Documents: make([]int64, physical), ByTime: &analyze.SpreadByTime{}}
	for i, documents := range r.Times.Documents {
		row := counts(documents, n, physical, i)
		most, all := uint32(0), uint32(0)
		for p, c := range row {
			s.Documents[p] += int64(c)
			most, all = max(most, c), all+c
		}
		s.Series = append(s.Series, row)
		s.ByTime.Effective = append(s.ByTime.Effective, float64(all)/float64(max(1, most)))
	}
	total := int64(0)
	for _, c := range s.Documents {
		total += c
	}
	s.BusiestShare = float64(slices.Max(s.Documents)) / float64(total)
	s.Effective = 1 / s.BusiestShare
	sorted := slices.Sorted(slices.Values(s.ByTime.Effective))
	s.ByTime.Median, s.ByTime.Worst = sorted[len(sorted)/2], sorted[0]
	s.ByTime.Intervals = len(sorted)
	s.SustainableWrites = s.Effective * 2000
	s.ByTime.SustainableWrites = s.ByTime.Median * 2000
	return s
}

// complete returns a report that has everything.
func complete() *analyze.Report {
	r := sampleReport(600, 1, 10, 400)
	r.Invalid, r.InvalidLines = 2, []analyze.Line{{Line: 17, Reason: "no JSON object"}}
	r.Layouts[0].Current = true
	rho := 0.99
	r.Layouts[0].Monotonicity = &rho
	full := start.AddDate(1, 0, 0)
	r.Layouts[0].Biggest = &analyze.Growth{LogicalPartition: r.Layouts[0].Largest[0], BytesPerDay: 1 << 30, Full: &full}
	r.Layouts[0].Findings = []analyze.Finding{{Name: analyze.HotKeyFound, Severity: analyze.Bad, Message: "key 2018-08-09 takes every write of its day: add a bucket"}, {Name: analyze.MonotonicKey, Severity: analyze.Warning, Message: "keys follow time"}}
	r.Layouts[1].Keyless = []analyze.Keyless{{Property: "vin", Problem: "missing", Reason: "is missing", Documents: 3, Lines: []int64{4, 9, 12}}}
	r.Layouts[2].Findings = []analyze.Finding{{Name: analyze.Approximate, Severity: analyze.Note, Message: "counts are within 2%"}}
	for i, l := range r.Layouts {
		l.Reads = &analyze.Reads{
			RequestUnits: 30 * float64(1+i*i*7), Requests: 10, Calls: 10, Partitions: 20, One: 1 - 0.4*float64(i), Several: 0.1 * float64(i), All: 0.3 * float64(i),
			Methods: []analyze.MethodReads{{Method: "ListByDate", Calls: 9, Requests: 1, RequestUnits: 3, Partitions: 1}},
		}
	}
	half := 50.0
	r.Indexes = []*analyze.Index{{
		Keys: &analyze.Layout{Layout: "{driver}", LogicalPartitions: 70, WriteRU: 5, Findings: []analyze.Finding{{Name: analyze.NoKey, Severity: analyze.Warning, Message: "3 documents have no key"}}},
		Asks: 1, BreakEven: []analyze.BreakEven{{Physical: 5, Reads: &half}}, Advice: "The index pays from 50 reads on.",
		Uses: []*analyze.IndexUse{{
			Layout: "{date}", Partitions: 5, Reason: "saves 300 RU/s", Without: analyze.Load{RequestUnits: 1965, Requests: 640}, With: analyze.Load{RequestUnits: 1665, Requests: 240},
			Answers: []analyze.IndexAnswer{{Method: "ByDriver", Knows: []string{"driver"}, Calls: 100, Container: analyze.OneCall{RequestUnits: 13.05}, Index: analyze.OneCall{RequestUnits: 3.05}}},
			Others:  []*analyze.IndexUse{{Layout: "{date}", Partitions: 20, Reason: "saves 4050 RU/s"}},
		}},
	}}
	r.Recommendation = &analyze.Recommendation{Layout: r.Layouts[2].Layout, Reason: "It uses most partitions.", Reads: "A day is read from 400 logical partitions."}
	r.Logged = &analyze.Logged{
		Records: 1000, From: start, To: start.Add(time.Hour), RequestUnits: 123456,
		Keys:       []analyze.LoggedKey{{Key: `["2018-08-09"]`, Range: "3", RequestUnits: 90000, Share: 0.73, Peak: 0.9}},
		Ranges:     []analyze.LoggedRange{{Range: "3", PeakRUs: 9800}, {Range: "1", PeakRUs: 400}},
		Operations: []analyze.LoggedOperation{{Operation: "Create", RequestUnits: 100000}},
		Layouts:    []analyze.LoggedLayout{{Layout: "{vin}", Refused: "the logged key lacks vin"}, {Layout: "{date}", Joined: 0.9, Partitions: []analyze.LoggedSpread{{Physical: 5, Effective: 4.4}}}},
	}
	r.Sample.Partitions = []analyze.StoredPartition{{ID: "0", Documents: 12, Bytes: 40_000}}
	return r
}

// page returns the page of a report.
func page(t *testing.T, r *analyze.Report) string {
	t.Helper()
	var b strings.Builder
	if err := pictures.Page(r, "v1.2.3").Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageHasEverything looks for each part of a report in its page.
func TestPageHasEverything(t *testing.T) {
	text := page(t, complete())
	for _, want := range []string{
		"The keys of VehicleEvent", "hot-key", "add a bucket", "monotonic-key", "A day is read from 400 logical partitions.",
		"{date}.{vin%400}: writes by physical partition", "{date}.{vin%400}: writes by key range", "Load over time", "the busiest first",
		"Documents of logical partitions", "Writes that a layout sustains", "Physical partitions that a layout uses", "Reads against buckets",
		"What reads cost", "Physical partitions that calls touch", "ListByDate", "The log of request units", "the logged key lacks vin", "4.4 of 5 physical partitions; of 90%",
		"index {driver}: 3 documents have no key", "{driver}: The index pays from 50 reads on.", "Calls with an index", "saves 4050 RU/s", "Calls that an index answers", "ByDriver",
		"Documents without a key", "4 9 12", "–, 100%", "no JSON object", "Physical partitions, as the service has them", "reaches 20 GB on 2019-08-09", "pkgen v1.2.3",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(text, "<figure>"); n != 15 {
		t.Errorf("the page has %d charts", n)
	}
	if len(text) > 3_000_000 {
		t.Errorf("the page has %d bytes", len(text))
	}
}

// TestPageOfLittle makes pages of reports that lack things.
func TestPageOfLittle(t *testing.T) {
	untimed := sampleReport(10, 1, 10)
	untimed.Times = nil
	for _, l := range untimed.Layouts {
		l.Ring = nil
		for _, s := range l.Partitions {
			s.ByTime, s.Series = nil, nil
		}
	}
	empty := &analyze.Report{Sample: analyze.Sample{Source: "-"}}
	hollow := &analyze.Report{Layouts: []*analyze.Layout{{Layout: "{id}", Partitions: []*analyze.Spread{{}, {Physical: 5}}}}, Times: &analyze.Times{Seconds: 60}}
	for name, r := range map[string]*analyze.Report{"untimed": untimed, "empty": empty, "hollow": hollow, "one": sampleReport(3, 1)} {
		text := page(t, r)
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf\"") {
			t.Errorf("%s: a number is missing", name)
		}
	}
	if _, ok := pictures.One(untimed).(*report.Curve); !ok {
		t.Error("without times, the picture is not the sorted load")
	}
	if got := pictures.One(empty); got != nil {
		t.Errorf("a report of nothing has the picture %v", got)
	}
}

// TestFigures compares values of charts with those of the report.
func TestFigures(t *testing.T) {
	r := sampleReport(60, 1, 400)
	h, ok := pictures.One(sampleReport(60, 1)).(*report.HeatMap)
	if !ok {
		t.Fatal("the picture of one layout is no heat map")
	}
	busy := 0
	for _, row := range h.Values {
		if row[0] > 0 {
			busy++
			if want := float64(r.Times.Documents[0]) / 60; math.Abs(row[0]-want) > 0.1 {
				t.Errorf("the busy partition takes %v a second, want %v", row[0], want)
			}
		}
	}
	if busy != 1 || len(h.Values) != 20 || h.Limit.Value != 2000 {
		t.Errorf("%d of %d partitions are busy, and one sustains %v", busy, len(h.Values), h.Limit.Value)
	}
	// The bars of what layouts sustain.
	if text := page(t, r); !strings.Contains(text, "20 physical partitions") || !strings.Contains(text, "2,000") {
		t.Errorf("the page does not have what {date} sustains: %.500s", text)
	}
	if grid := pictures.One(r).(*report.Grid); len(grid.Charts) != 2 || !strings.HasPrefix(grid.Charts[0].(*report.HeatMap).Title, "{date}: 1 of 20") {
		t.Errorf("the picture of two layouts is %+v", grid)
	}
}
