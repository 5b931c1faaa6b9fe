package simulation

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// fate is what happens to a request.
type fate int

const (
	passes     fate = iota
	dropped         // the connection breaks before the server acts
	answerless      // it breaks after the server has acted
	refused         // the server answers with an error, and does nothing
	failed          // the server acts, and answers with an error
	second          // the request arrives twice, and the second answer comes back
	first           // the request arrives twice, and the first answer comes back
	cut             // the answer loses a part of its body
	cancelled       // the caller gives up before the server acts
	abandoned       // the caller gives up after the server has acted
	fates
)

func (f fate) String() string {
	return [...]string{"", "dropped", "answer lost", "refused", "failed after its effect", "twice, second answer", "twice, first answer", "cut", "cancelled", "cancelled after its effect"}[f]
}

// request waits for its turn.
type request struct {
	*http.Request
	body   []byte
	by     *running
	order  string // by which requests that wait are sorted
	answer chan answer
	gone   atomic.Bool // the caller has given up
}

type answer struct {
	*http.Response
	err error
}

// running is an operation under way.
type running struct {
	index  int // among the steps
	random *rand.Rand
	cancel context.CancelFunc
	faults int // how many more there may be
	met    int // how many there were
	before int // how many requests for metadata had failed when it began
	twice  int
	ended  bool         // its context has
	broken func(f fate) // is told of each fault
	name   string
}

type runningKey struct{}

// event is one request of a history.
type event struct {
	at                 time.Duration
	op                 int
	method, path, key  string
	condition, partial string
	status             int
	fate               fate
	body               []byte
}

func (e event) String() string {
	words := []string{fmt.Sprintf("%9s op %d: %s %s", e.at, e.op, e.method, e.path)}
	for _, more := range []string{e.key, e.condition, e.partial, e.fate.String()} {
		if more != "" {
			words = append(words, more)
		}
	}
	text := strings.Join(append(words, "→", strconv.Itoa(e.status)), " ")
	if len(e.body) > 0 {
		text += "\n\t\t" + string(bytes.ReplaceAll(e.body, []byte("\n"), []byte(" ")))
	}
	return text
}

// world is an account, the requests that wait for it, and who chooses.
type world struct {
	server   *server.Server
	endpoint string
	random   *rand.Rand // chooses the order
	rate     float64    // of faults
	began    time.Time

	mu      sync.Mutex
	waiting []*request
	arrived chan struct{}
	history []event
	acted   int
	meta    int  // how many requests for metadata have failed, which several operations wait for
	calm    bool // no faults any more
	serving *atomic.Bool
}

var accounts atomic.Int64

func newWorld(seed uint64) (*world, error) {
	s, err := server.New(server.Options{Partitions: 3})
	if err != nil {
		return nil, err
	}
	return &world{
		server: s, endpoint: fmt.Sprintf("http://127.0.0.1:%d/", accounts.Add(1)),
		random: rand.New(rand.NewPCG(seed, 1)), began: time.Now(), arrived: make(chan struct{}, 1),
	}, nil
}

func (w *world) container(name string) (*azcosmos.ContainerClient, error) {
	credential, err := azcosmos.NewKeyCredential(w.server.Key())
	if err != nil {
		return nil, err
	}
	client, err := azcosmos.NewClientWithKey(w.endpoint, credential, repository.Configure(&azcosmos.ClientOptions{
		ClientOptions: azcore.ClientOptions{Transport: w, Retry: policy.RetryOptions{}},
	}))
	if err != nil {
		return nil, err
	}
	return client.NewContainer("db", name)
}

// Do makes the world a transport of azcore: it keeps a request until its turn comes.
func (w *world) Do(r *http.Request) (*http.Response, error) {
	q := &request{Request: r, answer: make(chan answer, 1)}
	if r.Body != nil {
		var err error
		if q.body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		_ = r.Body.Close()
	}
	if _, rest := route(r.URL.Path); rest == "" && r.Method == http.MethodGet { // azcosmos holds a mutex meanwhile, which stops virtual time
		return w.serve(q).Response, nil
	}
	q.by, _ = r.Context().Value(runningKey{}).(*running)
	if q.by == nil { // of nobody's operation, such as reading the account
		q.by = &running{index: -1}
	}
	h := r.Header
	q.order = fmt.Sprintf("%06d %s %s %s %s %s %s %s", q.by.index, r.Method, r.URL.Path, h.Get("x-ms-documentdb-partitionkeyrangeid"), h.Get("x-ms-documentdb-partitionkey"), h.Get("x-ms-continuation"), h.Get("If-Match"), q.body)
	w.mu.Lock()
	w.waiting = append(w.waiting, q)
	w.mu.Unlock()
	select {
	case w.arrived <- struct{}{}:
	default:
	}
	select {
	case a := <-q.answer:
		return a.Response, a.err
	case <-r.Context().Done():
		q.gone.Store(true)
		return nil, lost(r, r.Context().Err())
	}
}

// lost is an error as net/http returns it.
func lost(r *http.Request, err error) error {
	return &url.Error{Op: r.Method, URL: r.URL.String(), Err: err}
}

// undisturbed reports whether no request has failed that an operation waited for.
func (w *world) undisturbed(by *running) bool { return by.met == 0 && w.meta == by.before }

// route divides a path into the link of a container and the rest, "-" for a path that has
// no container.
func route(path string) (container, rest string) {
	parts := strings.SplitN(strings.Trim(path, "/"), "/", 5)
	switch {
	case len(parts) < 4:
		return "", "-"
	case len(parts) == 4:
		return path, ""
	}
	return strings.Join(parts[:4], "/"), parts[4]
}

// next returns the request whose turn it is, nil if none waits.
func (w *world) next() *request {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = slices.DeleteFunc(w.waiting, func(q *request) bool { return q.gone.Load() })
	if len(w.waiting) == 0 {
		return nil
	}
	slices.SortStableFunc(w.waiting, func(a, b *request) int { return cmp.Compare(a.order, b.order) })
	i := w.random.IntN(len(w.waiting))
	q := w.waiting[i]
	w.waiting = slices.Delete(w.waiting, i, i+1)
	return q
}

// run lets requests act, one after the other, until done is closed.
func (w *world) run(done <-chan struct{}, between func()) error {
	for {
		q := w.next()
		if q == nil {
			select {
			case <-done:
				return nil
			case <-w.arrived:
			case <-time.After(time.Hour):
				return errors.New("operations wait for an hour, and send nothing")
			}
			continue
		}
		if w.acted++; w.acted > 200_000 {
			return fmt.Errorf("operation %d %s, and others, send requests without end", q.by.index, q.by.name)
		}
		if w.random.IntN(4) == 0 {
			time.Sleep(time.Duration(w.random.IntN(20)) * time.Millisecond)
			if q.gone.Load() {
				continue
			}
		}
		w.act(q)
		between()
	}
}

// act serves a request by its fate.
func (w *world) act(q *request) {
	f := w.fateOf(q)
	e := event{at: time.Since(w.began), op: q.by.index, method: q.Method, path: q.URL.Path, fate: f, body: q.body,
		key: q.Header.Get("x-ms-documentdb-partitionkey"), condition: q.Header.Get("If-Match"), partial: q.Header.Get("x-ms-documentdb-partitionkeyrangeid")}
	var a answer
	broken := answer{err: lost(q.Request, io.ErrUnexpectedEOF)}
	switch f {
	case passes:
		a = w.serve(q)
	case dropped:
		a = broken
	case answerless:
		e.status = w.serve(q).StatusCode
		a = broken
	case refused:
		a = w.error(q, e.method != http.MethodGet && q.Header.Get("x-ms-documentdb-query") == "", false)
	case failed:
		w.serve(q)
		a = w.error(q, true, true)
	case second:
		w.serve(q)
		a = w.serve(q)
	case first:
		a = w.serve(q)
		w.serve(q)
	case cut:
		a = w.serve(q)
		body, _ := io.ReadAll(a.Body)
		var left []byte
		switch q.by.random.IntN(3) {
		case 0:
			left = []byte("{}")
		case 1:
			left = body[:len(body)/2]
		}
		if len(body) == 0 {
			left = body
		}
		a.Body = io.NopCloser(bytes.NewReader(left))
		a.ContentLength = int64(len(left))
		a.Header.Del("Content-Length")
	case cancelled:
		q.by.cancel()
		if synctest.Wait(); !q.gone.Load() { // it has a context of its own
			a = w.serve(q)
		}
	case abandoned:
		a = w.serve(q)
		q.by.cancel()
		synctest.Wait()
	}
	if a.Response != nil {
		e.status = a.StatusCode
	}
	w.history = append(w.history, e)
	if a.Response != nil || a.err != nil {
		q.answer <- a
	}
}

// fateOf decides what happens to a request.
func (w *world) fateOf(q *request) fate {
	by := q.by
	if w.calm || by.index < 0 || by.faults <= 0 || by.random.Float64() >= w.rate {
		return passes
	}
	f := fate(1 + by.random.IntN(int(fates)-1))
	if (f == cancelled || f == abandoned) && by.random.IntN(4) > 0 { // rarer than others
		f = dropped
	}
	if by.cancel == nil && (f == cancelled || f == abandoned) {
		f = dropped
	}
	by.faults--
	by.met++
	if !strings.Contains(q.URL.Path, "/docs") {
		w.meta++
	}
	if f == cancelled || f == abandoned {
		by.ended = true
	}
	if f == first || f == second {
		by.twice++
	}
	if by.broken != nil {
		by.broken(f)
	}
	return f
}

// error is an answer that the service gives without having acted, or after it.
func (w *world) error(q *request, write, after bool) answer {
	type failure struct{ status, substatus int }
	before := []failure{{429, 3200}, {449, 0}, {503, 0}, {410, 1002}, {410, 1007}, {408, 0}, {500, 0}}
	if !strings.Contains(q.URL.Path, "/docs") {
		before = []failure{{429, 3200}, {503, 0}, {408, 0}, {500, 0}}
	}
	if after {
		before = []failure{{503, 0}, {408, 0}, {500, 0}}
	} else if !write && strings.Contains(q.URL.Path, "/docs/") {
		before = append(before, failure{404, 1002})
	}
	f := before[q.by.random.IntN(len(before))]
	r := httptest.NewRecorder()
	r.Header().Set("x-ms-substatus", strconv.Itoa(f.substatus))
	if f.status == http.StatusTooManyRequests {
		r.Header().Set("x-ms-retry-after-ms", strconv.Itoa(1+q.by.random.IntN(100)))
	}
	r.WriteHeader(f.status)
	_, _ = io.WriteString(r, `{"code":"Failed","message":"by the simulation"}`)
	answer := answer{Response: r.Result()}
	answer.Request = q.Request
	return answer
}

// serve lets the account act.
func (w *world) serve(q *request) answer {
	r := q.Clone(context.Background())
	r.Body = io.NopCloser(bytes.NewReader(q.body))
	recorder := httptest.NewRecorder()
	w.serving.Store(true)
	w.server.ServeHTTP(recorder, r)
	w.serving.Store(false)
	response := recorder.Result()
	response.Request = q.Request
	header := http.Header{}
	for name, values := range response.Header { // as one that a network has brought
		for _, value := range values {
			header.Add(name, value)
		}
	}
	response.Header = header
	return answer{Response: response}
}

var (
	moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z`)
	drawn   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"[0-9a-f]{24}"`)
)

// lines returns the history, with times since its beginning, and random words as numbers in the
// order of their appearance.
func (w *world) lines() []string {
	out, words := make([]string, len(w.history)), map[string]string{}
	for i, e := range w.history {
		text := drawn.ReplaceAllStringFunc(e.String(), func(word string) string {
			if words[word] == "" {
				words[word] = fmt.Sprintf("random-%d", len(words)+1)
			}
			return words[word]
		})
		out[i] = moments.ReplaceAllStringFunc(text, func(s string) string {
			at, err := time.Parse(time.RFC3339Nano, s)
			if err != nil {
				return s
			}
			return at.Sub(w.began).String()
		})
	}
	return out
}

// of returns the requests of a document.
func (w *world) of(id string) string {
	var b strings.Builder
	for _, e := range w.history {
		if strings.Contains(e.path, id) || bytes.Contains(e.body, []byte(`"`+id+`"`)) {
			fmt.Fprintln(&b, "\t"+e.String())
		}
	}
	return b.String()
}
