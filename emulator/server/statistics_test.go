package server

import (
	"fmt"
	"testing"
)

// TestStatistics asks for what a container holds, before and after a split. Without the
// headers an answer has nothing of that.
func TestStatistics(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	const path = "/dbs/db/colls/c"
	if got := r.send("GET", path, "").status(200, ""); got.json()["statistics"] != nil || got.Header().Get("x-ms-resource-usage") != "" {
		t.Errorf("%v %v", got.Header(), got.json())
	}
	for i := range 40 {
		r.create(fmt.Sprintf(`["key %d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"key %[1]d"}`, i))
	}
	for ranges := 2; ranges <= 3; ranges++ {
		got := r.send("GET", path, "", "x-ms-documentdb-populatequotainfo", "True", "x-ms-documentdb-populatepartitionstatistics", "true").status(200, "")
		var documents, size float64
		list := got.json()["statistics"].([]any)
		for _, one := range list {
			p := one.(map[string]any)
			if p["id"] == "" || len(p["partitionKeys"].([]any)) != 0 {
				t.Errorf("%v", p)
			}
			documents += p["documentCount"].(float64)
			size += p["sizeInKB"].(float64)
		}
		var inDocument, inDocuments, count, all float64
		if _, err := fmt.Sscanf(got.Header().Get("x-ms-resource-usage"), "documentSize=%g;documentsSize=%g;documentsCount=%g;collectionSize=%g;", &inDocument, &inDocuments, &count, &all); err != nil {
			t.Fatal(err)
		}
		if len(list) != ranges || documents != 40 || count != 40 || inDocuments != all || size < all || size > all+float64(ranges) || all < 1 {
			t.Errorf("%v %v", got.Header(), list)
		}
		if err := r.Split("db", "c", list[0].(map[string]any)["id"].(string)); err != nil {
			t.Fatal(err)
		}
	}
}
