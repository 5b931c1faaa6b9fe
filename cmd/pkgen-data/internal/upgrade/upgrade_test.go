package upgrade

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/system"
)

const container = `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`

// isWrite says which requests of a link count.
func isWrite(q *http.Request) bool { return q.Method == http.MethodPut }

func serve(t *testing.T, head string, documents ...string) *server.Server {
	t.Helper()
	s := harness.Bare(t, server.Options{Partitions: 3, Lenient: true})
	harness.Load(t, s, harness.Database, head, documents...)
	return s
}

// through returns options for the container through a link.
func through(t *testing.T, s *server.Server, l *harness.Link, e lock.Entry, others ...string) Options {
	t.Helper()
	a, err := account.Open("AccountEndpoint=http://cosmos/;AccountKey=" + s.Key())
	l.Account, l.Counts = s, isWrite
	if err != nil {
		t.Fatal(err)
	}
	a.Through(l)
	c, err := a.Container(t.Context(), "db", "c")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Account: a, Container: c, Entry: e, Others: others, Workers: 2}
}

// stored returns a document without the properties of the service.
func stored(t *testing.T, s *server.Server, id, key string) string {
	t.Helper()
	o := through(t, s, &harness.Link{}, lock.Entry{})
	raw, _, err := o.Account.ReadItem(t.Context(), o.Container, id, key)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range system.Properties {
		delete(all, name)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRenamed renames the properties of documents.
func TestRenamed(t *testing.T) {
	t.Parallel()
	aliases := lock.Entry{Aliases: "fullName+display=name,years=age"}.AliasedProperties()
	now := time.Unix(1000, 0)
	thousand, none := 1000, -1
	for _, row := range []struct {
		ttl       *int
		raw, want string
	}{
		{nil, `{"id":"1","name":"n"}`, ``},
		{nil, `{"id":"1","fullName":"n","_ts":900,"_etag":"e","_rid":"r","_self":"s","_attachments":"a"}`, `{"id":"1","name":"n"}`},
		{nil, `{"id":"1","fullName":null,"display":"d"}`, `{"id":"1","name":null}`},
		{nil, `{"id":"1","display":"d","years":1e2,"x":"<&>"}`, `{"age":1e2,"id":"1","name":"d","x":"<&>"}`},
		{nil, `{"id":"1","display":"d","name":"n","ttl":50,"_ts":1}`, `{"id":"1","name":"n","ttl":50}`},
		{nil, `{"id":"1","within":{"fullName":"n"}}`, ``},
		{&none, `{"id":"1","years":1,"ttl":500,"_ts":900}`, `{"age":1,"id":"1","ttl":400}`},
		{&none, `{"id":"1","years":1,"_ts":900}`, `{"age":1,"id":"1"}`},
		{&thousand, `{"id":"1","years":1,"_ts":900}`, `{"age":1,"id":"1","ttl":900}`},
		{&thousand, `{"id":"1","years":1,"ttl":50,"_ts":900}`, `{"age":1,"id":"1","ttl":1}`},
		{&thousand, `{"id":"1","years":1,"ttl":-1,"_ts":900}`, `{"age":1,"id":"1","ttl":-1}`},
		// Marked as deleted, 100 seconds ago.
		{&none, `{"id":"1","years":1,"gone":"2026-01-02T03:04:05.0000000Z","ttl":500,"_ts":900}`, `{"age":1,"gone":"2026-01-02T03:04:05.0000000Z","id":"1","ttl":400}`},
	} {
		got, changed, err := renamed(json.RawMessage(row.raw), aliases, system.ExpiryOf(row.ttl), now)
		if err != nil || string(got) != row.want || changed != (row.want != "") {
			t.Errorf("%s: got %s, %v, %v", row.raw, got, changed, err)
		}
	}
}

// TestRun counts and rewrites documents of types that share a container.
func TestRun(t *testing.T) {
	t.Parallel()
	s := serve(t, container,
		`{"id":"1","pk":"a","fullName":"1","v":2}`,   // of the present form
		`{"id":"2","pk":"b","fullName":"2","v":1}`,   // Upgrade may look for the name
		`{"id":"3","pk":"c","fullName":"3"}`,         // as well
		`{"id":"4","pk":"a","v":2,"name":"4"}`,       //
		`{"id":"5","pk":"b","v":3,"fullName":"5"}`,   // newer
		`{"id":"6","pk":"c","v":"2","fullName":"6"}`, // odd
		`{"id":"7","pk":"a","v":2,"fullName":"7","_move":{"state":"moved","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}`,   // moves to another container
		`{"id":"10","pk":"a","v":2,"fullName":"10","_move":{"state":"final","token":"ABCDEFGHIJKL","at":9}}`,        // has moved to the key of more buckets
		`{"id":"11","pk":"a","v":2,"fullName":"11","_move":{"state":"copy","token":"ABCDEFGHIJKL","from":"e"}}`,     // moves there
		`{"id":"12","pk":"a","v":2,"fullName":"12","_move":{"state":"removed","token":"ABCDEFGHIJKL"}}`,             // was deleted
		`{"id":"13","pk":"a","v":1,"fullName":"13","_move":{"state":"draft","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}`, // is being created
		`{"id":"8","pk":"a","v":null}`,
		`{"id":"9","pk":"a","v":-1}`,
		`{"id":"1","pk":"d","fullName":"1","v":1,"type":"other"}`,
	)
	e := lock.Entry{Type: "Person", Schema: "2,v", Aliases: "fullName=name"}
	want := Report{Container: "c", Type: "Person", Form: 2, Older: []Form{{1, 3}}, Newer: 1, Odd: 2, Aliases: 4, Refusals: []Refusal{}}
	for _, dry := range []bool{true, false} {
		o := through(t, s, &harness.Link{}, e, "other")
		if o.DryRun = dry; !dry {
			want.Rewritten, want.Refused = 2, 2
			want.Refusals = []Refusal{{"11", onItsWay}, {"7", onItsWay}}
		}
		got, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(got.Refusals, func(a, b Refusal) int { return strings.Compare(a.ID, b.ID) })
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("dry run %v (-want +got):\n%s", dry, diff)
		}
	}
	for at, want := range map[[2]string]string{
		{"1", `["a"]`}:  `{"id":"1","name":"1","pk":"a","v":2}`,
		{"2", `["b"]`}:  `{"fullName":"2","id":"2","pk":"b","v":1}`,
		{"5", `["b"]`}:  `{"fullName":"5","id":"5","pk":"b","v":3}`,
		{"7", `["a"]`}:  `{"_move":{"state":"moved","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"},"fullName":"7","id":"7","pk":"a","v":2}`,
		{"10", `["a"]`}: `{"_move":{"state":"final","token":"ABCDEFGHIJKL","at":9},"id":"10","name":"10","pk":"a","v":2}`,
		{"1", `["d"]`}:  `{"fullName":"1","id":"1","pk":"d","type":"other","v":1}`,
	} {
		if got := stored(t, s, at[0], at[1]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	got, err := Run(t.Context(), through(t, s, &harness.Link{}, lock.Entry{Type: "Other", Discriminator: "other", Schema: "1,v", Aliases: "fullName=name"}))
	if err != nil || got.Aliases != 1 || got.Rewritten != 1 || got.Left() != 0 || got.Newer != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestFirstForm rewrites documents of a type whose form is the first: not those of a newer
// release, which may use an alias for something else.
func TestFirstForm(t *testing.T) {
	t.Parallel()
	newer := `{"fullName":{"first":"4"},"id":"4","name":"4","pk":"a","v":2}`
	s := serve(t, container,
		`{"id":"1","pk":"a","fullName":"1"}`, `{"id":"2","pk":"a","fullName":"2","v":null}`, `{"id":"3","pk":"a","fullName":"3","v":1}`,
		newer, `{"id":"7","pk":"a","fullName":"7","_pending":{"token":"t"}}`, `{"id":"5","pk":"a","fullName":"5","v":"1"}`, `{"id":"6","pk":"a","name":"6"}`)
	e := lock.Entry{Type: "Person", Schema: "1,v", Aliases: "fullName=name"}
	got, err := Run(t.Context(), through(t, s, &harness.Link{}, e))
	want := &Report{Container: "c", Type: "Person", Form: 1, Older: []Form{}, Newer: 1, Odd: 1, Aliases: 3, Rewritten: 3, Refusals: []Refusal{}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got := stored(t, s, "4", `["a"]`); got != newer {
		t.Errorf("got %s, want %s", got, newer)
	}
	// Its creator reveals it on the condition that it is unchanged.
	if got, want := stored(t, s, "7", `["a"]`), `{"_pending":{"token":"t"},"fullName":"7","id":"7","pk":"a"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMarked rewrites documents that are marked as deleted, since they may be restored after
// the aliases have left the type. They stay marked.
func TestMarked(t *testing.T) {
	t.Parallel()
	s := serve(t, container,
		`{"id":"1","pk":"a","fullName":"1","v":2,"gone":"2026-01-02T03:04:05.0000000Z","ttl":500}`,
		`{"id":"2","pk":"b","fullName":"2","v":1,"gone":"2026-01-02T03:04:05.0000000Z","ttl":500}`, // of an earlier form
	)
	e := lock.Entry{Type: "Person", Schema: "2,v", Aliases: "fullName=name", Deleted: "gone"}
	got, err := Run(t.Context(), through(t, s, &harness.Link{}, e))
	if err != nil || got.Aliases != 1 || got.Rewritten != 1 || got.Left() != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	for at, want := range map[[2]string]string{
		{"1", `["a"]`}: `{"gone":"2026-01-02T03:04:05.0000000Z","id":"1","name":"1","pk":"a","ttl":500,"v":2}`,
		{"2", `["b"]`}: `{"fullName":"2","gone":"2026-01-02T03:04:05.0000000Z","id":"2","pk":"b","ttl":500,"v":1}`,
	} {
		if got := stored(t, s, at[0], at[1]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// people returns n documents with an alias, and the connection to them.
func people(t *testing.T, n int) *server.Server {
	t.Helper()
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"id":"%d","pk":"p%d","fullName":"n%d"}`, i, i%4, i))
	}
	return serve(t, container, all...)
}

var person = lock.Entry{Type: "Person", Aliases: "fullName=name"}

// TestInterrupted ends the connection at each write, before or after it is served, and runs
// again.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	const n = 6
	for at := 1; at <= n; at++ {
		for _, after := range []bool{false, true} {
			s := people(t, n)
			ctx, cancel := context.WithCancel(t.Context())
			if _, err := Run(ctx, through(t, s, &harness.Link{Cancel: cancel, At: at, After: after}, person)); err == nil {
				t.Errorf("write %d, %v: no error", at, after)
			}
			cancel()
			got, err := Run(t.Context(), through(t, s, &harness.Link{}, person))
			if err != nil || got.Left() != 0 || got.Aliases > int64(n-at+1) {
				t.Errorf("write %d, %v: %+v, %v", at, after, got, err)
			}
			for i := range n {
				if got, want := stored(t, s, fmt.Sprint(i), fmt.Sprintf(`["p%d"]`, i%4)), fmt.Sprintf(`{"id":"%d","name":"n%d","pk":"p%d"}`, i, i, i%4); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		}
	}
}

// TestOthersWrite has others change, rename and delete documents just before they are
// rewritten.
func TestOthersWrite(t *testing.T) {
	t.Parallel()
	s := people(t, 4)
	own := through(t, s, &harness.Link{}, person)
	change := map[int]func(){
		1: func() {
			_, err := own.Account.UpsertItem(t.Context(), own.Container, `["p0"]`, json.RawMessage(`{"id":"0","pk":"p0","fullName":"later"}`))
			if err != nil {
				t.Error(err)
			}
		},
		3: func() {
			_, err := own.Account.UpsertItem(t.Context(), own.Container, `["p1"]`, json.RawMessage(`{"id":"1","pk":"p1","name":"renamed"}`))
			if err != nil {
				t.Error(err)
			}
		},
	}
	var once sync.Mutex
	l := &harness.Link{Each: func(int, *http.Request) {
		once.Lock()
		defer once.Unlock()
		for n, f := range change { // both before the first write
			delete(change, n)
			f()
			_ = own.Account.DeleteItem(t.Context(), own.Container, "2", `["p2"]`, "")
		}
	}}
	o := through(t, s, l, person)
	o.Workers = 1
	got, err := Run(t.Context(), o)
	if err != nil || got.Left() != 0 || got.Refused != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	for id, want := range map[string]string{"0": `{"id":"0","name":"later","pk":"p0"}`, "1": `{"id":"1","name":"renamed","pk":"p1"}`, "3": `{"id":"3","name":"n3","pk":"p3"}`} {
		if got := stored(t, s, id, `["p`+id+`"]`); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if _, _, err := own.Account.ReadItem(t.Context(), own.Container, "2", `["p2"]`); !account.Is(err, http.StatusNotFound) {
		t.Errorf("got %v", err)
	}
}

// TestOtherTypes has somebody store a document of another type, or of a newer form, under the
// id of one that is about to be rewritten.
func TestOtherTypes(t *testing.T) {
	t.Parallel()
	first := lock.Entry{Type: "Person", Schema: "1,v", Aliases: "fullName=name"}
	named := lock.Entry{Type: "Person", Discriminator: "person", Aliases: "fullName=name"}
	for _, row := range []struct {
		e                lock.Entry
		before, meantime string
	}{
		{person, `{"fullName":"0","id":"0","pk":"a"}`, `{"fullName":"0","id":"0","pk":"a","type":"other"}`},
		{named, `{"fullName":"0","id":"0","pk":"a","type":"person"}`, `{"fullName":"0","id":"0","pk":"a"}`},
		{first, `{"fullName":"0","id":"0","pk":"a"}`, `{"fullName":"0","id":"0","pk":"a","v":2}`},
	} {
		s := serve(t, container, row.before)
		own := through(t, s, &harness.Link{}, row.e)
		var once sync.Once
		o := through(t, s, &harness.Link{Each: func(int, *http.Request) {
			once.Do(func() {
				if _, err := own.Account.UpsertItem(t.Context(), own.Container, `["a"]`, json.RawMessage(row.meantime)); err != nil {
					t.Error(err)
				}
			})
		}}, row.e, "other")
		got, err := Run(t.Context(), o)
		if err != nil || got.Rewritten != 0 || got.Refused != 1 {
			t.Errorf("%s: got %+v, %v", row.meantime, got, err)
		}
		if got := stored(t, s, "0", `["a"]`); got != row.meantime {
			t.Errorf("got %s, want %s", got, row.meantime)
		}
	}
}
