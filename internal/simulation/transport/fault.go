package transport

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing/synctest"
	"time"
)

// Fate is the treatment of a request.
type Fate int

// The fates of a request.
const (
	Passes     Fate = iota
	Dropped         // the connection breaks before the server acts
	Answerless      // the connection breaks after the server has acted
	Refused         // the server answers with an error, without effect
	Failed          // the server acts, and answers with an error
	Second          // the request arrives twice; the second answer is returned
	First           // the request arrives twice; the first answer is returned
	Cut             // the answer loses a part of its body
	Cancelled       // the caller gives up before the server acts
	Abandoned       // the caller gives up after the server has acted
	Fates           // the number of fates
)

func (f Fate) String() string {
	return [...]string{"", "dropped", "answer lost", "refused", "failed after its effect", "twice, second answer", "twice, first answer", "cut", "cancelled", "cancelled after its effect"}[f]
}

// Fault is a fate with its details.
type Fault struct {
	Fate
	Status, Substatus int    // of Refused and Failed
	RetryAfter        int    // milliseconds, of status 429
	Left              string // of a body that is Cut: "{}", "half" or nothing
	Cancel            func() // cancels the caller's context

	// Late is the delay of the answer, during which other requests act.
	Late time.Duration
}

// Act serves a request according to a fault, records it, and answers.
func (a *Account) Act(q *Request, f Fault) {
	e := Event{Request: q, At: time.Since(a.Began), Fate: f.Fate, Unheard: a.Regions.down(q)}
	var answer answer
	switch f.Fate {
	case Passes:
		answer = a.serve(q)
	case Dropped:
		answer.err = lost(q.Request, io.ErrUnexpectedEOF)
	case Answerless:
		if effect := a.serve(q); effect.err == nil {
			e.Status, e.ETag = effect.StatusCode, effect.Header.Get("ETag")
		}
		answer.err = lost(q.Request, io.ErrUnexpectedEOF)
	case Refused:
		answer = f.answer(q)
	case Failed:
		a.serve(q)
		answer = f.answer(q)
	case Second:
		a.serve(q)
		answer = a.serve(q)
	case First:
		answer = a.serve(q)
		a.serve(q)
	case Cut:
		if answer = a.serve(q); answer.err == nil {
			answer.cut(f.Left)
		}
	case Cancelled:
		f.Cancel()
		if synctest.Wait(); !q.gone.Load() { // the request may have a context of its own
			answer = a.serve(q)
		}
	case Abandoned:
		answer = a.serve(q)
		f.Cancel()
		synctest.Wait()
	}
	if answer.Response != nil {
		e.Status, e.ETag, e.Substatus = answer.StatusCode, answer.Header.Get("ETag"), answer.Header.Get("x-ms-substatus")
	}
	a.History = append(a.History, e)
	if answer.Response == nil && answer.err == nil {
		return
	}
	if a.Answered != nil {
		a.Answered(e)
	}
	if f.Late > 0 {
		time.AfterFunc(f.Late, func() { q.answer <- answer })
		return
	}
	q.answer <- answer
}

type answer struct {
	*http.Response
	err error
}

// cut removes a part of the body.
func (a answer) cut(to string) {
	body, _ := io.ReadAll(a.Body)
	var left []byte
	switch {
	case len(body) == 0:
	case to == "half":
		left = body[:len(body)/2]
	default:
		left = []byte(to)
	}
	a.Body = io.NopCloser(bytes.NewReader(left))
	a.ContentLength = int64(len(left))
	a.Header.Del("Content-Length")
}

// answer returns the service's error.
func (f Fault) answer(q *Request) answer {
	r := httptest.NewRecorder()
	r.Header().Set("x-ms-substatus", strconv.Itoa(f.Substatus))
	if f.Status == http.StatusTooManyRequests {
		r.Header().Set("x-ms-retry-after-ms", strconv.Itoa(f.RetryAfter))
	}
	r.WriteHeader(f.Status)
	_, _ = fmt.Fprint(r, `{"code":"Failed","message":"by the simulation"}`)
	a := answer{Response: r.Result()}
	a.Request = q.Request
	return a
}

// lost returns an error in the form of net/http.
func lost(r *http.Request, err error) error {
	return &url.Error{Op: r.Method, URL: r.URL.String(), Err: err}
}
