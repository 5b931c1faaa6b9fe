package analyze

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// indexOf returns an index by a template, with 100 documents of 1 KB in its sample, on these
// numbers of physical partitions.
func indexOf(t *testing.T, template string, partitions ...int) *Index {
	t.Helper()
	keys, err := layout.Candidate(template, false, lock.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	c := newCollector(t, Options{Partitions: partitions, Indexes: []*layout.Layout{keys}}, "{id}")
	for i := range 100 {
		c.Add(int64(i), fmt.Appendf(nil, `{"id":"%d","a":"a%d","b":"b","at":"2026-01-02T03:04:05Z"}`, i, i))
	}
	r := c.Report()
	if len(r.Layouts) != 1 || len(r.Indexes) != 1 {
		t.Fatalf("%+v", r)
	}
	r.Judge(Limits{})
	return r.Indexes[0]
}

// TestIndexBreakEven works out from how many reads on an index pays: a write of the index costs
// 5 RU, and each physical partition that a read need not ask saves 2.5 RU.
func TestIndexBreakEven(t *testing.T) {
	for _, tt := range []struct {
		template string
		asks     int
		made     bool
		reads    map[int]float64 // by physical partitions; those where it pays
		advice   string
	}{
		{"{a}", 1, false, map[int]float64{5: 50, 20: 500 / 47.5}, "A read that knows its key queries one logical partition of the index. If the same read queries all physical partitions of the container, " +
			"the index pays from 50 reads per 100 writes with 5 physical partitions, from 11 with 20. With 1 physical partition the index never pays: a read of the index queries as many physical partitions as a read of the container. " +
			"The index is updated later than the container."},
		{"{a},{b}", 1, false, map[int]float64{5: 50, 20: 500 / 47.5}, ""},
		{"{a}-{at|2006-01}", 1, true, map[int]float64{5: 50, 20: 500 / 47.5}, "Programs must store the text of its key"},
		{"{a%10}", 1, true, map[int]float64{5: 50, 20: 500 / 47.5}, ""},                                         // a read gives a
		{"{b}.{a%100}", 100, true, map[int]float64{}, "With 1, 5, 20 physical partitions the index never pays"}, // 20(1 - 0.95^100) = 19.88
		{"{b}.{a%2}", 2, true, map[int]float64{5: 62.5, 20: 500 / 45.125}, "queries 2"},                         // 1.8 of 5, 1.95 of 20
	} {
		x := indexOf(t, tt.template, 20, 1, 5)
		got := map[int]float64{}
		for _, b := range x.BreakEven {
			if b.Reads != nil {
				got[b.Physical] = *b.Reads
			}
		}
		if diff := cmp.Diff(tt.reads, got, cmp.Comparer(near)); diff != "" || len(x.BreakEven) != 3 || x.BreakEven[0].Physical != 1 {
			t.Errorf("%s: %s", tt.template, diff)
		}
		if x.Asks != tt.asks || x.Made != tt.made || !strings.Contains(x.Advice, tt.advice) {
			t.Errorf("%s: %+v", tt.template, x)
		}
	}
}

// TestIndexIsCollectedAsALayout gives one template as an index and as a layout. Both have the same
// figures, since they come from one collector.
func TestIndexIsCollectedAsALayout(t *testing.T) {
	keys, err := layout.Candidate("{b}", false, lock.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	c := newCollector(t, Options{Partitions: []int{5}, Indexes: []*layout.Layout{keys}, Times: []string{"/at"}}, "{a}", "{b}")
	for i := range 1000 {
		c.Add(int64(i), fmt.Appendf(nil, `{"a":"a%d","b":"b%d","at":"2026-01-02T03:%02d:05Z"}`, i, i%3, i%60))
	}
	c.Add(1000, []byte(`{"a":"x"}`))
	r := c.Report()
	r.Sample.Share = 1
	r.Judge(Limits{MaxShare: 0.3})
	like, got := r.Layouts[1], r.Indexes[0].Keys
	if like.LogicalPartitions != 3 || !got.Has(HotKeyFound) || !got.Has(LowCardinality) || !got.Exceeds(Limits{MaxShare: 0.3}) {
		t.Errorf("%+v", got.Findings)
	}
	last := len(like.Findings) - 1
	if f, of := got.Findings[last], like.Findings[last]; f.Name != NoKey || of.Name != NoKey || !strings.Contains(f.Message, "1 document has no key, and 1000 have one: documents without the property are in one logical partition") || strings.Contains(f.Message, "generated code") {
		t.Errorf("%+v, %+v", f, of)
	}
	like.Findings, got.Findings = like.Findings[:last], got.Findings[:last]
	if diff := cmp.Diff(like, got, cmp.AllowUnexported(Layout{})); diff != "" {
		t.Error(diff)
	}
	if len(r.Layouts) != 2 || r.Recommendation == nil || r.Recommendation.Layout != "{a}" {
		t.Errorf("an index is recommended as a layout: %+v", r.Recommendation)
	}
}

// TestIndexReasons has the sentences about calls.
func TestIndexReasons(t *testing.T) {
	of := func(f float64) *float64 { return &f }
	answers := []IndexAnswer{{Method: "ByA"}}
	for _, tt := range []struct {
		name   string
		change func(l *Layout)
		use    IndexUse
		pays   bool
		want   string
	}{
		{"nobody asks", nil, IndexUse{Writes: 30, Entries: 30, IndexWrites: 150, Saves: -150}, false, "no call knows its key: it would save nothing, and its writes would cost 150 RU/s"},
		{"nobody asks or writes", nil, IndexUse{}, false, "no call knows its key"},
		{"the container answers as well", nil, IndexUse{Known: true, Writes: 30, Entries: 30, IndexWrites: 150, Saves: -150}, false, "the container answers the calls that know its key from as few physical partitions: it would save nothing, and its writes would cost 150 RU/s"},
		{"few reads", nil, IndexUse{Known: true, Answers: answers, Reads: 1, Writes: 30, Entries: 30, IndexWrites: 150, Saves: -140, BreakEven: of(50), BreakEvenShare: of(0.25), ReadsFor100Writes: of(3.333)}, false, "costs 140 RU/s more than it saves: needs at least 50 reads per 100 writes, 25% of all calls; there are 3.3"},
		{"many reads", nil, IndexUse{Known: true, Answers: answers, Reads: 60, Writes: 30, Entries: 30, IndexReads: 180, IndexWrites: 150, Saves: 450, BreakEven: of(50), BreakEvenShare: of(0.25), ReadsFor100Writes: of(200)}, true, "saves 450 RU/s: pays from 50 reads per 100 writes upward, 25% of all calls; there are 200"},
		{"reads alone", nil, IndexUse{Known: true, Answers: answers, Reads: 60, IndexReads: 180, Saves: 600, BreakEven: of(50)}, true, "saves 600 RU/s, and the calls write nothing"},
		// 4.5 of 5 physical partitions are used: 45,000 RU/s.
		{"half of what it sustains", nil, IndexUse{Known: true, Answers: answers, Writes: 1, IndexReads: 20_000, IndexWrites: 2500, Saves: 9, BreakEven: of(50)}, true, "saves 9 RU/s: pays from 50 reads per 100 writes upward"},
		{"more than half", nil, IndexUse{Known: true, Answers: answers, Writes: 1, IndexReads: 20_000, IndexWrites: 4000, Saves: 9, BreakEven: of(50)}, false, "saves 9 RU/s, but with 5 physical partitions it sustains 1.9 times its own load, and may lag below twice the load"},
		// A hot key does no harm where it sustains the load: 10,000 RU/s of one physical partition.
		{"a hot key", func(l *Layout) { l.Largest[0].Share, l.Partitions[0].Effective = 1, 1 }, IndexUse{Known: true, Answers: answers, Writes: 1, IndexReads: 3000, IndexWrites: 1000, Saves: 9, BreakEven: of(50)}, true, "saves 9 RU/s: pays"},
		{"a full key", func(l *Layout) { l.Biggest.Bytes = 19e9 }, IndexUse{Known: true, Answers: answers, Writes: 1, IndexReads: 3000, IndexWrites: 1000, Saves: 9, BreakEven: of(50)}, false, "saves 9 RU/s, but its keys have near-20-GB: choose another key"},
	} {
		r, l := sound()
		if tt.change != nil {
			tt.change(l)
		}
		use, other := tt.use, tt.use
		use.Partitions, other.Partitions = 5, 20
		use.Others = []*IndexUse{&other}
		r.Layouts, r.Indexes = nil, []*Index{{Keys: l, Asks: 1, Uses: []*IndexUse{&use}}}
		r.Judge(Limits{})
		if use.Pays != tt.pays || !strings.HasPrefix(use.Reason, tt.want) || other.Reason == "" {
			t.Errorf("%s: %v, %s, want %s", tt.name, use.Pays, use.Reason, tt.want)
		}
		if l.Reads != nil {
			t.Errorf("%s: the load of a use stays with the keys", tt.name)
		}
	}
}
