package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkBesideBareServer compares requests per second with a TLS server of
// net/http that gives the same answers without any work: point reads and creates of
// documents of 1 KB, at eight connections, both servers and their client in one
// process. It reports the median ratio of pairs of rounds.
func BenchmarkBesideBareServer(b *testing.B) {
	for _, op := range []struct {
		name, method string
		body         func(i int) string
	}{
		{"read", "GET", func(int) string { return "" }},
		{"create", "POST", func(i int) string { return kilobyte(fmt.Sprint("n", i)) }},
	} {
		b.Run(op.name, func(b *testing.B) {
			r := newRig(b, Options{Partitions: 5})
			r.container("")
			r.create(`["k"]`, kilobyte("1"))
			path := docs
			if op.method == "GET" {
				path += "/1"
			}
			like := r.send(op.method, path, op.body(-1), pkKey, `["k"]`)
			bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				maps.Copy(w.Header(), like.Header())
				w.WriteHeader(like.Code)
				_, _ = w.Write(like.Body.Bytes())
			})
			next := 0
			servers := [2]*httptest.Server{serveTLS(b, r), serveTLS(b, bare)}
			var ratios []float64
			for b.Loop() {
				var took [2]time.Duration
				for i := range servers {
					took[i] = r.round(servers[i], op.method, path, like.Code, func(n int) string { return op.body(next + n) })
				}
				next += roundSize
				ratios = append(ratios, took[1].Seconds()/took[0].Seconds())
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "of-bare")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// kilobyte is a document of 1 KB.
func kilobyte(id string) string {
	return `{"id":"` + id + `","pk":"k","speed":120.5,"position":{"lat":48.1,"lon":11.6},"tags":["a","b","c"],"text":"` + strings.Repeat("x", 900) + `"}`
}

// serveTLS serves a handler over TLS.
func serveTLS(b *testing.B, h http.Handler) *httptest.Server {
	server := httptest.NewTLSServer(h)
	b.Cleanup(server.Close)
	transport := server.Client().Transport.(*http.Transport)
	transport.MaxIdleConnsPerHost = connections
	transport.TLSClientConfig.MinVersion = tls.VersionTLS13
	return server
}

const (
	connections = 8
	roundSize   = 4000
)

// round sends roundSize requests over eight connections, and returns how long all of
// them took together.
func (r *rig) round(server *httptest.Server, method, path string, status int, body func(int) string) time.Duration {
	signed := r.request(context.Background(), method, path, "").Header
	signed.Set(pkKey, `["k"]`)
	client := server.Client()
	start := time.Now()
	var all sync.WaitGroup
	for worker := range connections {
		all.Go(func() {
			for n := worker; n < roundSize; n += connections {
				text := body(n)
				request, err := http.NewRequest(method, server.URL+path, bytes.NewReader([]byte(text)))
				if err != nil {
					r.t.Error(err)
					return
				}
				request.Header = signed
				answer, err := client.Do(request)
				if err != nil {
					r.t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode != status {
					r.t.Errorf("status %d, want %d", answer.StatusCode, status)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(start)
}
