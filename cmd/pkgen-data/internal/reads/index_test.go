package reads

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// withIndex returns what calls cost under a template with an index, on so many physical
// partitions, with documents of 1 KB.
func withIndex(t *testing.T, template, index string, physical int, calls ...Call) *analyze.IndexUse {
	t.Helper()
	var keys [2]*layout.Layout
	for i, each := range []string{template, index} {
		var err error
		if keys[i], err = layout.Candidate(each, false, event); err != nil {
			t.Fatal(err)
		}
	}
	p, err := New(event, calls, []string{template}, index)
	if err != nil {
		t.Fatal(err)
	}
	return p.WithIndex(Container{Layout: keys[0], Own: template == event.Layout, Bytes: 1024, Physical: physical}, keys[1])
}

// near reports whether two figures are equal but for their rounding.
func near(got, want float64) bool { return math.Abs(got-want) < 1e-9 }

// TestWithIndex works the figures of a program out by hand: a document of 1 KB costs 0.55 RU
// to return, and 5 RU to write.
func TestWithIndex(t *testing.T) {
	u := withIndex(t, event.Layout, "{meta.region}", 5,
		Call{Method: "ByRegion", PerSecond: 100}, // 5 requests of 2.5 RU, or 1
		Call{Method: "Create", PerSecond: 100},
		Call{Method: "Update", PerSecond: 10, Changes: []string{"meta.region"}}, // a read and a write; 2 writes of the index
		Call{Method: "Delete", PerSecond: 20},
	)
	want := analyze.IndexUse{
		Layout: event.Layout, Partitions: 5, Known: true,
		Answers: []analyze.IndexAnswer{{
			Method: "ByRegion", Knows: []string{"meta.region"}, Calls: 100,
			Container: analyze.OneCall{RequestUnits: 13.05, Requests: 5, Partitions: 5},
			Index:     analyze.OneCall{RequestUnits: 3.05, Requests: 1, Partitions: 1},
		}},
		Reads: 100, Calls: 230, Writes: 130, Entries: 140,
		Without:    analyze.Load{RequestUnits: 1305 + 500 + 60 + 100, Requests: 500 + 100 + 20 + 20},
		With:       analyze.Load{RequestUnits: 305 + 500 + 60 + 100 + 700, Requests: 100 + 100 + 20 + 20},
		IndexReads: 305, IndexWrites: 700, Saves: 300,
	}
	near100, even, share := 100*100.0/130, 100*(700.0/130)/10, 70.0/(130+70)
	want.ReadsFor100Writes, want.BreakEven, want.BreakEvenShare = &near100, &even, &share
	if diff := cmp.Diff(&want, u, cmp.Comparer(near)); diff != "" {
		t.Error(diff)
	}
}

// TestIndexAnswers has single calls a second, and what one costs without and with the index.
func TestIndexAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, layout, index string
		physical            int
		call                Call
		without, with       float64 // RU; with is 0 where the index answers nothing
		known               bool
	}{
		{"one physical partition", event.Layout, "{vin}", 1, Call{Method: "ByVIN"}, 3.05, 0, true},
		{"the container knows as well", event.Layout, "{vin}", 5, Call{Method: "ByDateAndVIN"}, 3.05, 0, true},
		{"another property", event.Layout, "{vin}", 5, Call{Method: "ByDate"}, 13.05, 0, false},
		{"a point read", event.Layout, "{vin}", 5, Call{Method: "Get"}, 1, 0, true},
		{"a point read that becomes a query", "{meta.region}", "{vin}", 5, Call{Method: "Get"}, 13.05, 3.05, true},
		{"several of these", "{meta.region}", "{vin}", 2, Call{Method: "GetMany", Documents: 2}, 5 + 1.1, 3.75 + 1.1, true}, // 2 keys on 2: 1.5
		{"a change of one", "{meta.region}", "{vin}", 5, Call{Method: "Patch"}, 13.05 + 5, 0, false},
		{"all documents", event.Layout, "{vin}", 5, Call{Method: "Scan", Knows: []string{"vin"}}, 12.5, 0, false},
		{"the first level", "{vin}", "{date},{meta.region}", 5, Call{Method: "ByDate", Documents: 10}, 18, 8, true},
		{"the second level alone", event.Layout, "{meta.region},{vin}", 5, Call{Method: "ByVIN"}, 13.05, 0, false},
		{"two buckets on 2: 1.5", "{meta.region}", "{date}.{vin%2}", 2, Call{Method: "ByDate"}, 5.55, 4.3, true},
		{"a bucket that is known", "{meta.region}", "{date}.{vin%2}", 2, Call{Method: "ByDateAndVIN"}, 5.55, 3.05, true},
		{"3 months on 2: 1.75", event.Layout, "{vin}-{at|2006-01}", 2, Call{Method: "History", Knows: []string{"vin", "at"}, Periods: 3}, 5.55, 4.925, true},
	} {
		tt.call.PerSecond = 1
		u := withIndex(t, tt.layout, tt.index, tt.physical, tt.call)
		with := tt.with
		if with == 0 {
			with = tt.without
		}
		if !near(u.Without.RequestUnits, tt.without) || !near(u.With.RequestUnits-u.IndexWrites, with) || (len(u.Answers) > 0) != (tt.with > 0) || u.Known != tt.known {
			t.Errorf("%s: %+v, want %v and %v RU", tt.name, u, tt.without, tt.with)
		}
		if (u.BreakEven == nil) != (tt.with == 0) {
			t.Errorf("%s: %+v", tt.name, u)
		}
	}
}

// TestIndexWrites counts the writes of an index that follow one call.
func TestIndexWrites(t *testing.T) {
	region := []string{"meta.region"}
	for _, tt := range []struct {
		call               Call
		documents, entries float64
	}{
		{Call{Method: "Get"}, 0, 0},
		{Call{Method: "PrepareMove"}, 0, 0},
		{Call{Method: "Changes"}, 0, 0},
		{Call{Method: "ByVIN"}, 0, 0},
		{Call{Method: "Create"}, 1, 1},
		{Call{Method: "Upsert"}, 1, 1},
		{Call{Method: "Upsert", Changes: region}, 1, 2},
		{Call{Method: "Patch", Changes: []string{"vin"}}, 1, 1},
		{Call{Method: "Patch", Changes: []string{"vin", "date"}}, 1, 2}, // the date is hashed
		{Call{Method: "Move"}, 1, 2},
		{Call{Method: "Move", Changes: region}, 1, 2},
		{Call{Method: "DeleteIfMatch"}, 1, 1},
		{Call{Method: "CreateAll", Documents: 7}, 7, 7},
		{Call{Method: "UpsertAll", Documents: 7, Changes: region}, 7, 14},
		{Call{Method: "DeleteFound", Documents: 7}, 7, 7},
	} {
		tt.call.PerSecond = 2
		u := withIndex(t, event.Layout, "{meta.region}.{date%4}", 5, tt.call)
		if u.Writes != 2*tt.documents || u.Entries != 2*tt.entries || u.IndexWrites != 10*tt.entries {
			t.Errorf("%+v: %+v", tt.call, u)
		}
	}
}

// TestIndexProperties has calls by a property that only the index has, and by one that does not
// exist. The present key has neither, so that Get does not know them.
func TestIndexProperties(t *testing.T) {
	p, err := New(lock.Entry{}, []Call{{Method: "ByCustomerID"}, {Method: "Get"}}, []string{"{date}"}, "{customerId}")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"customerId"}, p.calls[0].knows); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"date", "id"}, p.calls[1].knows); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		call Call
		want string
	}{
		{Call{Method: "Update", Changes: []string{"vim"}}, "method Update changes vim, which is no property of the type, its layouts or indexes: write vin"},
		{Call{Method: "Get", Changes: []string{"vin"}}, "method Get changes no stored document: leave changes out"},
		{Call{Method: "ByVIN", Changes: []string{"vin"}}, "method ByVIN changes no stored document"},
	} {
		if _, err := New(event, []Call{tt.call}, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.call, err, tt.want)
		}
	}
	calls, err := Parse(strings.NewReader("method,perSecond,changes\nUpdate,1,vin date\nGet,2,\n"))
	if diff := cmp.Diff([]Call{{Method: "Update", PerSecond: 1, Changes: []string{"vin", "date"}}, {Method: "Get", PerSecond: 2}}, calls); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}
