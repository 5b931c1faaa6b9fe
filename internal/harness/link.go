package harness

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Serve has an account of this process answer a request, as a network brings the answer. It has
// no port and starts no goroutine, so it serves tests in virtual time, too. A connection that
// the account breaks is an error.
func Serve(account http.Handler, q *http.Request) (answer *http.Response, err error) {
	defer func() {
		if aborted := recover(); aborted != nil { // as the server of net/http does
			if aborted != http.ErrAbortHandler {
				panic(aborted)
			}
			answer, err = nil, cmp.Or(q.Context().Err(), io.EOF)
		}
	}()
	if q.Body == nil {
		q.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	account.ServeHTTP(w, q)
	answer = w.Result()
	answer.Request = q
	header := http.Header{}
	for name, values := range answer.Header { // the account writes names that are not canonical
		for _, value := range values {
			header.Add(name, value)
		}
	}
	answer.Header = header
	return answer, nil
}

// ErrBroken is the error of a link that is broken.
var ErrBroken = errors.New("the connection is broken")

// Link is a connection to an account of this process, which may break for ever at a request. It
// is a transport of net/http and of azcore.
type Link struct {
	Account http.Handler
	Counts  func(*http.Request) bool     // which requests count; the others pass while the link is whole. Nil: all
	At      int                          // the number of the request that breaks it, from 1 on; 0 for none
	After   bool                         // whether the account acts on that request
	Cancel  func()                       // is called when it breaks, and at each later request, if not nil
	Each    func(n int, q *http.Request) // is called before the nth request, if not nil

	mu   sync.Mutex
	n    int
	down bool
}

// Do implements policy.Transporter of azcore.
func (l *Link) Do(q *http.Request) (*http.Response, error) { return l.RoundTrip(q) }

// RoundTrip implements http.RoundTripper.
func (l *Link) RoundTrip(q *http.Request) (*http.Response, error) {
	counts := l.Counts == nil || l.Counts(q)
	l.mu.Lock()
	if counts {
		l.n++
	}
	n, down, breaks := l.n, l.down, counts && l.n == l.At
	l.down = down || breaks
	l.mu.Unlock()
	if down || breaks && !l.After {
		return nil, l.broken()
	}
	if counts && l.Each != nil {
		l.Each(n, q)
	}
	answer, err := Serve(l.Account, q)
	if breaks {
		return nil, l.broken()
	}
	return answer, err
}

func (l *Link) broken() error {
	if l.Cancel != nil {
		l.Cancel()
	}
	return ErrBroken
}

// Begin counts from the next request on, which is the first, and breaks the link at one of
// them, or at none if at is 0.
func (l *Link) Begin(at int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n, l.At = 0, at
}

// Requests is how many requests have counted.
func (l *Link) Requests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}
