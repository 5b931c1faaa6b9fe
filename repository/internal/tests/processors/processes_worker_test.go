package processors

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// workerVariable has the orders of a worker process in its environment. TestMain runs
// the worker in place of the tests.
const workerVariable = "PKGEN_TEST_WORKER"

// workerOrders are the orders of a worker process.
type workerOrders struct {
	Account  string
	Dialect  feed.LeaseDialect
	Times    feed.LeaseTimes
	Skew     time.Duration // by which its clock is late, compared with that of the service
	Sleep    time.Duration // for each change
	Troubled bool          // the handler sometimes takes a quarter of the expiry interval, or fails
	Pages    int32
	AtOnce   int // how many pages a worker handles at a time; 0 is the default
}

// workerReport is a line of what a worker process says.
type workerReport struct {
	At    int64          // nanoseconds, by the clock that all processes of this machine share
	Begin int64          `json:",omitempty"` // the number of a call of the handler
	Docs  map[string]int `json:",omitempty"` // versions by id
	End   int64          `json:",omitempty"`
	OK    bool           `json:",omitempty"` // the handler has returned nil
	Wrong string         `json:",omitempty"`
	Saves int64          `json:",omitempty"` // lease writes that were compared with what they replace
}

// workerProcess handles things until its input ends.
type workerProcess struct {
	workerOrders

	calls atomic.Int64
	mu    sync.Mutex
	out   *json.Encoder
}

func (w *workerProcess) say(r workerReport) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.At = time.Now().UnixNano()
	_ = w.out.Encode(r) // its parent may have ended; then its input has, too
}

// runWorkerProcess is the main function of a worker process.
func runWorkerProcess(orders string) error {
	w := &workerProcess{out: json.NewEncoder(os.Stdout)}
	if err := json.Unmarshal([]byte(orders), &w.workerOrders); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	watch := &leaseWatch{worker: w, skew: w.Skew, seen: map[string]int64{}}
	client, err := azcosmos.NewClientFromConnectionString(w.Account, repository.Configure(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: watch}}))
	if err != nil {
		return err
	}
	container, err := client.NewContainer("db", "things")
	if err != nil {
		return err
	}
	leases, err := client.NewContainer("db", "leases")
	if err != nil {
		return err
	}
	var settings []repository.Option
	if w.AtOnce > 0 {
		settings = append(settings, repository.WithConcurrency(w.AtOnce))
	}
	err = feed.NewProcessor(repository.New(container, &kit.ThingModel, settings...), "projection", leases, w.handle,
		feed.WithLeaseDialect(w.Dialect), feed.WithLeaseTimes(w.Times), feed.PageSize(w.Pages),
		feed.PollEvery(50*time.Millisecond)).Run(ctx)
	w.say(workerReport{Saves: watch.compared.Load()})
	if !errors.Is(err, context.Canceled) {
		w.say(workerReport{Wrong: fmt.Sprintf("Run ended with %v", err)})
	}
	return nil
}

func (w *workerProcess) handle(ctx context.Context, changes []feed.Delivery[kit.Thing]) error {
	docs := map[string]int{}
	for _, c := range changes {
		n, _ := c.Doc.Properties["n"].(float64)
		docs[c.Doc.ID] = max(docs[c.Doc.ID], int(n))
	}
	call := w.calls.Add(1)
	w.say(workerReport{Begin: call, Docs: docs})
	err := w.work(ctx, len(changes))
	w.say(workerReport{End: call, OK: err == nil})
	return err
}

func (w *workerProcess) work(ctx context.Context, changes int) error {
	pause := time.Duration(changes) * w.Sleep
	if w.Troubled {
		switch rand.IntN(40) {
		case 0:
			pause = rand.N(w.Times.Expire / 4)
		case 1:
			return errors.New("not now")
		}
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leaseWatch is a transport that compares each write of a lease with the document that
// it replaces, whose ETag it must name, and shifts the time of answers.
type leaseWatch struct {
	worker *workerProcess
	skew   time.Duration

	mu       sync.Mutex
	seen     map[string]int64 // progress by ETag
	compared atomic.Int64
}

// Do sends a request.
func (l *leaseWatch) Do(r *http.Request) (*http.Response, error) {
	leases := strings.Contains(r.URL.Path, "/colls/leases/docs")
	var sent []byte
	if leases && r.Body != nil {
		var err error
		if sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	if leases && r.Method == http.MethodPut {
		l.compare(r, sent)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, err
	}
	if at, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		response.Header.Set("Date", at.Add(l.skew).UTC().Format(http.TimeFormat))
	}
	if leases && response.StatusCode < 300 {
		return response, l.learn(response, sent)
	}
	return response, nil
}

// learn notes the progress of the documents in an answer.
func (l *leaseWatch) learn(response *http.Response, sent []byte) error {
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	if tag := response.Header.Get("Etag"); tag != "" && response.Request.Method != http.MethodGet {
		l.note(tag, sent)
	}
	var page struct{ Documents []json.RawMessage }
	_ = json.Unmarshal(text, &page)
	for _, document := range append(page.Documents, text) {
		var d struct {
			ETag string `json:"_etag"`
		}
		if json.Unmarshal(document, &d) == nil && d.ETag != "" {
			l.note(d.ETag, document)
		}
	}
	return nil
}

func (l *leaseWatch) note(tag string, document []byte) {
	n, err := progressOf(document)
	if err != nil {
		return // it is no lease
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[tag] = n
}

// compare compares a write with what it replaces.
func (l *leaseWatch) compare(r *http.Request, sent []byte) {
	l.mu.Lock()
	before, known := l.seen[r.Header.Get("If-Match")]
	l.mu.Unlock()
	after, err := progressOf(sent)
	switch {
	case err != nil:
		l.worker.say(workerReport{Wrong: fmt.Sprintf("the lease %s: %v", sent, err)})
	case !known:
		l.worker.say(workerReport{Wrong: fmt.Sprintf("a lease is written on the ETag %q, which nobody has read", r.Header.Get("If-Match"))})
	case after < before:
		l.worker.say(workerReport{Wrong: fmt.Sprintf("progress goes back from %d to %d: %s", before, after, sent)})
	}
	l.compared.Add(1)
}

// progressOf returns the log sequence number that a lease has saved.
func progressOf(document []byte) (int64, error) {
	var d struct {
		LeaseToken        *string
		ContinuationToken string
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return 0, err
	}
	if d.LeaseToken == nil {
		return 0, errors.New("it is no lease")
	}
	token := d.ContinuationToken
	if state, err := base64.StdEncoding.DecodeString(token); err == nil && token != "" {
		var s struct {
			Continuation struct {
				Continuation []struct{ Token string }
			}
		}
		if err := json.Unmarshal(state, &s); err != nil {
			return 0, err
		}
		token = s.Continuation.Continuation[0].Token
	}
	if token == "" {
		return 0, nil
	}
	return strconv.ParseInt(strings.Trim(token, `"`), 10, 64)
}
