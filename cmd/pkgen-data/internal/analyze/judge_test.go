package analyze

import (
	"strings"
	"testing"
	"time"
)

// sound returns a layout that has no finding, and the report around it.
func sound() (*Report, *Layout) {
	l := &Layout{
		Layout: "{a}", Documents: 1000, LogicalPartitions: 1000, WriteRU: 5, Fan: 1,
		Largest: []LogicalPartition{{Key: "k", Documents: 10, Share: 0.01, Bytes: 10}}, Biggest: &Growth{LogicalPartition: LogicalPartition{Key: "k", Bytes: 10}},
		Partitions: []*Spread{{Physical: 5, Effective: 4.5, SustainableWrites: 9000}, {Physical: 20, Effective: 15, SustainableWrites: 30_000}},
	}
	to := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC)
	return &Report{Documents: 1000, Sample: Sample{Share: 1}, Times: &Times{Property: "/at", To: to}, Layouts: []*Layout{l}}, l
}

// TestFindings changes one figure at a time, to one below a threshold and one above it.
func TestFindings(t *testing.T) {
	full := func(days int) *time.Time {
		at := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days)
		return &at
	}
	rho := func(f float64) *float64 { return &f }
	for _, tt := range []struct {
		name   string
		change func(r *Report, l *Layout)
		limits Limits
		want   string // names and severities
		text   string // of the first message
	}{
		{name: "nothing", change: func(*Report, *Layout) {}},
		{name: "a fifth", change: func(_ *Report, l *Layout) { l.Largest[0].Share = 0.2 }},
		{name: "a fourth", change: func(_ *Report, l *Layout) { l.Largest[0].Share = 0.25 }, want: "hot-key warning", text: "the busiest key of the sample takes 25% of its writes, so the layout writes to at most 4.0 of 5"},
		{name: "most", change: func(_ *Report, l *Layout) { l.Largest[0].Share = 0.51 }, want: "hot-key error"},
		{name: "few documents", change: func(_ *Report, l *Layout) { l.Largest[0].Share, l.Documents, l.LogicalPartitions = 0.51, 19, 1 }, want: "approximate note", text: "the sample has 19 documents, too few to judge the number of keys for 5 physical partitions: take at least 100"},
		{name: "hours", change: func(_ *Report, l *Layout) {
			l.Hot = []Hot{{Interval: "minute", Intervals: 100, Documents: 9999, Share: 1}, {Interval: "hour", Intervals: 10, Documents: 1000, Share: 0.3}}
		}, want: "hot-key warning", text: "the busiest key of an hour takes 30%"},
		{name: "keys that follow time, well spread", change: func(_ *Report, l *Layout) { l.Monotonicity = rho(1) }},
		{name: "keys that follow time", change: func(_ *Report, l *Layout) { l.Monotonicity, l.Largest[0].Share = rho(-0.7), 0.3 }, want: "hot-key warning, monotonic-key warning"},
		{name: "keys that nearly do", change: func(_ *Report, l *Layout) { l.Monotonicity, l.Largest[0].Share = rho(0.69), 0.3 }, want: "hot-key warning"},
		{name: "50 keys", change: func(_ *Report, l *Layout) { l.LogicalPartitions = 50 }},
		{name: "49 keys", change: func(_ *Report, l *Layout) { l.LogicalPartitions = 49 }, want: "low-cardinality warning"},
		{name: "4 keys", change: func(_ *Report, l *Layout) { l.LogicalPartitions = 4 }, want: "low-cardinality error", text: "4 logical partitions cannot use 5 physical partitions"},
		{name: "half of 20", change: func(_ *Report, l *Layout) { l.Partitions[1].Effective = 10 }},
		{name: "less than half of 20", change: func(_ *Report, l *Layout) { l.Partitions[1].Effective = 8 }, want: "hot-range warning", text: "the busiest of 20 physical partitions takes 12% of the writes over the whole sample, so 8.0 of them are used, and 16000 documents per second can be written: use more keys at a time"},
		{name: "one key takes that", change: func(_ *Report, l *Layout) { l.Partitions[1].Effective, l.Largest[0].Share = 8, 0.125 }, want: "hot-range warning", text: "use more keys at a time, and more physical partitions do not help"},
		{name: "less than half of 20, by levels", change: func(_ *Report, l *Layout) { l.Layout, l.Partitions[1].Effective = "{a},{b}", 8 }, want: "hot-range warning", text: "until the service divides the range, so put a property with more values first"},
		{name: "at a time", change: func(_ *Report, l *Layout) { l.Partitions[0].ByTime = &SpreadByTime{Intervals: 3, Median: 1} }, want: "hot-range warning", text: "takes 100% of the writes in the median interval"},
		{name: "no interval that says something", change: func(_ *Report, l *Layout) { l.Partitions[0].ByTime = &SpreadByTime{} }},
		{name: "too few documents for 20", change: func(_ *Report, l *Layout) { l.Partitions[1].Effective, l.Documents = 8, 399 }},
		{name: "13 GB", change: func(_ *Report, l *Layout) { l.Biggest.Bytes = 13_999_999_999 }},
		{name: "14 GB", change: func(_ *Report, l *Layout) { l.Biggest.Bytes = 14_000_000_000 }, want: "near-20-GB error", text: "key k has 14 GB"},
		{name: "in a year", change: func(_ *Report, l *Layout) { l.Biggest.Full = full(365) }},
		{name: "within a year", change: func(_ *Report, l *Layout) { l.Biggest.Full, l.Biggest.BytesPerDay = full(364), 55e6 }, want: "near-20-GB warning", text: "key k grows by 55 MB per day and reaches 20 GB on 2025-01-29"},
		{name: "2000 buckets for 20", change: func(_ *Report, l *Layout) { l.Fan = 2000 }},
		{name: "2001 buckets for 20", change: func(_ *Report, l *Layout) { l.Fan = 2001 }, want: "too-many-buckets note"},
		{name: "collisions", change: func(_ *Report, l *Layout) { l.Collisions = Collisions{1, []Collision{{"x-y", 7}}} }, want: "colliding error", text: "1 document has the key of a document with other components, such as x-y on line 7"},
		{name: "a document without a key", change: func(_ *Report, l *Layout) { l.Keyless = []Keyless{{Documents: 1}} }, want: "no-key warning", text: "1 document has no key, and 1000 have one: generated code refuses these"},
		{name: "no key at all", change: func(_ *Report, l *Layout) { *l = Layout{Keyless: []Keyless{{Documents: 2}, {Documents: 3}}} }, want: "no-key error", text: "5 documents have no key, and 0 have one"},
		{name: "a tenth of the calls", change: func(_ *Report, l *Layout) { l.Reads = &Reads{All: 0.1, Partitions: 5} }},
		{name: "more calls", change: func(_ *Report, l *Layout) { l.Reads = &Reads{All: 0.11, Partitions: 5} }, want: "scatter-reads warning", text: "11% of the calls query all 5"},
		{name: "one partition", change: func(_ *Report, l *Layout) { l.Reads = &Reads{All: 1, Partitions: 1} }},
		{name: "an estimate", change: func(_ *Report, l *Layout) { l.LogicalPartitionsError, l.CountError = hyperLogLogError, 7 }, want: "approximate note", text: "a standard error of 0.8%, and the documents of a key may be 7 too few"},
		{name: "a sample", change: func(r *Report, _ *Layout) { r.Sample.Share, r.Sample.Error = 0.05, "each key is missed" }, want: "approximate note", text: "the figures come from 5% of the source: each key is missed"},
		{name: "a share", change: func(*Report, *Layout) {}, limits: Limits{MaxShare: 0.009}, want: "hot-key error", text: "key k has 1% of the documents, and at most 0.9% are allowed"},
		{name: "a share that fits", change: func(*Report, *Layout) {}, limits: Limits{MaxShare: 0.01}},
		{name: "a size", change: func(*Report, *Layout) {}, limits: Limits{MaxPartition: 9}, want: "near-20-GB error", text: "key k has 10 B, and -max-partition allows 9 B"},
		{name: "a size that fits", change: func(*Report, *Layout) {}, limits: Limits{MaxPartition: 10}},
		{name: "no documents", change: func(_ *Report, l *Layout) { *l = Layout{Partitions: []*Spread{{Physical: 5}}} }, limits: Limits{0.1, 1}},
	} {
		r, l := sound()
		tt.change(r, l)
		r.Judge(tt.limits)
		r.Judge(tt.limits) // again, with no other result
		var got []string
		for _, f := range l.Findings {
			got = append(got, f.Name+" "+string(f.Severity))
		}
		if strings.Join(got, ", ") != tt.want || tt.text != "" && !strings.Contains(l.Findings[0].Message, tt.text) {
			t.Errorf("%s: %+v, want %s: %s", tt.name, l.Findings, tt.want, tt.text)
		}
		exceeds := tt.limits != (Limits{}) && tt.want != ""
		if l.Exceeds(tt.limits) != exceeds {
			t.Errorf("%s: exceeds the limits: %v", tt.name, !exceeds)
		}
		if r.Recommendation != nil {
			t.Errorf("%s: one layout is recommended", tt.name)
		}
	}
}

// TestRecommendation compares layouts two by two: the first one is better.
func TestRecommendation(t *testing.T) {
	with := func(change func(l *Layout)) *Layout {
		_, l := sound()
		change(l)
		return l
	}
	unique := true
	for _, tt := range []struct {
		name            string
		better, worse   *Layout
		reason, reading string
	}{
		{"fewer buckets", with(func(l *Layout) { l.Layout, l.Fan = "{b%10}", 10 }), with(func(l *Layout) { l.Fan = 400 }), "{b%10} has no serious finding, and no such layout spreads one base over fewer logical partitions. With 5 physical partitions it sustains 9000 writes a second, with 20 30000. The other: {a} 9000 writes a second.", "A query over one base reads its 10 buckets, for at least about 11.2 RU with 5 physical partitions, 20.1 with 20."},
		{"no finding", with(func(l *Layout) { l.Fan = 400 }), with(func(l *Layout) { l.LogicalPartitions = 3 }), "The other: {a} 9000 writes a second (low-cardinality).", ""},
		{"cheaper calls", with(func(l *Layout) { l.Reads = &Reads{RequestUnits: 10, Requests: 3, Partitions: 5, All: 0.05} }), with(func(l *Layout) { l.Reads = &Reads{RequestUnits: 11, Partitions: 5} }), "is the cheapest of the layouts that sustain twice the load of the calls: 10 RU/s. With 5 physical partitions it sustains 4500 times the load. No other layout sustains more.", "10 RU/s and 3 requests a second for the calls with 5 physical partitions; 5% of them query all."},
		{"more writes, where both have findings", with(func(l *Layout) { l.LogicalPartitions, l.Fan = 3, 10 }), with(func(l *Layout) { l.LogicalPartitions, l.Partitions[0].SustainableWrites = 3, 10 }), "No layout is without a serious finding. {a} has low-cardinality, and sustains the most writes", ""},
		{"more writes, where both are the same else", with(func(*Layout) {}), with(func(l *Layout) {
			l.Partitions[0].ByTime = &SpreadByTime{Intervals: 1, Median: 4, SustainableWrites: 8000}
		}), "", "A query that gives the whole key reads one logical partition, for at least 2.5 RU; all other queries read every physical partition."},
		{"documents that have keys", with(func(l *Layout) { l.LogicalPartitions = 3 }), with(func(l *Layout) { l.Documents = 999 }), "No layout with a key for as many documents is without a serious finding. {a} has low-cardinality, and sustains the most writes. With 5 physical partitions it sustains 9000 writes a second, with 20 30000. The other: {a} 9000 writes a second (a key for 999 of 1000 documents).", ""},
		{"documents that have keys, though the other has more writes", with(func(l *Layout) { l.LogicalPartitions, l.Partitions[0].SustainableWrites = 3, 10 }), with(func(l *Layout) { l.Documents = 999 }), "has low-cardinality. With", ""},
		{"documents that have keys, in more buckets", with(func(l *Layout) { l.Fan = 7 }), with(func(l *Layout) { l.Documents = 999 }), "no such layout with a key for as many documents spreads one base over fewer", ""},
		{"keys for most documents in both", with(func(l *Layout) { l.Documents = 900 }), with(func(l *Layout) { l.Documents, l.Fan = 900, 2 }), " The other: {a} 9000 writes a second. It has a key for 900 of 1000 documents.", ""},
		{"any key", with(func(*Layout) {}), with(func(l *Layout) { l.Documents = 0 }), " The other: {a} has no key for any document.", ""},
		{"a key that several documents have", with(func(*Layout) {}), with(func(l *Layout) { l.Unique, l.Partitions[0].SustainableWrites = &unique, 9900 }), "", ""},
		{"a key for each document", with(func(l *Layout) { l.Unique = &unique }), with(func(l *Layout) { l.LogicalPartitions = 3 }), "", "so the layout suits only point reads."},
		{"several levels", with(func(l *Layout) { l.Layout = "{b},{c}" }), with(func(l *Layout) { l.Fan = 2 }), "", "one that gives only the first level reads the physical partitions that hold it, usually one; all other queries"},
		{"no collisions", with(func(l *Layout) { l.Documents = 10 }), with(func(l *Layout) { l.Collisions = Collisions{1, []Collision{{"x", 1}}} }), "", ""},
	} {
		for _, order := range [][]*Layout{{tt.better, tt.worse}, {tt.worse, tt.better}} {
			r, _ := sound()
			r.Layouts = order
			tt.worse.Layout = "{a}"
			r.Judge(Limits{})
			got := r.Recommendation
			if best := order[0]; got.Layout != tt.better.Layout || order[0].better(order[1]) != (best == tt.better) || !strings.Contains(got.Reason, tt.reason) || !strings.Contains(got.Reads, tt.reading) {
				t.Errorf("%s: %+v", tt.name, got)
			}
		}
	}
	// Most of the busiest physical partition is not one key: it can be divided.
	r, l := sound()
	l.Partitions[1].Effective, l.Largest[0].Share = 8, 0.1
	if r.Judge(Limits{}); len(l.Findings) != 1 || strings.Contains(l.Findings[0].Message, "do not help") {
		t.Errorf("several keys: %+v", l.Findings)
	}
	r, l = sound()
	l.Documents = 0
	r.Layouts = append(r.Layouts, l)
	if r.Judge(Limits{}); r.Recommendation != nil {
		t.Errorf("without documents: %+v", r.Recommendation)
	}
}

func TestSizes(t *testing.T) {
	for key, want := range map[string]string{"": "", strings.Repeat("é", 100): strings.Repeat("é", 100), strings.Repeat("é", 101): strings.Repeat("é", 99) + "…"} {
		if got := ShortKey(key); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for text, want := range map[string]int64{"1": 1, "10GB": 1e10, "1.5 GB": 15e8, "500 MB": 5e8, "2kB": 2000, "1MiB": 1 << 20, "10g": 1e10, "10gib": 10 << 30, "512 mb": 512e6, "": -1, "-1GB": -1, "GB": -1, "1e30TB": -1, "5 parsecs": -1, "0": -1} {
		got, err := ParseSize(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 9949: "9.9 KB", 12_345: "12 KB", 999_600: "1.0 MB", 20e9: "20 GB", 3e15: "3.0 PB"} {
		if got := Size(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
	for share, want := range map[float64]string{0: "0%", 1: "100%", 0.25: "25%", 0.1: "10%", 0.0123: "1.2%", 0.0001: "0.01%"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}
