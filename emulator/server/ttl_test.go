package server

import (
	"fmt"
	"testing"
	"time"
)

func TestTimeToLive(t *testing.T) {
	const items = 4 // no ttl, ttl 100, ttl -1, ttl 10
	tests := []struct {
		defaultTTL string
		after      time.Duration
		left       string
	}{
		{``, 200 * time.Second, "[0 1 2 3]"}, // without a default nothing expires
		{`,"defaultTtl":null`, 200 * time.Second, "[0 1 2 3]"},
		{`,"defaultTtl":-1`, 5 * time.Second, "[0 1 2 3]"},
		{`,"defaultTtl":-1`, 50 * time.Second, "[0 1 2]"},
		{`,"defaultTtl":-1`, 200 * time.Second, "[0 2]"},
		{`,"defaultTtl":40`, 50 * time.Second, "[1 2]"},
		{`,"defaultTtl":40`, 200 * time.Second, "[2]"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.defaultTTL, " ", test.after), func(t *testing.T) {
			r := newRig(t, Options{})
			r.container(hashDefinition + test.defaultTTL)
			for i, ttl := range []string{``, `,"ttl":100`, `,"ttl":-1`, `,"ttl":10`} {
				r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a"%s}`, i, ttl))
			}
			r.Advance(test.after)
			left := []int{}
			for i := range items {
				if r.send("GET", fmt.Sprint(docs, "/", i), "", pkKey, `["a"]`).Code == 200 {
					left = append(left, i)
				}
			}
			if fmt.Sprint(left) != test.left {
				t.Errorf("left are %v, want %s", left, test.left)
			}
			if rows := r.query("SELECT * FROM c", pkKey, `["a"]`).rows(); len(rows) != len(left) {
				t.Errorf("a query finds %d, want %d", len(rows), len(left))
			}
		})
	}
}

func TestItemsWithoutATimeToLive(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition)
	for _, ttl := range []string{"0", "null", "-2", "1.5", `"10"`} {
		r.send("POST", docs, `{"id":"1","pk":"a","ttl":`+ttl+`}`, pkKey, `["a"]`).status(400, "")
	}
}

func TestExpiredItemsAreGoneForAllOperations(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"defaultTtl":10,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]}`)
	create := func() *answer { return r.send("POST", docs, `{"id":"1","pk":"a","u":1}`, pkKey, `["a"]`) }
	create().status(201, "")
	create().status(409, "")
	r.Advance(9 * time.Second)
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a","u":1}`, pkKey, `["a"]`).status(200, "") // renews it
	r.Advance(9 * time.Second)
	r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(200, "")
	r.Advance(2 * time.Second)
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a"}`, pkKey, `["a"]`).status(404, "")
	create().status(201, "")
	r.Advance(20 * time.Second)
	r.send("DELETE", docs+"/1", "", pkKey, `["a"]`).status(404, "")
	r.send("POST", docs, `{"id":"2","pk":"a","u":1}`, pkKey, `["a"]`).status(201, "")
	if ids, _ := r.changes(); fmt.Sprint(ids) != "[2]" {
		t.Errorf("the change feed has %v, want what is left", ids)
	}
}

func TestChangedDefaultTTL(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	r.Advance(100 * time.Second)
	r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`,"defaultTtl":200}`).status(200, "")
	r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(200, "")
	r.Advance(100 * time.Second) // counted from the last write
	r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(404, "")
}

// TestExpiriesDoNotPileUp replaces one item often: the expiries of replaced versions must not
// accumulate.
