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

// Fate is what happens to a request.
type Fate int

// The fates of a request.
const (
	Passes     Fate = iota
	Dropped         // the connection breaks before the server acts
	Answerless      // it breaks after the server has acted
	Refused         // the server answers with an error, and does nothing
	Failed          // the server acts, and answers with an error
	Second          // the request arrives twice, and the second answer comes back
	First           // the request arrives twice, and the first answer comes back
	Cut             // the answer loses a part of its body
	Cancelled       // the caller gives up before the server acts
	Abandoned       // the caller gives up after the server has acted
	Fates           // how many there are
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
	Cancel            func() // ends the context of the caller that is to give up

	// Late is how long the answer is on its way, while other requests act.
	Late time.Duration
}

// Act serves a request by its fate, records it, and answers.
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
		if synctest.Wait(); !q.gone.Load() { // it has a context of its own
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

// answer is an error of the service.
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

// lost is an error as net/http returns it.
func lost(r *http.Request, err error) error {
	return &url.Error{Op: r.Method, URL: r.URL.String(), Err: err}
}
