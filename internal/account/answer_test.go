package account

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestAnswersThatAreCut has one answer cut, as by a proxy, with status 200: the request is
// sent again, so that what is there comes.
func TestAnswersThatAreCut(t *testing.T) {
	t.Parallel()
	for _, cut := range []string{`{}`, `{"Documents":[],"PartitionKeyRanges":[],"DocumentCollections":[],"Databases":[]}`, `[]`, `null`} {
		for _, of := range []string{"/pkranges", "/docs", "/docs/1", "/colls/c", "/colls", "/dbs"} {
			t.Run(cut+" of "+of, func(t *testing.T) {
				t.Parallel()
				testCut(t, of, cut)
			})
		}
	}
}

func testCut(t *testing.T, of, cut string) {
	times := 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var text string
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, of) && times == 0:
			times++
			text = cut
		case strings.HasSuffix(path, "/docs/1"):
			text = `{"id":"1"}`
		case strings.HasSuffix(path, "/docs"):
			text = `{"Documents":[{"id":"1"}],"_count":1}`
			w.Header().Set("x-ms-item-count", "1")
		case strings.HasSuffix(path, "/pkranges"):
			text = `{"PartitionKeyRanges":[{"id":"0","minInclusive":"","maxExclusive":"FF"}],"_count":1}`
		case strings.HasSuffix(path, "/colls/c"):
			text = `{"id":"c","_rid":"r","partitionKey":{"paths":["/pk"]}}`
		case strings.HasSuffix(path, "/colls"):
			text = `{"DocumentCollections":[{"id":"c"}],"_count":1}`
		case strings.HasSuffix(path, "/dbs"):
			text = `{"Databases":[{"id":"db"}],"_count":1}`
		}
		w.Header().Set("etag", `"7"`)
		_, _ = w.Write([]byte(text))
	}))
	defer web.Close()
	a, err := Open("AccountEndpoint=" + web.URL + "/;AccountKey=eA==")
	if err != nil {
		t.Fatal(err)
	}
	a.pace.sleep = func(context.Context, time.Duration) error { return nil }
	ctx, c := t.Context(), &Container{Database: "db", ID: "c"}
	got := []string{}
	note := func(documents ...json.RawMessage) {
		for _, d := range documents {
			got = append(got, string(d))
		}
	}
	switch of {
	case "/pkranges", "/docs":
		err = a.ReadWindow(ctx, c, All(), func(d []json.RawMessage) error { note(d...); return nil })
		if err != nil {
			t.Fatal(err)
		}
		c, times = &Container{Database: "db", ID: "c"}, 0
		page, err := a.Changes(ctx, c, Part{Max: "FF"}, 10)
		if err != nil || len(page.After) != 1 || page.After[0].ETag != `"7"` {
			t.Fatalf("the changes go on as %+v, %v", page.After, err)
		}
		note(page.Documents...)
		times = 0
		if err := a.Query(ctx, &Container{Database: "db", ID: "c"}, "SELECT * FROM c", nil, func(row json.RawMessage) { note(row) }); err != nil {
			t.Fatal(err)
		}
		if want := `[{"id":"1"} {"id":"1"} {"id":"1"}]`; fmt.Sprint(got) != want {
			t.Errorf("a window, a feed and a query give %s, want %s", got, want)
		}
	case "/docs/1":
		d, _, err := a.ReadItem(ctx, c, "1", `["k"]`)
		if string(d) != `{"id":"1"}` || err != nil {
			t.Errorf("the document is %s, %v", d, err)
		}
	case "/colls/c":
		read, err := a.Container(ctx, "db", "c")
		if err != nil || read.RID != "r" {
			t.Errorf("the container is %+v, %v", read, err)
		}
		times = 0
		if text, err := a.Settings(ctx, c); err != nil || !strings.Contains(string(text), "/pk") {
			t.Errorf("the settings are %s, %v", text, err)
		}
	default:
		if ids, err := a.Containers(ctx, ""); err != nil || fmt.Sprint(ids) != "[c]" {
			t.Errorf("the containers are %v, %v", ids, err)
		}
	}
	if times != 1 {
		t.Error("no answer was cut")
	}
}

// TestNoPhysicalPartition asks for the changes of keys that no physical partition has.
func TestNoPhysicalPartition(t *testing.T) {
	t.Parallel()
	a := &Account{}
	c := &Container{ID: "c", ranges: []Range{{ID: "0", Max: "80"}}}
	if page, err := a.Changes(t.Context(), c, Part{Min: "80", Max: "FF"}, 10); err == nil || !strings.Contains(err.Error(), `from "80" up to "FF"`) {
		t.Errorf("the changes go on as %+v, %v", page.After, err)
	}
}

// TestChangesWithoutAnETag has answers of a change feed lack the ETag after which it goes
// on: once, and then for ever. A feed of all versions would begin anew, and miss changes.
func TestChangesWithoutAnETag(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusOK, http.StatusNotModified} {
		for _, without := range []int{1, 1000} {
			times := 0
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/pkranges") {
					_, _ = w.Write([]byte(`{"PartitionKeyRanges":[{"id":"0","minInclusive":"","maxExclusive":"FF"}],"_count":1}`))
					return
				}
				if times++; times > without {
					w.Header().Set("etag", `"7"`)
				}
				w.WriteHeader(status)
				if status == http.StatusOK {
					_, _ = w.Write([]byte(`{"Documents":[{"id":"1"}],"_count":1}`))
				}
			}))
			defer web.Close()
			a, err := Open("AccountEndpoint=" + web.URL + "/;AccountKey=eA==")
			if err != nil {
				t.Fatal(err)
			}
			a.pace.sleep = func(context.Context, time.Duration) error { return nil }
			page, err := a.Versions(t.Context(), &Container{Database: "db", ID: "c"}, Part{Max: "FF"}, 10)
			if without == 1 && (err != nil || times != 2 || len(page.After) != 1 || page.After[0].ETag != `"7"`) {
				t.Errorf("%d: after %d requests the feed goes on as %+v, %v", status, times, page.After, err)
			}
			if without > 1 && (err == nil || !strings.Contains(err.Error(), "no ETag") || times > attempts) {
				t.Errorf("%d: after %d requests without an ETag: %+v, %v", status, times, page, err)
			}
		}
	}
}
