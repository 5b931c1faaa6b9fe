// Package proxytest has a proxy between a client and a service for tests. It repeats requests,
// delays them and loses their answers, like a load balancer that retries.
package proxytest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Fate is the treatment of a request.
type Fate int

// The fates of a request.
const (
	Passes     Fate = iota // once, with its answer
	Twice                  // sent twice; the second answer is returned
	Late                   // once, with its answer, and once more after a pause
	Answerless             // once, and the connection breaks before the answer
	Dropped                // never, and the connection breaks
	Delayed                // the connection breaks, and the request arrives after a pause
)

// Proxy is a transport of HTTP clients. It is safe for concurrent use.
type Proxy struct {
	// Fate returns the fate of a request. Nil passes all.
	Fate func(*http.Request) Fate

	// Pause returns the delay of a request. Nil is a millisecond.
	Pause func() time.Duration

	mu       sync.Mutex
	repeated int
	late     sync.WaitGroup
}

// Writes returns a Fate function for requests with one of these methods, except queries of Cosmos
// DB.
func Writes(fate Fate, methods ...string) func(*http.Request) Fate {
	return func(r *http.Request) Fate {
		for _, method := range methods {
			if r.Method == method && r.Header.Get("X-Ms-Documentdb-Query") == "" {
				return fate
			}
		}
		return Passes
	}
}

// Do makes the proxy a transport of azcore.
func (p *Proxy) Do(r *http.Request) (*http.Response, error) { return p.RoundTrip(r) }

// RoundTrip implements http.RoundTripper.
func (p *Proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	copied, err := copies(r)
	if err != nil {
		return nil, err
	}
	fate := Passes
	p.mu.Lock()
	if p.Fate != nil {
		fate = p.Fate(r)
	}
	if fate != Passes {
		p.repeated++
	}
	p.mu.Unlock()
	switch fate {
	case Twice:
		p.discard(copied(r.Context()))
	case Late:
		p.later(copied(context.WithoutCancel(r.Context())))
	case Answerless:
		p.discard(copied(context.WithoutCancel(r.Context())))
		return nil, broken(r)
	case Dropped:
		return nil, broken(r)
	case Delayed:
		p.later(copied(context.WithoutCancel(r.Context())))
		return nil, broken(r)
	}
	return http.DefaultTransport.RoundTrip(copied(r.Context()))
}

// Repeated returns how many requests did not simply pass.
func (p *Proxy) Repeated() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.repeated
}

// Wait waits until the delayed requests have arrived.
func (p *Proxy) Wait() { p.late.Wait() }

func (p *Proxy) later(r *http.Request) {
	pause := time.Millisecond
	if p.Pause != nil {
		pause = p.Pause()
	}
	p.late.Go(func() {
		time.Sleep(pause)
		p.discard(r)
	})
}

func (*Proxy) discard(r *http.Request) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
}

// copies returns a function that copies a request: net/http may still read its body when the answer
// is here.
func copies(r *http.Request) (func(context.Context) *http.Request, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return r.Clone, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) *http.Request {
		other := r.Clone(ctx)
		other.Body, other.GetBody = io.NopCloser(bytes.NewReader(body)), nil
		return other
	}, r.Body.Close()
}

// broken is the error of a connection that broke after the request was sent.
func broken(r *http.Request) error {
	return &url.Error{Op: r.Method, URL: r.URL.Redacted(), Err: errors.New("the proxy has closed the connection")}
}
