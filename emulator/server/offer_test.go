package server

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// offerOf finds the offer of a resource as SDKs do.
func (r *rig) offerOf(rid string) map[string]any {
	r.t.Helper()
	body := fmt.Sprintf(`{"query":"SELECT * FROM c WHERE c.offerResourceId = '%s'"}`, rid)
	list := r.send("POST", "/offers", body, "x-ms-documentdb-query", "True").status(200, "").json()["Offers"].([]any)
	if len(list) != 1 {
		r.t.Fatalf("%d offers for %s", len(list), rid)
	}
	return list[0].(map[string]any)
}

func TestOffers(t *testing.T) {
	r := newRig(t, Options{})
	rid := r.container("")
	found := r.offerOf(rid)
	if content := found["content"].(map[string]any); content["offerThroughput"] != 400.0 {
		t.Errorf("a container without throughput has %v, want the service's 400", content)
	}
	path := "/" + found["_self"].(string)
	if path != "/offers/"+found["id"].(string)+"/" || found["_rid"] != found["id"] || found["offerVersion"] != "V2" || !strings.HasPrefix(found["resource"].(string), "dbs/") {
		t.Errorf("offer %v", found)
	}
	one := r.send("GET", path, "").status(200, "")
	if one.Header().Get("x-ms-cosmos-min-throughput") != "400" || one.Header().Get("x-ms-offer-replace-pending") != "false" {
		t.Errorf("headers %v", one.Header())
	}
	changed := r.send("PUT", path, `{"content":{"offerThroughput":25000}}`, "If-Match", one.Header().Get("etag")).status(200, "").json()
	if changed["content"].(map[string]any)["offerThroughput"] != 25000.0 || changed["offerResourceId"] != rid {
		t.Errorf("replaced: %v", changed)
	}
	if got := r.send("GET", "/dbs/db/colls/c/pkranges", "").json()["_count"]; got != 3.0 {
		t.Errorf("25,000 RU/s are on %v physical partitions, want 3", got)
	}
	r.send("PUT", path, `{"content":{"offerThroughput":400}}`).status(200, "")
	if got := r.send("GET", "/dbs/db/colls/c/pkranges", "").json()["_count"]; got != 3.0 {
		t.Errorf("%v physical partitions after scaling down, want the same 3", got)
	}
	r.send("PUT", path, `{"content":{"offerThroughput":500}}`, "If-Match", one.Header().Get("etag")).status(412, "")
	for _, bad := range []string{
		``, `{}`, `{"content":{}}`, `{"content":{"offerThroughput":450}}`, `{"content":{"offerThroughput":100}}`,
		`{"content":{"offerAutopilotSettings":{"maxThroughput":4000}}}`, `{"content":{"offerAutopilotSettings":{"maxThroughput":1}}}`,
	} {
		r.send("PUT", path, bad).status(400, "")
	}
	r.send("GET", "/offers/none/", "").status(404, "")
	r.send("PUT", "/offers/none/", `{"content":{"offerThroughput":400}}`).status(404, "")
	r.send("GET", "/offers/a/b", "").status(400, "")
}

func TestOffersLiveWithTheirOwners(t *testing.T) {
	r := newRig(t, Options{})
	count := func() float64 { return r.send("GET", "/offers", "").status(200, "").json()["_count"].(float64) }
	r.send("POST", "/dbs", `{"id":"db"}`, "x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":4000}`).status(201, "")
	rid := r.container("") // shares the throughput of the database
	if n := count(); n != 1 {
		t.Errorf("%v offers, want that of the database", n)
	}
	r.send("POST", "/dbs/db/colls", `{"id":"d",`+hashDefinition+`}`, "x-ms-offer-throughput", "500").status(201, "")
	if n := count(); n != 2 {
		t.Errorf("%v offers, want 2", n)
	}
	list := r.send("GET", "/offers", "").json()["Offers"].([]any)
	first := list[0].(map[string]any)
	settings := first["content"].(map[string]any)
	if first["offerResourceId"] == rid || settings["offerThroughput"] != 400.0 || settings["offerAutopilotSettings"].(map[string]any)["maxThroughput"] != 4000.0 {
		t.Errorf("offer of the database: %v", first)
	}
	path := "/" + first["_self"].(string)
	r.send("PUT", path, `{"content":{"offerThroughput":500}}`).status(400, "")
	r.send("PUT", path, `{"content":{"offerAutopilotSettings":{"maxThroughput":8000}}}`).status(200, "")
	if least := r.send("GET", path, "").Header().Get("x-ms-cosmos-min-throughput"); least != "1000" {
		t.Errorf("least throughput %s, want 1000", least)
	}
	r.send("DELETE", "/dbs/db/colls/d", "").status(204, "")
	if n := count(); n != 1 {
		t.Errorf("%v offers after the container is gone, want 1", n)
	}
	r.send("DELETE", "/dbs/db", "").status(204, "")
	if n := count(); n != 0 {
		t.Errorf("%v offers after the database is gone", n)
	}
	r.send("POST", "/dbs", `{"id":"x"}`, "x-ms-offer-throughput", "1").status(400, "")
	r.send("POST", "/dbs", `{"id":"x"}`, "x-ms-offer-throughput", "400", "x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":4000}`).status(400, "")
}

func TestLeastThroughput(t *testing.T) {
	for _, test := range []struct {
		header, value, content, least, refused, accepted string
	}{
		{"x-ms-offer-throughput", "400", "offerThroughput", "400", "300", "400"},
		{"x-ms-offer-throughput", "90000", "offerThroughput", "900", "800", "900"},
		{"x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":10000}`, "maxThroughput", "1000", "0", "1000"},
		{"x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":21000}`, "maxThroughput", "3000", "2000", "3000"},
	} {
		r := newRig(t, Options{})
		r.send("POST", "/dbs", `{"id":"db"}`).status(201, "")
		rid := r.send("POST", "/dbs/db/colls", `{"id":"c",`+hashDefinition+`}`, test.header, test.value).status(201, "").json()["_rid"].(string)
		path := "/" + r.offerOf(rid)["_self"].(string)
		change := func(value string) *answer {
			content := `{"` + test.content + `":` + value + `}`
			if test.content == "maxThroughput" {
				content = `{"offerAutopilotSettings":` + content + `}`
			}
			return r.send("PUT", path, `{"content":`+content+`}`)
		}
		change(test.refused).status(400, "")
		if got := change(test.accepted).status(200, "").Header().Get("x-ms-cosmos-min-throughput"); got != test.least {
			t.Errorf("%s: the least throughput is %s, want %s", test.value, got, test.least)
		}
		change(test.refused).status(400, "")
	}
}

func TestServerless(t *testing.T) {
	r := newRig(t, Options{Serverless: true})
	refused := func(a *answer, what string) {
		t.Helper()
		if message := a.status(400, "").message(); !strings.HasPrefix(message, what+" is not supported for serverless accounts.") {
			t.Errorf("got %s", message)
		}
	}
	refused(r.send("POST", "/dbs", `{"id":"db"}`, "x-ms-offer-throughput", "400"), "Shared throughput database creation")
	r.container("")
	refused(r.send("POST", "/dbs/db/colls", `{"id":"d",`+hashDefinition+`}`, "x-ms-offer-throughput", "400"), "Setting offer throughput or autopilot on container")
	refused(r.send("GET", "/offers", ""), "Reading or replacing offers")
	refused(r.send("POST", "/offers", `{"query":"SELECT * FROM c"}`, "x-ms-documentdb-query", "True"), "Reading or replacing offers")
	refused(r.send("GET", "/offers/x/", ""), "Reading or replacing offers")
	refused(r.send("PUT", "/offers/x/", `{"content":{"offerThroughput":400}}`), "Reading or replacing offers")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	if _, err := New(Options{Serverless: true, Throughput: 400}); err == nil || !strings.Contains(err.Error(), "leave one of the two out") {
		t.Errorf("got %v", err)
	}
}

// TestUpdatesOfThroughput changes the throughput of an account as often as the service lets
// it in five minutes.
func TestUpdatesOfThroughput(t *testing.T) {
	r := newRig(t, Options{})
	path := "/" + r.offerOf(r.container(""))["_self"].(string)
	change := func(i int) *answer {
		return r.send("PUT", path, fmt.Sprintf(`{"content":{"offerThroughput":%d}}`, 400+i%2*100))
	}
	for i := range 25 {
		if i == 20 {
			r.Advance(time.Minute)
		}
		change(i).status(200, "")
		r.send("PUT", path, `{"content":{"offerThroughput":1}}`).status(400, "") // does not count
	}
	refused := change(25).status(429, "3200")
	if ms, err := strconv.Atoi(refused.Header().Get("x-ms-retry-after-ms")); err != nil || ms < 235_000 || ms > 240_000 {
		t.Errorf("retry after %v ms, want 4 minutes", refused.Header().Get("x-ms-retry-after-ms"))
	}
	r.Advance(4 * time.Minute)
	for i := range 20 { // as many as are older than five minutes now
		change(i).status(200, "")
	}
	change(20).status(429, "3200")
	r.Advance(time.Minute)
	change(21).status(200, "")
	r = newRig(t, Options{Lenient: true})
	path = "/" + r.offerOf(r.container(""))["_self"].(string)
	for i := range 60 {
		change(i).status(200, "")
	}
}

func TestQuotaOfContainers(t *testing.T) {
	r := newRig(t, Options{MaxResources: 4})
	r.container("")
	create := func(id string) *answer { return r.send("POST", "/dbs/db/colls", `{"id":"`+id+`",`+hashDefinition+`}`) }
	create("d").status(201, "")
	r.send("POST", "/dbs", `{"id":"e"}`).status(201, "")
	create("f").status(403, "1005")
	r.send("POST", "/dbs", `{"id":"f"}`).status(403, "1005")
	create("d").status(409, "") // that there is one already comes first
	r.send("DELETE", "/dbs/e", "").status(204, "")
	create("f").status(201, "")
}

func TestQuotaOfSharedThroughput(t *testing.T) {
	r := newRig(t, Options{})
	r.send("POST", "/dbs", `{"id":"db"}`, "x-ms-offer-throughput", "400").status(201, "")
	create := func(i int, headers ...string) *answer {
		return r.send("POST", "/dbs/db/colls", fmt.Sprintf(`{"id":"c%d",%s}`, i, hashDefinition), headers...)
	}
	create(0, "x-ms-offer-throughput", "400").status(201, "")
	for i := range 25 {
		create(1+i).status(201, "")
	}
	create(26).status(403, "1019")
	create(26, "x-ms-offer-throughput", "400").status(201, "")
}
