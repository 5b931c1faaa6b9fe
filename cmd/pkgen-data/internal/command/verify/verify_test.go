package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// testRig is an account, and a package with a lock.
type testRig struct{ *rig.Rig }

func newRig(t *testing.T) *testRig {
	t.Helper()
	return &testRig{rig.New(t, Command())}
}

// Verify runs the command, and returns its exit code and what it prints.
func (r *testRig) verify(args ...string) (code int, stdout, stderr string) {
	r.Helper()
	return r.Run(append([]string{"verify"}, args...)...)
}

// reports runs the command for JSON.
func (r *testRig) reports(args ...string) (code int, reports []verify.Report) {
	r.Helper()
	code, stdout, stderr := r.verify(append(args, "-format", "json")...)
	if err := json.Unmarshal([]byte(stdout), &reports); err != nil {
		r.Fatalf("%v: %d, %s%s", err, code, stdout, stderr)
	}
	return code, reports
}

// generate makes the package that of a source, with a layout that is bound. A lock of a
// release before it leads to this one, where the change is accepted.
func (r *testRig) generate(source string) {
	r.Helper()
	before, err := os.ReadFile("m.go")
	if err == nil && string(before) == "package m\n" {
		err = os.Remove(lock.FileName) // of the rig
	}
	if err == nil {
		err = os.WriteFile("m.go", []byte(source), 0o600)
	}
	var result *generator.Result
	for _, o := range []generator.Options{{AcceptKeyChange: true}, {Seal: true}} {
		if err == nil {
			result, err = generator.Generate(r.Context(), o)
		}
		if err == nil {
			err = result.Commit()
		}
	}
	if err != nil {
		r.Fatal(err)
	}
	if len(result.Diagnostics) > 0 {
		r.Error(result.Diagnostics)
	}
}

func TestVerifyAllIsWell(t *testing.T) {
	r := newRig(t)
	var events []string
	for i := range 1500 {
		events = append(events, rig.GoodEvent(t, i))
	}
	r.Load("fleet", rig.EventContainer, events...)
	code, stdout, stderr := r.verify("-container", "vehicle-event", "./...")
	if code != cli.Done || stderr != "" || !strings.Contains(stdout, "container vehicle-event of database fleet: 1500 documents,") ||
		!strings.Contains(stdout, "all of it\n\ttype VehicleEvent {date}.{vin%400}: 1500 documents, no findings\n") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	code, reports := r.reports("-type", "VehicleEvent", "-sample", "25", "-seed", "1")
	if got := reports[0]; code != cli.Done || got.Share != 0.25 || got.Documents < 150 || got.Documents > 600 || got.Charge <= 0 {
		t.Errorf("a sample: %d, %+v", code, got)
	}
	if code, stdout, _ = r.verify("-type", "VehicleEvent", "-limit", "12", "-seed", "2"); code != cli.Done || !strings.Contains(stdout, "RU, not one complete window of the keys, because the limit was reached\n") {
		t.Errorf("a small budget: %d, %s", code, stdout)
	}
	code, reports = r.reports("-type", "VehicleEvent", "-limit", "100", "-seed", "1")
	if got := reports[0]; code != cli.Done || !got.Stopped || got.Share >= 0.5 || got.Documents == 0 || got.Charge < 90 || got.Charge > 100 {
		t.Errorf("a budget: %d, %+v", code, got)
	}
}

// TestVerifySplit answers as if a physical partition had been split after the first
// page, and throttles a request: each document counts once.
func TestVerifySplit(t *testing.T) {
	r := newRig(t)
	var events []string
	for i := range 300 {
		events = append(events, rig.GoodEvent(t, i))
	}
	r.Load("fleet", rig.EventContainer, events...)
	r.Server.Inject(server.Fault{Operation: server.OpQueryItems, Skip: 1, Count: 1, Status: 410, Substatus: 1002})
	r.Server.Inject(server.Fault{Operation: server.OpQueryItems, Count: 1, Status: 429, RetryAfter: time.Millisecond})
	code, reports := r.reports("-type", "VehicleEvent")
	if code != cli.Done || reports[0].Documents != 300 {
		t.Errorf("%d, %+v", code, reports)
	}
}

func TestVerifyFindings(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", `{"id":"vehicle-event","defaultTtl":60,"partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2}}`,
		rig.GoodEvent(t, 1),
		strings.Replace(rig.GoodEvent(t, 2), `"vin":"vin-2"`, `"vin":"another"`, 1),
		`{"id":"3","date":"2018-08-09","partitionKey":"2018-08-09.1"}`,
		`{"id":"4","date":20180809,"vin":"v","meta":7,"note":null}`,
		strings.Replace(rig.GoodEvent(t, 5), `"speed":5`, `"speed":"fast"`, 1),
	)
	code, reports := r.reports("-container", "vehicle-event")
	if code != cli.Found || len(reports) != 1 {
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
				{Name: verify.WrongKey, Documents: 1, Examples: []verify.Example{{ID: "2", Stored: json.RawMessage(strconv.Quote(rig.KeyOf(t, rig.GoodEvent(t, 2)))), Made: fmt.Appendf(nil, `"2018-08-09.%d"`, partition.Hash{}.Text("another").Bucket(400))}}},
			},
			Absent: map[string]int{"/meta": 1, "/note": 1, "/partitionKey": 1, "/vin": 1},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	code, stdout, _ := r.verify("-container", "vehicle-event", "-format", "github")
	if code != cli.Found || strings.Count(stdout, "::error::container vehicle-event: ") != 7 {
		t.Errorf("%d: %s", code, stdout)
	}
	_, stdout, _ = r.verify("-container", "vehicle-event")
	for _, line := range []string{
		"setting: the ttl is 60, but the lock has none",
		`id "2" under "2018-08-09.`,
		"no-key, 1 document: no key, because property vin is missing",
		"absent, 1 document: no property /vin,",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no line with %q in %s", line, stdout)
		}
	}
}

// TestVerifyShared has two types in one container, and documents of neither.
func TestVerifyShared(t *testing.T) {
	r := newRig(t)
	r.Load("shop", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`,
		`{"id":"order-1","type":"order","tenant":"a","pk":"a"}`,
		`{"id":"2","type":"order","tenant":"a","pk":"a"}`,
		`{"id":"3","type":"visit","tenant":"a","n":7,"pk":"a-7"}`,
		`{"id":"4","type":"visit","tenant":"a","n":7,"pk":"a-8"}`,
		`{"id":"5","type":"other","pk":"a"}`,
		`{"id":"6","pk":"a"}`,
	)
	code, reports := r.reports("-container", "orders", "./sub", ".")
	if code != cli.Found || len(reports) != 1 || reports[0].Others != 2 {
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

// TestVerifyNextForm has documents of two releases, as both read them: of the form that the
// lock has, and of the next one, which lacks a property and has another.
func TestVerifyNextForm(t *testing.T) {
	r := newRig(t)
	r.generate("package m\n\nimport \"encoding/json\"\n\ntype Card struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n\tV int `json:\"v\" cosmos:\"schema=1,next=2\"`\n\tEuros int `json:\"euros\"`\n}\n\n" +
		"func (*Card) Downgrade(int, json.RawMessage) error { return nil }\n")
	r.Load("shop", `{"id":"card","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
		`{"id":"1","euros":1}`, `{"id":"2","v":1,"euros":1}`, `{"id":"3","v":2,"cents":150}`, `{"id":"4","v":2,"cents":150,"euros":2.5}`)
	code, reports := r.reports("-container", "card", ".")
	if code != cli.Found || len(reports) != 1 || reports[0].Documents != 4 || len(reports[0].Types) != 1 {
		t.Fatalf("%d, %+v", code, reports)
	}
	got := reports[0].Types[0]
	if len(got.Findings) != 1 || got.Findings[0].Property != "/euros" || got.Findings[0].Examples[0].ID != "4" {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(map[string]int{"/euros": 1, "/v": 1}, got.Absent); diff != "" {
		t.Errorf("absent (-want +got):\n%s", diff)
	}
}

// TestVerifyGone has the container of a type that is gone, and the container in which its
// documents are now, after an accepted change: both are verified, by the keys that each has.
func TestVerifyGone(t *testing.T) {
	r := newRig(t)
	r.generate("package m\n\ntype Card struct {\n\tID string `json:\"id\"`\n\tShop string `json:\"shop\" cosmos:\"pk\"`\n}\n")
	r.generate("package m\n\ntype Card struct {\n\t_ struct{} `cosmos:\"container=cards-2,note=synthetic\"`\n\tID string `json:\"id\"`\n\tShop string `json:\"shop\" cosmos:\"pk,hashsuffix=ID,buckets=4\"`\n}\n")
	if text, err := os.ReadFile(lock.FileName); err != nil || !strings.Contains(string(text), "type Card {shop} gone seal=") || !strings.Contains(string(text), "type Card {shop}.{id%4} seal=") {
		t.Fatalf("%v: the lock is %s", err, text)
	}
	key := func(id string) string { return fmt.Sprintf("a.%d", partition.Hash{}.Text(id).Bucket(4)) }
	r.Load("shop", `{"id":"card","partitionKey":{"paths":["/shop"],"kind":"Hash","version":2}}`, `{"id":"1","shop":"a"}`, `{"id":"2","shop":"b"}`, `{"id":"3","shop":4}`)
	r.Load("shop", `{"id":"cards-2","partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2}}`,
		`{"id":"1","shop":"a","partitionKey":"`+key("1")+`"}`, `{"id":"2","shop":"a","partitionKey":"`+key("2")+`"}`, `{"id":"4","shop":"a","partitionKey":"a"}`)
	found := func(args ...string) map[string]string {
		t.Helper()
		code, reports := r.reports(append(args, ".")...)
		if code != cli.Found {
			t.Errorf("%s: exit code %d", args, code)
		}
		all := map[string]string{}
		for _, report := range reports {
			for _, of := range report.Types {
				for _, f := range of.Findings {
					all[fmt.Sprintf("%s %s, %d documents: %s", report.Container, of.Layout, of.Documents, f.Name)] = f.Examples[0].ID
				}
			}
		}
		return all
	}
	left := map[string]string{"card {shop}, 3 documents: no-key": "3", "card {shop}, 3 documents: property-type": "3"}
	now := map[string]string{"cards-2 {shop}.{id%4}, 3 documents: wrong-key": "4"}
	both := maps.Clone(left)
	maps.Copy(both, now)
	for _, row := range []struct {
		args []string
		want map[string]string
	}{{nil, both}, {[]string{"-type", "Card"}, both}, {[]string{"-container", "card"}, left}, {[]string{"-container", "cards-2"}, now}} {
		if diff := cmp.Diff(row.want, found(row.args...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.args, diff)
		}
	}
}

// TestVerifyMissing lacks containers: the others are verified all the same. Those of
// drafts need not be there, unless somebody asks for them, or nothing else is.
func TestVerifyMissing(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", rig.EventContainer, rig.GoodEvent(t, 1))
	code, stdout, stderr := r.verify()
	if code != cli.Failed || !strings.Contains(stdout, "container vehicle-event of database fleet: 1 document,") ||
		stderr != "pkgen: no database of the account has a container \"orders\": check the connection string\n" {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	draft := strings.NewReplacer("as=order prefix=order-", "as=order prefix=order- draft", "as=visit", "as=visit gone").Replace(rig.Lock)
	if err := os.WriteFile(lock.FileName, []byte(draft), 0o600); err != nil {
		t.Fatal(err)
	}
	const note = "container orders does not exist; its types are drafts or removed\n"
	code, stdout, stderr = r.verify("-format", "json")
	if code != cli.Done || stderr != note || strings.Count(stdout, `"container"`) != 1 {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"-container", "orders"}, {"-type", "Visit"}, {"-database", "none"}} {
		code, stdout, stderr = r.verify(args...)
		if code != cli.Failed || stdout != "" || !strings.Contains(stderr, "pkgen: ") {
			t.Errorf("%s: %d: %s%s", args, code, stdout, stderr)
		}
	}
}

// TestVerifyOtherPath has a container whose path is not that of the lock: this is the
// finding, and no document lies where the lock would look.
func TestVerifyOtherPath(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", `{"id":"vehicle-event","partitionKey":{"paths":["/vin"],"kind":"Hash","version":2}}`, rig.GoodEvent(t, 1), `{"id":"2","vin":"v"}`)
	code, reports := r.reports("-container", "vehicle-event")
	if got := reports[0]; code != cli.Found || len(got.Settings) != 1 || len(got.Types[0].Findings) != 1 ||
		got.Types[0].Findings[0].Name != verify.NoKey || got.Types[0].Findings[0].Examples[0].Stored != nil {
		t.Errorf("%d, %+v", code, got)
	}
}

// TestVerifyOddLock has a device where the lock should be: like a pipe, it could be read
// for ever.
func TestVerifyOddLock(t *testing.T) {
	r := newRig(t)
	if err := os.Remove(lock.FileName); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.DevNull, lock.FileName); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := r.verify(); code != cli.Failed || !strings.Contains(stderr, "it is a device, which has no end") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// TestVerifyText shows keys of every JSON type, and what is wrong with each document.
func TestVerifyText(t *testing.T) {
	r := newRig(t)
	r.Load("shop", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`,
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
		`id "1" under 7, but its properties make "a-7"`,
		`id "2" under "", but its properties make "a-7"`,
		`id "3" under {}, but its properties make "a-7"`,
		`id "4\x1b[31m" under "a\n::error::-8", but its properties make "a-7"`,
		"no-key, 2 documents: no key, because property n is ",
		", because it is ",
		"property /tenant is of JSON type array, but Go writes a string",
	} {
		if !strings.Contains(stdout, line) || code != cli.Found || stderr != "" {
			t.Errorf("%d: no line with %s in\n%s%s", code, line, stdout, stderr)
		}
	}
}

func TestVerifyErrors(t *testing.T) {
	r := newRig(t)
	r.Load("a", rig.EventContainer)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-container", "orders"}, `no database of the account has a container "orders"`},
		{[]string{"-container", "other"}, "no pkgen.lock of the packages has this container with these types"},
		{[]string{"./sub"}, "no package has a pkgen.lock"},
		{[]string{"-type", "Order,Odrer"}, `no pkgen.lock of the packages has a type "Odrer": check -type`},
		{[]string{"-database", "b", "-container", "vehicle-event"}, "404"},
		{[]string{"-sample", "0"}, "-sample must be a percentage"},
		{[]string{"-limit", "-1"}, "-limit and -budget must not be negative"},
		{[]string{"-budget", "NaN"}, "-limit and -budget must not be negative"},
		{[]string{"-format", "yaml"}, "use one of text, json, github"},
	} {
		if code, _, stderr := r.verify(tt.args...); code != cli.Failed || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: %d, %s, want %q", tt.args, code, stderr, tt.want)
		}
	}
	r.Load("b", rig.EventContainer)
	if code, _, stderr := r.verify("-container", "vehicle-event"); code != cli.Failed || !strings.Contains(stderr, "in several databases, a, b") {
		t.Errorf("%d, %s", code, stderr)
	}
	t.Setenv("COSMOS_CONNECTION_STRING", "AccountEndpoint=x")
	if code, _, stderr := r.verify(); code != cli.Failed || !strings.Contains(stderr, "lacks an AccountEndpoint or an AccountKey") {
		t.Errorf("%d, %s", code, stderr)
	}
	t.Setenv("COSMOS_CONNECTION_STRING", "")
	t.Setenv("COSMOS_ENDPOINT", "")
	if code, _, stderr := r.verify(); code != cli.Failed || !strings.Contains(stderr, "no account: set COSMOS_CONNECTION_STRING") {
		t.Errorf("%d, %s", code, stderr)
	}
}

// TestVerifyNumbers has numbers that do not fit the Go types of their fields, so that no
// read of these documents succeeds. What fits, and what a method of a type reads, is no
// finding.
func TestVerifyNumbers(t *testing.T) {
	r := newRig(t)
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
	r.generate(source)
	const container = `{"id":"trip","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`
	r.Load("good", container,
		`{"id":"0","speed":-3,"gear":-128,"load":65535,"share":3.5,"meta":{"count":null},"text":"7","code":3.5,"lax":3.5}`,
		`{"id":"1","speed":9007199254740992,"gear":127,"load":0,"share":0,"meta":{"count":2147483647},"text":"-7","code":"x","lax":1e30}`,
	)
	if code, stdout, stderr := r.verify("-database", "good"); code != cli.Done || stderr != "" {
		t.Errorf("numbers that fit: %d: %s%s", code, stdout, stderr)
	}
	r.Load("bad", container,
		`{"id":"2","speed":3.5}`, `{"id":"3","speed":1e300}`, `{"id":"4","speed":9223372036854775807}`,
		`{"id":"5","gear":128}`, `{"id":"6","load":-1}`, `{"id":"7","meta":{"count":0.5}}`,
	)
	code, reports := r.reports("-database", "bad")
	if code != cli.Found || len(reports) != 1 || len(reports[0].Types) != 1 {
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

// TestVerifySchema expects docs/verify.md to name the properties of the first level of the
// JSON, and the findings.
func TestVerifySchema(t *testing.T) {
	page, err := os.ReadFile("../../../../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	_, schema, _ := strings.Cut(string(page), "-format json")
	report := reflect.TypeFor[verify.Report]()
	for i := range report.NumField() {
		if name, _, _ := strings.Cut(report.Field(i).Tag.Get("json"), ","); !strings.Contains(schema, "`"+name+"`") {
			t.Errorf("docs/verify.md has no property %q", name)
		}
	}
	if !strings.Contains(schema, "(schemas/verify.schema.json)") {
		t.Error("docs/verify.md does not link the schema, which has the other properties")
	}
	for _, name := range []string{verify.WrongKey, verify.NoKey, verify.BadID, verify.PropertyType, verify.StaleIndex, verify.NoIndexKey, verify.NotUnique, verify.NoReservation, verify.LeftReservation, verify.LeftHidden, verify.BadReservation} {
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/verify.md has no finding %q", name)
		}
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
	r := newRig(t)
	if err := os.WriteFile(lock.FileName, []byte(windowsLock), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := r.verify(); code != cli.Done || stderr != "" {
		t.Errorf("no window is there: %d, %s", code, stderr)
	}
	window := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/tenant"],"kind":"Hash","version":2}}`, id)
	}
	r.Load("fleet", window("readings-_41-2018-08"), `{"id":"1","tenant":"A","at":"2018-08-31T23:30:00Z"}`)
	r.Load("fleet", window("readings-_41-2018-09"), `{"id":"1","tenant":"A","at":"2018-09-01T00:00:00Z"}`, `{"id":"2","tenant":"A","at":"2018-08-31T00:00:00Z"}`, `{"id":"3","tenant":"A"}`)
	r.Load("fleet", window("readings-_41-9"), `{"id":"1","tenant":"A","at":"2018-09-01T00:00:00Z"}`)

	code, reports := r.reports()
	if code != cli.Found || len(reports) != 2 || reports[0].Container != "readings-_41-2018-08" || reports[0].Findings() != 0 || reports[1].Documents != 3 {
		t.Fatalf("all windows: %d, %+v", code, reports)
	}
	var found []string
	for _, f := range reports[1].Types[0].Findings {
		found = append(found, fmt.Sprintf("%s %s %d %s %s", f.Name, f.Property, f.Documents, f.Examples[0].ID, f.Examples[0].Made))
	}
	if diff := cmp.Diff([]string{`wrong-container  1 2 "readings-_41-2018-08"`, `wrong-container at 1 3 `}, found); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if code, reports := r.reports("-container", "readings-_41-2018-08"); code != cli.Done || len(reports) != 1 {
		t.Errorf("one window: %d, %+v", code, reports)
	}
	if code, _, stderr := r.verify("-container", "readings-_41-2018-13"); code != cli.Failed || !strings.Contains(stderr, "has this container with these types") {
		t.Errorf("no window: %d, %s", code, stderr)
	}
	if code, stdout, _ := r.verify("-container", "readings-{tenant}-{at|2006-01}", "-database", "fleet"); code != cli.Found ||
		!strings.Contains(stdout, `wrong-container, 1 document: in a container that their properties do not name`) || !strings.Contains(stdout, `id "2", but its properties make "readings-_41-2018-08"`) {
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
	r := newRig(t)
	if err := os.WriteFile(lock.FileName, []byte(tiersLock), 0o600); err != nil {
		t.Fatal(err)
	}
	container := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/tenant"],"kind":"Hash","version":2}}`, id)
	}
	r.Load("fleet", container("orders"), `{"id":"1","tenant":"A"}`, `{"id":"1","tenant":"b"}`, `{"id":"_pkgen-fence","tenant":"A","_pkgenMove":{"kind":"fence"}}`)
	r.Load("fleet", container("orders-_43"), `{"id":"1","tenant":"C"}`, `{"id":"2","tenant":"A"}`)
	r.Load("fleet", container("orders-C"))
	code, reports := r.reports()
	if code != cli.Found || len(reports) != 2 || reports[0].Container != "orders" || reports[0].Findings() != 0 || reports[0].Moves != 1 || reports[0].Documents != 2 || reports[1].Container != "orders-_43" {
		t.Fatalf("all: %d, %+v", code, reports)
	}
	if f := reports[1].Types[0].Findings; len(f) != 1 || f[0].Name != "wrong-container" || f[0].Examples[0].ID != "2" || string(f[0].Examples[0].Made) != `"orders-_41"` {
		t.Errorf("an own container: %+v", f)
	}
	for id, want := range map[string]int{"orders": cli.Done, "orders-_43": cli.Found} {
		if code, reports := r.reports("-container", id); code != want || len(reports) != 1 {
			t.Errorf("%s alone: %d, %+v", id, code, reports)
		}
	}
	if code, _, stderr := r.verify("-container", "orders-C"); code != cli.Failed || !strings.Contains(stderr, "has this container with these types") {
		t.Errorf("no own container: %d, %s", code, stderr)
	}
}
