package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// verifyLock has a type with a container of its own, and two that share one.
const verifyLock = `version 2

container orders
	path /pk
	kind Hash
	version 2
	type Order {tenant} as=order prefix=order-
		component tenant text
		property /id string
		property /tenant string
	type Visit {tenant}-{n} as=visit
		component tenant text
		component n int

container vehicle-event
	path /partitionKey
	kind Hash
	version 2
	type VehicleEvent {date}.{vin%400}
		component date text
		component vin text
		property /date string
		property /id string
		property /meta object
		property /meta/speed number
		property /note any
		property /partitionKey string
		property /vin string

end
`

// verifyRig is an account with documents, and a package with a lock.
type verifyRig struct {
	*testing.T
	server *server.Server
}

// newVerifyRig serves an account, and makes a package the working directory.
func newVerifyRig(t *testing.T) *verifyRig {
	t.Helper()
	s := harness.Bare(t, server.Options{Partitions: 3})
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "m.go": "package m\n", "sub/empty.go": "package sub\n", lock.FileName: verifyLock} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	t.Setenv("COSMOS_CONNECTION_STRING", harness.Listen(t, s, nil))
	return &verifyRig{t, s}
}

// load makes a container with documents.
func (r *verifyRig) load(database, container string, documents ...string) {
	r.Helper()
	harness.Load(r, r.server, database, container, documents...)
}

// verify runs the command, and returns its exit code and what it prints.
func (r *verifyRig) verify(args ...string) (code int, stdout, stderr string) {
	r.Helper()
	var out, problems bytes.Buffer
	code = run(r.Context(), append([]string{"verify"}, args...), &out, &problems)
	return code, out.String(), problems.String()
}

// reports runs the command for JSON.
func (r *verifyRig) reports(args ...string) (code int, reports []verify.Report) {
	r.Helper()
	code, stdout, stderr := r.verify(append(args, "-format", "json")...)
	if err := json.Unmarshal([]byte(stdout), &reports); err != nil {
		r.Fatalf("%v: %d, %s%s", err, code, stdout, stderr)
	}
	return code, reports
}

const eventContainer = `{"id":"vehicle-event","partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2}}`

// goodEvent returns a document under its own key.
func goodEvent(t *testing.T, i int) string {
	t.Helper()
	locked, problem := lock.Parse([]byte(verifyLock))
	if problem != nil {
		t.Fatal(problem)
	}
	entry, _ := locked.Find("VehicleEvent")
	l, err := layout.New(entry)
	if err != nil {
		t.Fatal(err)
	}
	doc := fmt.Sprintf(`{"id":"%d","date":"2018-08-09","vin":"vin-%[1]d","meta":{"speed":%[1]d},"note":[1]`, i)
	k, err := l.Key([]byte(doc + "}"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`%s,"partitionKey":%q}`, doc, k)
}

func TestVerifyAllIsWell(t *testing.T) {
	r := newVerifyRig(t)
	var events []string
	for i := range 1500 {
		events = append(events, goodEvent(t, i))
	}
	r.load("fleet", eventContainer, events...)
	code, stdout, stderr := r.verify("-container", "vehicle-event", "./...")
	if code != exitDone || stderr != "" || !strings.Contains(stdout, "container vehicle-event of database fleet: 1500 documents,") ||
		!strings.Contains(stdout, "all of it\n\ttype VehicleEvent {date}.{vin%400}: 1500 documents, no findings\n") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	code, reports := r.reports("-type", "VehicleEvent", "-sample", "25", "-seed", "1")
	if got := reports[0]; code != exitDone || got.Share != 0.25 || got.Documents < 150 || got.Documents > 600 || got.Charge <= 0 {
		t.Errorf("a sample: %d, %+v", code, got)
	}
	if code, stdout, _ = r.verify("-type", "VehicleEvent", "-budget", "12", "-seed", "2"); code != exitDone || !strings.Contains(stdout, "RU, not one window of the keys to its end, since the budget was spent\n") {
		t.Errorf("a small budget: %d, %s", code, stdout)
	}
	code, reports = r.reports("-type", "VehicleEvent", "-budget", "100", "-seed", "1")
	if got := reports[0]; code != exitDone || !got.Stopped || got.Share >= 0.5 || got.Documents == 0 || got.Charge < 90 || got.Charge > 100 {
		t.Errorf("a budget: %d, %+v", code, got)
	}
}

// TestVerifySplit answers as if a physical partition had been split after the first
// page, and throttles a request: each document counts once.
func TestVerifySplit(t *testing.T) {
	r := newVerifyRig(t)
	var events []string
	for i := range 300 {
		events = append(events, goodEvent(t, i))
	}
	r.load("fleet", eventContainer, events...)
	r.server.Inject(server.Fault{Operation: server.OpQueryItems, Skip: 1, Count: 1, Status: 410, Substatus: 1002})
	r.server.Inject(server.Fault{Operation: server.OpQueryItems, Count: 1, Status: 429, RetryAfter: time.Millisecond})
	code, reports := r.reports("-type", "VehicleEvent")
	if code != exitDone || reports[0].Documents != 300 {
		t.Errorf("%d, %+v", code, reports)
	}
}

func TestVerifyFindings(t *testing.T) {
	r := newVerifyRig(t)
	r.load("fleet", `{"id":"vehicle-event","defaultTtl":60,"partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2}}`,
		goodEvent(t, 1),
		strings.Replace(goodEvent(t, 2), `"vin":"vin-2"`, `"vin":"another"`, 1),
		`{"id":"3","date":"2018-08-09","partitionKey":"2018-08-09.1"}`,
		`{"id":"4","date":20180809,"vin":"v","meta":7,"note":null}`,
		strings.Replace(goodEvent(t, 5), `"speed":5`, `"speed":"fast"`, 1),
	)
	code, reports := r.reports("-container", "vehicle-event")
	if code != exitStale || len(reports) != 1 {
		t.Fatalf("%d, %+v", code, reports)
	}
	got := reports[0]
	got.Charge = 0
	for i := range got.Types[0].Findings {
		got.Types[0].Findings[i].Reason = ""
	}
	want := verify.Report{
		Database: "fleet", Container: "vehicle-event", Documents: 5, Share: 1,
		Settings: []verify.Setting{{Name: "ttl", Want: "none", Have: "60"}},
		Types: []verify.OfType{{
			Type: "VehicleEvent", Layout: "{date}.{vin%400}", Documents: 5,
			Findings: []verify.Finding{
				{Name: verify.NoKey, Property: "date", Problem: "other-type", Documents: 1, Examples: []verify.Example{{ID: "4", Stored: json.RawMessage(`{}`)}}},
				{Name: verify.NoKey, Property: "vin", Problem: "missing", Documents: 1, Examples: []verify.Example{{ID: "3", Stored: json.RawMessage(`"2018-08-09.1"`)}}},
				{Name: verify.PropertyType, Property: "/date", Problem: "number", Documents: 1, Examples: []verify.Example{{ID: "4"}}},
				{Name: verify.PropertyType, Property: "/meta", Problem: "number", Documents: 1, Examples: []verify.Example{{ID: "4"}}},
				{Name: verify.PropertyType, Property: "/meta/speed", Problem: "string", Documents: 1, Examples: []verify.Example{{ID: "5"}}},
				{Name: verify.WrongKey, Documents: 1, Examples: []verify.Example{{ID: "2", Stored: json.RawMessage(strconv.Quote(keyOf(t, goodEvent(t, 2)))), Made: fmt.Appendf(nil, `"2018-08-09.%d"`, partition.Hash{}.Text("another").Bucket(400))}}},
			},
			Absent: map[string]int{"/meta": 1, "/note": 1, "/partitionKey": 1, "/vin": 1},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	code, stdout, _ := r.verify("-container", "vehicle-event", "-format", "github")
	if code != exitStale || strings.Count(stdout, "::error::container vehicle-event: ") != 7 {
		t.Errorf("%d: %s", code, stdout)
	}
	_, stdout, _ = r.verify("-container", "vehicle-event")
	for _, line := range []string{
		"setting: the ttl is 60, and the lock has none",
		`id "2" under "2018-08-09.`,
		"no-key, 1 document: no key, since property vin is missing",
		"absent, 1 document: no property /vin,",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no line with %q in %s", line, stdout)
		}
	}
}

// keyOf returns the stored key of an event.
func keyOf(t *testing.T, event string) string {
	t.Helper()
	var doc struct{ PartitionKey string }
	if err := json.Unmarshal([]byte(event), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.PartitionKey
}

// TestVerifyShared has two types in one container, and documents of neither.
func TestVerifyShared(t *testing.T) {
	r := newVerifyRig(t)
	r.load("shop", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`,
		`{"id":"order-1","type":"order","tenant":"a","pk":"a"}`,
		`{"id":"2","type":"order","tenant":"a","pk":"a"}`,
		`{"id":"3","type":"visit","tenant":"a","n":7,"pk":"a-7"}`,
		`{"id":"4","type":"visit","tenant":"a","n":7,"pk":"a-8"}`,
		`{"id":"5","type":"other","pk":"a"}`,
		`{"id":"6","pk":"a"}`,
	)
	code, reports := r.reports("-container", "orders", "./sub", ".")
	if code != exitStale || len(reports) != 1 || reports[0].Others != 2 {
		t.Fatalf("%d, %+v", code, reports)
	}
	for i, want := range []string{"Order bad-id id order-", "Visit wrong-key  4"} {
		got := reports[0].Types[i]
		if len(got.Findings) != 1 || got.Documents != 2 {
			t.Errorf("%+v", got)
			continue
		}
		f := got.Findings[0]
		name, about := fmt.Sprintf("%s %s %s", got.Type, f.Name, f.Property), f.Reason+f.Examples[0].ID
		if !strings.HasPrefix(want, name) || !strings.Contains(about, want[len(name)+1:]) {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// TestVerifyMissing lacks containers: the others are verified all the same. Those of
// drafts need not be there, unless somebody asks for them, or nothing else is.
func TestVerifyMissing(t *testing.T) {
	r := newVerifyRig(t)
	r.load("fleet", eventContainer, goodEvent(t, 1))
	code, stdout, stderr := r.verify()
	if code != exitError || !strings.Contains(stdout, "container vehicle-event of database fleet: 1 document,") ||
		stderr != "pkgen: no database of the account has a container \"orders\": check the connection string\n" {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	draft := strings.NewReplacer("as=order prefix=order-", "as=order prefix=order- draft", "as=visit", "as=visit gone").Replace(verifyLock)
	if err := os.WriteFile(lock.FileName, []byte(draft), 0o600); err != nil {
		t.Fatal(err)
	}
	const note = "container orders is not there, and its types are drafts or gone\n"
	code, stdout, stderr = r.verify("-format", "json")
	if code != exitDone || stderr != note || strings.Count(stdout, `"container"`) != 1 {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"-container", "orders"}, {"-type", "Visit"}, {"-database", "none"}} {
		code, stdout, stderr = r.verify(args...)
		if code != exitError || stdout != "" || !strings.Contains(stderr, "pkgen: ") {
			t.Errorf("%s: %d: %s%s", args, code, stdout, stderr)
		}
	}
}

// TestVerifyOtherPath has a container whose path is not that of the lock: this is the
// finding, and no document lies where the lock would look.
func TestVerifyOtherPath(t *testing.T) {
	r := newVerifyRig(t)
	r.load("fleet", `{"id":"vehicle-event","partitionKey":{"paths":["/vin"],"kind":"Hash","version":2}}`, goodEvent(t, 1), `{"id":"2","vin":"v"}`)
	code, reports := r.reports("-container", "vehicle-event")
	if got := reports[0]; code != exitStale || len(got.Settings) != 1 || len(got.Types[0].Findings) != 1 ||
		got.Types[0].Findings[0].Name != verify.NoKey || got.Types[0].Findings[0].Examples[0].Stored != nil {
		t.Errorf("%d, %+v", code, got)
	}
}

// TestVerifyOddLock has a device where the lock should be: like a pipe, it could be read
// for ever.
func TestVerifyOddLock(t *testing.T) {
	r := newVerifyRig(t)
	if err := os.Remove(lock.FileName); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.DevNull, lock.FileName); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := r.verify(); code != exitError || !strings.Contains(stderr, "it is a device, which has no end") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// TestVerifyText shows keys of every JSON type, and what is wrong with each document.
func TestVerifyText(t *testing.T) {
	r := newVerifyRig(t)
	r.load("shop", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`,
		`{"id":"1","type":"visit","tenant":"a","n":7,"pk":7}`,
		`{"id":"2","type":"visit","tenant":"a","n":7,"pk":""}`,
		`{"id":"3","type":"visit","tenant":"a","n":7}`,
		`{"id":"4\u001b[31m","type":"visit","tenant":"a","n":7,"pk":"a\n::error::-8"}`,
		`{"id":"5","type":"visit","tenant":"a","n":7.5,"pk":"a-7"}`,
		`{"id":"6","type":"visit","tenant":"a","n":"7","pk":"a-7"}`,
		`{"id":"order-7","type":"order","tenant":[],"pk":"a-7"}`,
	)
	code, stdout, stderr := r.verify("-container", "orders")
	for _, line := range []string{
		`id "1" under 7, where its properties make "a-7"`,
		`id "2" under "", where its properties make "a-7"`,
		`id "3" under {}, where its properties make "a-7"`,
		`id "4\x1b[31m" under "a\n::error::-8", where its properties make "a-7"`,
		"no-key, 2 documents: no key, since property n is ",
		", since it is ",
		"property /tenant is of JSON type array, and Go writes a string",
	} {
		if !strings.Contains(stdout, line) || code != exitStale || stderr != "" {
			t.Errorf("%d: no line with %s in\n%s%s", code, line, stdout, stderr)
		}
	}
}

func TestVerifyErrors(t *testing.T) {
	r := newVerifyRig(t)
	r.load("a", eventContainer)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-container", "orders"}, `no database of the account has a container "orders"`},
		{[]string{"-container", "other"}, "no pkgen.lock of the packages has such a container"},
		{[]string{"./sub"}, "no package has a pkgen.lock"},
		{[]string{"-type", "Order,Odrer"}, `no pkgen.lock of the packages has a type "Odrer": check -type`},
		{[]string{"-database", "b", "-container", "vehicle-event"}, "404"},
		{[]string{"-sample", "0"}, "-sample is a percentage"},
		{[]string{"-budget", "-1"}, "-budget and -rate are not negative"},
		{[]string{"-rate", "NaN"}, "-budget and -rate are not negative"},
		{[]string{"-format", "yaml"}, "use one of text, json, github"},
	} {
		if code, _, stderr := r.verify(tt.args...); code != exitError || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: %d, %s, want %q", tt.args, code, stderr, tt.want)
		}
	}
	r.load("b", eventContainer)
	if code, _, stderr := r.verify("-container", "vehicle-event"); code != exitError || !strings.Contains(stderr, "in several databases, a, b") {
		t.Errorf("%d, %s", code, stderr)
	}
	t.Setenv("COSMOS_CONNECTION_STRING", "AccountEndpoint=x")
	if code, _, stderr := r.verify(); code != exitError || !strings.Contains(stderr, "lacks an AccountEndpoint or an AccountKey") {
		t.Errorf("%d, %s", code, stderr)
	}
	t.Setenv("COSMOS_CONNECTION_STRING", "")
	t.Setenv("COSMOS_ENDPOINT", "")
	if code, _, stderr := r.verify(); code != exitError || !strings.Contains(stderr, "no account: set COSMOS_CONNECTION_STRING") {
		t.Errorf("%d, %s", code, stderr)
	}
}

// TestVerifyNumbers has numbers that do not fit the Go types of their fields, so that no
// read of these documents succeeds. What fits, and what a method of a type reads, is no
// finding.
func TestVerifyNumbers(t *testing.T) {
	r := newVerifyRig(t)
	source := strings.ReplaceAll(`package m

import "errors"

type Trip struct {
	ID    string  'json:"id" cosmos:"id,pk"'
	Speed int     'json:"speed"'
	Gear  int8    'json:"gear"'
	Load  uint16  'json:"load"'
	Share float64 'json:"share"'
	Meta  Meta    'json:"meta"'
	Text  int     'json:"text,string"'
	Code  Code    'json:"code"'
	Lax   Lax     'json:"lax"'
}

type Meta struct {
	Count *Count 'json:"count"'
}

type Count int32

type Code int

func (Code) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

type Lax int

func (*Lax) UnmarshalJSON([]byte) error { return nil }
`, "'", "`")
	if err := errors.Join(os.Remove(lock.FileName), os.WriteFile("m.go", []byte(source), 0o600)); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"seal", "."}, t.Output(), t.Output()); code != exitDone {
		t.Fatal(code)
	}
	const container = `{"id":"trip","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`
	r.load("good", container,
		`{"id":"0","speed":-3,"gear":-128,"load":65535,"share":3.5,"meta":{"count":null},"text":"7","code":3.5,"lax":3.5}`,
		`{"id":"1","speed":9007199254740992,"gear":127,"load":0,"share":0,"meta":{"count":2147483647},"text":"-7","code":"x","lax":1e30}`,
	)
	if code, stdout, stderr := r.verify("-database", "good"); code != exitDone || stderr != "" {
		t.Errorf("numbers that fit: %d: %s%s", code, stdout, stderr)
	}
	r.load("bad", container,
		`{"id":"2","speed":3.5}`, `{"id":"3","speed":1e300}`, `{"id":"4","speed":9223372036854775807}`,
		`{"id":"5","gear":128}`, `{"id":"6","load":-1}`, `{"id":"7","meta":{"count":0.5}}`,
	)
	code, reports := r.reports("-database", "bad")
	if code != exitStale || len(reports) != 1 || len(reports[0].Types) != 1 {
		t.Fatalf("%d, %+v", code, reports)
	}
	found := make(map[string]int)
	for _, f := range reports[0].Types[0].Findings {
		found[f.Name+" "+f.Property] += f.Documents
	}
	want := map[string]int{"property-type /speed": 3, "property-type /gear": 1, "property-type /load": 1, "property-type /meta/count": 1}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestVerifySchema expects docs/verify.md to name every property of the JSON.
func TestVerifySchema(t *testing.T) {
	page, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	_, schema, _ := strings.Cut(string(page), "-format json")
	names := 0
	for _, v := range []any{verify.Report{}, verify.Setting{}, verify.OfType{}, verify.Finding{}, verify.Example{}} {
		for i := range reflect.TypeOf(v).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(v).Field(i).Tag.Get("json"), ",")
			names++
			if !strings.Contains(schema, "`"+name+"`") {
				t.Errorf("docs/verify.md has no property %q", name)
			}
		}
	}
	for _, name := range []string{verify.WrongKey, verify.NoKey, verify.BadID, verify.PropertyType, verify.NotUnique, verify.NoReservation, verify.LeftReservation, verify.LeftHidden, verify.BadReservation} {
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/verify.md has no finding %q", name)
		}
	}
	if names != 33 {
		t.Errorf("the JSON has %d properties", names)
	}
}

// windowsLock has a type whose documents are in a container for each month and tenant.
const windowsLock = `version 2

container readings-{tenant}-{at|2006-01}
	path /tenant
	kind Hash
	version 2
	type Reading {tenant}
		component tenant text
		component at time
		property /at string
		property /id string
		property /tenant string

end
`

// TestVerifyWindows verifies the containers that a template makes: one by its id, and all
// that are there. A document in the wrong one is found.
func TestVerifyWindows(t *testing.T) {
	r := newVerifyRig(t)
	if err := os.WriteFile(lock.FileName, []byte(windowsLock), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := r.verify(); code != exitDone || stderr != "" {
		t.Errorf("no window is there: %d, %s", code, stderr)
	}
	window := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/tenant"],"kind":"Hash","version":2}}`, id)
	}
	r.load("fleet", window("readings-_41-2018-08"), `{"id":"1","tenant":"A","at":"2018-08-31T23:30:00Z"}`)
	r.load("fleet", window("readings-_41-2018-09"), `{"id":"1","tenant":"A","at":"2018-09-01T00:00:00Z"}`, `{"id":"2","tenant":"A","at":"2018-08-31T00:00:00Z"}`, `{"id":"3","tenant":"A"}`)
	r.load("fleet", window("readings-_41-9"), `{"id":"1","tenant":"A","at":"2018-09-01T00:00:00Z"}`)

	code, reports := r.reports()
	if code != exitStale || len(reports) != 2 || reports[0].Container != "readings-_41-2018-08" || reports[0].Findings() != 0 || reports[1].Documents != 3 {
		t.Fatalf("all windows: %d, %+v", code, reports)
	}
	var found []string
	for _, f := range reports[1].Types[0].Findings {
		found = append(found, fmt.Sprintf("%s %s %d %s %s", f.Name, f.Property, f.Documents, f.Examples[0].ID, f.Examples[0].Made))
	}
	if diff := cmp.Diff([]string{`wrong-container  1 2 "readings-_41-2018-08"`, `wrong-container at 1 3 `}, found); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if code, reports := r.reports("-container", "readings-_41-2018-08"); code != exitDone || len(reports) != 1 {
		t.Errorf("one window: %d, %+v", code, reports)
	}
	if code, _, stderr := r.verify("-container", "readings-_41-2018-13"); code != exitError || !strings.Contains(stderr, "has such a container") {
		t.Errorf("no window: %d, %s", code, stderr)
	}
	if code, stdout, _ := r.verify("-container", "readings-{tenant}-{at|2006-01}", "-database", "fleet"); code != exitStale ||
		!strings.Contains(stdout, `wrong-container, 1 document: in another container than the properties name`) || !strings.Contains(stdout, `id "2", where its properties make "readings-_41-2018-08"`) {
		t.Errorf("by the template: %d, %s", code, stdout)
	}
}

const tiersLock = `version 2
container orders
	path /tenant
	kind Hash
	version 2
	type Order {tenant} own=orders-{tenant}
		component tenant text
		property /id string
		property /tenant string
end
`

// TestVerifyTiers verifies the container that tenants share, and those that they have of
// their own. A document of another tenant is found there, and the marks of a move are not
// taken for documents.
func TestVerifyTiers(t *testing.T) {
	r := newVerifyRig(t)
	if err := os.WriteFile(lock.FileName, []byte(tiersLock), 0o600); err != nil {
		t.Fatal(err)
	}
	container := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/tenant"],"kind":"Hash","version":2}}`, id)
	}
	r.load("fleet", container("orders"), `{"id":"1","tenant":"A"}`, `{"id":"1","tenant":"b"}`, `{"id":"_pkgen-fence","tenant":"A","_pkgenMove":{"kind":"fence"}}`)
	r.load("fleet", container("orders-_43"), `{"id":"1","tenant":"C"}`, `{"id":"2","tenant":"A"}`)
	r.load("fleet", container("orders-C"))
	code, reports := r.reports()
	if code != exitStale || len(reports) != 2 || reports[0].Container != "orders" || reports[0].Findings() != 0 || reports[0].Others != 1 || reports[1].Container != "orders-_43" {
		t.Fatalf("all: %d, %+v", code, reports)
	}
	if f := reports[1].Types[0].Findings; len(f) != 1 || f[0].Name != "wrong-container" || f[0].Examples[0].ID != "2" || string(f[0].Examples[0].Made) != `"orders-_41"` {
		t.Errorf("an own container: %+v", f)
	}
	for id, want := range map[string]int{"orders": exitDone, "orders-_43": exitStale} {
		if code, reports := r.reports("-container", id); code != want || len(reports) != 1 {
			t.Errorf("%s alone: %d, %+v", id, code, reports)
		}
	}
	if code, _, stderr := r.verify("-container", "orders-C"); code != exitError || !strings.Contains(stderr, "has such a container") {
		t.Errorf("no own container: %d, %s", code, stderr)
	}
}
