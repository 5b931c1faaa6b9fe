package verify

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// event is the type of these tests.
var event = lock.Entry{
	Type: "Event", Container: "events", Definition: lock.Definition{Path: "/pk", Kind: "Hash", Version: 2}, Layout: "{date}-{vin}",
	Kinds:      []lock.PropertyKind{{Property: "date", Kind: lock.Text}, {Property: "vin", Kind: "net/netip.Addr"}},
	Properties: []lock.Property{{Pointer: "/date", JSON: "string"}, {Pointer: "/vin", JSON: "any"}},
}

func newJudge(t *testing.T, entries ...lock.Entry) *Judge {
	t.Helper()
	j, err := New(entries)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestExamples keeps a few examples of many documents, and counts all of them.
func TestExamples(t *testing.T) {
	var documents []json.RawMessage
	for i := range 100 {
		documents = append(documents, json.RawMessage(fmt.Sprintf(`{"id":"%d","date":"d","vin":"v","pk":"d-%[1]d"}`, i)))
	}
	report := &Report{}
	judge := newJudge(t, event)
	report.Add(judge.Documents(documents[:60]))
	report.Add(judge.Documents(documents[60:]))
	if got := report.Types[0]; got.Documents != 100 || len(got.Findings) != 1 || got.Findings[0].Documents != 100 || len(got.Findings[0].Examples) != mostExamples {
		t.Errorf("%+v", got)
	}
	if report.Findings() != 1 || report.Documents != 100 {
		t.Errorf("%+v", report)
	}
}

// TestUnchecked counts keys that only Go can make, which are no findings.
func TestUnchecked(t *testing.T) {
	report := newJudge(t, event).Documents([]json.RawMessage{[]byte(`{"id":"1","date":"d","vin":7,"pk":"d-7"}`), []byte(`{"id":"1","date":"d","vin":"7","pk":{}}`)})
	got := report.Types[0]
	if got.Unchecked != 1 || len(got.Findings) != 1 || got.Findings[0].Name != WrongKey || got.Findings[0].Reason == "" {
		t.Errorf("%+v", got)
	}
}

// TestTypeOf finds the types of documents that share a container.
func TestTypeOf(t *testing.T) {
	named := func(name, discriminator, prefix string) lock.Entry {
		e := event
		e.Type, e.Discriminator, e.Prefix = name, discriminator, prefix
		return e
	}
	judge := newJudge(t, named("A", "a", ""), named("B", "", "b-"), named("C", "", "c-"), named("D", "", "b-c-"))
	for document, want := range map[string]string{
		`{"id":"b-1","type":"a"}`: "A", `{"id":"b-1"}`: "B", `{"id":"c-1"}`: "C", `{"id":"x"}`: "B", `{"id":"b-c-1"}`: "D", `{"id":"c-1","type":7}`: "C",
	} {
		if got := judge.Documents([]json.RawMessage{[]byte(document)}); len(got.Types) != 1 || got.Types[0].Type != want {
			t.Errorf("%s: %+v, want %s", document, got, want)
		}
	}
	if got := newJudge(t, named("A", "a", "")).Documents([]json.RawMessage{[]byte(`{"id":"1","type":"b"}`)}); got.Others != 1 || len(got.Types) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestNothingTells has two types that nothing tells apart, as those of two packages may
// be: a document is of the one that it fits.
func TestNothingTells(t *testing.T) {
	invoice := event
	invoice.Type, invoice.Properties = "Invoice", []lock.Property{{Pointer: "/date", JSON: "string"}, {Pointer: "/vin", JSON: "string"}, {Pointer: "/n", JSON: "number"}}
	judge := newJudge(t, event, invoice)
	for document, want := range map[string]string{
		`{"id":"1","date":"d","vin":"v","pk":"d-v","n":1}`:   "Event", // as much as an Invoice
		`{"id":"1","date":"d","vin":"v","pk":"d-v","n":"1"}`: "Event",
		`{"id":"1","date":"d","vin":"v","pk":"d-v"}`:         "Event", // of which nothing is absent
	} {
		got := judge.Documents([]json.RawMessage{[]byte(document)})
		if len(got.Types) != 1 || got.Types[0].Type != want || len(got.Types[0].Findings) != 0 {
			t.Errorf("%s: %+v, want %s", document, got, want)
		}
	}
	other := event
	other.Properties = []lock.Property{{Pointer: "/n", JSON: "string"}}
	got := newJudge(t, other, invoice).Documents([]json.RawMessage{[]byte(`{"id":"1","date":"d","vin":"v","pk":"d-v","n":1}`)})
	if len(got.Types) != 1 || got.Types[0].Type != "Invoice" || got.Findings() != 0 {
		t.Errorf("%+v, want an Invoice", got)
	}
}

// TestTwoFindings has a document with a wrong id and a wrong key, and documents that
// lack a key for several reasons.
func TestTwoFindings(t *testing.T) {
	e := event
	e.Prefix = "event-"
	e.Kinds = []lock.PropertyKind{{Property: "date", Kind: lock.Text}, {Property: "vin", Kind: lock.Integer}}
	e.Properties = nil
	got := newJudge(t, e).Documents([]json.RawMessage{
		[]byte(`{"id":"1","date":"d","vin":7,"pk":"d-8"}`),
		[]byte(`{"id":"event-2","date":"d","vin":"7","pk":"d-7"}`),
		[]byte(`{"id":"event-3","date":"d","vin":7.5,"pk":"d-7"}`),
		[]byte(`{"id":"event-4","date":"d","vin":"7","pk":"d-7"}`),
	}).Types[0]
	var lines []string
	for _, f := range got.Findings {
		for _, e := range f.Examples {
			lines = append(lines, fmt.Sprintf("%s %s %s %s %t", f.Name, e.ID, e.Stored, e.Made, e.Reason != ""))
		}
	}
	want := []string{
		`bad-id 1 "d-8"  false`,
		`no-key event-2 "d-7"  false`,
		`no-key event-3 "d-7"  true`,
		`no-key event-4 "d-7"  false`,
		`wrong-key 1 "d-8" "d-7" false`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestOldContainer compares the settings of containers that were made before there were
// kinds, versions, or keys at all.
func TestOldContainer(t *testing.T) {
	for definition, want := range map[string]string{
		`{"partitionKey":{"paths":["/pk"]}}`:             "[{version 2 1}]",
		`{"partitionKey":{"paths":["/pk"],"version":2}}`: "[]",
		`{}`: "[{path /pk none} {version 2 1}]",
		`{"partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2},"defaultTtl":-1}`: "[{path /pk /a,/b} {kind Hash MultiHash} {ttl none -1}]",
	} {
		c := &account.Container{}
		if err := json.Unmarshal([]byte(definition), c); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(newJudge(t, event).Settings(c)); got != want {
			t.Errorf("%s: %s, want %s", definition, got, want)
		}
	}
}

// TestMoving counts documents under other numbers of buckets, which are no findings.
func TestMoving(t *testing.T) {
	ride := lock.Entry{
		Type: "Ride", Container: "rides", Definition: event.Definition, Layout: "{date}.{vin%400}", Was: "100",
		Kinds: []lock.PropertyKind{{Property: "date", Kind: lock.Text}, {Property: "vin", Kind: lock.Text}},
	}
	const document = `{"id":"1","date":"2018-08-09","vin":"1HGCM82633A004352","pk":"2018-08-09.%d"}`
	var documents []json.RawMessage
	for _, n := range []int{126, 26, 226} {
		documents = append(documents, json.RawMessage(fmt.Sprintf(document, n)))
	}
	got := newJudge(t, ride).Documents(documents).Types[0]
	if got.Moving != 1 || len(got.Findings) != 1 || got.Findings[0].Name != WrongKey || got.Findings[0].Documents != 1 {
		t.Errorf("%+v", got)
	}
}
