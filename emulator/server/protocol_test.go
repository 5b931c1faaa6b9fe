package server

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestHeadersAreInLowerCaseOnTheWire reads the bytes of an answer: a client of net/http
// would not see the case.
func TestHeadersAreInLowerCaseOnTheWire(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	a := r.send("GET", docs, "", "x-ms-max-item-count", "1")
	for name := range a.ResponseRecorder.Header() {
		if strings.HasPrefix(strings.ToLower(name), "x-ms-") && name != strings.ToLower(name) {
			t.Errorf("the header %s is not in lower case", name)
		}
	}
	if a.Header().Get("x-ms-continuation") == "" {
		t.Error("no continuation")
	}
}

func TestResourceIDsInLinks(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a","n":1}`)
	doc := r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(200, "").json()
	self := strings.TrimSuffix("/"+doc["_self"].(string), "/")
	container, _, _ := strings.Cut(self, "/docs/")
	database, _, _ := strings.Cut(container, "/colls/")
	for path, want := range map[string]string{database: "db", container: "c", self: "1"} {
		if got := r.send("GET", path, "", pkKey, `["a"]`).status(200, "").json(); got["id"] != want {
			t.Errorf("%s is %v, want %s", path, got["id"], want)
		}
	}
	r.send("PUT", self, `{"id":"1","pk":"a","n":2}`, pkKey, `["a"]`).status(200, "")
	r.send("PATCH", self, `[{"op":"incr","path":"/n","value":1}]`, pkKey, `["a"]`).status(200, "")
	if rows := r.send("GET", container+"/docs", "").status(200, "").rows(); len(rows) != 1 || !strings.Contains(rows[0], `"n":3`) {
		t.Errorf("documents %v", rows)
	}
	r.send("GET", self, "", pkKey, `["b"]`).status(404, "")
	r.send("DELETE", self, "", pkKey, `["a"]`).status(204, "")
	r.send("GET", self, "", pkKey, `["a"]`).status(404, "")
	r.send("DELETE", container, "").status(204, "")
	r.send("DELETE", database, "").status(204, "")
}

// TestSignatureOfAResourceID checks that a client may sign the resource id alone, in
// lower case, which Microsoft's page "Access control on Cosmos DB resources" tells.
func TestSignatureOfAResourceID(t *testing.T) {
	r := newRig(t, Options{})
	rid := r.container("")
	date := time.Now().UTC().Format(http.TimeFormat)
	for link, want := range map[string]int{strings.ToLower(rid): 200, rid + "x": 401} {
		req := httptest.NewRequest("GET", "/dbs/"+rid[:6]+"==/colls/"+url.PathEscape(rid), nil)
		req.Header.Set("x-ms-date", date)
		req.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+r.sign("GET", "colls", link, date)))
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		if w.Code != want && (want == 401 || w.Code == 401) {
			t.Errorf("signed as %s: %d, want %d", link, w.Code, want)
		}
	}
}

func TestHeadAndOptions(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	for _, path := range []string{"/", "/dbs/db", "/dbs/db/colls/c", docs + "/1"} {
		a := r.send("HEAD", path, "", pkKey, `["a"]`).status(200, "")
		if a.Body.Len() > 0 || a.Header().Get("Content-Length") == "0" {
			t.Errorf("HEAD %s has a body of %d bytes", path, a.Body.Len())
		}
	}
	r.send("HEAD", docs+"/9", "", pkKey, `["a"]`)
	server := httptest.NewServer(r)
	defer server.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, server.URL+docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || len(body) > 0 || res.StatusCode != 204 || !strings.Contains(res.Header.Get("Allow"), "PATCH") || res.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("OPTIONS: %d %v %q %v", res.StatusCode, res.Header, body, err)
	}
}

// TestWhatIsMissingIsNamed sends requests with signatures of no use: clients sign the
// kinds of resources that this server does not know, too.
func TestWhatIsMissingIsNamed(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for path, want := range map[string]string{
		"/dbs/db/colls/c/sprocs":             "stored procedures",
		"/dbs/db/colls/c/sprocs/x":           "stored procedures",
		"/dbs/db/colls/c/triggers":           "triggers",
		"/dbs/db/colls/c/udfs/x":             "user-defined functions",
		"/dbs/db/users":                      "users",
		"/dbs/db/users/u/permissions":        "permissions",
		"/dbs/db/colls/c/conflicts":          "conflicts",
		"/dbs/db/colls/c/docs/1/attachments": "attachments",
		"/dbs/db/clientencryptionkeys":       "client encryption keys",
	} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			req := httptest.NewRequest(method, path, strings.NewReader("{}"))
			req.Header.Set("Authorization", "type%3Dmaster%26ver%3D1.0%26sig%3Dx")
			w := httptest.NewRecorder()
			r.ServeHTTP(w, req)
			a := &answer{w, t}
			if a.Code != 400 || !strings.Contains(a.message(), "does not support "+want) {
				t.Errorf("%s %s: %d %q", method, path, a.Code, a.message())
			}
		}
	}
	req := httptest.NewRequest("GET", "/dbs/db/users", nil)
	w := httptest.NewRecorder()
	if r.ServeHTTP(w, req); w.Code != 401 {
		t.Errorf("without authorization: %d", w.Code)
	}
	a := r.send("POST", docs, `{"id":"1","pk":"a"}`, pkKey, `["a"]`, "x-ms-documentdb-post-trigger-include", "t")
	if want := "triggers: the header x-ms-documentdb-post-trigger-include"; a.Code != 400 || !strings.Contains(a.message(), want) {
		t.Errorf("a trigger: %d %q", a.Code, a.message())
	}
}

func TestConsistencyLevels(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	const level = "x-ms-consistency-level"
	for _, valid := range []string{"Strong", "BoundedStaleness", "Session", "ConsistentPrefix", "Eventual", "eventual"} {
		r.send("GET", docs+"/1", "", pkKey, `["a"]`, level, valid).status(200, "")
	}
	for _, path := range []string{docs + "/1", docs, "/dbs/db/colls/c"} {
		a := r.send("GET", path, "", pkKey, `["a"]`, level, "Nope").status(400, "")
		if !strings.Contains(a.message(), "'Nope'") || !strings.Contains(a.message(), level) {
			t.Errorf("%s: %q", path, a.message())
		}
	}
	if a := r.query("SELECT * FROM c", pkKey, `["a"]`, level, "Nope"); a.Code != 400 {
		t.Errorf("a query: %d", a.Code)
	}
}

func TestErrorsNameTheKindOfResource(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	tests := []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", docs + "/9", "", 404, "ResourceType: Document, OperationType: Read"},
		{"DELETE", docs + "/9", "", 404, "ResourceType: Document, OperationType: Delete"},
		{"POST", docs, `{"id":"1","pk":"a"}`, 409, "ResourceType: Document, OperationType: Create"},
		{"GET", "/dbs/db/colls/x", "", 404, "ResourceType: Collection, OperationType: Read"},
		{"POST", "/dbs/db/colls", `{"id":"c",` + hashDefinition + `}`, 409, "ResourceType: Collection, OperationType: Create"},
		{"GET", "/dbs/x", "", 404, "ResourceType: Database, OperationType: Read"},
		{"POST", "/dbs", `{"id":"db"}`, 409, "ResourceType: Database, OperationType: Create"},
		{"GET", "/dbs/db/colls/x/docs/1", "", 404, "ResourceType: Collection, OperationType: Read"},
		{"GET", "/dbs/db/colls/x/pkranges", "", 404, "ResourceType: Collection, OperationType: Read"},
		{"GET", "/dbs/x/colls", "", 404, "ResourceType: Database, OperationType: Read"},
	}
	for _, test := range tests {
		a := r.send(test.method, test.path, test.body, pkKey, `["a"]`)
		if a.Code != test.status || !strings.HasSuffix(a.message(), test.want) {
			t.Errorf("%s %s: %d %q, want %q", test.method, test.path, a.Code, a.message(), test.want)
		}
	}
}

func TestOfferMigration(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition)
	r.send("POST", "/dbs/db/colls", `{"id":"m",`+hashDefinition+`}`, "x-ms-offer-throughput", "1500").status(201, "")
	offers := r.send("GET", "/offers", "").status(200, "").json()["Offers"].([]any)
	offer := offers[len(offers)-1].(map[string]any)
	minimum := offer["content"].(map[string]any)["offerMinimumThroughputParameters"].(map[string]any)
	if minimum["maxThroughputEverProvisioned"] != 1500.0 {
		t.Errorf("minimum %v", minimum)
	}
	path := fmt.Sprintf("/offers/%s", offer["id"])
	const toAutoscale, toManual = "x-ms-cosmos-migrate-offer-to-autopilot", "x-ms-cosmos-migrate-offer-to-manual-throughput"
	content := func(header, body string) map[string]any {
		return r.send("PUT", path, body, header, "true").status(200, "").json()["content"].(map[string]any)
	}
	const manual, autoscale = `{"content":{"offerThroughput":-1}}`, `{"content":{"offerAutopilotSettings":{"maxThroughput":-1}}}`
	r.send("PUT", path, autoscale, toAutoscale, "true").status(400, "")
	r.send("PUT", path, autoscale, toManual, "true").status(400, "")
	if got := content(toAutoscale, manual)["offerAutopilotSettings"].(map[string]any)["maxThroughput"]; got != 2000.0 {
		t.Errorf("autoscale of at most %v RU/s, want 2000", got)
	}
	r.send("PUT", path, `{}`, toAutoscale, "true").status(400, "")
	r.send("PUT", path, manual, toAutoscale, "true").status(400, "")
	r.send("PUT", path, manual, toManual, "true").status(400, "")
	if got := content(toManual, autoscale); got["offerThroughput"] != 2000.0 || got["offerAutopilotSettings"] != nil {
		t.Errorf("manual: %v", got)
	}
	r.send("PUT", "/offers/none", autoscale, toManual, "true").status(404, "")
}
