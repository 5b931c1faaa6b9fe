package migrate

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/verify"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/migrate"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// The containers of a migration.
const (
	vehiclesContainer = `{"id":"vehicles","partitionKey":{"paths":["/vin"],"kind":"Hash","version":2}}`
	migrations        = `{"id":"pkgen-migrations","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`
)

// vehicle returns a document of the source.
func vehicle(i int) string {
	return fmt.Sprintf(`{"id":"%d","date":"2018-08-0%d","vin":"vin-%d"}`, i, i%9+1, i%50)
}

// testRig is an account, and a package with a lock.
type testRig struct{ *rig.Rig }

func newRig(t *testing.T) *testRig {
	t.Helper()
	return &testRig{rig.New(t, Command(), verify.Command())}
}

// migrate runs the command, and returns its exit code and what it prints.
func (r *testRig) migrate(args ...string) (code int, stdout, stderr string) {
	r.Helper()
	return r.Run(append([]string{"migrate", "-from", "vehicles", "-to", "vehicle-event"}, args...)...)
}

// open returns the account and a container.
func (r *testRig) open(container string) (*account.Account, *account.Container) {
	r.Helper()
	a, err := target.OpenAccount()
	if err != nil {
		r.Fatal(err)
	}
	c, err := a.Container(r.Context(), "fleet", container)
	if err != nil {
		r.Fatal(err)
	}
	return a, c
}

// replace replaces a document.
func (r *testRig) replace(container, id, key, document string) {
	r.Helper()
	a, c := r.open(container)
	if _, err := a.ReplaceItem(r.Context(), c, id, key, []byte(document), ""); err != nil {
		r.Fatal(err)
	}
}

// create creates a document.
func (r *testRig) create(container, key, document string) {
	r.Helper()
	a, c := r.open(container)
	if _, err := a.CreateItem(r.Context(), c, key, []byte(document)); err != nil {
		r.Fatal(err)
	}
}

// TestMigrate looks, copies, and finishes, after which the documents lie where the lock
// says that they lie.
func TestMigrate(t *testing.T) {
	r := newRig(t)
	var documents []string
	for i := range 200 {
		documents = append(documents, vehicle(i))
	}
	r.Load("fleet", vehiclesContainer, documents...)
	r.Load("fleet", rig.EventContainer)
	if code, stdout, stderr := r.migrate("-dry-run", "-budget", "1000"); code != cli.Done || !strings.Contains(stdout, "container vehicles: 200 documents") || !strings.Contains(stdout, "at the budget") {
		t.Fatalf("%d, %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := r.migrate(); code != cli.Done || !strings.Contains(stdout, "container vehicles: 200 documents copied to container vehicle-event") {
		t.Fatalf("%d, %s%s", code, stdout, stderr)
	}
	code, stdout, stderr := r.migrate("-cutover", "-writers-stopped")
	if code != cli.Done || !strings.Contains(stdout, "the containers are equal: 200 documents") || !strings.Contains(stdout, "switch: ") || stderr != "" {
		t.Fatalf("%d, %s%s", code, stdout, stderr)
	}
	if code, stdout, _ := r.Run("verify", "-container", "vehicle-event"); !strings.Contains(stdout, "200 documents") || strings.Contains(stdout, "wrong-key") {
		t.Errorf("%d, %s", code, stdout)
	}
}

// TestMigrateRefuses lists documents without a key, by ids and reasons and not by values,
// and does not compare.
func TestMigrateRefuses(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1), `{"id":"no date","vin":"secret"}`, `{"id":"a number","vin":"secret","date":17}`)
	r.Load("fleet", rig.EventContainer)
	r.Load("fleet", migrations)
	for _, args := range [][]string{{"-dry-run"}, {"-cutover", "-writers-stopped"}} {
		code, stdout, stderr := r.migrate(args...)
		for _, want := range []string{"missing, 1 document: property date is missing", "other-type, 1 document: property date is", `id "no date"`, "do not switch"} {
			if code != cli.Found || !strings.Contains(stdout, want) || strings.Contains(stdout, "secret") {
				t.Errorf("%q: %d, no %q in %s%s", args, code, want, stdout, stderr)
			}
		}
	}
}

// TestMigrateRefusesFirst makes no container of the state for a destination with documents.
func TestMigrateRefusesFirst(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1))
	r.Load("fleet", rig.EventContainer, `{"id":"1","date":"2018-08-09","vin":"v","partitionKey":"2018-08-09.1"}`)
	a, err := target.OpenAccount()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-dry-run"}, nil} {
		code, stdout, stderr := r.migrate(args...)
		if code != cli.Failed || !strings.Contains(stderr, `container "vehicle-event" is not empty, and container "pkgen-migrations" knows no migration into it`) {
			t.Errorf("%q: %d, %s%s", args, code, stdout, stderr)
		}
		if _, err := a.Container(t.Context(), "fleet", "pkgen-migrations"); !account.NotFound(err) {
			t.Errorf("%q: the container of the state: %v", args, err)
		}
	}
}

// TestMigrateRefusesAgain runs again after documents had no place, without -cutover: the
// exit code is 1 until the last of them is mended.
func TestMigrateRefusesAgain(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1), `{"id":"x","vin":"v"}`, `{"id":"y","vin":"v"}`)
	r.Load("fleet", rig.EventContainer)
	r.Load("fleet", migrations)
	for i, want := range []int{cli.Found, cli.Found, cli.Found, cli.Done} {
		code, stdout, stderr := r.migrate()
		if code != want || strings.Contains(stdout, "do not switch") != (want == cli.Found) || i == 2 && !strings.Contains(stdout, "missing, 1 document:") {
			t.Errorf("run %d: %d, %s%s", i, code, stdout, stderr)
		}
		if i > 0 && i < 3 {
			id := string("?xy"[i])
			r.replace("vehicles", id, `["v"]`, `{"id":"`+id+`","vin":"v","date":"d"}`)
		}
	}
}

// TestMigrateErrors has wrong command lines and containers that do not fit, of which
// nothing is written.
func TestMigrateErrors(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1))
	r.Load("fleet", rig.EventContainer)
	r.Load("fleet", migrations)
	r.Load("fleet", `{"id":"full","partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2}}`, vehicle(2))
	r.Load("fleet", `{"id":"expiring","partitionKey":{"paths":["/vin"],"kind":"Hash","version":2},"defaultTtl":60}`)
	r.Load("fleet", `{"id":"lasting","partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2},"defaultTtl":-1}`)
	before := len(r.Server.Requests())
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-to", ""}, "name two containers"},
		{[]string{"-to", "vehicles"}, "-from and -to are one container"},
		{[]string{"-budget", "99"}, "a budget of 99 RU/s is less than 100 RU/s"},
		{[]string{"-budget", "NaN"}, "a budget of NaN RU/s"},
		{[]string{"-workers", "0"}, "0 workers: give from 1 to 256"},
		{[]string{"-to", "orders"}, `no database of the account has a container "orders"`},
		{[]string{"-to", "full"}, `no lock of the packages has a type in container "full"`},
		{[]string{"-to", "full", "-type", "VehicleEvent"}, `container "full" is not empty`},
		{[]string{"-to", "full", "-type", "Order"}, "has the partition key /partitionKey (Hash), and type Order needs /pk (Hash)"},
		{[]string{"-type", "Odrer"}, `no pkgen.lock of the packages has a type "Odrer"`},
		{[]string{"-from", "expiring"}, "but would stay for ever in container \"vehicle-event\""},
		{[]string{"-to", "lasting", "-type", "VehicleEvent"}, "documents stay in container \"vehicles\", but would expire in container \"lasting\""},
		{[]string{"-state", "vehicle-event"}, "-state is the container of the documents"},
		{[]string{"-state", "expiring"}, "needs the key /id"},
		{[]string{"-dry-run", "-cutover"}, "exclude each other"},
		{[]string{"-writers-stopped"}, "belongs to -cutover"},
		{[]string{"-cutover"}, "-cutover needs a terminal"},
	} {
		if code, stdout, stderr := r.migrate(tt.args...); code != cli.Failed || !strings.Contains(stderr, tt.want) || stdout != "" {
			t.Errorf("%q: %d, %s%s, want %q", tt.args, code, stdout, stderr, tt.want)
		}
	}
	for _, q := range r.Server.Requests()[before:] {
		if q.Method != "GET" && q.Operation != "QueryItems" {
			t.Errorf("%s %s was sent", q.Method, q.Path)
		}
	}
}

// TestMigrateSchema expects docs/migration.md to name every property of the JSON.
func TestMigrateSchema(t *testing.T) {
	page, err := os.ReadFile("../../../../../docs/migration.md")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1))
	r.Load("fleet", rig.EventContainer)
	r.Load("fleet", migrations)
	code, stdout, stderr := r.migrate("-cutover", "-writers-stopped", "-format", "json")
	var report migrationReport
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != cli.Done || report.Verdict == nil || !report.Verdict.Equal {
		t.Fatalf("%v: %d, %s%s", err, code, stdout, stderr)
	}
	for _, v := range []any{report, migrate.Plan{}, migrate.Verdict{}, migrate.Refusal{}} {
		for i := range reflect.TypeOf(v).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(v).Field(i).Tag.Get("json"), ",")
			if !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("docs/migration.md has no property %q", name)
			}
		}
	}
}

// TestProgressBar says how far a copy is, if that is known.
func TestProgressBar(t *testing.T) {
	for _, tt := range []struct {
		done  migrate.Told
		total int64
		want  string
	}{
		{migrate.Told{Documents: 500, Charge: 3000.4}, 2000, "[#####---------------] 25%, 500 documents, 3000 RU, "},
		{migrate.Told{Documents: 2500, Charge: 1}, 2000, "[####################] 100%, 2500 documents, 1 RU, 0s left"},
		{migrate.Told{Documents: 5, Charge: 1}, -1, "copying: 5 documents, 1 RU"},
		{migrate.Told{}, 2000, "copying: 0 documents, 0 RU"},
	} {
		if got := progressBar(tt.done, tt.total); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%+v of %d: %q, want %q", tt.done, tt.total, got, tt.want)
		}
	}
}
