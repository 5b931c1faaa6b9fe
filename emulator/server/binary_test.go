package server

import (
	"net/http"
	"strings"
	"testing"
)

// TestBinaryItems writes items in the form that the SDK for Rust prefers. Answers are text,
// which it reads as well.
func TestBinaryItems(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	const (
		one = "\x80\xed\x0d\x03\x82id\x811\x82pk\x81a\x81n\x01"
		two = "\x80\xed\x0d\x03\x82id\x811\x82pk\x81a\x81n\x02"
	)
	r.send("POST", docs, one, pkKey, `["a"]`).status(http.StatusCreated, "")
	r.send("PUT", docs+"/1", two, pkKey, `["a"]`).status(http.StatusOK, "")
	r.send("POST", docs, two, pkKey, `["a"]`, "x-ms-documentdb-is-upsert", "True").status(http.StatusOK, "")
	got := r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(http.StatusOK, "")
	if !strings.HasPrefix(got.Body.String(), `{"id":"1","pk":"a","n":2,"_rid":"`) {
		t.Errorf("stored %s", got.Body)
	}
	for _, wrong := range []string{one[:9], "\x80\x01", "\x80\x20"} {
		r.send("POST", docs, wrong, pkKey, `["a"]`).status(http.StatusBadRequest, "")
	}
}
