package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

const (
	west    = "West Europe"
	north   = "North Europe"
	session = "x-ms-session-token"
	levels  = "x-ms-consistency-level"
)

// endpoints are those of the regions in tests.
var endpoints = map[string]string{west: "http://west:1/", north: "http://north:2/", "East US": "http://east:3/"}

// newRegions returns a server with the regions west and north, unless the options name others,
// and rigs for them.
func newRegions(t *testing.T, o Options) (account, first, second *rig) {
	t.Helper()
	if o.Regions == nil {
		o.Regions = []string{west, north}
	}
	o.RegionEndpoints = endpoints
	o.Endpoint = "http://account:0/"
	account = newRig(t, o)
	at := func(name string) *rig {
		return &rig{Server: account.Server, t: t, handler: account.Handler(Front{Region: name})}
	}
	return account, at(west), at(north)
}

// named returns the write regions and the readable regions that the endpoint of the account
// lists, and whether it reports several write regions.
func (r *rig) named() (writable, readable string, several bool) {
	r.t.Helper()
	var body struct {
		Writable []location `json:"writableLocations"`
		Readable []location `json:"readableLocations"`
		Several  bool       `json:"enableMultipleWriteLocations"`
	}
	if err := json.Unmarshal(r.send("GET", "/", "").status(200, "").Body.Bytes(), &body); err != nil {
		r.t.Fatal(err)
	}
	list := func(all []location) string {
		var names []string
		for _, l := range all {
			if l.Endpoint != endpoints[l.Name] {
				r.t.Errorf("the endpoint of %s is %s", l.Name, l.Endpoint)
			}
			names = append(names, l.Name)
		}
		return strings.Join(names, ",")
	}
	return list(body.Writable), list(body.Readable), body.Several
}

func (r *rig) names(writable, readable string, several bool) {
	r.t.Helper()
	if w, read, s := r.named(); w != writable || read != readable || s != several {
		r.t.Errorf("the account names %s to write, %s to read, %v; want %s, %s, %v", w, read, s, writable, readable, several)
	}
}

func (r *rig) read(id string, headers ...string) *answer {
	r.t.Helper()
	return r.send("GET", docs+"/"+id, "", append([]string{pkKey, `["a"]`}, headers...)...)
}

func (r *rig) write(id string, headers ...string) *answer {
	r.t.Helper()
	return r.send("POST", docs, `{"id":"`+id+`","pk":"a"}`, append([]string{pkKey, `["a"]`}, headers...)...)
}

func TestAccountNamesItsRegions(t *testing.T) {
	account, first, second := newRegions(t, Options{})
	for _, r := range []*rig{account, first, second} {
		r.names(west, west+","+north, false)
	}
	account.must(account.SetMultiWrite(true))
	account.names(west+","+north, west+","+north, true)
	account.must(account.SetMultiWrite(false))
	account.must(account.Failover(north))
	second.names(north, north+","+west, false)
	account.must(account.ForceFailover(west))
	account.names(west, west, false)
	account.must(account.SetRegionOnline(north, true))
	account.names(west, west+","+north, false)
	for want, o := range map[string]Options{
		`"Session"`: {}, `"Eventual"`: {Consistency: "Eventual"}, `"Strong"`: {Consistency: "Strong"},
		`"BoundedStaleness","maxStalenessIntervalInSeconds":300,"maxStalenessPrefix":100000`: {Consistency: "BoundedStaleness"},
	} {
		account, _, _ := newRegions(t, o)
		if got := account.send("GET", "/", "").Body.String(); !strings.Contains(got, `{"defaultConsistencyLevel":`+want+`}`) {
			t.Errorf("consistency %q: %s", o.Consistency, got)
		}
	}
}

// TestAccountWithOneRegion holds what the account names to clients without regions.
func TestAccountWithOneRegion(t *testing.T) {
	r := newRig(t, Options{Endpoint: "http://one:1/"})
	got := r.send("GET", "/", "").Body.String()
	for _, text := range []string{
		`"writableLocations":[{"name":"South Central US","databaseAccountEndpoint":"http://one:1/"}]`,
		`"readableLocations":[{"name":"South Central US","databaseAccountEndpoint":"http://one:1/"}]`,
		`"userConsistencyPolicy":{"defaultConsistencyLevel":"Strong"}`, `"enableMultipleWriteLocations":false`,
	} {
		if !strings.Contains(got, text) {
			t.Errorf("the account lacks %s: %s", text, got)
		}
	}
	if r.Regions() != nil || r.Requests()[0].Region != "" {
		t.Errorf("regions %v, and the journal has the region %q", r.Regions(), r.Requests()[0].Region)
	}
	if err := r.SetRegionOnline("South Central US", false); err == nil || !strings.Contains(err.Error(), "Options.Regions") {
		t.Errorf("taking the only region offline: %v", err)
	}
}

func TestRegionsByHost(t *testing.T) {
	account, _, _ := newRegions(t, Options{})
	by := func(host string) string {
		r := account.request(t.Context(), "GET", "/", "")
		r.Host = host
		w := &answerWriter{header: http.Header{}}
		account.ServeHTTP(w, r)
		all := account.Requests()
		return all[len(all)-1].Region
	}
	for host, want := range map[string]string{"north:2": north, "west:1": west, "account:0": west, "": west} {
		if got := by(host); got != want {
			t.Errorf("a request for the host %q reached %s, want %s", host, got, want)
		}
	}
	account.must(account.Failover(north))
	if got := by("account:0"); got != north {
		t.Errorf("after a failover the account is served by %s", got)
	}
}

// TestRegionWithoutAHost names regions by the host that the client used.
func TestRegionWithoutAHost(t *testing.T) {
	s, err := New(Options{Regions: []string{west}, RegionEndpoints: map[string]string{west: "https://:8082/"}})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{"a:8081": "https://a:8082/", "b": "https://b:8082/", "[::1]:8081": "https://[::1]:8082/", "[::1]": "https://[::1]:8082/"} {
		r := &rig{Server: s, t: t, handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			q.Host = host
			s.ServeHTTP(w, q)
		})}
		if got := r.send("GET", "/", "").Body.String(); !strings.Contains(got, want) {
			t.Errorf("for the host %s the account does not name %s: %s", host, want, got)
		}
	}
}

func TestWrongRegions(t *testing.T) {
	for says, o := range map[string]Options{
		"replication lag need two regions": {ReplicationLag: time.Second},
		"two regions or more":              {MultiWrite: true, Regions: []string{west}},
		"has no endpoint":                  {Regions: []string{west, "Nowhere"}},
		"is listed twice":                  {Regions: []string{west, west}},
		`level "Linear"`:                   {Regions: []string{west}, Consistency: "Linear"},
		"several write regions has no Str": {Regions: []string{west, north}, MultiWrite: true, Consistency: "Strong"},
	} {
		if o.Regions != nil {
			o.RegionEndpoints = endpoints
		}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", o, err, says)
		}
	}
	if _, err := New(Options{Regions: []string{west, north}, RegionEndpoints: map[string]string{west: "http://a/", north: "http://a/"}}); err == nil || !strings.Contains(err.Error(), "share the endpoint") {
		t.Errorf("two regions at one address: %v", err)
	}
	account, _, _ := newRegions(t, Options{Consistency: "Strong"})
	func() {
		defer func() {
			if got, _ := recover().(string); !strings.Contains(got, `no region "Mars"`) {
				t.Errorf("a front of a region that does not exist: %q", got)
			}
		}()
		account.Handler(Front{Region: "Mars"})
	}()
	for what, err := range map[string]error{
		"several write regions": account.SetMultiWrite(true), "offline": account.SetRegionOnline("Mars", false),
		"failover": account.Failover("Mars"), "forced": account.ForceFailover("Mars"), "removed": account.RemoveRegion("Mars"),
		"added": account.AddRegion("Mars"), "replication": account.SetReplication(Replication{Region: "Mars"}),
		"the write region": account.RemoveRegion(west),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func TestOfflineRegion(t *testing.T) {
	account, first, second := newRegions(t, Options{})
	account.container("")
	account.must(account.SetRegionOnline(north, false))
	for _, send := range []func(){
		func() { second.read("1") }, func() { second.send("GET", "/", "") }, func() { second.write("1") },
	} {
		if !second.dropped(send) {
			t.Error("an offline region answers")
		}
	}
	first.write("1").status(201, "")
	account.read("1").status(200, "")
	account.names(west, west+","+north, false) // an outage alone changes nothing in the account
	last := account.Requests()
	if r := last[len(last)-4]; r.Region != north || r.Status != 0 || r.Faulted {
		t.Errorf("the journal has %+v", r)
	}
	account.must(account.SetRegionOnline(north, true))
	second.read("1").status(200, "")

	account.must(account.SetRegionOnline(west, false))
	if !account.dropped(func() { account.read("1") }) {
		t.Error("the account answers although its write region is offline")
	}
	if err := account.Failover(north); err == nil {
		t.Error("a planned failover from a region that is offline")
	}
	account.must(account.ForceFailover(north))
	account.write("2").status(201, "")
	account.names(north, north, false)
	if !first.dropped(func() { first.read("1") }) {
		t.Error("the lost region answers")
	}
	account.must(account.SetRegionOnline(west, true))
	first.read("2").status(200, "")
	first.write("3").status(403, "3")
}

// writes are requests that change something.
func writes(r *rig, headers ...string) map[string]*answer {
	h := func(more ...string) []string { return append(slices.Clone(headers), more...) }
	return map[string]*answer{
		"create":            r.write("w", h()...),
		"upsert":            r.write("w", h("x-ms-documentdb-is-upsert", "true")...),
		"replace":           r.send("PUT", docs+"/1", `{"id":"1","pk":"a"}`, h(pkKey, `["a"]`)...),
		"patch":             r.send("PATCH", docs+"/1", `[{"op":"set","path":"/n","value":1}]`, h(pkKey, `["a"]`)...),
		"delete":            r.send("DELETE", docs+"/1", "", h(pkKey, `["a"]`)...),
		"batch":             r.send("POST", docs, `[{"operationType":"Upsert","resourceBody":{"id":"2","pk":"a"}}]`, h(pkKey, `["a"]`, "x-ms-cosmos-is-batch-request", "true")...),
		"bulk":              r.send("POST", docs, `[{"operationType":"Upsert","partitionKey":["a"],"resourceBody":{"id":"2","pk":"a"}}]`, h("x-ms-cosmos-is-batch-request", "true", "x-ms-cosmos-batch-atomic", "false")...),
		"create database":   r.send("POST", "/dbs", `{"id":"other"}`, h()...),
		"delete database":   r.send("DELETE", "/dbs/other", "", h()...),
		"create container":  r.send("POST", "/dbs/db/colls", `{"id":"d",`+hashDefinition+`}`, h()...),
		"replace container": r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`}`, h()...),
		"delete container":  r.send("DELETE", "/dbs/db/colls/d", "", h()...),
		"replace offer":     r.send("PUT", "/offers/none", `{"content":{"offerThroughput":500}}`, h()...),
	}
}

func TestWritesNeedAWriteRegion(t *testing.T) {
	account, first, second := newRegions(t, Options{})
	account.container("")
	account.create(`["a"]`, `{"id":"1","pk":"a"}`)
	for name, a := range writes(second) {
		if a.Code != 403 || a.Header().Get("x-ms-substatus") != "3" {
			t.Errorf("%s in a read region: %d %s", name, a.Code, a.Body)
		}
	}
	if got := writes(second)["create"].message(); !strings.Contains(got, "cannot be performed at this region") {
		t.Errorf("message %q", got)
	}
	second.read("1").status(200, "")
	second.query("SELECT * FROM c", pkKey, `["a"]`).status(200, "")

	account.must(account.Failover(north))
	second.write("2").status(201, "")
	first.write("3").status(403, "3")
	first.read("2").status(200, "")
}

func TestSeveralWriteRegions(t *testing.T) {
	account, _, second := newRegions(t, Options{MultiWrite: true})
	account.container("")
	const tentative = "x-ms-cosmos-allow-tentative-writes"
	second.write("1").status(403, "3") // as a client that does not know of several write regions
	second.write("1", tentative, "true").status(201, "")
	account.write("2").status(201, "")
	for name, a := range writes(second, tentative, "true") {
		forbidden := a.Code == 403 && a.Header().Get("x-ms-substatus") == "3"
		if resource := strings.Contains(name, " "); forbidden != resource {
			t.Errorf("%s in the second write region: %d %s", name, a.Code, a.Body)
		}
	}
}

func TestRemovedRegion(t *testing.T) {
	account, _, second := newRegions(t, Options{})
	account.container("")
	account.must(account.RemoveRegion(north))
	account.names(west, west, false)
	if got := second.read("1").status(403, "1008").message(); !strings.Contains(got, "Database Account emulator-northeurope does not exist") {
		t.Errorf("message %q", got)
	}
	second.send("GET", "/", "").status(403, "1008")
	account.must(account.AddRegion(north))
	second.read("1").status(404, "")
	account.names(west, west+","+north, false)
}

func TestReadsOfAReplica(t *testing.T) {
	account, first, second := newRegions(t, Options{ReplicationLag: time.Minute})
	account.container("")
	token := first.write("1").status(201, "").Header().Get(session)
	second.read("1").status(404, "")
	for name, send := range map[string]func(...string) *answer{
		"read":  func(h ...string) *answer { return second.read("1", h...) },
		"query": func(h ...string) *answer { return second.query("SELECT * FROM c", append(h, pkKey, `["a"]`)...) },
		"items": func(h ...string) *answer { return second.send("GET", docs, "", append(h, rangeID, "0")...) },
		"feed": func(h ...string) *answer {
			return second.send("GET", docs, "", append(h, rangeID, "0", "A-IM", "Incremental feed")...)
		},
	} {
		if got := send(session, token).status(404, "1002").message(); !strings.Contains(got, "The read session is not available") {
			t.Errorf("%s: message %q", name, got)
		}
		send(session, token, levels, "Eventual")
		if all := account.Requests(); all[len(all)-1].Substatus != 0 {
			t.Errorf("%s of consistency Eventual: %+v", name, all[len(all)-1])
		}
	}
	first.read("1", session, token).status(200, "")
	first.read("none", session, token).status(404, "")
	account.Advance(time.Minute)
	second.read("1", session, token).status(200, "")
	if got := second.read("1").Header().Get(session); got == "" {
		t.Error("a read has no session token")
	}
	second.read("1", session, "nonsense").status(400, "")
}

// TestReplicationIsSetAndPaused changes the lag of a region while it runs.
func TestReplicationIsSetAndPaused(t *testing.T) {
	account, first, second := newRegions(t, Options{})
	account.container("")
	account.must(account.SetReplication(Replication{Region: north, Lag: time.Second}))
	first.write("1").status(201, "")
	second.read("1").status(404, "")
	account.Advance(time.Second)
	second.read("1").status(200, "")
	account.must(account.SetReplication(Replication{Region: north, Paused: true}))
	if r := account.Regions()[1]; r.Name != north || r.Lag != 0 || !r.Paused {
		t.Errorf("regions %+v", account.Regions())
	}
	first.write("2").status(201, "")
	account.Advance(time.Hour)
	second.read("2").status(404, "")
	account.must(account.SetReplication(Replication{Region: north}))
	second.read("2").status(200, "")
}

func TestLevelsOfARequest(t *testing.T) {
	for account, wants := range map[string][]int{ // by level, the strongest first
		"Strong": {200, 200, 200, 200, 200}, "BoundedStaleness": {400, 200, 200, 200, 200}, "Session": {400, 400, 200, 200, 200},
		"ConsistentPrefix": {400, 400, 400, 200, 200}, "Eventual": {400, 400, 400, 400, 200},
	} {
		r, _, _ := newRegions(t, Options{Consistency: account})
		r.container("")
		r.create(`["a"]`, `{"id":"1","pk":"a"}`)
		for i, want := range wants {
			a := r.read("1", levels, store.ConsistencyLevels[i])
			if a.Code != want {
				t.Errorf("%s of an account with %s: %d %s", store.ConsistencyLevels[i], account, a.Code, a.Body)
			}
			if want == 400 && !strings.Contains(a.message(), "is not stronger than the service consistency level") {
				t.Errorf("message %q", a.message())
			}
		}
		if a := r.read("1", levels, "bounded"); (a.Code == 200) != (account == "Strong" || account == "BoundedStaleness") {
			t.Errorf("Bounded of an account with %s: %d", account, a.Code)
		}
	}
}

func TestFaultsAndJournalKnowRegions(t *testing.T) {
	account, first, second := newRegions(t, Options{})
	account.container("")
	account.create(`["a"]`, `{"id":"1","pk":"a"}`)
	account.ResetRequests()
	account.Inject(Fault{Region: north, Status: 503, Count: -1})
	first.read("1").status(200, "")
	second.read("1").status(503, "")
	account.read("1").status(200, "")
	var got []string
	for _, r := range account.Requests() {
		got = append(got, r.Region)
	}
	if want := []string{west, north, west}; !slices.Equal(got, want) {
		t.Errorf("the journal has the regions %q, want %q", got, want)
	}
}

// TestStrongReadsOfARegion has a lag that a consistency level excludes.
func TestStrongReadsOfARegion(t *testing.T) {
	account, first, second := newRegions(t, Options{Consistency: "Strong", ReplicationLag: time.Hour})
	account.container("")
	first.write("1").status(201, "")
	second.read("1").status(200, "")
}

// TestForcedFailoverLosesWrites loses a write of one physical partition, and keeps that of
// another one that has arrived.
func TestForcedFailoverLosesWrites(t *testing.T) {
	account, first, second := newRegions(t, Options{Partitions: 2})
	account.container("")
	keys := map[string]string{} // by physical partition
	for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
		first.send("POST", docs, `{"id":"0","pk":"`+key+`"}`, pkKey, `["`+key+`"]`).status(201, "")
		all := account.Requests()
		keys[all[len(all)-1].Range] = key
	}
	if len(keys) != 2 {
		t.Fatalf("all keys are on %v", keys)
	}
	account.must(account.SetReplication(Replication{Region: north, Database: "db", Container: "c", Range: "0", Paused: true}))
	for _, key := range keys {
		first.send("POST", docs, `{"id":"1","pk":"`+key+`"}`, pkKey, `["`+key+`"]`).status(201, "")
	}
	account.must(account.ForceFailover(north))
	for id, want := range map[string]int{"0": 404, "1": 200} {
		second.send("GET", docs+"/1", "", pkKey, `["`+keys[id]+`"]`).status(want, "")
		second.send("GET", docs+"/0", "", pkKey, `["`+keys[id]+`"]`).status(200, "")
	}
}

// TestRegionsOnThePage changes regions by the API of the explorer's page.
func TestRegionsOnThePage(t *testing.T) {
	p := newPage(t, Options{Regions: []string{west, north}, RegionEndpoints: endpoints, ReplicationLag: time.Second})
	type region struct {
		Name, Endpoint                    string
		Writable, Online, Removed, Paused bool
		LagMS                             int
	}
	state := func() []region {
		return api[struct{ Regions []region }](p, "GET", "account", "").Regions
	}
	if got, want := state(), []region{
		{Name: west, Endpoint: endpoints[west], Writable: true, Online: true, LagMS: 1000}, {Name: north, Endpoint: endpoints[north], Online: true, LagMS: 1000},
	}; !slices.Equal(got, want) {
		t.Errorf("regions %+v, want %+v", got, want)
	}
	change := func(body string) { api[any](p, "POST", "regions", body) }
	change(`{"name":"North Europe","lagMs":5,"paused":true}`)
	change(`{"name":"North Europe","failover":"planned"}`)
	change(`{"name":"West Europe","failover":"forced"}`)
	if got, want := state(), []region{
		{Name: west, Endpoint: endpoints[west], Writable: true, Online: true, LagMS: 1000}, {Name: north, Endpoint: endpoints[north], Removed: true, Paused: true, LagMS: 5},
	}; !slices.Equal(got, want) {
		t.Errorf("regions %+v, want %+v", got, want)
	}
	change(`{"name":"North Europe","online":true}`)
	api[any](p, "POST", "faults", `{"region":"North Europe","status":503}`)
	if got := p.faults.all(); len(got) != 1 || got[0].Region != north {
		t.Errorf("faults %+v", got)
	}
	for _, wrong := range []string{`{"name":"West Europe"}`, `{"name":"Mars","online":false}`, `{"name":"West Europe","lagMs":-1}`} {
		if w := p.request("POST", "/_explorer/api/regions", wrong, nil); w.Code != 400 {
			t.Errorf("%s: %d %s", wrong, w.Code, w.Body)
		}
	}
}
