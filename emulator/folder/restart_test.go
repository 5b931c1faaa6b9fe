package folder_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"go.etcd.io/bbolt"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// account is a server with a folder that can be started again.
type account struct {
	*testing.T
	dir    string
	server *server.Server
	end    func()
}

// records ends the server, and returns how many records a table has.
func (a *account) records(table string) (n int) {
	a.Helper()
	if a.end != nil {
		a.end()
		a.end = nil
	}
	db, err := bbolt.Open(filepath.Join(a.dir, "emulator.db"), 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		a.Fatal(err)
	}
	err = errors.Join(db.View(func(tx *bbolt.Tx) error {
		n = tx.Bucket([]byte(table)).Stats().KeyN
		return nil
	}), db.Close())
	if err != nil {
		a.Fatal(err)
	}
	return n
}

// start starts the server; a server that runs ends first.
func (a *account) start(o server.Options) {
	a.Helper()
	if a.end != nil {
		a.end()
	}
	a.server, a.end = open(a.T, a.dir, o)
}

// newAccount starts a server with a database and a container for items with a key "pk".
func newAccount(t *testing.T, o server.Options, definition string) *account {
	t.Helper()
	a := &account{T: t, dir: t.TempDir()}
	a.start(o)
	t.Cleanup(func() { a.end() })
	must(t, a.server, "POST", "/dbs", `{"id":"d"}`)
	must(t, a.server, "POST", "/dbs/d/colls", `{"id":"c","partitionKey":`+definition+`,"defaultTtl":-1}`)
	return a
}

const (
	items     = "/dbs/d/colls/c/docs"
	versionV1 = `{"paths":["/pk"],"kind":"Hash"}`
	versionV2 = `{"paths":["/pk"],"kind":"Hash","version":2}`
)

func (a *account) create(id, more string) {
	a.Helper()
	must(a.T, a.server, "POST", items, fmt.Sprintf(`{"id":%q,"pk":%q%s}`, id, id, more), "x-ms-documentdb-partitionkey", `["`+id+`"]`)
}

// ranges returns the ids of the physical partitions in the order of their bounds, and all
// that is known about them.
func (a *account) ranges() (ids []string, text string) {
	a.Helper()
	var feed struct {
		PartitionKeyRanges []struct {
			ID, MinInclusive, MaxExclusive string
			Parents                        []string
		}
	}
	if err := json.Unmarshal([]byte(must(a.T, a.server, "GET", "/dbs/d/colls/c/pkranges", "")), &feed); err != nil {
		a.Fatal(err)
	}
	for _, r := range feed.PartitionKeyRanges {
		ids = append(ids, r.ID)
	}
	return ids, fmt.Sprint(feed.PartitionKeyRanges)
}

// feed reads one page of a feed of each physical partition, with the etags.
func (a *account) feed(headers ...string) string {
	a.Helper()
	var b strings.Builder
	ids, text := a.ranges()
	b.WriteString(text)
	for _, id := range ids {
		w := a.get(append(headers, "x-ms-documentdb-partitionkeyrangeid", id, "x-ms-max-item-count", "-1")...)
		fmt.Fprintf(&b, "\n%s: %d %s %s %s", id, w.Code, w.Header().Get("etag"), w.Header().Get("x-ms-session-token"), w.Body)
	}
	return b.String()
}

func (a *account) get(headers ...string) *httptest.ResponseRecorder {
	return send(a.server, "GET", items, "", headers...)
}

// pages reads all pages of a feed that are left after a token, and returns the ids.
func (a *account) pages(token string) (ids []string) {
	a.Helper()
	for {
		w := a.get("x-ms-max-item-count", "7", "x-ms-continuation", token)
		var body struct{ Documents []struct{ ID string } }
		if err := json.Unmarshal(w.Body.Bytes(), &body); w.Code != 200 || err != nil {
			a.Fatalf("%d %s", w.Code, w.Body)
		}
		for _, d := range body.Documents {
			ids = append(ids, d.ID)
		}
		if token = w.Header().Get("x-ms-continuation"); token == "" {
			return ids
		}
	}
}

// TestPoliciesOverRestart asks for the nearest vectors, and for a computed property, before and
// after a restart.
func TestPoliciesOverRestart(t *testing.T) {
	const policies = `,"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dataType":"float32","distanceFunction":"euclidean","dimensions":2}]},` +
		`"computedProperties":[{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"}]`
	a := newAccount(t, server.Options{}, versionV2)
	must(t, a.server, "POST", "/dbs/d/colls", `{"id":"p","partitionKey":`+versionV2+policies+`}`)
	must(t, a.server, "POST", "/dbs/d/colls/p/docs", `{"id":"1","pk":"k","name":"Ann","v":[3,4]}`, "x-ms-documentdb-partitionkey", `["k"]`)
	for range 2 {
		got := must(t, a.server, "POST", "/dbs/d/colls/p/docs", `{"query":"SELECT c.lower, VectorDistance(c.v, [0,0]) AS score FROM c"}`,
			"x-ms-documentdb-query", "True", "x-ms-documentdb-partitionkey", `["k"]`)
		if !strings.Contains(got, `{"lower":"ann","score":5}`) {
			t.Errorf("got %s", got)
		}
		a.start(server.Options{})
	}
}

// TestMergesOverRestart merges and splits physical partitions, and starts the server again
// after each: ranges, their ancestors, sequence numbers and documents are as before, a
// token goes on, and new ranges have new ids.
func TestMergesOverRestart(t *testing.T) {
	for name, definition := range map[string]string{"version 1": versionV1, "version 2": versionV2} {
		t.Run(name, func(t *testing.T) {
			o := server.Options{Partitions: 4, Lenient: true}
			a := newAccount(t, o, definition)
			for i := range 60 {
				a.create(fmt.Sprint("i", i), "")
			}
			w := a.get("x-ms-max-item-count", "25")
			token := w.Header().Get("x-ms-continuation")
			left := len(a.pages(token))
			steps := []func() error{
				func() error { return a.server.Merge("d", "c", "1", "2") },
				func() error { return a.server.Split("d", "c", "4") },
				func() error { return a.server.Merge("d", "c", "0", "5", "6") },
			}
			for i, step := range steps {
				if err := step(); err != nil {
					t.Fatal(err)
				}
				a.create(fmt.Sprint("new", i), "")
				want := a.feed("A-IM", "Incremental feed")
				a.start(o)
				if got := a.feed("A-IM", "Incremental feed"); got != want {
					t.Fatalf("after step %d and a restart:\n%s\nbefore:\n%s", i, got, want)
				}
			}
			if ids, text := a.ranges(); fmt.Sprint(ids) != "[7 3]" || !strings.Contains(text, "[0 1 2 4 5 6]") {
				t.Errorf("ranges after the last step: %s", text)
			}
			all := a.pages("")
			slices.Sort(all)
			if len(all) != 63 || len(slices.Compact(all)) != 63 {
				t.Errorf("%d items: %q", len(all), all)
			}
			rest := slices.DeleteFunc(a.pages(token), func(id string) bool { return strings.HasPrefix(id, "new") })
			slices.Sort(rest)
			if len(rest) != left || len(slices.Compact(rest)) != left {
				t.Errorf("%d items by a token of before, want %d", len(rest), left)
			}
		})
	}
}

// fullFidelity are the headers with which SDKs read all versions and deletions.
var fullFidelity = []string{"A-IM", "Full-Fidelity Feed", "x-ms-cosmos-changefeed-wire-format-version", "2021-09-15"}

// TestAllVersionsOverRestart compares the change feed of all versions and deletions before
// and after restarts, among them one in which the log is shortened.
func TestAllVersionsOverRestart(t *testing.T) {
	o := server.Options{Partitions: 2, AllVersions: time.Hour}
	a := newAccount(t, o, versionV2)
	after := func(etag string) []string { return append(slices.Clone(fullFidelity), "If-None-Match", etag) }
	compare := func(what, etag string) string {
		t.Helper()
		want := a.feed(after(etag)...)
		a.start(o)
		if got := a.feed(after(etag)...); got != want {
			t.Fatalf("%s: after a restart:\n%s\nbefore:\n%s", what, got, want)
		}
		return want
	}
	for i := range 20 {
		id := fmt.Sprint("i", i)
		key := `["` + id + `"]`
		a.create(id, `,"ttl":1000`)
		must(t, a.server, "PUT", items+"/"+id, fmt.Sprintf(`{"id":%q,"pk":%q,"ttl":%d}`, id, id, 100+i%2*100000), "x-ms-documentdb-partitionkey", key)
		if i%3 == 0 {
			must(t, a.server, "DELETE", items+"/"+id, "", "x-ms-documentdb-partitionkey", key)
		}
		operation := fmt.Sprintf(`{"operationType":"Create","resourceBody":{"id":"x%d","pk":%q}}`, i, id)
		for _, batch := range []string{"[" + operation + "]", "[" + operation + "," + operation + "]"} { // the second is rolled back
			send(a.server, "POST", items, batch, "x-ms-documentdb-partitionkey", key, "x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True")
		}
	}
	a.server.Advance(200 * time.Second)
	a.pages("") // which removes expired items
	written := compare("all kinds of changes", `"0"`)
	for _, want := range []string{`"operationType":"create"`, `"operationType":"replace"`, `"operationType":"delete"`, `"timeToLiveExpired":true`, `"id":"x19"`} {
		if !strings.Contains(written, want) {
			t.Errorf("the feed has no %s: %s", want, written)
		}
	}
	if err := a.server.Split("d", "c", "0"); err != nil {
		t.Fatal(err)
	}
	a.create("later", "")
	compare("a split", `"0"`)
	compare("from a place", `"30"`)

	a.server.Advance(2 * time.Hour)
	for i := range 10 { // in each range
		a.create(fmt.Sprint("last", i), "")
	}
	if n := a.records("versions"); n != 10 {
		t.Errorf("%d versions are kept, want 10", n)
	}
	a.start(o) // with the clock of before
	if got := a.feed(after(`"0"`)...); strings.Contains(got, ": 200") || !strings.Contains(got, "older than the retention") {
		t.Errorf("the beginning of a log that was shortened: %s", got)
	}
	compare("a shortened log", `"60"`)
}

// TestAllVersionsSwitched starts an account without the change feed of all versions in
// between: what changed then is unknown, so old etags are refused.
func TestAllVersionsSwitched(t *testing.T) {
	o := server.Options{AllVersions: time.Hour}
	a := newAccount(t, o, versionV2)
	a.create("1", "")
	a.start(server.Options{})
	if w := a.get(append(fullFidelity, "If-None-Match", `"0"`)...); w.Code != 400 || !strings.Contains(w.Body.String(), "must be enabled") {
		t.Errorf("without the option: %d %s", w.Code, w.Body)
	}
	a.create("2", "")
	a.start(o)
	for range 2 {
		if w := a.get(append(fullFidelity, "If-None-Match", `"1"`)...); w.Code != 400 || !strings.Contains(w.Body.String(), "older than the retention") {
			t.Errorf("an etag of before: %d %s", w.Code, w.Body)
		}
		a.start(o)
	}
	a.create("3", "")
	if w := a.get(append(fullFidelity, "If-None-Match", `"2"`)...); w.Code != 200 || !strings.Contains(w.Body.String(), `"id":"3"`) || strings.Contains(w.Body.String(), `"id":"2"`) {
		t.Errorf("since the option is set again: %d %s", w.Code, w.Body)
	}
}

// lines gives a file of documents, calls at before one of them, and fails at the end if
// that is wanted.
type lines struct {
	t       *testing.T
	n, last int
	at      map[int]func()
	fail    error
}

func (l *lines) Read(b []byte) (int, error) {
	if call := l.at[l.n]; call != nil {
		call()
	}
	text := fmt.Sprintf(`{"id":"%d","pk":"%d","text":%q}`, l.n, l.n%10, strings.Repeat("x", 1000))
	switch {
	case l.n == 0:
		text = `{"database":"d","container":{"id":"c","partitionKey":` + versionV2 + `}}`
	case l.n > l.last && l.fail != nil:
		return 0, l.fail
	case l.n > l.last:
		return 0, io.EOF
	}
	l.n++
	return copy(b, text+"\n"), nil
}

// TestLoadIsAllOrNothing loads a file that is recorded in several groups: it ends with an
// error, the process is killed in between, and in the end it succeeds.
func TestLoadIsAllOrNothing(t *testing.T) {
	n := seeds.Rows(t, 9000, 3000)
	o := server.Options{AllVersions: time.Hour}
	a, killed := &account{T: t, dir: t.TempDir()}, &account{T: t, dir: t.TempDir()}
	kill := func() { // the file as it is now is what a kill would leave
		text, err := os.ReadFile(filepath.Join(a.dir, "emulator.db"))
		if err = errors.Join(err, os.WriteFile(filepath.Join(killed.dir, "emulator.db"), text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	empty := func(a *account) {
		t.Helper()
		a.start(o)
		if got := must(t, a.server, "GET", "/dbs", ""); !strings.Contains(got, `"_count":0`) {
			t.Errorf("a database: %s", got)
		}
		for _, table := range []string{"documents", "versions", "unfinished", "containers", "databases"} {
			if n := a.records(table); n != 0 {
				t.Errorf("table %s has %d records", table, n)
			}
		}
	}
	a.start(o)
	broken := errors.New("the disk is broken")
	if _, err := a.server.Load(&lines{t: t, last: n, at: map[int]func(){n - 500: kill}, fail: broken}); !errors.Is(err, broken) {
		t.Errorf("an error in the middle: %v", err)
	}
	a.end()
	a.end = nil
	empty(a)
	if size := killed.records("documents"); size < n/2 {
		t.Errorf("only %d documents are in the file at the kill", size)
	}
	empty(killed)
	for _, a := range []*account{a, killed} {
		a.start(o)
		if loaded, err := a.server.Load(&lines{t: t, last: n}); err != nil || loaded.Documents != n {
			t.Errorf("%+v, %v", loaded, err)
		}
		want := must(t, a.server, "GET", items, "", append(slices.Clone(fullFidelity), "If-None-Match", fmt.Sprintf("%q", fmt.Sprint(n-10)))...)
		a.start(o)
		got := must(t, a.server, "GET", items, "", append(slices.Clone(fullFidelity), "If-None-Match", fmt.Sprintf("%q", fmt.Sprint(n-10)))...)
		if got != want || strings.Count(got, `"operationType":"create"`) != 10 {
			t.Errorf("the last versions after a restart: %s\nbefore: %s", got, want)
		}
		if n := a.records("unfinished"); n != 0 {
			t.Errorf("%d imports are unfinished", n)
		}
	}
}
