package bench

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
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
	s := &target{url: u}
	c := dial(b, s.url.Host)
	defer c.Close()
	for _, made := range []struct{ resource, link, path, body string }{
		{"dbs", "", "/dbs", `{"id":"bench"}`},
		{"colls", "dbs/bench", "/dbs/bench/colls", `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`},
		{"docs", "dbs/bench/colls/c", "/dbs/bench/colls/c/docs", kilobyte("read")},
	} {
		c.send(b, c.head(b, http.MethodPost, made.resource, made.link, made.path), made.body, http.StatusCreated)
	}
	return s
}

// round sends requests over eight connections, and returns how long they took.
func (s *target) round(b *testing.B, op string) time.Duration {
	first := s.created
	if op == "create" {
		s.created += requests
	}
	start := time.Now()
	var all sync.WaitGroup
	for worker := range connections {
		all.Go(func() {
			c := dial(b, s.url.Host)
			defer func() { c.Close() }()
			read := c.head(b, http.MethodGet, "docs", "dbs/bench/colls/c/docs/read", "/dbs/bench/colls/c/docs/read")
			create := c.head(b, http.MethodPost, "docs", "dbs/bench/colls/c", "/dbs/bench/colls/c/docs")
			for n := worker; n < requests && !b.Failed(); n += connections {
				if op == "read" {
					c.send(b, read, "", http.StatusOK)
				} else {
					c.send(b, create, kilobyte(strconv.Itoa(first+n)), http.StatusCreated)
				}
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

// connection is a client that costs little compared with the servers: it writes requests as
// they are, and parses answers alone. It connects again when the server asks for it.
type connection struct {
	net.Conn
	in *bufio.Reader
}

func dial(b *testing.B, address string) *connection {
	c, err := new(net.Dialer).DialContext(b.Context(), "tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	return &connection{c, bufio.NewReader(c)}
}

// head is the signed head of requests of a resource type and a link, without the
// length of the body.
func (c *connection) head(b *testing.B, method, resource, link, path string) string {
	key, err := base64.StdEncoding.DecodeString(server.WellKnownKey)
	if err != nil {
		b.Fatal(err)
	}
	date := time.Now().UTC().Format(http.TimeFormat)
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s\n%s\n%s\n%s\n\n", strings.ToLower(method), resource, link, strings.ToLower(date))
	token := url.QueryEscape("type=master&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nX-Ms-Date: %s\r\nX-Ms-Version: 2020-07-15\r\n"+
		"X-Ms-Documentdb-Partitionkey: [\"k\"]\r\nContent-Type: application/json\r\nContent-Length: ",
		method, path, c.RemoteAddr(), token, date)
}

// send sends a request and reads its answer.
func (c *connection) send(b *testing.B, head, body string, status int) {
	if _, err := io.WriteString(c, head+strconv.Itoa(len(body))+"\r\n\r\n"+body); err != nil {
		b.Error(err)
		return
	}
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		b.Error(err)
		return
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode != status {
		b.Errorf("status %d, want %d: %.300s", answer.StatusCode, status, said)
	}
	if answer.Close {
		address := c.RemoteAddr().String()
		c.Close()
		*c = *dial(b, address)
	}
}

// kilobyte is a document of 1 KB.
func kilobyte(id string) string {
	return `{"id":"` + id + `","pk":"k","speed":120.5,"position":{"lat":48.1,"lon":11.6},"tags":["a","b","c"],"text":"` + strings.Repeat("x", 900) + `"}`
}
