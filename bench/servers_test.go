package bench

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

var endpoints = flag.String("servers", "", "comma-separated `URLs` of servers that BenchmarkServers compares, in place of one in this process")

// BenchmarkServers measures requests per second of servers of the SQL API over plain
// HTTP, at eight connections: point reads and creates of documents of 1 KB. bench/servers.sh
// gives it processes to compare. Rounds go to the servers in turn.
func BenchmarkServers(b *testing.B) {
	list := strings.Split(*endpoints, ",")
	if *endpoints == "" {
		s, err := server.New(server.Options{})
		if err != nil {
			b.Fatal(err)
		}
		h := httptest.NewServer(s)
		defer h.Close()
		list = []string{h.URL}
	}
	var servers []*target
	for _, endpoint := range list {
		servers = append(servers, newTarget(b, endpoint))
	}
	for _, op := range []string{"read", "create"} {
		b.Run(op, func(b *testing.B) {
			took := make([]time.Duration, len(servers))
			n := 0
			for b.Loop() {
				for i, s := range servers {
					took[i] += s.round(b, op)
				}
				n += requests
			}
			for i, s := range servers {
				b.ReportMetric(float64(n)/took[i].Seconds(), s.url.Host+"/s")
			}
			if len(servers) == 2 {
				b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "first-to-second")
			}
		})
	}
}

// target is a server with a container that has a document.
type target struct {
	url     *url.URL
	client  *http.Client
	created int
}

const (
	connections = 8
	requests    = 2000 // of a round
)

func newTarget(b *testing.B, endpoint string) *target {
	u, err := url.Parse(endpoint)
	if err != nil {
		b.Fatal(err)
	}
	s := &target{url: u, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}}
	b.Cleanup(s.client.CloseIdleConnections)
	s.send(b, http.MethodPost, "dbs", "", "dbs", `{"id":"bench"}`, http.StatusCreated)
	s.send(b, http.MethodPost, "colls", "dbs/bench", "dbs/bench/colls",
		`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, http.StatusCreated)
	s.send(b, http.MethodPost, "docs", "dbs/bench/colls/c", "dbs/bench/colls/c/docs", kilobyte("read"), http.StatusCreated)
	return s
}

// round sends requests over eight connections, and returns how long they took.
func (s *target) round(b *testing.B, op string) time.Duration {
	first := s.created
	start := time.Now()
	var all sync.WaitGroup
	for worker := range connections {
		all.Go(func() {
			for n := worker; n < requests && !b.Failed(); n += connections {
				if op == "read" {
					s.send(b, http.MethodGet, "docs", "dbs/bench/colls/c/docs/read", "dbs/bench/colls/c/docs/read", "", http.StatusOK)
				} else {
					s.send(b, http.MethodPost, "docs", "dbs/bench/colls/c", "dbs/bench/colls/c/docs", kilobyte(fmt.Sprint(first+n)), http.StatusCreated)
				}
			}
		})
	}
	all.Wait()
	if op == "create" {
		s.created += requests
	}
	return time.Since(start)
}

// send sends a signed request of a resource type and a link.
func (s *target) send(b *testing.B, method, resource, link, path, body string, status int) {
	request, err := http.NewRequestWithContext(b.Context(), method, s.url.JoinPath(path).String(), strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	date := time.Now().UTC().Format(http.TimeFormat)
	key, err := base64.StdEncoding.DecodeString(server.WellKnownKey)
	if err != nil {
		b.Error(err)
		return
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s\n%s\n%s\n%s\n\n", strings.ToLower(method), resource, link, strings.ToLower(date))
	sum := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	request.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+sum))
	request.Header.Set("x-ms-date", date)
	request.Header.Set("x-ms-version", "2020-07-15")
	request.Header.Set("x-ms-documentdb-partitionkey", `["k"]`)
	request.Header.Set("Content-Type", "application/json")
	answer, err := s.client.Do(request)
	if err != nil {
		b.Error(err)
		return
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode != status {
		b.Errorf("%s %s: status %d, want %d: %.300s", method, request.URL, answer.StatusCode, status, said)
	}
}

// kilobyte is a document of 1 KB.
func kilobyte(id string) string {
	return `{"id":"` + id + `","pk":"k","speed":120.5,"position":{"lat":48.1,"lon":11.6},"tags":["a","b","c"],"text":"` + strings.Repeat("x", 900) + `"}`
}
