package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// idle are goroutines of connections that are kept for the next request, and azcosmos's refresh
// of the partition key ranges, which outlives the call that started it.
var idle = []goleak.Option{
	goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),
	goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
	goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"),
	goleak.IgnoreAnyFunction("github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos.(*partitionKeyRangeCache).runRefresh"),
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, idle...) }

// A client is a program that uses the service for one tenant.
type client struct {
	t            *testing.T
	url          string
	tenant, user string
}

// serve runs the service on an emulator of five physical partitions.
func serve(t *testing.T) (client, *shop, *emulator.Server) {
	t.Helper()
	account := emulator.New(t, emulator.Options{Partitions: 5})
	c, s := serveOn(t, account, observer{})
	return c, s, account
}

// serveOn runs the service on an emulator that may have data.
func serveOn(t *testing.T, account *emulator.Server, told observer) (client, *shop) {
	t.Helper()
	s, err := open(t.Context(), account.ConnectionString(), []byte("a key of cursors for tests"), told)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.handler())
	t.Cleanup(server.Close)
	return client{t, server.URL, "contoso", "ada"}, s
}

// answered is an answer of the service.
type answered struct {
	status int
	etag   string
	text   string
}

// do sends a request, with a value as JSON, or a text as it is, in its body.
func (c client) do(method, path, etag string, body any) answered {
	c.t.Helper()
	var reader io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		reader = bytes.NewReader([]byte(body))
	default:
		text, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, reader)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("X-Tenant", c.tenant)
	r.Header.Set("X-User", c.user)
	if etag != "" {
		r.Header.Set("If-Match", etag)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answered{response.StatusCode, response.Header.Get("ETag"), string(text)}
}

// must sends a request that has to succeed, and decodes its answer into value.
func (c client) must(method, path, etag string, body, value any) answered {
	c.t.Helper()
	a := c.do(method, path, etag, body)
	if a.status/100 != 2 {
		c.t.Fatalf("%s %s: %d %s", method, path, a.status, a.text)
	}
	if value != nil {
		if err := json.Unmarshal([]byte(a.text), value); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, a.text)
		}
	}
	return a
}

// refused sends a request that has to be refused with a status and a text.
func (c client) refused(method, path, etag string, body any, status int, text string) {
	c.t.Helper()
	if a := c.do(method, path, etag, body); a.status != status || a.text != text+"\n" {
		c.t.Errorf("%s %s: got %d %q, want %d %q", method, path, a.status, a.text, status, text)
	}
}

func decode(text string, value any) error { return json.Unmarshal([]byte(text), value) }
