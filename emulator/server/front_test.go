package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRoutingGateway has the ids of azcosmos' TestItemIdEncodingRoutingGW and
// TestItemIdEncodingComputeGW, and what they expect.
func TestRoutingGateway(t *testing.T) {
	s, err := New(Options{Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{Server: s, t: t}
	r.container("")
	routing := &rig{Server: s, t: t, handler: s.Handler(Front{Routing: true})}
	for id, want := range map[string]int{
		"Test": 200, "This is a test": 200, " Test": 200, "Test ": 401, "Test  ": 401,
		"WithAllowedSpecial,=.:~+-@()^${}[]!_Chars": 200, "Percent%20": 401, "Percent%E9%B1%80": 401,
		"Question?Mark": 200, "Forward/Slash": 401, `Back\Slash`: 401, "Number#Sign": 401,
		"Carriage\rReturn": 400, "Tab\tTab": 400, "Line\nFeed": 400, "Unicode鱀": 200, "100%": 200,
		"100%-Percent%27": 401, "%zz%4": 200,
	} {
		text, err := json.Marshal(map[string]string{"id": id, "pk": "a"})
		if err != nil {
			t.Fatal(err)
		}
		routing.send("POST", docs, string(text), pkKey, `["a"]`).status(201, "")
		path := docs + "/" + url.PathEscape(id)
		routing.send("GET", path, "", pkKey, `["a"]`).status(want, "")
		routing.send("PUT", path, string(text), pkKey, `["a"]`).status(want, "")
		r.send("GET", path, "", pkKey, `["a"]`).status(200, "")
	}
}

func TestEndpointOfAFront(t *testing.T) {
	s, err := New(Options{Endpoint: "http://one:1/"})
	if err != nil {
		t.Fatal(err)
	}
	for front, want := range map[Front]string{
		{}: "http://one:1/", {Endpoint: "https://two:2/"}: "https://two:2/",
	} {
		r := &rig{Server: s, t: t, handler: s.Handler(front)}
		if got := r.send("GET", "/", "").status(200, "").Body.String(); !strings.Contains(got, want) {
			t.Errorf("the account does not name %s: %s", want, got)
		}
	}
	s, err = New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{Server: s, t: t, handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		q.Host = "here:3"
		s.ServeHTTP(w, q)
	})}
	if got := r.send("GET", "/", "").Body.String(); !strings.Contains(got, "http://here:3/") {
		t.Errorf("the account does not name the host of the request: %s", got)
	}
}
