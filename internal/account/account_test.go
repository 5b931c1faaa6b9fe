package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// serve serves an account with a container "c" in each of some databases.
func serve(t *testing.T, documents int, databases ...string) (*Account, *server.Server) {
	t.Helper()
	s := harness.Bare(t, server.Options{Partitions: 3})
	all := make([]string, documents)
	for i := range all {
		all[i] = fmt.Sprintf(`{"id":"%d","pk":"key %[1]d"}`, i)
	}
	for _, database := range databases {
		harness.Load(t, s, database, `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, all...)
	}
	a, err := Open(harness.Listen(t, s, nil))
	if err != nil {
		t.Fatal(err)
	}
	return a, s
}

// found counts documents by id.
type found map[string]int

// take counts the documents of a page.
func (f found) take(documents []json.RawMessage) {
	for _, d := range documents {
		var doc struct{ ID string }
		_ = json.Unmarshal(d, &doc)
		f[doc.ID]++
	}
}

// once expects so many documents, each once.
func (f found) once(t *testing.T, documents int) {
	t.Helper()
	for id, n := range f {
		if n != 1 {
			t.Errorf("document %s comes %d times", id, n)
		}
	}
	if len(f) != documents {
		t.Errorf("there are %d documents, want %d", len(f), documents)
	}
}

// whole samples everything.
func whole() Sampling { return Sampling{Share: 1, Rand: rand.New(rand.NewPCG(1, 2))} }

// sample reads a container "c".
func sample(t *testing.T, a *Account, s Sampling) (*Sample, found) {
	t.Helper()
	c, err := a.Find(t.Context(), "", "c")
	if err != nil {
		t.Fatal(err)
	}
	f := found{}
	got, err := a.Sample(t.Context(), c, s, f.take)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(got.Charge); len(text) > strings.Index(text+".", ".")+3 {
		t.Errorf("%s RU: the service charges hundredths", text)
	}
	return got, f
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
	t.Setenv("PATH", "")
	for _, connection := range []string{"", "AccountEndpoint=https://a/", "AccountEndpoint=https://a/;AccountKey=%", "AccountEndpoint=a;AccountKey=eA==", "AccountKey=eA=="} {
		if _, err := Open(connection); err == nil {
			t.Errorf("%q is taken", connection)
		}
	}
	if _, err := OpenToken("https://a/", "", nil); err == nil {
		t.Error("no token is taken")
	}
	_, s := serve(t, 1, "db")
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	a, err := OpenToken(web.URL, "token", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, f := sample(t, a, whole())
	f.once(t, 1)
	wrong, err := Open("AccountEndpoint=" + web.URL + ";AccountKey=eA==")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wrong.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), "check that it belongs to the account") {
		t.Error(err)
	}
}

// TestStalled asks a service that takes requests and answers none.
func TestStalled(t *testing.T) {
	var requests atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		<-r.Context().Done()
	}))
	t.Cleanup(web.Close)
	a, err := Open("AccountEndpoint=" + web.URL + "/;AccountKey=eA==")
	if err != nil {
		t.Fatal(err)
	}
	if a.client.Timeout != patient {
		t.Fatalf("a request may take %s", a.client.Timeout)
	}
	a.client.Timeout = 5 * time.Millisecond
	a.pace.sleep = func(context.Context, time.Duration) error { return nil }
	var late net.Error
	if _, err := a.Databases(t.Context()); !errors.As(err, &late) || !late.Timeout() || requests.Load() > attempts {
		t.Errorf("%d requests: %v", requests.Load(), err)
	}
}

// TestUntrusted asks a service whose certificate nobody has signed: once, since another
// request would not help.
func TestUntrusted(t *testing.T) {
	web := httptest.NewUnstartedServer(http.NotFoundHandler())
	web.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes
	web.StartTLS()
	t.Cleanup(web.Close)
	a, err := Open("AccountEndpoint=" + web.URL + "/;AccountKey=eA==")
	if err != nil {
		t.Fatal(err)
	}
	a.pace.sleep = func(context.Context, time.Duration) error {
		t.Error("waits")
		return nil
	}
	if _, err := a.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), "set SSL_CERT_FILE to the file of its certificate") {
		t.Error(err)
	}
}
