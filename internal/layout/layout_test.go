package layout

import (
	"errors"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// event is the entry of README's type.
func event(changes ...func(*lock.Entry)) lock.Entry {
	e := lock.Entry{
		Type: "VehicleEvent", Container: "vehicle-event", Definition: lock.Definition{Path: "/partitionKey", Kind: "Hash", Version: 2},
		Layout: "{date}.{vin%400}", Kinds: []lock.PropertyKind{{Property: "date", Kind: lock.Text}, {Property: "vin", Kind: lock.Text}},
	}
	for _, change := range changes {
		change(&e)
	}
	return e
}

// entryOf returns an entry with a layout, paths and the kinds "date time".
func entryOf(layout, paths string, kinds ...string) lock.Entry {
	return event(func(e *lock.Entry) {
		e.Layout, e.Path, e.Kinds = layout, paths, []lock.PropertyKind{}
		for _, k := range kinds {
			property, kind, _ := strings.Cut(k, " ")
			e.Kinds = append(e.Kinds, lock.PropertyKind{Property: property, Kind: kind})
		}
	})
}

func escaped(e lock.Entry) lock.Entry {
	e.Escape = true
	return e
}

func mustNew(t testing.TB, e lock.Entry) *Layout {
	t.Helper()
	l, err := New(e)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestKey has documents by hand, with their keys.
func TestKey(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, tt := range []struct {
		entry     lock.Entry
		doc, want string
	}{
		{event(), `{"id":"1","date":"2018-08-09","vin":"1HGCM82633A004352"}`, "2018-08-09.126"},
		{event(), " {\n\t\"vin\" : \"\\u0031HGCM82633A004352\" , \"date\":\"2018-08-0\\u0039\", \"id\":\"1\", \"x\":[{\"vin\":1},null,-1.5e+3]}\r\n", "2018-08-09.126"},
		{event(), `{"id":"1","vin":7,"date":{},"d\u0061te":"2018-08-09","VIN":"other","vin":"1HGCM82633A004352"}`, "2018-08-09.126"},
		{entryOf("{a}-{n}", "/k", "a text", "n int"), `{"id":"1","a":"é\ud83c\uDF0d","n":-3}`, ""},
		{entryOf("{a}-{n}", "/k", "a text", "n int"), `{"id":"1","a":"é\"\\\/","n":-3}`, `é"\/--3`},
		{entryOf("{a}-{n}", "/k", "a text", "n int"), `{"id":"1","a":"x","n":18446744073709551615}`, "x-18446744073709551615"},
		{entryOf("{a}-{n}", "/k", "a text", "n int"), `{"id":"1","a":"x","n":1e3}`, "x-1000"},
		{entryOf("{a}-{n}", "/k", "a text", "n int"), `{"id":"1","a":"x","n":-0}`, "x-0"},
		{escaped(entryOf("{a}-{n}", "/k", "a text", "n int")), `{"id":"1","a":"x-y%","n":-3.0}`, "x%2Dy%25-%2D3"},
		{entryOf("{meta.a}", "/meta/a", "meta.a text"), `{"id":"1","meta":{"a":"no"},"meta":{"a":"` + long + `"}}`, long},
		{entryOf("{n}", "/n", "n int"), `{"id":"1","n":9007199254740992}`, "9007199254740992"},
		{entryOf("{n}", "/n", "n float"), `{"id":"1","n":0.5}`, "0.5"},
		{entryOf("{b}", "/b", "b bool"), `{"id":"1","b":true}`, "true"},
		{entryOf("{b}", "/k", "b bool"), `{"id":"1","b":false}`, "false"},
		{entryOf("{a},{n},{at|2006-01}", "/a,/n,/k", "a text", "n int", "at time"), `{"id":"1","a":"<\u0022>","n":17,"at":"2018-08-09T23:30:00-07:00"}`, `["<\">",17,"2018-08"]`},
		{entryOf("{d}.{*%9}", "/k", "d text"), `{"id":"1","d":"a","k":"other.7"}`, "a.7"},
	} {
		l := mustNew(t, tt.entry)
		got, err := l.Key([]byte(tt.doc))
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s of %s = %s, want an error", l, tt.doc, got)
			}
			continue
		}
		if err != nil || got.String() != tt.want {
			t.Errorf("%s of %s = %s, %v, want %s", l, tt.doc, got, err, tt.want)
		}
	}
}

func bucketOf(text string, buckets int) string {
	return string(strconvAppend(partition.Hash{}.Text(text).Bucket(buckets)))
}

// TestRefusals has documents without a key, and why.
func TestRefusals(t *testing.T) {
	all := entryOf("{a}-{n}-{at|2006}-{b}-{addr}", "/k", "a text", "n int", "at time", "b bool", "addr net/netip.Addr")
	document := func(changes ...string) string {
		doc := append([]string{`{"id":"1","a":"x","n":1,"at":"2018-08-09T00:00:00Z","b":true,"addr":"10.0.0.1"`}, changes...)
		return strings.Join(doc, ",") + "}"
	}
	long := strings.Repeat("x", 2049)
	for _, tt := range []struct {
		name     string
		entry    lock.Entry
		doc      string
		problem  Problem
		property string
	}{
		{"nothing", all, "", NotObject, ""},
		{"an array", all, "[]", NotObject, ""},
		{"a text", all, ` "x" `, NotObject, ""},
		{"cut off", all, document()[:40], NotObject, ""},
		{"two", all, document() + document(), NotObject, ""},
		{"no property", all, `{"id":"1"}`, Missing, "a"},
		{"no id", all, `{"a":"x"}`, Missing, "id"},
		{"a number for an id", all, document(`"id":1`), OtherType, "id"},
		{"a point for an id", all, document(`"id":"."`), Refused, "id"},
		{"a slash in an id", all, document(`"id":"a/b"`), Refused, "id"},
		{"null", all, document(`"a":null`), OtherType, "a"},
		{"a number for a text", all, document(`"a":1`), OtherType, "a"},
		{"an empty text", all, document(`"a":""`), Refused, "a"},
		{"a control character", all, document(`"a":"\u0000"`), Refused, "a"},
		{"an emoji", all, document(`"a":"\ud83c\udf0d"`), Refused, "a"},
		{"half of a pair", all, document(`"a":"\ud83c"`), Refused, "a"},
		{"half of a pair, and another escape", all, document(`"a":"\ud83c\u0041"`), Refused, "a"},
		{"no UTF-8", all, document("\"a\":\"\xff\""), Refused, "a"},
		{"too long", all, document(`"a":"` + long + `"`), Refused, ""},
		{"a text for a number", all, document(`"n":"1"`), OtherType, "n"},
		{"null for a number", all, document(`"n":null`), OtherType, "n"},
		{"a fraction", all, document(`"n":1.5`), OtherType, "n"},
		{"an integer that is no integer of Go", all, document(`"n":1e20`), Refused, "n"},
		{"a number beyond all", all, document(`"n":1e999`), Refused, "n"},
		{"no time", all, document(`"at":"2018-08-09"`), OtherType, "at"},
		{"a zero time", all, document(`"at":"0001-01-01T00:00:00Z"`), Refused, "at"},
		{"a number for a time", all, document(`"at":1533772800`), OtherType, "at"},
		{"a number for a boolean", all, document(`"b":1`), OtherType, "b"},
		{"a number that a method makes a text of", all, document(`"addr":1`), OnlyInGo, "addr"},
		{"an empty text of a method", all, document(`"addr":""`), Refused, "addr"},
		{"an integer beyond 2^53", entryOf("{n}", "/n", "n int"), `{"id":"1","n":9007199254740993}`, Refused, "n"},
		{"minus zero", entryOf("{n}", "/n", "n float"), `{"id":"1","n":-0.0}`, Refused, "n"},
		{"minus zero of an integer", entryOf("{n}", "/n", "n int"), `{"id":"1","n":-0}`, Refused, "n"},
		{"no ASCII in lower case", entryOf("{a|lower}", "/k", "a text"), `{"id":"1","a":"É"}`, Refused, "a"},
		{"an empty text that is escaped", escaped(entryOf("{a}", "/k", "a text")), `{"id":"1","a":""}`, Refused, "a"},
		{"an object for the outer property", entryOf("{m.a}", "/k", "m.a text"), `{"id":"1","m":{"a":"x"},"m":7}`, Missing, "m.a"},
		{"no random suffix", entryOf("{a}.{*%9}", "/k", "a text"), `{"id":"1","a":"x"}`, NoSuffix, "k"},
		{"a random suffix beyond the buckets", entryOf("{a}.{*%9}", "/k", "a text"), `{"id":"1","a":"x","k":"x.10"}`, NoSuffix, "k"},
		{"no prefix", event(func(e *lock.Entry) { e.Prefix = "order-" }), `{"id":"1","date":"d","vin":"v"}`, Refused, "id"},
		{"only a prefix", event(func(e *lock.Entry) { e.Prefix = "order-" }), `{"id":"order-","date":"d","vin":"v"}`, Refused, "id"},
		{"the texts of all levels together", entryOf("{a},{b}", "/a,/b", "a text", "b text"), `{"id":"1","a":"` + long[:1025] + `","b":"` + long[:1024] + `"}`, Refused, ""},
	} {
		key, err := mustNew(t, tt.entry).Key([]byte(tt.doc))
		var problem *Error
		if !errors.As(err, &problem) || problem.Problem != tt.problem || problem.Property != tt.property || problem.Type != "VehicleEvent" || key != (Key{}) {
			t.Errorf("%s: %s, %v (%+v), want %s of %q", tt.name, key, err, problem, tt.problem, tt.property)
		}
	}
}

// TestStored reads the keys under which documents are stored.
func TestStored(t *testing.T) {
	l := mustNew(t, entryOf("{a},{m.n},{b|lower}", "/a,/m/n,/k", "a text", "m.n int", "b text"))
	for doc, want := range map[string]string{
		`{"a":"x","m":{"n":7},"k":"y"}`:             `["x",7,"y"]`,
		`{"a":null,"m":{"n":false},"m":{"n":true}}`: `[null,true,{}]`,
		`{}`:             `[{},{},{}]`,
		`{"a":"","m":7}`: `["",{},{}]`,
		`{"k":[]}`:       "",
		`{`:              "",
	} {
		got, err := l.Stored([]byte(doc))
		if want == "" && err == nil || want != "" && (err != nil || got.String() != want) {
			t.Errorf("%s: %s, %v, want %s", doc, got, err, want)
		}
	}
	made, err := l.Key([]byte(`{"id":"1","a":"x","m":{"n":-7},"b":"Y","k":"y"}`))
	stored, err2 := l.Stored([]byte(`{"id":"1","k":"\u0079","a":"x","m":{"n":-7.0},"b":"Y"}`))
	if err != nil || err2 != nil || made != stored {
		t.Errorf("%s, %v differs from %s, %v", made, err, stored, err2)
	}
}

// TestEPK compares with package partition.
func TestEPK(t *testing.T) {
	l := mustNew(t, entryOf("{a},{n},{b}", "/a,/n,/b", "a text", "n int", "b bool"))
	k, err := l.Key([]byte(`{"id":"1","a":"contoso","n":17,"b":true}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := k.EPK()
	want, _ := partition.EPK("contoso", 17, true)
	if err != nil || got != want || l.Levels() != 3 {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if _, err := (Key{}).EPK(); err == nil {
		t.Error("a key without values has an effective partition key")
	}
}

// TestCandidates makes keys by templates that no lock has.
func TestCandidates(t *testing.T) {
	doc := []byte(`{"id":"order-1","tenant":"T-1","at":"2018-08-09T12:30:00Z","n":-3,"ok":true,"f":1.5}`)
	known := lock.Entry{Type: "Order", Kinds: []lock.PropertyKind{{Property: "n", Kind: lock.Integer}}, Prefix: "order-"}
	for _, tt := range []struct {
		template string
		escape   bool
		want     string // or what the error says
	}{
		{"{tenant}", false, "T-1"},
		{"{tenant}", true, "T-1"},
		{"{tenant}-{n}", true, "T%2D1-%2D3"},
		{"{tenant|lower}", false, "t-1"},
		{"{n}", false, "-3"},
		{"{f}", false, "1.5"},
		{"{ok},{tenant},{at|day}", false, `[true,"T-1","2018-08-09"]`},
		{"{at|hour}.{tenant%400}", false, "2018-08-09T12." + bucketOf("T-1", 400)},
		{"{tenant}.{tenant+at+n|day%7}", false, "T-1." + bucketOf("T-1\x002018-08-09\x00-3", 7)},
		{"{id}", false, "order-1"},
		{"x{f}", false, "with a fraction"},
		{"{tenant|day}", false, "is not a time in RFC 3339"},
		{"{missing}", false, "missing"},
		{"{tenant", false, "not closed"},
		{"{n|lower}", false, "is not a string"},
		{"{n|day}", false, "is not a time"},
		{"{*%9}", false, "last part"},
		{"{tenant}.{*%9}-x", false, "last part"},
		{"{tenant}.{id%9}.{n%3}", false, "one suffix"},
		{"{tenant}.{*%9},{n}.{*%3}", false, "one of them"},
		{"{tenant}x{n}", true, "another sign"},
		{"{tenant}x{n}", false, "T-1x-3"},
	} {
		l, err := Candidate(tt.template, tt.escape, known)
		got := ""
		if err == nil {
			var k Key
			if k, err = l.Key(doc); err == nil {
				got = k.String()
			}
		}
		if got != tt.want && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %s, %v, want %s", tt.template, got, err, tt.want)
		}
	}
}

// TestCandidateSuffix draws suffixes by the document, all of them about equally often.
func TestCandidateSuffix(t *testing.T) {
	l, err := Candidate("{a}.{*%4}", false, lock.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[Key]int{}
	for i := range 4000 {
		doc := append(strconvAppend(i), "}"...)
		doc = append([]byte(`{"a":"x","n":`), doc...)
		k, err := l.Key(doc)
		again, _ := l.Key(doc)
		if err != nil || k != again {
			t.Fatalf("%s, %v, and then %s", k, err, again)
		}
		counts[k]++
	}
	for k, n := range counts {
		if n < 900 || n > 1100 || len(counts) != 4 {
			t.Errorf("%s: %d of %d keys", k, n, len(counts))
		}
	}
	if stored, err := l.Stored([]byte(`{}`)); err != nil || stored.Len() != 0 {
		t.Errorf("a candidate is stored under %s, %v", stored, err)
	}
}

// TestBadEntries refuses entries that no run has written.
func TestBadEntries(t *testing.T) {
	for _, tt := range []struct {
		entry lock.Entry
		want  string
	}{
		{entryOf("{a", "/k"), "not closed"},
		{entryOf("{a},{b}", "/k", "a text", "b text"), "2 levels"},
		{entryOf("{a}", "/k", "a time"), "without a format"},
		{entryOf("x{a}", "/k", "a float"), "has no unique text"},
		{event(func(e *lock.Entry) { e.Kinds = e.Kinds[:1] }), "does not say how the text of property vin is made"},
		{event(func(e *lock.Entry) { e.Kinds = e.Kinds[1:] }), "does not say how the text of property date is made"},
	} {
		if _, err := New(tt.entry); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.entry.Layout, err, tt.want)
		}
	}
}

// TestAllocations counts those of a key.
func TestAllocations(t *testing.T) {
	for _, tt := range []struct {
		entry lock.Entry
		doc   string
		most  float64
	}{
		{event(), benchmarkDocument, 1},
		{entryOf("{n}", "/n", "n int"), `{"id":"1","n":7}`, 0},
		{entryOf("{a},{b},{at|2006-01}", "/a,/b,/k", "a text", "b bool", "at time"), `{"id":"1","a":"x","b":true,"at":"2018-08-09T00:00:00Z"}`, 1},
		{escaped(entryOf("{a|lower}-{b}", "/k", "a text", "b text")), `{"id":"1","a":"X-Y","b":"\u00e9-"}`, 1},
	} {
		l, doc := mustNew(t, tt.entry), []byte(tt.doc)
		if n := testing.AllocsPerRun(100, func() { _, _ = l.Key(doc) }); n > tt.most {
			t.Errorf("%s: %v allocations, want %v at most", l, n, tt.most)
		}
	}
}
