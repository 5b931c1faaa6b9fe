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

// event is the type of these tests.
var event = lock.Entry{
	Type: "Event", Container: "events", Definition: lock.Definition{Path: "/pk", Kind: "Hash", Version: 2}, Layout: "{date}.{vin%400}",
	Kinds:      []lock.PropertyKind{{Property: "date", Kind: lock.Text}, {Property: "vin", Kind: lock.Text}},
	Properties: []lock.Property{{Pointer: "/date", JSON: "string"}, {Pointer: "/vin", JSON: "string"}, {Pointer: "/meta/region", JSON: "string"}},
}

func TestParse(t *testing.T) {
	want := []Call{{Method: "ByVIN", PerSecond: 120, Knows: []string{"vin"}, Documents: 3}, {Method: "Get", PerSecond: 500}}
	for _, text := range []string{
		`{"ByVIN": {"perSecond": 120, "knows": ["vin"], "documents": 3}, "Get": 500}`,
		`{"$schema": "https://example.com/calls.schema.json", "ByVIN": {"perSecond": 120, "knows": ["vin"], "documents": 3}, "Get": 500}`,
		"\xef\xbb\xbf" + ` [{"method":"ByVIN","perSecond":120,"knows":["vin"],"documents":3},{"method":"Get","perSecond":500}]`,
		"method,perSecond,knows,documents\nByVIN,120,vin,3\nGet,500,,\n",
	} {
		got, err := Parse(strings.NewReader(text))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
}

// TestParseLog counts 20 calls of Get in 10 seconds, and 5 of a query that goes to two
// physical partitions.
func TestParseLog(t *testing.T) {
	var b strings.Builder
	for range 20 {
		b.WriteString(`{"time":"2026-01-02T03:04:00Z","level":"INFO","msg":"cosmos","op":"get"}` + "\n")
	}
	for range 5 {
		b.WriteString(`{"Time":"2026-01-02T03:04:10.000Z","Op":"query","Method":"ByDate","Range":"0"}` + "\n")
		b.WriteString(`{"Time":"2026-01-02T03:04:05Z","Op":"query","Method":"ByDate","Range":"1"}` + "\n")
	}
	got, err := Parse(strings.NewReader(b.String()))
	want := []Call{{Method: "ByDate", PerSecond: 0.5}, {Method: "Get", PerSecond: 2}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "is empty",
		" \n":                          "is empty",
		"{}":                           "has no calls",
		"[]":                           "has no calls",
		`{"Get":1,"Get":2}`:            "method Get twice",
		`{"Get":"1"}`:                  "are not a number",
		`{"Get":null}`:                 "are not a number",
		`{"Get":-1}`:                   "numbers from 0",
		`{"Get":1e999}`:                "not a number",
		`{"Get":1e308,"Create":1e308}`: "numbers from 0 to a billion",
		`{"Get":{"perSecond":1,"documents":1e300}}`:      "numbers from 0 to a billion",
		`{"ByVIN":{"perSecond":1,"periods":2000000000}}`: "numbers from 0 to a billion",
		"method,knows\nByVIN,vin\n":                      "no column perSecond",
		"perSecond\n1\n":                                 "no column method",
		`{"Get":{"persecond":1}}`:                        `"persecond" is unknown: write "perSecond"`,
		`{"Get":{"perSecond":1,"method":"Put"}}`:         "a second name within",
		`[{"method":"Get"}]`:                             "call 1: it has no perSecond",
		`[{"perSecond":1}]`:                              "has no method",
		`[7]`:                                            "call 1: it is not an object",
		`[{"method":"Get","perSecond":"x"}]`:             "another JSON type",
		`[] 7`:                                           "continues after its array",
		`{"Get":`:                                        "not JSON",
		"method,perSecond\nGet,1,2\n":                    "wrong number of fields",
		"methods,perSecond\n":                            `"methods" is unknown: write "method"`,
		"method,perSecond\nGet,x\n":                      "line 2 of the calls file: perSecond is not a number",
		"method,perSecond\nGet,NaN\n":                    "numbers from 0",
		"method,perSecond\nGet,1\n\x1b[31m,-1\n":         `method \x1b[31m:`,
		`{"time":"2026-01-02T03:04:05Z","op":"query"} {"time":"2026-01-02T03:04:06Z","op":"query"}`: `record 1 of the calls file has op "query", which does not identify the method`,
		`{"time":"2026-01-02T03:04:05Z","op":"get"}`:                                                "all records of the calls file have the same time",
		`{"time":"2026-01-02T03:04:05Z","op":"get"} {"op":"get"}`:                                   "record 2 of the calls file has no time",
		`{"Get":1} {"Get":2}`: "record 1 of the calls file has no time",
	} {
		if _, err := Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestNew(t *testing.T) {
	for method, want := range map[string][]string{
		"ByDateAndVIN": {"date", "vin"}, "ByVIN": {"vin"}, "ByRegionAndVin": {"meta.region", "vin"}, "ByMetaRegion": {"meta.region"},
		"ByVINBetweenDays": {"vin", "at"}, "ByAtBetween": {"at", "at"}, "ByID": {"id"},
	} {
		e := event
		e.Layout = "{date}.{vin%400}.{at|2006-01-02}"
		p, err := New(e, []Call{{Method: method}}, nil)
		if err != nil {
			t.Error(err)
		} else if diff := cmp.Diff(want, p.calls[0].knows); diff != "" {
			t.Errorf("%s: %s", method, diff)
		}
	}
	for _, tt := range []struct {
		call Call
		want string
	}{
		{Call{Method: "ByVni"}, "write ByVin"},
		{Call{Method: "ByDateVin"}, "write ByDateAndVin"},
		{Call{Method: "get"}, "write Get"},
		{Call{Method: "Frobnicate"}, "name the properties that a call knows"},
		{Call{Method: "By"}, "has no method By"},
		{Call{Method: "x", Knows: []string{"vim"}}, "write vin"},
		{Call{Method: "x", Knows: []string{"colour"}}, "use one of date, id, meta.region, vin"},
	} {
		if _, err := New(event, []Call{tt.call}, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.call, err, tt.want)
		}
	}
	if _, err := New(lock.Entry{}, []Call{{Method: "ByVIN"}}, []string{"{date}.{vin%10}"}); err != nil {
		t.Error(err)
	}
}

// under returns what calls cost under a template, on so many physical partitions, with
// documents of 2 KB: a read is 1 + 9/99 RU, a write 5 times that.
func under(t *testing.T, template string, physical int, calls ...Call) *analyze.Reads {
	t.Helper()
	l, err := layout.Candidate(template, false, event)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(event, calls, []string{template})
	if err != nil {
		t.Fatal(err)
	}
	return p.Under(Container{Layout: l, Own: template == event.Layout, Bytes: 2048, Physical: physical})
}

// TestCosts works costs out by hand.
func TestCosts(t *testing.T) {
	const read = 1 + 1.0/11
	const write = 5 * read
	for _, tt := range []struct {
		template   string
		physical   int
		call       Call
		requests   float64
		units      float64
		partitions int
	}{
		{event.Layout, 5, Call{Method: "Get"}, 1, read, 1},
		{event.Layout, 5, Call{Method: "Create"}, 1, write, 1},
		{event.Layout, 5, Call{Method: "Upsert"}, 1, write, 1},
		{event.Layout, 5, Call{Method: "Patch"}, 1, write, 1},
		{event.Layout, 5, Call{Method: "Update"}, 2, read + write, 1},
		{event.Layout, 2, Call{Method: "Move"}, 3, read + 2*write, 2}, // 2 keys on 2 partitions: 1.5
		{event.Layout, 5, Call{Method: "ByDateAndVIN"}, 1, 2.5 + 1.1, 1},
		{event.Layout, 5, Call{Method: "ByDateAndVIN", Documents: 10}, 1, 2.5 + 11, 1},
		{event.Layout, 5, Call{Method: "ByDateAndVIN", Documents: 5000}, 3, 7.5 + 5500, 1}, // 10,000 KB are 3 answers
		{event.Layout, 5, Call{Method: "ByDate"}, 5, 12.5 + 1.1, 5},
		{event.Layout, 1, Call{Method: "ByDate"}, 1, 2.5 + 1.1, 1},
		{event.Layout, 5, Call{Method: "ByVIN"}, 5, 12.5 + 1.1, 5},
		{event.Layout, 5, Call{Method: "Scan"}, 5, 12.5, 5},
		{event.Layout, 5, Call{Method: "Changes", Documents: 10}, 5, 12.5 + 11, 5},
		{event.Layout, 5, Call{Method: "GetMany", Documents: 1}, 1, 2.5 + 1.1, 1},
		{event.Layout, 2, Call{Method: "GetMany", Documents: 2}, 1.5, 3.75 + 2.2, 2},
		{event.Layout, 2, Call{Method: "CreateAll", Documents: 2}, 2, 2 * write, 2},
		{event.Layout, 2, Call{Method: "DeleteAll", Documents: 2}, 2, 2 * write, 2},
		// 3 days on 2 partitions: 2(1 - 1/8).
		{"{date}", 2, Call{Method: "ByDateBetween", Periods: 3}, 1.75, 4.375 + 1.1, 2},
		// The key of today tells the vin, so that of another layout is known.
		{"{vin}", 5, Call{Method: "Get"}, 1, read, 1},
		{"{vin}", 5, Call{Method: "ByVIN"}, 1, 2.5 + 1.1, 1},
		{"{vin}", 5, Call{Method: "ByDate"}, 5, 12.5 + 1.1, 5},
		// It does not tell the region: a query finds the document.
		{"{meta.region}", 5, Call{Method: "Get"}, 5, 12.5 + 1.1, 5},
		{"{meta.region}", 5, Call{Method: "Patch"}, 6, 12.5 + 1.1 + write, 5},
		{"{meta.region}", 5, Call{Method: "Delete"}, 6, 12.5 + 1.1 + write, 5},
		{"{meta.region}", 5, Call{Method: "Create"}, 1, write, 1},
		{"{meta.region}", 5, Call{Method: "Get", Knows: []string{"meta.region", "id"}}, 1, read, 1},
		// A random suffix is known to nobody before the first document is stored with it.
		{"{date}.{*%2}", 2, Call{Method: "Get"}, 1.5, 3.75 + 1.1, 2},
		// A prefix of a hierarchical key.
		{"{date},{vin}", 5, Call{Method: "ByDate"}, 1, 2.5 + 1.1, 1},
		{"{date},{vin}", 5, Call{Method: "ByVIN"}, 5, 12.5 + 1.1, 5},
		{"{date}.{vin%2},{vin}", 2, Call{Method: "ByDate"}, 1.5, 3.75 + 1.1, 2},
	} {
		got := under(t, tt.template, tt.physical, tt.call).Methods[0]
		if math.Abs(got.Requests-tt.requests) > 1e-9 || math.Abs(got.RequestUnits-tt.units) > 1e-9 || got.Partitions != tt.partitions {
			t.Errorf("%s on %d, %+v: %+v, want %v requests, %v RU, %d partitions", tt.template, tt.physical, tt.call, got, tt.requests, tt.units, tt.partitions)
		}
	}
}

// TestLooks has ids that may be those of other types.
func TestLooks(t *testing.T) {
	e := event
	e.Discriminator = "event"
	l, err := layout.New(e)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(e, []Call{{Method: "Upsert"}, {Method: "Delete"}, {Method: "Patch"}, {Method: "UpsertAll", Documents: 2}, {Method: "DeleteAll", Documents: 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{6, 6, 5, 12, 12} {
		if got := p.Under(Container{Layout: l, Own: true, Bytes: 1024, Physical: 5}).Methods[i]; got.RequestUnits != want {
			t.Errorf("%+v, want %v RU", got, want)
		}
	}
}

// TestSums adds calls up: 100 a second of one partition, 20 of 1.5 and so 2 of 3, 80 of
// all.
func TestSums(t *testing.T) {
	got := under(t, "{date}", 3, Call{Method: "ByDate", PerSecond: 100}, Call{Method: "ByDateBetween", PerSecond: 20, Periods: 2}, Call{Method: "ByVIN", PerSecond: 80})
	touched := 3 * (1 - 4.0/9)
	if got.Calls != 200 || got.One != 0.5 || got.Several != 0.1 || got.All != 0.4 || got.Partitions != 3 ||
		math.Abs(got.Requests-(100+20*touched+240)) > 1e-9 || math.Abs(got.RequestUnits-(100*3.6+20*(2.5*touched+1.1)+80*8.6)) > 1e-9 {
		t.Errorf("%+v", got)
	}
	if none := under(t, "{date}", 3, Call{Method: "Get"}); none.One != 0 || none.Requests != 0 {
		t.Errorf("%+v", none)
	}
}
