package server

import (
	"net/http"
	"testing"
)

func TestAnswersNameTheOwner(t *testing.T) {
	r := newRig(t, Options{Lenient: true})
	database := r.send("POST", "/dbs", `{"id":"ä b"}`).status(http.StatusCreated, "").json()["_rid"].(string)
	made := r.send("POST", "/dbs/%C3%A4%20b/colls", `{"id":"c%+",`+hashDefinition+`}`).status(http.StatusCreated, "")
	container := made.json()["_rid"].(string)
	const owner, path = "dbs/%C3%A4%20b", "dbs/%C3%A4%20b/colls/c%25+"
	item := r.send("POST", "/"+path+"/docs", `{"id":"1","pk":"a"}`, pkKey, `["a"]`).status(http.StatusCreated, "")
	tests := []struct {
		name      string
		got       *answer
		path, rid string
	}{
		{"a container that is made", made, owner, database},
		{"a container", r.send("GET", "/"+path, ""), owner, database},
		{"a container by its resource id", r.send("GET", "/dbs/"+database+"/colls/"+container, ""), owner, database},
		{"containers", r.send("GET", "/"+owner+"/colls", ""), owner, database},
		{"ranges", r.send("GET", "/"+path+"/pkranges", ""), path, container},
		{"an item that is made", item, path, container},
		{"an item", r.send("GET", "/"+path+"/docs/1", "", pkKey, `["a"]`), path, container},
		{"items", r.send("GET", "/"+path+"/docs", ""), path, container},
		{"an item that is deleted", r.send("DELETE", "/"+path+"/docs/1", "", pkKey, `["a"]`), path, container},
		{"databases", r.send("GET", "/dbs", ""), "", ""},
	}
	for _, test := range tests {
		h := test.got.Header()
		if got, rid := h.Get("x-ms-alt-content-path"), h.Get("x-ms-content-path"); test.got.Code >= 300 || got != test.path || rid != test.rid {
			t.Errorf("%s: status %d, path %q of %q, want %q of %q", test.name, test.got.Code, got, rid, test.path, test.rid)
		}
	}
}
