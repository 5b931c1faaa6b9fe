package account

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// serve serves an account with a container "c" in each of some databases.
func serve(t *testing.T, documents int, databases ...string) (*Account, *server.Server) {
	t.Helper()
	s, err := server.New(server.Options{Partitions: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, database := range databases {
		var b strings.Builder
		fmt.Fprintf(&b, `{"database":%q,"container":{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}`+"\n", database)
		for i := range documents {
			fmt.Fprintf(&b, `{"id":"%d","pk":"key %[1]d"}`+"\n", i)
		}
		if _, err := s.Load(strings.NewReader(b.String())); err != nil {
			t.Fatal(err)
		}
	}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	a, err := Open("AccountEndpoint=" + web.URL + "/;AccountKey=" + s.Key())
	if err != nil {
		t.Fatal(err)
	}
	return a, s
}

// read returns how often each id comes in a window.
func read(t *testing.T, a *Account, c *Container, w Window) map[string]int {
	t.Helper()
	found := map[string]int{}
	err := a.ReadAgain(t.Context(), c, w, func() { clear(found) }, func(documents []json.RawMessage) bool {
		for _, d := range documents {
			var doc struct{ ID string }
			if err := json.Unmarshal(d, &doc); err != nil {
				t.Error(err)
			}
			found[doc.ID]++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestReadAgain reads a container as a whole and by windows, and splits its physical
// partitions between them: every document comes once.
func TestReadAgain(t *testing.T) {
	a, s := serve(t, 500, "db")
	c, err := a.Find(t.Context(), "", "c")
	if err != nil {
		t.Fatal(err)
	}
	check := func(windows ...Window) {
		t.Helper()
		all := map[string]int{}
		for _, w := range windows {
			for id, n := range read(t, a, c, w) {
				all[id] += n
			}
		}
		for id, n := range all {
			if n != 1 || len(all) != 500 {
				t.Fatalf("document %s comes %d times, and there are %d", id, n, len(all))
			}
		}
	}
	check(All())
	check(Windows(7)...)
	if err := s.Split("db", "c", c.ranges[1].ID); err != nil {
		t.Fatal(err)
	}
	check(Windows(5)...)
	if len(c.ranges) != 4 || a.Spent() <= 0 {
		t.Errorf("%d ranges, %v RU", len(c.ranges), a.Spent())
	}
	s.Inject(server.Fault{Operation: server.OpQueryItems, Skip: 2, Status: 429, RetryAfter: time.Millisecond, Count: 3})
	check(All())
}

func TestWindows(t *testing.T) {
	for _, n := range []int{1, 2, 3, 512, 4096} {
		all := Windows(n)
		if all[0].Min != "" || all[n-1].Max != "FF" {
			t.Errorf("%d windows are from %s to %s", n, all[0].Min, all[n-1].Max)
		}
		for i := 1; i < n; i++ {
			if all[i].Min != all[i-1].Max || partition.CompareEPK(all[i].Min, all[i].Max) >= 0 {
				t.Errorf("window %d of %d is %v, after %v", i, n, all[i], all[i-1])
			}
		}
	}
}

func TestFind(t *testing.T) {
	a, _ := serve(t, 0, "a", "b é")
	if _, err := a.Find(t.Context(), "", "c"); err == nil || !strings.Contains(err.Error(), "several databases") {
		t.Error(err)
	}
	if _, err := a.Find(t.Context(), "", "none"); err == nil || !strings.Contains(err.Error(), "no database") {
		t.Error(err)
	}
	c, err := a.Find(t.Context(), "a", "c")
	if err != nil || c.PartitionKey.Kind != "Hash" || c.PartitionKey.Version != 2 || c.DefaultTTL != nil {
		t.Errorf("%+v, %v", c, err)
	}
	_, err = a.Container(t.Context(), "a", "none")
	var answer *StatusError
	if !errors.As(err, &answer) || answer.Status != http.StatusNotFound {
		t.Errorf("%v", err)
	}
}

func TestOpen(t *testing.T) {
	for _, connection := range []string{"", "AccountEndpoint=https://a/", "AccountEndpoint=https://a/;AccountKey=%", "AccountEndpoint=a;AccountKey=eA==", "AccountKey=eA=="} {
		if _, err := Open(connection); err == nil {
			t.Errorf("%q is taken", connection)
		}
	}
	if _, err := OpenToken("https://a/", ""); err == nil {
		t.Error("no token is taken")
	}
	_, s := serve(t, 1, "db")
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	a, err := OpenToken(web.URL, "token")
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Find(t.Context(), "db", "c")
	if err != nil {
		t.Fatal(err)
	}
	if found := read(t, a, c, All()); len(found) != 1 {
		t.Errorf("%v", found)
	}
	wrong, err := Open("AccountEndpoint=" + web.URL + ";AccountKey=eA==")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wrong.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), "check that it belongs to the account") {
		t.Error(err)
	}
}
