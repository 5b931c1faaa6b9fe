package harness

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Serve returns an account's answer to a request, in the form that a network delivers. It opens no
// port and starts no goroutine, so it works in virtual time. A connection that the account breaks
// is an error.
func Serve(account http.Handler, q *http.Request) (answer *http.Response, err error) {
	defer func() {
		if aborted := recover(); aborted != nil { // like the server of net/http
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
	for name, values := range answer.Header { // the account writes non-canonical names
		for _, value := range values {
			header.Add(name, value)
		}
	}
	answer.Header = header
	return answer, nil
}

// ErrBroken is the error of a broken link.
var ErrBroken = errors.New("the connection is broken")

// Link is a connection to an account in this process, which may break for ever at a request. It is
// a transport of net/http and of azcore.
type Link struct {
	Account http.Handler
	Counts  func(*http.Request) bool     // which requests to count; the others pass while the link works. Nil means all
	At      int                          // the number of the request that breaks it, from 1; 0 for none
	After   bool                         // the account executes that request
	Cancel  func()                       // called when the link breaks, and at each later request, if not nil
	Each    func(n int, q *http.Request) // called before the nth request, if not nil

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

// Begin restarts the count, and breaks the link at request number at, from 1; 0 for none.
func (l *Link) Begin(at int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n, l.At = 0, at
}

// Requests returns the number of counted requests.
func (l *Link) Requests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}
