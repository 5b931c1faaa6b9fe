package doctor

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
)

// TestHealthy has nothing that is wrong, and writes nothing.
func TestHealthy(t *testing.T) {
	writes := 0
	r := newRig(t, server.Options{Partitions: 2}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.Method != http.MethodGet && req.Header.Get("x-ms-documentdb-isquery") == "" {
				writes++
			}
			h.ServeHTTP(w, req)
		})
	})
	r.make("shop", healthy("orders"), `{"offerThroughput":1000}`)
	report := r.examine(Options{Wanted: []Container{wanted("orders")}})
	for _, c := range report.Checks {
		if c.State != OK && c.What != "round trip" { // a busy machine is slow
			t.Errorf("%+v", c)
		}
	}
	expect(t, report, OK, "endpoint", "this machine, with a key")
	expect(t, report, OK, "clock", "within 5s")
	expect(t, report, OK, `container "orders" of "shop", throughput`, "manual 1000 RU/s (at least 400), 2 physical partitions, of 500 RU/s each unless it was redistributed, which the service does not report")
	expect(t, report, OK, `container "orders" of "shop", queries`, "no index for a query by key, order by /customer ASC, /total-sum DESC")
	if text := report.Text(); !strings.Contains(text, "\nNothing is wrong. The checks took ") || strings.Contains(text, r.server.Key()) {
		t.Errorf("the report is\n%s", text)
	}
	if writes > 0 {
		t.Errorf("%d requests write", writes)
	}
}

// TestContainers has each difference of a container.
func TestContainers(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 3, Lenient: true}, nil)
	r.make("shop", `{"id":"other-key","partitionKey":{"paths":["/customer"],"kind":"Hash","version":1},"defaultTtl":60,`+
		`"indexingPolicy":{"automatic":true,"indexingMode":"consistent","includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/customer/?"},{"path":"/meta/*"},{"path":"/pk/?"}]}}`, `{"offerThroughput":500}`)
	r.make("shop", healthy("auto"), `{"offerAutopilotSettings":{"maxThroughput":4000}}`)
	r.make("shop", healthy("twice"), "")
	r.make("copy", healthy("twice"), "")
	r.make("shop", healthy("regions"), "")
	r.make("shop", strings.TrimSuffix(healthy("revisions"), "}")+`,"conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/revision"}}`, "")
	regions, revisions := wanted("regions"), wanted("revisions")
	regions.Want.ConflictPolicy = containers.LastWriter("/revision")
	revisions.Want.ConflictPolicy = regions.Want.ConflictPolicy
	report := r.examine(Options{Wanted: []Container{wanted("other-key"), wanted("auto"), wanted("missing"), wanted("twice"), regions, revisions}})
	expect(t, report, Wrong, `container "regions" of "shop", conflictResolutionPolicy`, "have LastWriterWins by /_ts, want LastWriterWins by /revision\nit cannot be changed: create a new container")
	for _, c := range report.Checks {
		if strings.HasPrefix(c.What, `container "revisions"`) && c.State == Wrong {
			t.Errorf("a policy that is as wanted: %+v", c)
		}
	}
	const other = `container "other-key" of "shop", `
	expect(t, report, Wrong, other+"partitionKey.paths", "have /customer, want /pk")
	expect(t, report, Wrong, other+"partitionKey.version", "create a new container")
	expect(t, report, Wrong, other+"defaultTtl", "admin.FixDifferences changes it, no document expires any more")
	expect(t, report, Wrong, other+"indexingPolicy.includedPaths", "no index of /pk")
	expect(t, report, Wrong, other+"indexingPolicy.compositeIndexes", "(/customer ascending, /\"total-sum\" descending)")
	expect(t, report, Wrong, other+"order by /customer ASC, /total-sum DESC", "does not have a corresponding composite index")
	expect(t, report, Note, other+"excluded paths", "no index of /customer, /meta/speed")
	expect(t, report, Note, other+"throughput", "3 physical partitions, of 166 RU/s each unless it was redistributed, which the service does not report")
	expect(t, report, Note, other+"throughput", "by Microsoft's page on merging physical partitions, a preview, the account then refuses requests of any Go SDK")
	expect(t, report, OK, `container "auto" of "shop", throughput`, "autoscale up to 4000 RU/s")
	expect(t, report, Wrong, `container "missing"`, "does not exist; it holds shop.Order")
	expect(t, report, Wrong, `container "twice"`, "name one by -database")
	if report := r.examine(Options{Database: "copy", Wanted: []Container{wanted("twice")}}); report.Wrong() > 0 {
		t.Errorf("with a database:\n%s", report.Text())
	}
}

// TestIndex has a global secondary index, before and after it is built.
func TestIndex(t *testing.T) {
	r := newRig(t, server.Options{IndexLag: time.Hour}, nil)
	r.make("shop", healthy("orders"), `{"offerThroughput":1000}`)
	index := strings.TrimSuffix(healthy("by-customer"), "}") + `,"globalSecondaryIndexDefinition":{"sourceCollectionId":"orders","definition":"SELECT * FROM c"}}`
	r.make("shop", index, `{"offerAutopilotSettings":{"maxThroughput":1000}}`)
	const name = `container "by-customer" of "shop", global secondary index`
	report := r.examine(Options{Wanted: []Container{wanted("by-customer")}})
	expect(t, report, Wrong, name, `an index of "orders", SELECT * FROM c; its status is Initializing`)
	expect(t, report, Wrong, name, "reads miss documents")
	r.server.Advance(3 * time.Hour)
	expect(t, r.examine(Options{Wanted: []Container{wanted("by-customer")}}), OK, name, "its status is Active")
}

// TestComputed has the computed properties of a container: as they are wanted, or not, and those of
// other programs.
func TestComputed(t *testing.T) {
	r := newRig(t, server.Options{}, nil)
	want := func(id string) Container {
		c := wanted(id)
		c.Want.IndexingPolicy.IncludedPaths = append(c.Want.IndexingPolicy.IncludedPaths, containers.Path{Path: "/lower/?"}, containers.Path{Path: "/total/?"})
		c.Want.ComputedProperties = []containers.ComputedProperty{{Name: "lower", Query: "SELECT VALUE LOWER(c.name) FROM c"}, {Name: "total", Query: "SELECT VALUE (c.price * c.n) FROM c"}}
		return c
	}
	with := func(id, computed string, indexed ...string) {
		settings := healthy(id)
		for _, path := range indexed {
			settings = strings.Replace(settings, `[{"path":"/*"}`, `[{"path":"/*"},{"path":"`+path+`"}`, 1)
		}
		r.make("shop", strings.TrimSuffix(settings, "}")+`,"computedProperties":[`+computed+`]}`, "")
	}
	const lower, total = `{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"}`, `{"name":"total","query":"select value c['price']*c.n from c"}`
	with("fine", total+`,{"name":"others","query":"SELECT VALUE c.x FROM c"},`+lower, "/lower/?", "/total/*")
	with("missing", lower, "/lower/?")
	with("another", lower+`,{"name":"total","query":"SELECT VALUE (c.price + c.n) FROM c"}`, "/lower/?", "/total/?")
	with("unindexed", lower+","+total, "/lower/?")
	report := r.examine(Options{Wanted: []Container{want("fine"), want("missing"), want("another"), want("unindexed")}})
	for _, c := range report.Checks {
		if strings.HasPrefix(c.What, `container "fine"`) && c.State == Wrong {
			t.Errorf("a container that is as wanted: %+v", c)
		}
	}
	expect(t, report, Wrong, `container "missing" of "shop", computedProperties`, "have no computed property total, want total by SELECT VALUE (c.price * c.n) FROM c\nEnsure with admin.FixDifferences changes it, queries by it find no document without it")
	expect(t, report, Wrong, `container "another" of "shop", computedProperties`, "have total by SELECT VALUE (c.price + c.n) FROM c, want total by SELECT VALUE (c.price * c.n) FROM c\nits index would keep the old values")
	expect(t, report, Wrong, `container "unindexed" of "shop", indexingPolicy.includedPaths`, "no index of /total")
	if n := report.Wrong(); n != 4 { // the missing one has no index either
		t.Errorf("%d are wrong, not 4:\n%s", n, report.Text())
	}
}

// TestTemplates has the containers that a template makes.
func TestTemplates(t *testing.T) {
	r := newRig(t, server.Options{}, nil)
	of, err := layout.ContainersOf(lock.Entry{Type: "Reading", Container: "telemetry-{at|2006-01}", Kinds: []lock.PropertyKind{{Property: "at", Kind: lock.Time}}})
	if err != nil {
		t.Fatal(err)
	}
	c := wanted("telemetry-{at|2006-01}")
	c.Template = of
	expect(t, r.examine(Options{Wanted: []Container{c}}), OK, `containers "telemetry-{at|2006-01}"`, "there is none yet")
	r.make("shop", healthy("telemetry-2026-01"), "")
	r.make("shop", strings.Replace(healthy("telemetry-2026-02"), "/pk", "/id", 1), "")
	r.make("shop", strings.Replace(healthy("telemetry-2026-13"), "/pk", "/id", 1), "")
	report := r.examine(Options{Wanted: []Container{c}})
	expect(t, report, OK, `container "telemetry-2026-01"`, "match the code")
	expect(t, report, Wrong, `container "telemetry-2026-02" of "shop", partitionKey.paths`, "have /id")
	if strings.Contains(report.Text(), "2026-13") {
		t.Errorf("a container of nobody is examined:\n%s", report.Text())
	}
}

// TestSeveralWriteRegions names the types that rely on one write region.
func TestSeveralWriteRegions(t *testing.T) {
	regions := ""
	r := newRig(t, server.Options{}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if strings.Trim(req.URL.Path, "/") != "" {
				h.ServeHTTP(w, req)
				return
			}
			_, _ = w.Write([]byte(regions))
		})
	})
	r.make("shop", healthy("orders"), "")
	c := wanted("orders")
	for _, use := range writeregions.All {
		c.relies = append(c.relies, reliance{"shop.Order", use}, reliance{"shop.Item", use})
	}
	regions = `{"writableLocations":[{"name":"A"}],"readableLocations":[{"name":"A"},{"name":"B"}],"enableMultipleWriteLocations":true}`
	report := r.examine(Options{Wanted: []Container{c}})
	expect(t, report, OK, "regions", "writes in A, reads in A, B")
	expect(t, report, Note, "regions, documents that move", "of shop.Order, shop.Item: all reads go to the write region")
	if report.Wrong() > 0 {
		t.Errorf("with one write region:\n%s", report.Text())
	}
	regions = strings.Replace(regions, `[{"name":"A"}]`, `[{"name":"A"},{"name":"B"}]`, 1)
	report = r.examine(Options{Wanted: []Container{c}})
	expect(t, report, Note, "regions", "writes in A, B, reads in A, B")
	for _, use := range writeregions.All {
		state := Wrong
		if use == writeregions.Conditions {
			state = Note
		}
		expect(t, report, state, "regions, "+use.Name, "of shop.Order, shop.Item; they rely on one write region: "+use.Why)
		expect(t, report, state, "regions, "+use.Name, use.Instead)
	}
	c.relies = nil // all types have conflict=, and no feature that it does not resolve
	if report := r.examine(Options{Wanted: []Container{c}}); report.Wrong() > 0 {
		t.Errorf("without such types:\n%s", report.Text())
	}
}

// TestThroughput has accounts without throughput, and a database with some.
func TestThroughput(t *testing.T) {
	r := newRig(t, server.Options{Serverless: true}, nil)
	r.make("shop", healthy("orders"), "")
	expect(t, r.examine(Options{Wanted: []Container{wanted("orders")}}), OK, `container "orders" of "shop", throughput`, "the account is serverless")

	r = newRig(t, server.Options{}, nil)
	if _, err := r.server.Load(strings.NewReader(`{"database":"shop","databaseThroughput":{"offerThroughput":600},"container":` + healthy("orders") + "}\n")); err != nil {
		t.Fatal(err)
	}
	expect(t, r.examine(Options{Wanted: []Container{wanted("orders")}}), OK, `container "orders" of "shop", throughput`, "manual 600 RU/s (at least 400), shared with")
}

// TestRedistributed has physical partitions with throughput of their own: a quotient of the
// container's throughput would be wrong.
func TestRedistributed(t *testing.T) {
	for _, test := range []struct {
		name, content string
		refused       bool
		state         State
		found, wayOut string
	}{
		{"by hand", `[{"id":"0","throughput":5400},{"id":"1","throughput":600}]`, false, Note, "manual 6000 RU/s (at least 400), 2 physical partitions of 600 to 5400 RU/s", "refuses to change the throughput of the container"},
		{"too few", `[{"id":"0","throughput":5700},{"id":"1","throughput":300}]`, false, Note, "of 300 to 5700 RU/s", "the poorest"},
		{"evenly", `[{"id":"0","throughput":3000},{"id":"1","throughput":3000}]`, false, OK, "2 physical partitions of 3000 RU/s each", ""},
		{"of one alone", `[{"id":"0","throughput":3000}]`, false, OK, "of 3000 RU/s each unless it was redistributed, which the service does not report", ""},
		{"of another form", `{"0":3000}`, false, OK, "which the service does not report", ""},
		{"an unknown header is refused", ``, true, OK, "which the service does not report", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, server.Options{Partitions: 2}, func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					if !strings.HasPrefix(strings.Trim(req.URL.Path, "/"), "offers/") || req.Header.Get("x-ms-cosmos-include-physical-partition-throughput-info") != "True" {
						h.ServeHTTP(w, req)
						return
					}
					if test.refused {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
					w.Header().Set("x-ms-cosmos-min-throughput", "400")
					_, _ = w.Write([]byte(`{"content":{"offerThroughput":6000,"physicalPartitionThroughputInfo":` + test.content + `}}`))
				})
			})
			r.make("shop", healthy("orders"), `{"offerThroughput":6000}`)
			report := r.examine(Options{Wanted: []Container{wanted("orders")}})
			expect(t, report, test.state, `container "orders" of "shop", throughput`, test.found)
			expect(t, report, test.state, `container "orders" of "shop", throughput`, test.wayOut)
		})
	}
}

// TestNothingExamined has no container to examine.
func TestNothingExamined(t *testing.T) {
	r := newRig(t, server.Options{}, nil)
	report := r.examine(Options{})
	expect(t, report, Unknown, "containers", "none was examined")
	if text := report.Text(); report.Wrong() > 0 || strings.Contains(text, "Nothing is wrong") || !strings.Contains(text, "\nNo container was examined, and 1 check is unknown. ") {
		t.Errorf("the report is\n%s", text)
	}
}

// TestAccounts has answers of accounts that are otherwise than the emulator.
func TestAccounts(t *testing.T) {
	for _, test := range []struct {
		name, path string
		status     int
		header     map[string]string
		body       string
		state      State
		what, text string
	}{
		{"no key", "", 401, nil, `{}`, Wrong, "endpoint", "the key or the token belongs to another account"},
		{"firewall", "", 403, nil, `{}`, Wrong, "endpoint", "the firewall of the account refuses this machine"},
		{"no JSON", "", 200, nil, `<html>`, Wrong, "endpoint", "not JSON"},
		{"eventual", "", 200, nil, `{"userConsistencyPolicy":{"defaultConsistencyLevel":"Eventual"},"writableLocations":[{"name":"A"},{"name":"B"}],"readableLocations":[{"name":"A"},{"name":"B"}],"enableMultipleWriteLocations":true}`, Note, "consistency", "session or stronger"},
		{"two regions", "", 200, nil, `{"writableLocations":[{"name":"A"},{"name":"B"}],"enableMultipleWriteLocations":true}`, Note, "regions", "writes in A, B"},
		{"says nothing", "", 200, nil, `{}`, Unknown, "regions", "does not report"},
		{"session", "", 200, nil, `{"userConsistencyPolicy":{"defaultConsistencyLevel":"Session"}}`, OK, "consistency", "docs/migration.md"},
		{"slow clock", "", 200, map[string]string{"Date": time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)}, `{}`, Note, "clock", "ahead of this machine's"},
		{"wrong clock", "", 200, map[string]string{"Date": time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)}, `{}`, Wrong, "clock", "ahead of the service's"},
		{"no clock", "", 200, map[string]string{"Date": "soon"}, `{}`, Unknown, "clock", "no date"},
		{"no right to read containers", "dbs/shop/colls/orders", 403, nil, `{}`, Wrong, `container "orders"`, "role for data"},
		{"no right to read throughput", "offers", 403, nil, `{}`, Unknown, `container "orders" of "shop", throughput`, "cannot read it here"},
		{"no ranges", "dbs/shop/colls/orders/pkranges", 403, nil, `{}`, Wrong, `container "orders" of "shop", physical partitions`, "403"},
		{"no right to query", "dbs/shop/colls/orders/docs", 403, nil, `{}`, Wrong, `container "orders" of "shop", queries by key`, "role for data"},
		{"an index is missed", "dbs/shop/colls/orders/docs", 200, map[string]string{"x-ms-cosmos-index-utilization": "eyJQb3RlbnRpYWxTaW5nbGVJbmRleGVzIjpbeyJJbmRleFNwZWMiOiIvcGsvPyJ9XSwiUG90ZW50aWFsQ29tcG9zaXRlSW5kZXhlcyI6W3siSW5kZXhTcGVjcyI6WyIvYSBBU0MiLCIvYiBERVNDIl19XX0="}, `{}`, Note, `container "orders" of "shop", queries by key`, "/pk/?, (/a ASC, /b DESC)"},
		{"metrics of another form", "dbs/shop/colls/orders/docs", 200, map[string]string{"x-ms-cosmos-index-utilization": "%"}, `{}`, OK, `container "orders" of "shop", queries`, "no index for a query by key, order by"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, server.Options{}, func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					if strings.Trim(req.URL.Path, "/") != test.path {
						h.ServeHTTP(w, req)
						return
					}
					for name, value := range test.header {
						w.Header().Set(name, value)
					}
					w.WriteHeader(test.status)
					_, _ = w.Write([]byte(test.body))
				})
			})
			r.make("shop", healthy("orders"), "")
			expect(t, r.examine(Options{Wanted: []Container{wanted("orders")}}), test.state, test.what, test.text)
		})
	}
}

// TestSizes has full physical and logical partitions.
func TestSizes(t *testing.T) {
	r := newRig(t, server.Options{}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.Header.Get("x-ms-documentdb-populatepartitionstatistics") == "" {
				h.ServeHTTP(w, req)
				return
			}
			_, _ = w.Write([]byte(`{"id":"orders","statistics":[{"id":"0","sizeInKB":47185920,"documentCount":1,"partitionKeys":[{"partitionKey":["secret"],"sizeInKB":19922944}]}]}`))
		})
	})
	r.make("shop", healthy("orders"), "")
	report := r.examine(Options{Wanted: []Container{wanted("orders")}})
	expect(t, report, Note, `container "orders" of "shop", size`, "physical partition 0 has 45 GB")
	expect(t, report, Wrong, `container "orders" of "shop", size`, "a logical partition has 19 GB")
	if strings.Contains(report.Text(), "secret") {
		t.Errorf("the report shows a key:\n%s", report.Text())
	}
}

// TestUnreached has accounts that do not answer.
func TestUnreached(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	report := &Report{}
	Examine(t.Context(), Options{Account: openAccount(t, closed.URL, "c2VjcmV0"), Wanted: []Container{wanted("orders")}}, report)
	expect(t, report, Wrong, "endpoint", "check the address, the network, the firewall")
	expect(t, report, Unknown, `container "orders"`, "was not reached")

	report = &Report{}
	Examine(t.Context(), Options{Account: openAccount(t, "https://my-secret-account.documents.azure.invalid:443", "c2VjcmV0")}, report)
	expect(t, report, Wrong, "endpoint", "")
	if text := report.Text(); strings.Contains(text, "my-secret-account") || strings.Contains(text, "c2VjcmV0") {
		t.Errorf("the report names the account:\n%s", text)
	}

	ctx, cancel := context.WithCancel(t.Context())
	r := newRig(t, server.Options{}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path != "/" {
				cancel()
				<-req.Context().Done() // else the answer may come before the end is seen
				return
			}
			h.ServeHTTP(w, req)
		})
	})
	report = &Report{}
	Examine(ctx, Options{Account: r.account, Wanted: []Container{wanted("orders")}}, report)
	expect(t, report, Unknown, `container "orders"`, "interrupted")
}

// TestEncryption has certificates that end, one that is not trusted, and no encryption.
func TestEncryption(t *testing.T) {
	s := harness.Bare(t, server.Options{})
	web := httptest.NewUnstartedServer(s)
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.StartTLS()
	t.Cleanup(web.Close)
	report := &Report{}
	a := openAccount(t, web.URL, s.Key())
	Examine(t.Context(), Options{Account: a}, report)
	expect(t, report, Wrong, "endpoint", "SSL_CERT_FILE")
	end := web.Certificate().NotAfter
	for _, test := range []struct {
		left  time.Duration
		state State
	}{{time.Hour, Wrong}, {5 * 24 * time.Hour, Note}, {365 * 24 * time.Hour, OK}} {
		a := openAccount(t, web.URL, s.Key())
		a.Through(web.Client().Transport)
		web.Client().CloseIdleConnections()
		report := &Report{}
		Examine(t.Context(), Options{Account: a, Now: func() time.Time { return end.Add(-test.left) }}, report)
		expect(t, report, test.state, "certificate", "until "+end.UTC().Format(time.DateOnly))
		expect(t, report, OK, "TLS", "TLS 1.3")
	}
}

// TestHostile has names that would move the cursor of a terminal, or end a cell.
func TestHostile(t *testing.T) {
	r := &Report{}
	r.add(Wrong, "container \"a|b\x1b[31m\"", "do\nthis <script>", "%s", "`x` \u202e")
	text := r.Text()
	if strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, `a\|b\x1b[31m`) || !strings.Contains(text, `do this \<script>`) {
		t.Errorf("got\n%s", text)
	}
	for _, line := range strings.Split(text, "\n")[:3] {
		if !strings.HasPrefix(line, "|") || strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 4 {
			t.Errorf("a line of another table: %s", line)
		}
	}
	id := `a"b'c d`
	e := newRig(t, server.Options{}, nil)
	if _, err := e.server.Load(strings.NewReader(`{"database":"s'h op","container":{"id":"a\"b'c d","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	c := wanted(id)
	c.Want.IndexingPolicy = nil
	if report := e.examine(Options{Wanted: []Container{c}}); report.Wrong() > 0 {
		t.Errorf("got\n%s", report.Text())
	}
}

// TestVersions has modules with and without what generated code needs.
func TestVersions(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	for _, test := range []struct {
		name, mod string
		mine      Programs
		state     State
		what      string
		text      string
	}{
		{"neither", "", Programs{Own: "v1.0.0"}, Wrong, "version of azcosmos", "go get " + sdkModule},
		{"no pkgen", "", Programs{Own: "v1.0.0"}, Wrong, "version of pkgen", "go get " + ownModule},
		{"a folder", "require " + ownModule + " v0.0.0\nreplace " + ownModule + " => ./pkgen\n", Programs{Own: "v1.0.0", Go: "go1.25"}, OK, "version of pkgen", "replaced by a folder; this command: v1.0.0 (go1.25)"},
		{"replaced", "require " + sdkModule + " v1.5.0\nreplace " + sdkModule + " => ./pkgen\n", Programs{SDK: "v1.5.0"}, OK, "version of azcosmos", "replaced by a folder"},
		{"no module", "-", Programs{}, Unknown, "versions", "this command is pkgen of unknown version"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n\n" + test.mod, "pkgen/go.mod": "module x\n\ngo 1.25\n"} {
				if test.mod == "-" {
					continue
				}
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			report := &Report{}
			Versions(t.Context(), test.mine, report)
			expect(t, report, test.state, test.what, test.text)
		})
	}
	r := &Report{}
	compare(r, Programs{Own: "v1.1.0", SDK: "v1.5.0"}, &module{Path: ownModule, Version: "v1.0.0"}, &module{Path: sdkModule, Version: "v1.6.0"})
	expect(t, r, Wrong, "version of pkgen", "go.mod has v1.0.0, and this command is v1.1.0")
	expect(t, r, Note, "version of azcosmos", "pkgen is tested with v1.5.0")
}

// TestTooSlow has a request fail by the client's own time limit: nobody has interrupted
// the examination.
func TestTooSlow(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer web.Close()
	_, err := (&http.Client{Timeout: 10 * time.Millisecond}).Get(web.URL) //nolint:bodyclose // there is none
	ctx, interrupt := context.WithCancel(t.Context())
	e := &examination{report: &Report{}}
	e.failed(ctx, "container", err)
	interrupt()
	e.failed(ctx, "container", err)
	if c := e.report.Checks; c[0].State != Wrong || c[1].State != Unknown {
		t.Errorf("%v is %v, and %v once interrupted", err, c[0], c[1])
	}
}
