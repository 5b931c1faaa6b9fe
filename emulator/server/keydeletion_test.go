package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"
)

const keyDeletions = "/dbs/db/colls/c/operations/partitionkeydelete"

// deleteKey deletes all items of a key.
func (r *rig) deleteKey(key string, headers ...string) *answer {
	r.t.Helper()
	return r.send("POST", keyDeletions, "", append([]string{pkKey, key}, headers...)...)
}

func TestDeleteKey(t *testing.T) {
	keys := map[string]string{ // by the property of the item
		`"a"`: `["a"]`, `"b"`: `["b"]`, `3`: `[3]`, `true`: `[true]`, `null`: `[null]`,
	}
	for property, key := range keys {
		t.Run(key, func(t *testing.T) {
			r := newRig(t, Options{Partitions: 4})
			r.container(hashDefinition + `,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]}`)
			for n := range 40 { // more than have no index of their ids
				for property, key := range keys {
					r.create(key, fmt.Sprintf(`{"id":"%d","pk":%s,"mail":%d}`, n, property, n))
				}
			}
			r.create(`[{}]`, `{"id":"0"}`)
			a := r.deleteKey(key).status(200, "")
			if a.Body.Len() > 0 || a.Header().Get("x-ms-cosmos-is-partition-key-delete-pending") != "false" {
				t.Errorf("answer %q, %v", a.Body, a.Header())
			}
			for other, otherKey := range keys {
				want := "40"
				if other == property {
					want = "0"
				}
				if rows := r.query("SELECT VALUE COUNT(1) FROM c", pkKey, otherKey).rows(); rows[0] != want {
					t.Errorf("%s has %s items, want %s", otherKey, rows[0], want)
				}
			}
			r.send("GET", docs+"/1", "", pkKey, key).status(404, "")
			r.send("GET", docs+"/0", "", pkKey, `[{}]`).status(200, "")
			r.deleteKey(key).status(200, "") // there is nothing left
			r.create(key, fmt.Sprintf(`{"id":"1","pk":%s,"mail":2}`, property))
			r.send("GET", docs+"/1", "", pkKey, key).status(200, "")
		})
	}
}

func TestDeleteKeyTakesWholeKeys(t *testing.T) {
	r := newRig(t, Options{Partitions: 3})
	r.container(`"partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2}`)
	for n := range 6 {
		r.create(fmt.Sprintf(`["x","%d"]`, n%2), fmt.Sprintf(`{"id":"%d","a":"x","b":"%d"}`, n, n%2))
	}
	for _, key := range []string{`["x"]`, `["x","1","2"]`, ``, `[]`, `["x",{"y":1}]`, `nonsense`} {
		r.deleteKey(key)
		if a := r.deleteKey(key); a.Code != 400 {
			t.Errorf("%s: status %d", key, a.Code)
		}
	}
	r.deleteKey(`["x","1"]`).status(200, "")
	if rows := r.query("SELECT VALUE c.id FROM c", pkKey, `["x"]`).rows(); fmt.Sprint(rows) != `["0" "2" "4"]` {
		t.Errorf("left are %v", rows)
	}
	r.send("POST", "/dbs/db/colls/c/operations/collectiontruncate", "").status(400, "")
	r.send("POST", "/dbs/db/colls/none/operations/partitionkeydelete", "", pkKey, `["a"]`).status(404, "1003")
	r.send("GET", keyDeletions, "", pkKey, `["x","0"]`).status(400, "")
}

// TestDeleteKeyInFeeds finds deletions in the feed of all versions, and none in that of
// latest versions.
func TestDeleteKeyInFeeds(t *testing.T) {
	r := newRig(t, Options{AllVersions: time.Hour})
	r.container("")
	_, etag := r.versions("*")
	for n := range 3 {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a"}`, n))
	}
	r.create(`["b"]`, `{"id":"9","pk":"b"}`)
	r.deleteKey(`["a"]`).status(200, "")
	list, _ := r.versions(etag)
	if got, want := shorts(list), "create 0 1, create 1 2, create 2 3, create 9 4, delete 0 5, delete 1 5, delete 2 5"; got != want {
		t.Errorf("all versions are %s, want %s", got, want)
	}
	if ids, _ := r.changes(); fmt.Sprint(ids) != "[9]" {
		t.Errorf("latest versions are %v", ids)
	}
}

// TestDeleteKeyOfAQuery deletes a key between two pages of a query.
func TestDeleteKeyOfAQuery(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for n := range 10 {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a"}`, n))
	}
	first := r.query("SELECT * FROM c", pkKey, `["a"]`, "x-ms-max-item-count", "4").status(200, "")
	r.deleteKey(`["a"]`).status(200, "")
	r.create(`["a"]`, `{"id":"0","pk":"a"}`)
	next := r.query("SELECT VALUE c.id FROM c", pkKey, `["a"]`).rows()
	if len(first.rows()) != 4 || fmt.Sprint(next) != `["0"]` {
		t.Errorf("%d rows, then %v", len(first.rows()), next)
	}
	rest := r.query("SELECT * FROM c", pkKey, `["a"]`, "x-ms-continuation", first.Header().Get("x-ms-continuation")).status(200, "").rows()
	if len(rest) != 1 {
		t.Errorf("the query goes on with %v", rest)
	}
}

// TestDeleteKeyIsSigned accepts the signatures of all SDKs, and no other.
func TestDeleteKeyIsSigned(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for resourceType, want := range map[string]int{"colls": 200, "partitionkey": 200, "docs": 401} {
		req := httptest.NewRequest("POST", keyDeletions, http.NoBody)
		date := time.Now().UTC().Format(http.TimeFormat)
		req.Header.Set("x-ms-date", date)
		req.Header.Set(pkKey, `["a"]`)
		req.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+r.sign("POST", resourceType, "dbs/db/colls/c", date)))
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		if w.Code != want {
			t.Errorf("signed as %s: status %d, want %d: %s", resourceType, w.Code, want, w.Body)
		}
	}
}
