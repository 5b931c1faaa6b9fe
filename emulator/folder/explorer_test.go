package folder_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// TestExplorerStays changes an account by the explorer's page, and compares it after a
// restart.
func TestExplorerStays(t *testing.T) {
	dir := t.TempDir()
	s, end := open(t, dir, server.Options{Explorer: true, Partitions: 2, Throughput: 1000})
	token := ""
	page := func(method, path, body string, headers ...string) string {
		t.Helper()
		r := httptest.NewRequest(method, "http://localhost/_explorer/"+path, strings.NewReader(body))
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("X-Explorer-Token", token)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	token = regexp.MustCompile(`explorer-token" content="([^"]+)"`).FindStringSubmatch(page("GET", "", ""))[1]

	const head = `{"database":"shop","container":{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}` + "\n"
	page("POST", "api/import", head+`{"id":"1","pk":"a"}`+"\n"+`{"id":"2","pk":"a"}`+"\n"+`{"id":"3","pk":"b"}`)
	page("POST", "api/rest/dbs/shop/colls", `{"id":"gone","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	page("POST", "api/rest/dbs", `{"id":"gone"}`)
	page("POST", "api/import?db=shop&c=orders", `{"id":"3","pk":"b","n":1}`+"\n"+`{"id":"4","pk":"c"}`)
	page("POST", "api/rest/dbs/shop/colls/orders/docs", `{"id":"5","pk":"d"}`, "x-ms-documentdb-partitionkey", `["d"]`)
	page("PUT", "api/rest/dbs/shop/colls/orders/docs/1", `{"id":"1","pk":"a","n":2}`, "x-ms-documentdb-partitionkey", `["a"]`)
	page("DELETE", "api/rest/dbs/shop/colls/orders/docs/2", "", "x-ms-documentdb-partitionkey", `["a"]`)
	page("DELETE", "api/rest/dbs/shop/colls/gone", "")
	page("DELETE", "api/rest/dbs/gone", "")
	offer := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(must(t, s, "GET", "/offers", ""))[1]
	page("PUT", "api/rest/offers/"+offer, strings.Replace(page("GET", "api/rest/offers/"+offer, ""), `"offerThroughput":1000`, `"offerThroughput":4000`, 1))
	page("PUT", "api/rest/offers/"+offer, page("GET", "api/rest/offers/"+offer, ""), "x-ms-cosmos-migrate-offer-to-autopilot", "true")
	page("POST", "api/split", `{"db":"shop","c":"orders","range":"0"}`)
	page("POST", "api/merge", `{"db":"shop","c":"orders","ranges":["3","1"]}`)

	everything := func() string {
		return must(t, s, "GET", "/dbs", "") + must(t, s, "GET", "/offers", "") + must(t, s, "GET", "/dbs/shop/colls/orders/pkranges", "") +
			page("GET", "api/export?db=shop&c=orders", "")
	}
	want := everything()
	for _, part := range []string{`{"id":"1","pk":"a","n":2}`, `{"id":"3","pk":"b","n":1}`, `{"id":"4","pk":"c"}`, `{"id":"5","pk":"d"}`, `"maxThroughput":4000`, `"id":"4"`} {
		if !strings.Contains(want, part) {
			t.Errorf("there is no %s in %s", part, want)
		}
	}
	end()
	s, end = open(t, dir, server.Options{Explorer: true})
	defer end()
	token = regexp.MustCompile(`explorer-token" content="([^"]+)"`).FindStringSubmatch(page("GET", "", ""))[1]
	if got := everything(); got != want {
		t.Errorf("after a restart:\n%s\nbefore:\n%s", got, want)
	}
}
