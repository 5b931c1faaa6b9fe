package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// page is a rig with the explorer's page, and the token in it.
type page struct {
	*rig
	token string
}

// request serves a request as a browser on this machine sends it.
func (p *page) request(method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:8081"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:50000"
	if p.token != "" {
		r.Header.Set("X-Explorer-Token", p.token)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

// api sends a request that must succeed and decodes its answer.
func api[T any](p *page, method, path, body string) T {
	p.t.Helper()
	w := p.request(method, "/_explorer/api/"+path, body, nil)
	var v T
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code >= 300 {
		p.t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return v
}

func newPage(t *testing.T, o Options) *page {
	o.Explorer = true
	p := &page{rig: newRig(t, o)}
	w := p.request("GET", "/_explorer/", "", nil)
	token := regexp.MustCompile(`name="explorer-token" content="([^"]{40,})"`).FindStringSubmatch(w.Body.String())
	if w.Code != http.StatusOK || token == nil {
		t.Fatalf("the page: %d %s", w.Code, w.Body)
	}
	p.token = token[1]
	return p
}

func with(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// TestExplorerIsGuarded sends what other machines and other sites can send.
func TestExplorerIsGuarded(t *testing.T) {
	p := newPage(t, Options{})
	overTLS := func(origin string) func(*http.Request) {
		return func(r *http.Request) { r.TLS = &tls.ConnectionState{}; r.Header.Set("Origin", origin) }
	}
	for _, test := range []struct {
		name   string
		path   string
		change func(*http.Request)
		want   int
	}{
		{"the page's own request", "api/account", with("Origin", "http://localhost:8081"), 200},
		{"the page's own request over TLS", "api/account", overTLS("https://localhost:8081"), 200},
		{"by its IPv6 address", "api/account", func(r *http.Request) { r.Host, r.RemoteAddr = "[::1]:8081", "[::1]:9" }, 200},
		{"by its IPv4 address", "api/account", func(r *http.Request) { r.Host = "127.0.0.1" }, 200},
		{"without a token", "api/account", with("X-Explorer-Token", ""), 401},
		{"with a wrong token", "api/account", with("X-Explorer-Token", p.token[1:]+"x"), 401},
		{"the protocol without a token", "api/rest/dbs", with("X-Explorer-Token", ""), 401},
		{"the journal without a token", "api/journal", with("X-Explorer-Token", ""), 401},
		{"an export without a token", "api/export", with("X-Explorer-Token", ""), 401},
		{"another machine", "api/account", func(r *http.Request) { r.RemoteAddr = "192.0.2.1:80" }, 403},
		{"another machine asks for the page", "", func(r *http.Request) { r.RemoteAddr = "[2001:db8::1]:80" }, 403},
		{"a name that somebody gave to 127.0.0.1", "api/account", func(r *http.Request) { r.Host = "evil.example:8081" }, 403},
		{"such a name for the page", "", func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"a name that begins like ours", "", func(r *http.Request) { r.Host = "localhost.evil.example" }, 403},
		{"another site", "api/account", with("Origin", "https://evil.example"), 403},
		{"another port", "api/account", with("Origin", "http://localhost:3000"), 403},
		{"another scheme", "api/account", overTLS("http://localhost:8081"), 403},
		{"a sandboxed frame", "api/account", with("Origin", "null"), 403},
		{"a script of another site", "page/app.js", with("Sec-Fetch-Site", "cross-site"), 403},
		{"a site on another port", "api/account", with("Sec-Fetch-Site", "same-site"), 403},
		{"a link on another site", "", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 200},
		{"a frame on another site", "", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, 403},
		{"the template of the page", "page/index.html", nil, 404},
	} {
		w := p.request("GET", "/_explorer/"+test.path, "", test.change)
		if w.Code != test.want {
			t.Errorf("%s: status %d, want %d: %s", test.name, w.Code, test.want, w.Body)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: the content security policy is %q", test.name, csp)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: another site may read the answer", test.name)
		}
	}
}

// TestExplorerWithoutItsSlash types the address as people remember it.
func TestExplorerWithoutItsSlash(t *testing.T) {
	p := newPage(t, Options{})
	w := p.request("GET", "/_explorer", "", nil)
	if w.Code != http.StatusTemporaryRedirect || w.Header().Get("Location") != "/_explorer/" {
		t.Errorf("status %d, location %q", w.Code, w.Header().Get("Location"))
	}
	if w := p.request("GET", "/_explorer", "", func(r *http.Request) { r.Host = "evil.example" }); w.Code != http.StatusForbidden {
		t.Errorf("under another name: status %d", w.Code)
	}
	p.send("GET", "/_explorers", "").status(http.StatusBadRequest, "")
}

func TestExplorerIsOff(t *testing.T) {
	r := newRig(t, Options{})
	r.send("GET", "/_explorer/", "").status(http.StatusBadRequest, "")
	r.StopExplorer()
}

func TestExplorerAccount(t *testing.T) {
	p := newPage(t, Options{Partitions: 3})
	p.container("")
	for _, id := range []string{"1", "2", "3"} {
		p.create(`["a"]`, `{"id":"`+id+`","pk":"a"}`)
	}
	p.create(`["b"]`, `{"id":"1","pk":"b"}`)
	account := api[struct {
		Databases []struct {
			ID         string
			Containers []struct {
				ID                    string
				Key                   struct{ Paths []string }
				Offer                 struct{ Manual, Least int }
				Partitions, Documents int
			}
		}
	}](p, "GET", "account", "")
	c := account.Databases[0].Containers[0]
	if account.Databases[0].ID != "db" || c.ID != "c" || c.Key.Paths[0] != "/pk" || c.Offer.Manual != 400 || c.Partitions != 3 || c.Documents != 4 {
		t.Errorf("account %+v", account)
	}
	keys := api[struct {
		All  int
		Keys []struct {
			Key       string
			Documents int
		}
	}](p, "GET", "keys?db=db&c=c&text=a", "")
	if keys.All != 1 || keys.Keys[0].Key != `["a"]` || keys.Keys[0].Documents != 3 {
		t.Errorf("keys %+v", keys)
	}
	type container struct {
		Partitions []struct {
			ID                        string
			Documents, Logical, Bytes int
			Width                     float64
			Seconds                   []struct{ Charge float64 }
		}
		Hottest []struct {
			Key    string
			Charge float64
		}
		MinuteCharge float64
	}
	state := api[container](p, "GET", "container?db=db&c=c", "")
	documents, width, charge := 0, 0.0, 0.0
	for _, r := range state.Partitions {
		documents += r.Documents
		width += r.Width
		for _, s := range r.Seconds {
			charge += s.Charge
		}
	}
	if len(state.Partitions) != 3 || documents != 4 || width < .999 || width > 1.001 || charge != 20 {
		t.Errorf("%d partitions, %d documents, width %g, %g RU", len(state.Partitions), documents, width, charge)
	}
	if len(state.Hottest) != 2 || state.Hottest[0].Key != `["a"]` || state.Hottest[0].Charge != 15 || state.MinuteCharge != 20 {
		t.Errorf("hottest %+v of %g", state.Hottest, state.MinuteCharge)
	}
	api[any](p, "POST", "split", `{"db":"db","c":"c","range":"1"}`)
	if state := api[container](p, "GET", "container?db=db&c=c", ""); len(state.Partitions) != 4 {
		t.Errorf("%d partitions after a split", len(state.Partitions))
	}
}

// TestExplorerShowsIndexes has what the page shows of a global secondary index.
func TestExplorerShowsIndexes(t *testing.T) {
	p := newPage(t, Options{})
	p.container("")
	p.index("i", "/k", "SELECT c.k FROM c")
	p.create(`["a"]`, `{"id":"1","pk":"a","k":1}`)
	account := api[struct {
		Databases []struct {
			Containers []struct {
				Documents int
				Index     *struct {
					Source, Definition, Status string
					Charge                     float64
				}
			}
		}
	}](p, "GET", "account", "")
	list := account.Databases[0].Containers
	if list[0].Index != nil || list[1].Documents != 1 {
		t.Errorf("account %+v", list)
	}
	if i := list[1].Index; i.Source != "c" || i.Definition != "SELECT c.k FROM c" || i.Status != "Active" || i.Charge != 5 {
		t.Errorf("index %+v", i)
	}
	// A file adds nothing to an index.
	moved := api[struct{ Stored, Failed int }](p, "POST", "import?db=db&c=i", `{"id":"2","k":1}`)
	if moved.Stored != 0 || moved.Failed != 1 {
		t.Errorf("imported %+v", moved)
	}
}

// TestExplorerDocuments reads and writes through the account's protocol, by none of
// which the journal, faults or budgets are touched.
func TestExplorerDocuments(t *testing.T) {
	p := newPage(t, Options{Throughput: 400})
	p.container("")
	p.Inject(Fault{Status: 503, Count: -1})
	p.ResetRequests()
	rest := func(method, path, body, key string) *httptest.ResponseRecorder {
		return p.request(method, "/_explorer/api/rest"+path, body, with(pkKey, key))
	}
	big := strings.Repeat("x", 100_000) // 50 RU a write: the budget ends after 8
	for i := range 20 {
		if w := rest("POST", docs, `{"id":"`+string(rune('a'+i))+`","pk":"é","n":"`+big+`"}`, `["\u00e9"]`); w.Code != http.StatusCreated {
			t.Fatalf("create: %d %s", w.Code, w.Body)
		}
	}
	if w := rest("GET", docs+"/a", "", `["\u00e9"]`); w.Code != http.StatusOK || w.Header().Get("etag") == "" {
		t.Errorf("read: %d %s", w.Code, w.Body)
	}
	if w := rest("PUT", docs+"/a", `{"id":"a","pk":"other"}`, `["\u00e9"]`); w.Code != http.StatusBadRequest {
		t.Errorf("a replace that changes the key: %d %s", w.Code, w.Body)
	}
	if w := rest("DELETE", docs+"/a", "", `["\u00e9"]`); w.Code != http.StatusNoContent {
		t.Errorf("delete: %d %s", w.Code, w.Body)
	}
	if n := len(p.Requests()); n != 0 {
		t.Errorf("the journal has %d requests of the page", n)
	}
}

// TestExplorerMovesDocuments imports and exports the files that Load reads.
func TestExplorerMovesDocuments(t *testing.T) {
	p := newPage(t, Options{Partitions: 2})
	p.container("")
	const first = `{"database":"other","container":{"id":"x","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}`
	lines := first + `
{"id":"1","pk":"a"}

{"id":"2"}
{"pk":"no id"}
no JSON
{"id":"3","pk":7}`
	type outcome struct {
		DB, C          string
		Stored, Failed int
		Failures       []struct{ Line int }
	}
	got := api[outcome](p, "POST", "import?db=db&c=c", lines)
	if got.Stored != 3 || got.Failed != 2 || got.Failures[0].Line != 5 || got.Failures[1].Line != 6 {
		t.Errorf("import %+v", got)
	}
	w := p.request("GET", "/_explorer/api/export?db=db&c=c", "", nil)
	text := w.Body.String()
	head, documents, _ := strings.Cut(text, "\n")
	for _, want := range []string{`{"id":"1","pk":"a"}`, `{"id":"2"}`, `{"id":"3","pk":7}`} {
		if !strings.Contains(documents, want+"\n") {
			t.Errorf("the export has no %s: %s", want, text)
		}
	}
	for _, want := range []string{`"database":"db"`, `"id":"c"`, `"paths":["/pk"]`} {
		if !strings.Contains(head, want) {
			t.Errorf("the export begins with %s, without %s", head, want)
		}
	}
	for _, again := range []string{text, documents} { // with and without the first line
		if got := api[outcome](p, "POST", "import?db=db&c=c", again); got.Stored != 3 || got.Failed != 0 {
			t.Errorf("import of an export: %+v", got)
		}
	}

	// Another server makes the container of the file: by Load, and by the page.
	other := newPage(t, Options{Partitions: 2})
	if loaded, err := other.Load(strings.NewReader(text)); err != nil || loaded.Container != "c" || loaded.Documents != 3 {
		t.Errorf("Load of an export: %+v, %v", loaded, err)
	}
	if got := other.request("GET", "/_explorer/api/export?db=db&c=c", "", nil).Body.String(); !strings.HasSuffix(got, "\n"+documents) {
		t.Errorf("an export after Load is %s, want %s", got, text)
	}
	if got := api[outcome](other, "POST", "import", strings.Replace(text, `"db"`, `"new"`, 1)); got.DB != "new" || got.C != "c" || got.Stored != 3 {
		t.Errorf("import of a new container: %+v", got)
	}
	for _, test := range []struct{ path, text, want string }{
		{"import", text, "409 there is a container"},
		{"import", documents, "400 line 1"},
		{"import", first + "\n{}", "400 line 2"},
		{"import?db=db&c=c", strings.Replace(text, "/pk", "/tenant", 1), "400 line 1: the file is of a container with the partition key"},
		{"import?db=db&c=none", text, "404 there is no container"},
	} {
		w := other.request("POST", "/_explorer/api/"+test.path, test.text, nil)
		if got := strconv.Itoa(w.Code) + " " + strings.TrimPrefix(w.Body.String(), `{"message":"`); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
}

func TestExplorerQuery(t *testing.T) {
	p := newPage(t, Options{Partitions: 4})
	p.container("")
	for i := range 40 {
		key := string(rune('a' + i%20))
		p.create(`["`+key+`"]`, `{"id":"`+strconv.Itoa(i)+`","pk":"`+key+`","n":`+string(rune('0'+i%10))+`}`)
	}
	type result struct {
		Rows           []any
		More, Combined bool
		Charge         float64
		Requests       []struct {
			Range  string
			Charge float64
		}
	}
	for _, test := range []struct {
		name, body string
		rows       int
		requests   int
		combined   bool
	}{
		{"all", `"query":"SELECT * FROM c"`, 40, 4, false},
		{"a parameter", `"query":"SELECT * FROM c WHERE c.n = @n","parameters":[{"name":"@n","value":3}]`, 4, 4, false},
		{"one key", `"query":"SELECT * FROM c","key":"[\"a\"]"`, 2, 1, false},
		{"one physical partition", `"query":"SELECT VALUE COUNT(1) FROM c","range":"2"`, 1, 1, false},
		{"combined", `"query":"SELECT VALUE COUNT(1) FROM c"`, 1, 5, true},
		{"sorted", `"query":"SELECT * FROM c ORDER BY c.n","most":10`, 10, 5, true},
	} {
		got := api[result](p, "POST", "query", `{"db":"db","c":"c",`+test.body+`}`)
		if len(got.Rows) != test.rows || len(got.Requests) != test.requests || got.Combined != test.combined || got.Charge <= 0 {
			t.Errorf("%s: %d rows, %+v", test.name, len(got.Rows), got)
		}
	}
	if got := api[result](p, "POST", "query", `{"db":"db","c":"c","query":"SELECT VALUE COUNT(1) FROM c"}`); got.Rows[0] != 40.0 {
		t.Errorf("the count is %v", got.Rows[0])
	}
	if w := p.request("POST", "/_explorer/api/query", `{"db":"db","c":"c","query":"SELECT * FORM c"}`, nil); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "FORM") {
		t.Errorf("a mistake: %d %s", w.Code, w.Body)
	}
}

// TestExplorerCombinesByThePolicies has queries over several physical partitions whose rows depend
// on the policies of the container.
func TestExplorerCombinesByThePolicies(t *testing.T) {
	p := newPage(t, Options{Partitions: 3})
	p.container(hashDefinition + `,"computedProperties":[{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"}],"geospatialConfig":{"type":"Geometry"},
		"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dataType":"float32","dimensions":2,"distanceFunction":"euclidean"}]},
		"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/lower/?"}],"vectorIndexes":[{"path":"/v","type":"flat"}]}`)
	for i, name := range []string{"Ann", "BOB", "cid", "Dee"} {
		p.create(`["`+name+`"]`, fmt.Sprintf(`{"id":"%d","pk":%q,"name":%[2]q,"at":{"type":"Point","coordinates":[%[1]d,1000]},"v":[%[1]d,0]}`, i, name))
	}
	for query, want := range map[string]string{
		"SELECT VALUE COUNT(1) FROM c WHERE c.lower = 'bob'":                                                                           "[1]",
		"SELECT VALUE c.lower FROM c ORDER BY c.lower DESC":                                                                            "[dee cid bob ann]",
		"SELECT c.lower, COUNT(1) AS n FROM c WHERE c.lower < 'b' GROUP BY c.lower":                                                    "[map[lower:ann n:1]]",
		"SELECT VALUE COUNT(1) FROM c WHERE ST_DISTANCE(c.at, {'type': 'Point', 'coordinates': [0, 1000]}) < 2":                        "[2]",
		"SELECT TOP 2 VALUE c.id FROM c ORDER BY VectorDistance(c.v, [3, 0])":                                                          "[3 2]",
		"SELECT VALUE SUM(ST_DISTANCE(c.at, {'type': 'Point', 'coordinates': [0, 1000]})) FROM c WHERE VectorDistance(c.v, [0,0])<2.5": "[3]",
	} {
		got := api[struct {
			Rows     []any
			Combined bool
		}](p, "POST", "query", mustJSON(t, map[string]string{"db": "db", "c": "c", "query": query}))
		if fmt.Sprint(got.Rows) != want || !got.Combined {
			t.Errorf("%s\ngot  %v (%t)\nwant %s", query, got.Rows, got.Combined, want)
		}
	}
}

// TestExplorerRefusesRankings has ORDER BY RANK, which clients combine: the page shows no rows in
// another order.
func TestExplorerRefusesRankings(t *testing.T) {
	p := newPage(t, Options{Partitions: 3})
	p.container(searchable)
	p.create(`["a"]`, `{"id":"1","pk":"a","t":"red bicycle","v":[1,2]}`)
	for where, says := range map[string]string{
		"":                 "ORDER BY RANK is combined by clients",
		`,"key":"[\"a\"]"`: "A query with ORDER BY RANK cannot name a partition key or a range",
		`,"range":"1"`:     "A query with ORDER BY RANK cannot name a partition key or a range",
	} {
		for _, rank := range []string{"FullTextScore(c.t, 'red')", "RRF(FullTextScore(c.t, 'red'), VectorDistance(c.v, [1, 2]))"} {
			w := p.request("POST", "/_explorer/api/query", `{"db":"db","c":"c","query":"SELECT TOP 5 * FROM c ORDER BY RANK `+rank+`"`+where+`}`, nil)
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), says) || strings.Contains(w.Body.String(), "bicycle") {
				t.Errorf("%s%s: %d %s", rank, where, w.Code, w.Body)
			}
		}
	}
}

// TestExplorerKnowsTheLastRow reads exactly as many rows as the page shows, which is as many
// as a request returns, and one more. The documents that a query combines are read likewise.
func TestExplorerKnowsTheLastRow(t *testing.T) {
	p := newPage(t, Options{Partitions: 2})
	p.container("")
	type result struct {
		Rows []any
		More bool
	}
	for i := range 1002 {
		if i >= 1000 {
			got := api[result](p, "POST", "query", `{"db":"db","c":"c","query":"SELECT * FROM c","most":1000}`)
			if len(got.Rows) != 1000 || got.More != (i > 1000) {
				t.Errorf("%d documents: %d rows, more: %t", i, len(got.Rows), got.More)
			}
		}
		p.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a"}`, i))
	}
}

func TestExplorerFaults(t *testing.T) {
	now := time.Now()
	p := newPage(t, Options{Clock: func() time.Time { return now }})
	p.container("")
	for _, bad := range []string{`{"share":2,"status":503}`, `{"status":200}`, `{"status":0}`, `{"delayMs":-1}`} {
		if w := p.request("POST", "/_explorer/api/faults", bad, nil); w.Code != http.StatusBadRequest {
			t.Errorf("the fault %s: %d %s", bad, w.Code, w.Body)
		}
	}
	api[any](p, "POST", "faults", `{"operation":"ReadItem","status":503,"share":1}`)
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(503, "")
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(503, "")
	type account struct {
		Faults []struct {
			ID     uint64
			Status int
			Share  float64
		}
		Settings struct {
			LatencyMs int
			Budgets   bool
		}
	}
	got := api[account](p, "GET", "account", "")
	if len(got.Faults) != 1 || got.Faults[0].ID != 1 || got.Faults[0].Status != 503 || got.Faults[0].Share != 1 || got.Settings.Budgets {
		t.Fatalf("account %+v", got)
	}
	api[any](p, "DELETE", "faults?id=1", "")
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(404, "")

	api[any](p, "PUT", "settings", `{"latencyMs":30,"budgets":true}`)
	start := time.Now()
	p.create(`["a"]`, `{"id":"1","pk":"a","n":"`+strings.Repeat("x", 1_500_000)+`"}`)
	if took := time.Since(start); took < 30*time.Millisecond {
		t.Errorf("a request took %v with a latency of 30 ms", took)
	}
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(429, "3200")
	api[any](p, "PUT", "settings", `{"budgets":false}`)
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(200, "")
}

// TestExplorerLetsTimePass lets a document expire.
func TestExplorerLetsTimePass(t *testing.T) {
	p := newPage(t, Options{})
	p.container(hashDefinition + `,"defaultTtl":-1`)
	p.create(`["a"]`, `{"id":"1","pk":"a","ttl":80000}`)
	for _, wrong := range []string{`{}`, `{"seconds":-3600}`, `{"seconds":31622401}`, `[]`} {
		if w := p.request("POST", "/_explorer/api/clock", wrong, nil); w.Code != 400 {
			t.Errorf("%s: %d %s", wrong, w.Code, w.Body)
		}
	}
	if w := p.request("POST", "/_explorer/api/clock", `{"seconds":3600}`, with("Origin", "https://elsewhere.example")); w.Code != 403 {
		t.Errorf("from a page of another site: %d %s", w.Code, w.Body)
	}
	if w := p.request("POST", "/_explorer/api/clock", `{"seconds":3600}`, with("X-Explorer-Token", "")); w.Code != 401 {
		t.Errorf("without the token: %d %s", w.Code, w.Body)
	}
	type account struct{ Clock struct{ Now, Ahead int64 } }
	if got := api[account](p, "GET", "account", ""); got.Clock.Ahead != 0 {
		t.Errorf("refused requests let %d seconds pass", got.Clock.Ahead)
	}
	api[any](p, "POST", "clock", `{"seconds":3600}`)
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(200, "")
	api[any](p, "POST", "clock", `{"seconds":86400}`)
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(404, "")
	got := api[account](p, "GET", "account", "")
	if late := got.Clock.Now - time.Now().Unix(); got.Clock.Ahead != 90000 || late < 89990 || late > 90000 {
		t.Errorf("the clock is %+v, %d seconds ahead", got.Clock, late)
	}
}

// TestExplorerFollows reads the journal as it is sent, and ends with the server.
func TestExplorerFollows(t *testing.T) {
	p := newPage(t, Options{})
	p.container("")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	w := httptest.NewRecorder()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r := httptest.NewRequestWithContext(ctx, "GET", "http://localhost/_explorer/api/journal?after=1", nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("X-Explorer-Token", p.token)
		p.ServeHTTP(w, r)
	}()
	time.Sleep(50 * time.Millisecond)
	p.send("GET", docs+"/1", "", pkKey, `["a"]`).status(404, "")
	time.Sleep(600 * time.Millisecond)
	p.StopExplorer()
	p.StopExplorer()
	<-ended
	if ctx.Err() != nil {
		t.Fatal("the stream did not end with the server")
	}
	text := w.Body.String()
	if !strings.Contains(text, `"operation":"CreateContainer"`) || !strings.Contains(text, `"operation":"ReadItem"`) || strings.Contains(text, "CreateDatabase") || !strings.Contains(text, "\n\ndata: ") {
		t.Errorf("the stream is %s", text)
	}
}

// TestExplorerOutlastsDeadlines follows the journal for longer than a server gives to
// reading a request and to writing an answer.
func TestExplorerOutlastsDeadlines(t *testing.T) {
	p := newPage(t, Options{})
	web := httptest.NewUnstartedServer(p)
	web.Config.ReadTimeout, web.Config.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
	web.Start()
	t.Cleanup(web.Close)
	t.Cleanup(p.StopExplorer)
	r, err := http.NewRequestWithContext(t.Context(), "GET", web.URL+"/_explorer/api/journal", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Explorer-Token", p.token)
	answer, err := web.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	time.Sleep(400 * time.Millisecond)
	p.container("")
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "CreateContainer") {
			return
		}
	}
	t.Errorf("the stream ended before the request came: %v", lines.Err())
}
