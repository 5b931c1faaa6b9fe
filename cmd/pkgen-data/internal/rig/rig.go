package rig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// Lock has a type with a container of its own, and two that share one.
const Lock = `version 2

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

// Rig is an account with documents, and a package with a lock.
type Rig struct {
	*testing.T
	Server  *server.Server
	Program *cli.Program // pkgen-data with some commands
}

// New serves an account, and changes to the folder of a new package. Commands are the commands for
// Run.
func New(t *testing.T, commands ...cli.Command) *Rig {
	t.Helper()
	s := harness.Bare(t, server.Options{Partitions: 3})
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "m.go": "package m\n", "sub/empty.go": "package sub\n", lock.FileName: Lock} {
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
	return &Rig{t, s, &cli.Program{Name: "pkgen-data", Commands: append([]cli.Command{cli.Group("", "")}, commands...)}}
}

// Run runs pkgen-data, and returns its exit code and output.
func (r *Rig) Run(args ...string) (code int, stdout, stderr string) {
	r.Helper()
	var out, problems bytes.Buffer
	code = r.Program.Run(r.Context(), args, &out, &problems)
	return code, out.String(), problems.String()
}

// Load creates a container with documents.
func (r *Rig) Load(database, container string, documents ...string) {
	r.Helper()
	harness.Load(r, r.Server, database, container, documents...)
}

// EventContainer has the settings of the container of VehicleEvent.
const EventContainer = `{"id":"vehicle-event","partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2}}`

// GoodEvent returns a document under its own key.
func GoodEvent(t *testing.T, i int) string {
	t.Helper()
	locked, problem := lock.Parse([]byte(Lock))
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

// KeyOf returns the stored key of an event.
func KeyOf(t *testing.T, event string) string {
	t.Helper()
	var doc struct {
		PartitionKey string `json:"partitionKey"`
	}
	if err := json.Unmarshal([]byte(event), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.PartitionKey
}
