package faults_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/internal/conformance/faults"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestProxy drops requests and answers, and counts what the server has seen.
func TestProxy(t *testing.T) {
	var seen atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		seen.Add(1)
		_, _ = io.WriteString(w, "answer")
	}))
	defer server.Close()
	p, err := faults.New(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	send := func(body string) error {
		response, err := client.Post("http://"+p.Addr(), "text/plain", strings.NewReader(body))
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		_, err = io.ReadAll(response.Body)
		return err
	}
	insert := func(request []byte) bool { return bytes.Contains(request, []byte("insert")) }
	for _, step := range []struct {
		moment faults.Moment
		body   string
		fails  bool
		seen   int64
	}{
		{0, "insert", false, 1}, {faults.Before, "insert", true, 0}, {0, "insert", false, 1}, {faults.After, "insert", true, 1},
		{0, "insert", false, 1}, {faults.After, "ping", false, 1}, {faults.Before, "ping", false, 1},
	} {
		seen.Store(0)
		n := 0
		if step.moment != 0 {
			n = 1
		}
		p.Drop(step.moment, n, insert)
		if err := send(step.body); (err != nil) != step.fails || seen.Load() != step.seen {
			t.Errorf("%+v: %v, and the server has seen %d", step, err, seen.Load())
		}
	}
	if n := p.Dropped(); n != 2 {
		t.Errorf("%d connections were dropped", n)
	}
}

// TestSpare lets the first requests of each connection pass.
func TestSpare(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "answer") }))
	defer server.Close()
	p, err := faults.New(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	p.Spare(2)
	p.Drop(faults.After, 1, nil)
	for i := range 5 { // by POST, since the client repeats a GET of which the connection breaks
		response, err := client.Post("http://"+p.Addr(), "text/plain", strings.NewReader("body"))
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
		if (err != nil) != (i == 2) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if n := p.Dropped(); n != 1 {
		t.Errorf("%d connections were dropped", n)
	}
}
