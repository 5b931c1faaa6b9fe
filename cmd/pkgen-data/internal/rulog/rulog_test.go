package rulog

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// five are records of two minutes, in columns of the portal: key, range, operation,
// charge, time.
var five = [][]string{
	{`["a"]`, "0", "Read", "60", "2026-01-02T03:04:05Z"},
	{`["b"]`, "1", "Query", "120.5", "2026-01-02T03:04:06.5Z"},
	{`["a"]`, "0", "Query", "300000", "2026-01-02T03:05:00Z"},
	{`["a"]`, "2", "Read", "0.5", "2026-01-02T03:05:01Z"},
	{`["b"]`, "1", "Read", "3", "2026-01-02T03:05:59Z"},
}

// table writes records as the portal does.
func table(head []string, records ...[]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.WriteAll(append([][]string{head}, records...))
	return b.String()
}

var portal = []string{"PartitionKey", "PartitionKeyRangeId", "OperationName", "RequestCharge", "TimeGenerated [UTC]"}

// lines writes records as objects in lines.
func lines(names []string, records ...[]string) string {
	var b strings.Builder
	for _, r := range records {
		object := map[string]any{}
		for i, name := range names {
			object[name] = r[i]
		}
		text, _ := json.Marshal(object)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

func read(t *testing.T, text string) *Log {
	t.Helper()
	l, err := Read(strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestReport works five records out by hand, from each form of a log.
func TestReport(t *testing.T) {
	const all = 300184
	want := &analyze.Logged{
		Records: 5, From: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), To: time.Date(2026, 1, 2, 3, 5, 59, 0, time.UTC), RequestUnits: all,
		Keys: []analyze.LoggedKey{
			{Key: "a", Range: "2", RequestUnits: 300060.5, Share: 300060.5 / all, Peak: 300000.5 / 300003.5, PeakRUs: 300000.5 / 60},
			{Key: "b", Range: "1", RequestUnits: 123.5, Share: 123.5 / all, Peak: 120.5 / 180.5, PeakRUs: 120.5 / 60},
		},
		Ranges: []analyze.LoggedRange{
			{Range: "0", RequestUnits: 300060, Share: 300060.0 / all, PeakRUs: 5000},
			{Range: "1", RequestUnits: 123.5, Share: 123.5 / all, PeakRUs: 120.5 / 60},
			{Range: "2", RequestUnits: 0.5, Share: 0.5 / all, PeakRUs: 0.5 / 60},
		},
		Operations: []analyze.LoggedOperation{{Operation: "Query", RequestUnits: 300120.5}, {Operation: "Read", RequestUnits: 63.5}},
	}
	rows, _ := json.Marshal(five)
	texts := map[string]string{
		"portal":         "\xef\xbb\xbf" + table(portal, five...),
		"diagnostics":    table([]string{"partitionKey_s", "partitionKeyRangeId_s", "OperationName", "requestCharge_s", "TimeGenerated"}, five...),
		"lines":          lines([]string{"PartitionKey", "PartitionKeyRangeId", "OperationName", "RequestCharge", "TimeGenerated"}, five...),
		"array":          "[" + strings.ReplaceAll(strings.TrimSpace(lines([]string{"PartitionKey", "PartitionKeyRangeId", "OperationName", "RequestCharge", "TimeGenerated"}, five...)), "\n", ",") + "]",
		"Log Analytics":  `{"tables":[{"name":"PrimaryResult","columns":[{"name":"PartitionKey","type":"string"},{"name":"PartitionKeyRangeId","type":"string"},{"name":"OperationName","type":"string"},{"name":"RequestCharge","type":"real"},{"name":"TimeGenerated","type":"datetime"}],"rows":` + string(rows) + `}]}`,
		"with a number":  strings.ReplaceAll(lines(portal[:4], five...), `"RequestCharge":"60"`, `"RequestCharge":60`),
		"storage":        "",
		"portal's times": "",
	}
	storage, other := "", slices.Clone(five)
	for i, r := range five {
		properties, _ := json.Marshal(map[string]string{"partitionKey": r[0], "partitionKeyRangeId": r[1], "requestCharge": r[3]})
		storage += fmt.Sprintf(`{"time":%q,"category":"PartitionKeyRUConsumption","operationName":%q,"properties":%s}`+"\n", r[4], r[2], properties)
		at, _ := time.Parse(time.RFC3339, r[4])
		other[i] = append(slices.Clone(r[:4]), at.Format("1/2/2006, 3:04:05.000 PM"))
	}
	texts["storage"], texts["portal's times"] = storage, table(portal, other...)
	texts["with a number"] = strings.Replace(texts["lines"], `"RequestCharge":"60"`, `"RequestCharge":60`, 1)
	for name, text := range texts {
		got := read(t, text).Report()
		got.Findings = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	var found []string
	for _, f := range read(t, texts["portal"]).Report().Findings {
		found = append(found, string(f.Severity)+" "+f.Name+": "+f.Message)
	}
	if len(found) != 2 || !strings.HasPrefix(found[0], "error hot-key: key a used 5000 RU/s in its busiest minute") ||
		!strings.HasPrefix(found[1], "warning hot-range: physical partition 0 used 3.0 times the mean of 3") {
		t.Errorf("%q", found)
	}
}

// TestRegions tells physical partitions of several regions apart.
func TestRegions(t *testing.T) {
	names := []string{"PartitionKey", "PartitionKeyRangeId", "OperationName", "RequestCharge", "TimeGenerated", "RegionName"}
	got := read(t, lines(names, append(slices.Clone(five[0]), "West"), append(slices.Clone(five[0]), "East"))).Report()
	if len(got.Ranges) != 2 || got.Ranges[0].Range != "0 in East" || got.Ranges[1].PeakRUs != 1 {
		t.Errorf("%+v", got.Ranges)
	}
}

// TestRegionsAreApart has regions of which each has throughput of its own: a key of 3,000
// RU/s in each of two is not one of 6,000, and physical partitions that share the work of
// their region evenly are not uneven because another region has less to do.
func TestRegionsAreApart(t *testing.T) {
	names := []string{"PartitionKey", "PartitionKeyRangeId", "OperationName", "RequestCharge", "TimeGenerated", "RegionName"}
	text := lines(names,
		[]string{`["a"]`, "0", "Read", "180000", "2026-01-02T03:04:05Z", "East"},
		[]string{`["a"]`, "0", "Read", "180000", "2026-01-02T03:04:05Z", "West"},
		[]string{`["b"]`, "1", "Read", "180000", "2026-01-02T03:04:05Z", "East"},
		[]string{`["b"]`, "1", "Read", "60000", "2026-01-02T03:04:05Z", "West"},
		[]string{`["b"]`, "1", "Read", "6", "2026-01-02T03:04:05Z", "North"},
		[]string{`["a"]`, "0", "Read", "6", "2026-01-02T03:04:05Z", "North"},
		[]string{`["a"]`, "2", "Read", "6", "2026-01-02T03:04:05Z", "North"},
	)
	got := read(t, text).Report()
	if len(got.Findings) > 0 {
		t.Errorf("%+v", got.Findings)
	}
	if a := got.Keys[0]; a.Key != "a" || a.PeakRUs != 3000 || a.Peak != 0.75 {
		t.Errorf("%+v", a)
	}
	hot := strings.Replace(text, "60000", "30", 1) // of 180,030 in West, "a" has nearly all
	if got := read(t, strings.ReplaceAll(hot, `"RegionName":"North"`, `"RegionName":"West"`)).Report(); len(got.Findings) != 1 || got.Findings[0].Name != analyze.HotRange ||
		!strings.Contains(got.Findings[0].Message, "physical partition 0 in West used 3.0 times the mean of 3 physical partitions") {
		t.Errorf("%+v", got.Findings)
	}
}

// TestContainers refuses a log of several containers, unless one is named.
func TestContainers(t *testing.T) {
	names := []string{"PartitionKey", "PartitionKeyRangeId", "OperationName", "RequestCharge", "TimeGenerated", "DatabaseName", "CollectionName"}
	text := lines(names, append(slices.Clone(five[0]), "shop", "orders"), append(slices.Clone(five[1]), "shop", "visits"))
	if _, err := Read(strings.NewReader(text), Options{}); err == nil || !strings.Contains(err.Error(), "shop/orders, shop/visits") {
		t.Error(err)
	}
	l, err := Read(strings.NewReader(text), Options{Container: "visits"})
	if err != nil || l.records != 1 {
		t.Error(err)
	}
	if _, err := Read(strings.NewReader(text), Options{Database: "other"}); err == nil || !strings.Contains(err.Error(), "no records of the container") {
		t.Error(err)
	}
}

// TestHostile has keys that break tables, lines and terminals: they stay as they are, for
// those who print them to escape.
func TestHostile(t *testing.T) {
	for _, key := range []string{"a,b", "a\"b", "a\nb", "a\r\nb", "\x1b[31mred\x07", "=cmd()", "\u202eevil", "<script>", "{}", "[", "é\u2028"} {
		logged, _ := json.Marshal([]string{key})
		record := slices.Clone(five[0])
		record[0] = string(logged)
		for _, text := range []string{table(portal, record), lines([]string{"PartitionKey", "PartitionKeyRangeId", "OperationName", "RequestCharge", "TimeGenerated"}, record)} {
			if got := read(t, text).Report(); got.Keys[0].Key != key || got.Invalid != 0 {
				t.Errorf("%q: %+v", key, got)
			}
		}
		record[0] = key // not as JSON
		if got := read(t, table(portal, record)).Report(); got.Keys[0].Key != strings.ReplaceAll(key, "\r\n", "\n") {
			t.Errorf("%q: %+v", key, got.Keys)
		}
	}
}

func TestInvalid(t *testing.T) {
	bad := func(column int, text string) []string {
		r := slices.Clone(five[0])
		r[column] = text
		return r
	}
	text := table(portal, five[0], bad(3, "x"), bad(3, "-1"), bad(3, "NaN"), bad(3, "1e300"), bad(4, "yesterday"), bad(4, "0001-01-01T00:00:00Z"), []string{"short"}, bad(0, ""))
	got := read(t, text).Report()
	if got.Records != 2 || got.Invalid != 7 || got.RequestUnits != 120 || len(got.Keys) != 1 || got.Keys[0].Share != 0.5 {
		t.Errorf("%+v", got)
	}
	more := lines([]string{"PartitionKey", "RequestCharge", "TimeGenerated"}, []string{"a", "1", five[0][4]}) + "7\n{\"other\":1}\nnull\n" + `{"category":"DataPlaneRequests","PartitionKey":"a","RequestCharge":"1","TimeGenerated":"` + five[0][4] + `"}`
	if got := read(t, more).Report(); got.Records != 1 || got.Invalid != 4 || len(got.Ranges) != 0 {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{
		"": "the log is empty", "a,b\n": "no column PartitionKey", "[]": "no records", `[{"PartitionKey":"a"}]`: "no column RequestCharge",
		`{"tables":7}`: "do not have the form of Log Analytics", `{"tables":[{"columns":[],"rows":[]}]}`: "no column PartitionKey", "{": "not JSON",
		`[{"PartitionKey":"a","RequestCharge":"1","TimeGenerated":"2026-01-02T03:04:05Z"}`: "ends within its array",
		"PartitionKey,RequestCharge,TimeGenerated\n[\"a\"],1,2026-01-02T03:04:05Z\n":       "quotes around it",
		"PartitionKey,RequestCharge,TimeGenerated\na,x,2026-01-02T03:04:05Z\n":             "none of the 1 records of the log can be read",
	} {
		if _, err := Read(strings.NewReader(text), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// event is the type whose keys are logged.
func event(template string) lock.Entry {
	return lock.Entry{
		Type: "Event", Definition: lock.Definition{Path: "/pk", Kind: "Hash", Version: 2}, Layout: template,
		Kinds: []lock.PropertyKind{
			{Property: "date", Kind: lock.Text}, {Property: "vin", Kind: lock.Text}, {Property: "n", Kind: lock.Integer},
			{Property: "at", Kind: lock.Time}, {Property: "on", Kind: lock.Bool}, {Property: "meta.region", Kind: lock.Text},
		},
	}
}

func TestApart(t *testing.T) {
	for _, tt := range []struct {
		template, key string
		escape        bool
		want          string // the document and the bucket; "" if there is no one way
	}{
		{"{date}.{vin%400}", "2018-08-09.126", false, `{"date":"2018-08-09"} 126`},
		{"{date}.{vin%400}", "2018-08-09.401", false, ""},
		{"{date}.{vin%400}", "2018-08-09.007", false, ""},
		{"{date}.{vin%400}", "a.b.7", false, `{"date":"a.b"} 7`},
		{"{date}-{vin}", "a-b", false, `{"date":"a","vin":"b"} 0`},
		{"{date}-{vin}", "a-b-c", false, ""},
		{"{date}-{vin}", "a%2Db-c", true, `{"date":"a-b","vin":"c"} 0`},
		{"{date}-{vin}", "a", false, ""},
		{"{date}-{n}", "a-b--7", false, ""}, // a-b and -7, or a-b- and 7
		{"{date}.{n}", "a.b.-7", false, `{"date":"a.b","n":-7} 0`},
		{"{date}.{n}", "a.07", false, ""},
		{"{n}.{on}", "18446744073709551615.true", false, `{"n":18446744073709551615,"on":true} 0`},
		{"{on}.{vin}", "yes.a", false, ""},
		{"{meta.region}.{at|2006-01-02}", "eu.2026-01-02", false, `{"at":"2026-01-02T00:00:00Z","meta":{"region":"eu"}} 0`},
		{"{meta.region}.{at|2006-01-02}", "eu.2026-13-02", false, ""},
		{"{vin|lower}.{date}", "ab.c", false, `{"date":"c","vin":"ab"} 0`},
		{"{vin|lower}.{date}", "aB.c", false, ""},
		{"{date}.{date}", "a.a", false, `{"date":"a"} 0`},
		{"{date}.{date}", "a.b", false, ""},
	} {
		e := event(tt.template)
		e.Escape = tt.escape
		r, err := newRule(e)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if found, ok := r.apart([]any{tt.key}); ok {
			got = fmt.Sprintf("%s %d", object(found.properties), found.bucket)
		}
		if got != tt.want {
			t.Errorf("%s of %s: %s, want %s", tt.key, tt.template, got, tt.want)
		}
	}
	e := event("{vin},{n}")
	e.Path = "/vin,/n"
	r, _ := newRule(e)
	if found, ok := r.apart([]any{"a", 7.0}); !ok || string(object(found.properties)) != `{"n":7,"vin":"a"}` {
		t.Errorf("%v %s", ok, object(found.properties))
	}
	if _, ok := r.apart([]any{"a"}); ok {
		t.Error("a prefix is taken apart")
	}
}

// half returns the physical partition of two that has a key of one text: the second one
// begins at effective partition key 20.
func half(t *testing.T, key string) int {
	t.Helper()
	epk, err := partition.EPK(key)
	if err != nil {
		t.Fatal(err)
	}
	if epk < "20" {
		return 0
	}
	return 1
}

// TestOthers says what other layouts would have done to keys {date}.{vin%400}.
func TestOthers(t *testing.T) {
	e := event("{date}.{vin%400}")
	own, err := layout.New(e)
	if err != nil {
		t.Fatal(err)
	}
	var records [][]string
	add := func(key string, units float64) {
		text, _ := json.Marshal([]string{key})
		records = append(records, []string{string(text), "0", "Read", fmt.Sprint(units), "2026-01-02T03:04:05Z"})
	}
	add("2018-08-09.126", 60)
	add("2018-08-09.226", 20)
	add("2018-08-10.326", 15)
	add("nonsense", 5)
	l := read(t, table(portal, records...))
	layouts := []*layout.Layout{own}
	for _, template := range []string{"{date}", "{date}.{vin%100}", "{date}.{vin%300}", "{vin}", "{date}.{*%4}", "{n}"} {
		c, err := layout.Candidate(template, false, e)
		if err != nil {
			t.Fatal(err)
		}
		layouts = append(layouts, c)
	}
	o := NewOthers(l, own, e, layouts, []int{1, 2})
	// The sample has three documents of the first key, one of the second and of another.
	// vin-118 and 25 others are not needed: any document counts that is stored there.
	for _, doc := range []string{
		`{"id":"1","date":"2018-08-09","vin":"x","pk":"2018-08-09.126"}`,
		`{"id":"2","date":"2018-08-09","vin":"x","pk":"2018-08-09.126"}`,
		`{"id":"3","date":"2018-08-09","vin":"y","pk":"2018-08-09.126"}`,
		`{"id":"4","date":"2018-08-09","vin":"z","pk":"2018-08-09.226"}`,
		`{"id":"5","date":"2018-08-09","vin":"z","pk":"2018-08-09.4"}`,
		`{"id":"6","date":"2018-08-10","vin":"1HGCM82633A004352"}`,
		`no document`,
	} {
		o.Add([]byte(doc))
	}
	got := o.Layouts()
	want := func(i int, joined float64, keys int64, refused string, load map[string]float64) {
		t.Helper()
		g := got[i]
		if math.Abs(g.Joined-joined) > 1e-9 || g.Keys != keys || !strings.Contains(g.Refused, refused) || refused == "" && g.Refused != "" {
			t.Errorf("%s: %+v, want %v, %d, %q", g.Layout, g, joined, keys, refused)
		}
		if load == nil {
			return
		}
		halves, sum := [2]float64{}, 0.0
		for key, units := range load {
			halves[half(t, key)] += units
			sum += units
		}
		if len(g.Partitions) != 2 || math.Abs(g.Partitions[0].RequestUnits[0]-sum) > 1e-9 || g.Partitions[0].Effective != 1 ||
			math.Abs(g.Partitions[1].RequestUnits[0]-halves[0]) > 1e-9 || math.Abs(g.Partitions[1].RequestUnits[1]-halves[1]) > 1e-9 ||
			math.Abs(g.Partitions[1].BusiestShare-max(halves[0], halves[1])/sum) > 1e-9 || math.Abs(g.Partitions[1].Effective*g.Partitions[1].BusiestShare-1) > 1e-9 {
			t.Errorf("%s: %+v, want %v", g.Layout, g.Partitions, halves)
		}
	}
	want(0, 1, 4, "", map[string]float64{"2018-08-09.126": 60, "2018-08-09.226": 20, "2018-08-10.326": 15, "nonsense": 5})
	want(1, 0.95, 2, "", map[string]float64{"2018-08-09": 80, "2018-08-10": 15})
	want(2, 0.95, 2, "", map[string]float64{"2018-08-09.26": 80, "2018-08-10.26": 15}) // (126-1)%100+1
	bucket := func(vin string) string {
		return fmt.Sprintf("2018-08-09.%d", partition.Hash{}.Text(vin).Bucket(300))
	}
	want(3, 0.8, 0, "", map[string]float64{bucket("x"): 40, bucket("y"): 20, bucket("z"): 20})
	want(4, 0.8, 0, "", map[string]float64{"x": 40, "y": 20, "z": 20})
	if got[5].Joined != 0.8 {
		t.Errorf("%+v", got[5])
	}
	want(6, 0, 0, "it needs n, and a key of layout {date}.{vin%400} does not have it", nil)

	// Without a sample.
	got = NewOthers(l, own, e, layouts, []int{2}).Layouts()
	want(3, 0, 0, "it needs vin, and a key of layout {date}.{vin%400} has only its bucket; to compute it, give a sample", nil)
	want(5, 0, 0, "random for each document", nil)
	// Without a lock.
	got = NewOthers(l, nil, lock.Entry{}, layouts[1:2], []int{2}).Layouts()
	want(0, 0, 0, "no lock has the layout of the logged keys", nil)
}

// TestTells compares what a key has with what another layout needs.
func TestTells(t *testing.T) {
	for _, tt := range []struct{ own, other, want string }{
		{"{at|2006-01-02}.{vin}", "{at|2006-01}", ""},
		{"{at|2006-01-02}.{vin}", "{at|2006-01-02T15}", "less precision"},
		{"{at|2006-01}.{vin}", "{at|2006-01-02}", "less precision"},
		{"{vin|lower}", "{vin|lower%10}", ""},
		{"{vin|lower}", "{vin}", "in lower case"},
		{"{date}.{vin%400}", "{date}.{vin%200}", ""},
		{"{date}.{vin%400}", "{date}.{vin+date%200}", "only its bucket"},
		{"{date}.{*%400}", "{date}.{*%200}", "random for each document"},
		{"{date}", "{id}", "does not have it"},
	} {
		r, err := newRule(event(tt.own))
		if err != nil {
			t.Fatal(err)
		}
		if _, got := r.tells(tt.other); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s of %s: %q, want %q", tt.other, tt.own, got, tt.want)
		}
	}
}

// TestHierarchical has a log of keys of two levels, one of them a number.
func TestHierarchical(t *testing.T) {
	e := event("{vin},{n}")
	e.Path, e.Kind, e.Values = "/vin,/n", "MultiHash", "string,number"
	own, err := layout.New(e)
	if err != nil {
		t.Fatal(err)
	}
	vin, err := layout.Candidate("{vin}", false, e)
	if err != nil {
		t.Fatal(err)
	}
	l := read(t, table(portal, []string{`["a", 7]`, "0", "Read", "4", "2026-01-02T03:04:05Z"}, []string{`["a",8.0]`, "0", "Read", "1", "2026-01-02T03:04:05Z"}))
	if got := l.Report().Keys[0].Key; got != `["a",7]` {
		t.Error(got)
	}
	got := NewOthers(l, own, e, []*layout.Layout{own, vin}, []int{2}).Layouts()
	if got[0].Joined != 1 || got[1].Joined != 1 || got[0].Keys != 2 || got[1].Keys != 1 || got[1].Partitions[0].RequestUnits[half(t, "a")] != 5 {
		t.Errorf("%+v", got)
	}
}

// TestPairs ends before a log takes all memory.
func TestPairs(t *testing.T) {
	l := newLog(Options{})
	l.pairs = mostPairs
	if err := l.add(row{colKey: "a", colCharge: "1", colTime: five[0][4]}); err == nil || !strings.Contains(err.Error(), "summarize") {
		t.Error(err)
	}
}
