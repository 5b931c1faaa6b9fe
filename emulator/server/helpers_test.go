package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
)

// rig is a server and a way to send it requests without a network.
type rig struct {
	*Server
	t       testing.TB
	handler http.Handler // nil for the server itself
}

func newRig(t testing.TB, o Options) *rig {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{Server: s, t: t}
}

// answer is what came back.
type answer struct {
	*httptest.ResponseRecorder
	t testing.TB
}

// send signs and serves a request. Headers alternate names and values.
func (r *rig) send(method, path, body string, headers ...string) *answer {
	r.t.Helper()
	req := r.request(r.t.Context(), method, path, body, headers...)
	w := httptest.NewRecorder()
	if r.handler != nil {
		r.handler.ServeHTTP(w, req)
	} else {
		r.ServeHTTP(w, req)
	}
	return &answer{w, r.t}
}

// request makes a signed request.
func (r *rig) request(ctx context.Context, method, path, body string, headers ...string) *http.Request {
	req := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	date := time.Now().UTC().Format(http.TimeFormat)
	req.Header.Set("x-ms-date", date)
	target, _ := parsePath(req.URL.EscapedPath())
	req.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+r.sign(method, target.resourceType, target.link, date)))
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return req
}

// Header returns the headers under their canonical names. The server writes the names
// in lower case, as a client over HTTP would not notice.
func (a *answer) Header() http.Header {
	h := http.Header{}
	for name, values := range a.ResponseRecorder.Header() {
		h[http.CanonicalHeaderKey(name)] = values
	}
	return h
}

// status fails the test unless the answer has a status and a substatus.
func (a *answer) status(status int, substatus string) *answer {
	a.t.Helper()
	if got := a.Header().Get("x-ms-substatus"); a.Code != status || got != substatus {
		a.t.Fatalf("status %d/%s, want %d/%s: %s", a.Code, got, status, substatus, a.Body)
	}
	if a.Header().Get("x-ms-request-charge") == "" || a.Header().Get("x-ms-activity-id") == "" {
		a.t.Errorf("no request charge or activity id: %v", a.Header())
	}
	return a
}

// message returns the message of an error body.
func (a *answer) message() string {
	a.t.Helper()
	var body struct{ Code, Message string }
	if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil || body.Code == "" {
		a.t.Fatalf("the error body %q has no code: %v", a.Body, err)
	}
	return body.Message
}

// json returns the body as an object.
func (a *answer) json() map[string]any {
	a.t.Helper()
	var body map[string]any
	if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil {
		a.t.Fatalf("body %q: %v", a.Body, err)
	}
	return body
}

const hashDefinition = `"partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}`

// container makes the container dbs/db/colls/c and returns its resource id.
func (r *rig) container(properties string) string {
	r.t.Helper()
	if properties == "" {
		properties = hashDefinition
	}
	if a := r.send("POST", "/dbs", `{"id":"db"}`); a.Code != http.StatusCreated && a.Code != http.StatusConflict {
		a.status(http.StatusCreated, "")
	}
	a := r.send("POST", "/dbs/db/colls", `{"id":"c",`+properties+`}`).status(http.StatusCreated, "")
	return a.json()["_rid"].(string)
}

const (
	docs  = "/dbs/db/colls/c/docs"
	pkKey = header.PartitionKey
)

// create creates an item under the key.
func (r *rig) create(key, body string) {
	r.t.Helper()
	r.send("POST", docs, body, pkKey, key).status(http.StatusCreated, "")
}

// query runs one page of a query and returns its rows as JSON text.
func (r *rig) query(sql string, headers ...string) *answer {
	r.t.Helper()
	body, err := json.Marshal(map[string]any{"query": sql})
	if err != nil {
		r.t.Fatal(err)
	}
	return r.send("POST", docs, string(body), append([]string{"x-ms-documentdb-query", "True"}, headers...)...)
}

// rows returns the documents of a page, each as JSON.
func (a *answer) rows() []string {
	a.t.Helper()
	var body struct {
		Documents []json.RawMessage
		Count     int `json:"_count"`
	}
	if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil {
		a.t.Fatalf("body %q: %v", a.Body, err)
	}
	if body.Count != len(body.Documents) {
		a.t.Errorf("_count is %d, but there are %d documents", body.Count, len(body.Documents))
	}
	list := []string{}
	for _, d := range body.Documents {
		list = append(list, string(d))
	}
	return list
}
