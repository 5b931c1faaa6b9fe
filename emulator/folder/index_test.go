package folder_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/folder"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

const byMail = `{"id":"byMail","partitionKey":{"paths":["/mail"],"kind":"Hash","version":2},"globalSecondaryIndexDefinition":{"sourceCollectionId":"c","definition":"SELECT c.mail FROM c"}}`

var autoscale = []string{"x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":1000}`}

// TestIndexesOverRestart starts the server again in each state of an index, and while changes
// are on their way to it.
func TestIndexesOverRestart(t *testing.T) {
	now := time.Unix(1_900_000_000, 0)
	o := server.Options{IndexLag: time.Hour, Clock: func() time.Time { return now }}
	a := newAccount(t, o, versionV2)
	a.create("1", `,"mail":"x"`)
	must(t, a.server, "POST", "/dbs/d/colls", byMail, autoscale...)
	later := func(hours int, status string, entries ...string) {
		t.Helper()
		now = now.Add(time.Duration(hours) * time.Hour)
		a.start(o)
		if text := must(t, a.server, "GET", "/dbs/d/colls/byMail", ""); strings.Count(text, `"status":"`+status+`"`) != 2 {
			t.Errorf("the index is not %s: %s", status, text)
		}
		var feed struct {
			Documents []struct {
				Mail string
			}
		}
		text := must(t, a.server, "GET", "/dbs/d/colls/byMail/docs", "")
		if err := json.Unmarshal([]byte(text), &feed); err != nil {
			t.Fatal(err)
		}
		if len(feed.Documents) != len(entries) {
			t.Fatalf("after %d hours more the index has %s, want %s", hours, text, entries)
		}
		for i, d := range feed.Documents {
			if d.Mail != entries[i] {
				t.Errorf("after %d hours more the index has %s, want %s", hours, text, entries)
			}
		}
	}
	later(0, "Initializing")
	later(1, "InitialBuildAfterCreate")
	a.create("2", `,"mail":"y","ttl":5400`)
	later(1, "Active", "x", "y")
	must(t, a.server, "PATCH", items+"/1", `{"operations":[{"op":"set","path":"/mail","value":"z"}]}`, "x-ms-documentdb-partitionkey", `["1"]`)
	a.create("3", `,"mail":"new"`)
	later(0, "Active", "x", "y")
	later(1, "Active", "z", "y", "new") // 2 has expired by now in the source
	later(1, "Active", "z", "new")
	must(t, a.server, "DELETE", items+"/3", "", "x-ms-documentdb-partitionkey", `["3"]`)
	later(0, "Active", "z", "new")
	if w := send(a.server, "DELETE", "/dbs/d/colls/c", ""); w.Code != 400 {
		t.Errorf("the source is deleted: %d", w.Code)
	}
	if w := send(a.server, "DELETE", "/dbs/d/colls/byMail/docs/x", "", "x-ms-documentdb-partitionkey", `["z"]`); w.Code != 403 {
		t.Errorf("a write of the index: %d", w.Code)
	}
	later(1, "Active", "z")

	// A dump has the index without its entries, which the source makes again.
	a.end()
	out := filepath.Join(t.TempDir(), "out")
	if _, err := folder.Dump(a.dir, out); err != nil {
		t.Fatal(err)
	}
	a.dir = t.TempDir()
	a.start(server.Options{Clock: o.Clock})
	load := func(name string) error {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.server.Load(bytes.NewReader(text))
		return err
	}
	if err := load("d.byMail.ndjson"); err == nil || !strings.Contains(err.Error(), `source container "c"`) {
		t.Errorf("an index is loaded before its source: %v", err)
	}
	if err := errors.Join(load("d.c.ndjson"), load("d.byMail.ndjson")); err != nil {
		t.Fatal(err)
	}
	o.IndexLag = 0
	later(0, "Active", "z")
	must(t, a.server, "DELETE", "/dbs/d/colls/byMail", "")
	must(t, a.server, "DELETE", "/dbs/d/colls/c", "")
	a.start(o)
}
