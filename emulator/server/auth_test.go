package server

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// TestSignature is the example of Microsoft's page "Access control on Cosmos DB
// resources".
func TestSignature(t *testing.T) {
	s, err := New(Options{Key: "dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw=="})
	if err != nil {
		t.Fatal(err)
	}
	got := s.sign("GET", "dbs", "dbs/ToDoList", "Thu, 27 Apr 2017 00:51:12 GMT")
	if want := "c09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu+c+c="; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

func TestAuthentication(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const date = "Sun, 01 Mar 2026 12:00:00 GMT"
	token := func(verb, kind, link, date string) string {
		return url.QueryEscape("type=master&ver=1.0&sig=" + s.sign(verb, kind, link, date))
	}
	item := token("GET", "docs", "dbs/db/colls/c/docs/a b/c", date)
	tests := []struct {
		name, path, header, date string
		at                       time.Time
		status                   int
	}{
		{"account", "/", token("GET", "", "", date), date, now, 0},
		{"feed", "/dbs/db/colls/c/docs", token("GET", "docs", "dbs/db/colls/c", date), date, now, 0},
		{"ranges", "/dbs/db/colls/c/pkranges", token("GET", "pkranges", "dbs/db/colls/c", date), date, now, 0},
		{"item with an escaped id", "/dbs/db/colls/c/docs/a%20b%2Fc", item, date, now, 0},
		{"another item", "/dbs/db/colls/c/docs/other", item, date, now, 401},
		{"another date", "/dbs/db/colls/c/docs/a%20b%2Fc", item, "Sun, 01 Mar 2026 12:00:01 GMT", now, 401},
		{"late", "/", token("GET", "", "", date), date, now.Add(16 * time.Minute), 403},
		{"early", "/", token("GET", "", "", date), date, now.Add(-16 * time.Minute), 403},
		{"no date", "/", token("GET", "", "", "now"), "now", now, 400},
		{"no header", "/", "", date, now, 401},
		{"garbage", "/", "%zz", date, now, 401},
		{"unknown type", "/", "type%3Dresource%26ver%3D1.0%26sig%3Dx", date, now, 401},
		{"wrong signature", "/", "type%3Dmaster%26ver%3D1.0%26sig%3Dx", date, now, 401},
		{"directory token", "/", "type%3Daad%26ver%3D1.0%26sig%3Dx.y.z", date, now, 0},
		{"empty directory token", "/", "type%3Daad%26ver%3D1.0%26sig%3D", date, now, 401},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", test.path, nil)
			r.Header.Set("x-ms-date", test.date)
			if test.header != "" {
				r.Header.Set("Authorization", test.header)
			}
			target, ok := parsePath(r.URL.EscapedPath())
			if !ok {
				t.Fatal("path not understood")
			}
			err := s.authenticate(r, target, test.at)
			got := 0
			if err != nil {
				got = err.(*status.Error).Status
			}
			if got != test.status {
				t.Errorf("status %d (%v), want %d", got, err, test.status)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{Key: "not base64!"}, {Endpoint: "localhost"}, {Endpoint: "http://a b/"}} {
		if _, err := New(o); err == nil {
			t.Errorf("New(%+v) succeeded", o)
		}
	}
	s, err := New(Options{Endpoint: "http://127.0.0.1:1/"})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{Server: s, t: t}
	if body := r.send("GET", "/", "").status(200, "").Body.String(); strings.Count(body, `"databaseAccountEndpoint":"http://127.0.0.1:1/"`) != 2 {
		t.Errorf("the account does not name its endpoint: %s", body)
	}
}
