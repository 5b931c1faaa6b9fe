package server

import (
	"fmt"
	"strings"
	"testing"
)

func TestSizeOfADocument(t *testing.T) {
	r := newRig(t, Options{MaxDocument: 1000})
	r.container("")
	body := func(n int) string { return `{"id":"1","pk":"a","x":"` + strings.Repeat("x", n) + `"}` }
	r.create(`["a"]`, body(100))
	r.send("PUT", docs+"/1", body(1000), pkKey, `["a"]`).status(413, "")
	r.send("PATCH", docs+"/1", `{"operations":[{"op":"add","path":"/y","value":"`+strings.Repeat("y", 900)+`"}]}`, pkKey, `["a"]`).status(413, "")
	r.send("PUT", docs+"/1", body(500), pkKey, `["a"]`).status(200, "")
}

func TestSizeOfALogicalPartition(t *testing.T) {
	r := newRig(t, Options{MaxLogicalPartition: 5500})
	r.container("")
	full := func(i, n int) *answer {
		return r.send("POST", docs, fmt.Sprintf(`{"id":"%d","pk":"a","x":"%s"}`, i, strings.Repeat("x", n)),
			pkKey, `["a"]`, "x-ms-documentdb-is-upsert", "True")
	}
	for i := range 4 {
		full(i, 1000).status(201, "")
	}
	full(4, 1000).status(403, "1014")
	full(3, 1600).status(403, "1014")
	full(3, 100).status(200, "")
	full(4, 1000).status(201, "")
	r.send("POST", docs, `{"id":"4","pk":"b"}`, pkKey, `["b"]`).status(201, "")
	r.send("DELETE", docs+"/4", "", pkKey, `["a"]`).status(204, "")
	full(3, 1000).status(200, "")
	full(4, 1000).status(403, "1014")
}
