package server

import (
	"net/http"
	"testing"
)

// Microsoft's SDK for Java sends the version of a partition key definition as the name
// of its constant.
func TestVersionOfAPartitionKeyAsText(t *testing.T) {
	for _, version := range []string{`"V2"`, `"v2"`, `"2"`} {
		t.Run(version, func(t *testing.T) {
			r := newRig(t, Options{})
			definition := `"partitionKey":{"paths":["/pk"],"kind":"Hash","version":` + version + `}`
			r.container(definition)
			got := r.send("GET", "/dbs/db/colls/c", "").status(http.StatusOK, "").json()
			if key := got["partitionKey"].(map[string]any); key["version"] != 2.0 || key["kind"] != "Hash" {
				t.Errorf("the definition is told as %v, want the number 2", key)
			}
			r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+definition+`,"defaultTtl":9}`).status(http.StatusOK, "")
			r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`}`).status(http.StatusOK, "")
		})
	}
	r := newRig(t, Options{})
	r.send("POST", "/dbs", `{"id":"db"}`)
	r.send("POST", "/dbs/db/colls", `{"id":"c","partitionKey":{"paths":["/pk"],"version":"new"}}`).status(http.StatusBadRequest, "")
}
