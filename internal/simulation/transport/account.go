package transport

import (
	"bytes"
	"cmp"
	"context"
	crypto "crypto/rand"
	"io"
	legacy "math/rand"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/turn"
)

// Account is an account with a queue of requests.
type Account struct {
	Server  *server.Server
	Began   time.Time
	Ahead   time.Duration // its clock minus the programs' clock; set it before the first request
	Arrived chan struct{} // receives when a request begins to wait
	History []Event       // the requests that took effect or failed
	Regions Regions       // empty for an account with one region

	// Answered, if not nil, is called before a program receives an answer.
	Answered func(Event)

	luck     *Luck
	mu       sync.Mutex // guards the fields below, and those of programs
	waiting  []*Request
	programs int
}

// Request is a request that waits for its turn.
type Request struct {
	*http.Request
	Body    []byte
	Index   int // the operation that sends it, from the context; -1 for none
	Program *Program
	Region  string // the region that it is sent to; "" for the address of the account

	order  string // the sort key of waiting requests
	answer chan answer
	gone   atomic.Bool // the caller has given up
}

// Gone reports whether the caller has given up.
func (q *Request) Gone() bool { return q.gone.Load() }

type indexKey struct{}

// WithIndex returns a context whose requests belong to an operation.
func WithIndex(ctx context.Context, index int) context.Context {
	return context.WithValue(ctx, indexKey{}, index)
}

// NewAccount returns an account with regions, the write region first, or with a single unnamed
// region. It must be called in the bubble that uses it.
func NewAccount(luck *Luck, regions ...string) (*Account, error) {
	a := &Account{Began: time.Now(), Arrived: make(chan struct{}, 1), luck: luck}
	a.Regions = Regions{account: a, names: regions}
	options := server.Options{Partitions: 3, Clock: func() time.Time { return time.Now().Add(a.Ahead) }}
	a.Regions.set(&options)
	var err error
	if a.Server, err = server.New(options); err != nil {
		return nil, err
	}
	turn.FeedRanges.Renew()
	return a, nil
}

// Database returns the database db by a new program.
func (a *Account) Database() (*azcosmos.DatabaseClient, error) {
	return a.Program().Database()
}

// isContainer reports whether a path denotes a container itself.
func isContainer(path string) bool {
	return strings.Count(strings.Trim(path, "/"), "/") == 3
}

// Next waits until no goroutine runs, and returns the request whose turn it is, or nil. Requests
// are sorted, and pick chooses among n of them. Requests of stopped programs have no turn.
func (a *Account) Next(pick func(n int) int) *Request {
	synctest.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = slices.DeleteFunc(a.waiting, (*Request).Gone)
	var ready []*Request
	for _, q := range a.waiting {
		if !time.Now().Before(q.Program.until) {
			ready = append(ready, q)
		}
	}
	if len(ready) == 0 {
		return nil
	}
	slices.SortStableFunc(ready, func(a, b *Request) int { return cmp.Compare(a.order, b.order) })
	q := ready[pick(len(ready))]
	a.waiting = slices.DeleteFunc(a.waiting, func(other *Request) bool { return other == q })
	return q
}

// Settle waits until no goroutine runs.
func (a *Account) Settle() { synctest.Wait() }

// Waits reports whether a request of an operation waits for its turn.
func (a *Account) Waits(index int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.waiting, func(q *Request) bool { return q.Index == index && !q.Gone() })
}

// arrived signals that a request may have a turn.
func (a *Account) arrived() {
	select {
	case a.Arrived <- struct{}{}:
	default:
	}
}

// serve lets the account handle a request.
func (a *Account) serve(q *Request) answer {
	if a.Regions.down(q) {
		return answer{err: unheard(q.Request)}
	}
	a.luck.serving.Store(true)
	defer a.luck.serving.Store(false)
	return answer{Response: Serve(a.Server, q.Request, q.Body)} //nolint:bodyclose // its body is in memory
}

// Body reads the whole body of a request; nil if it has none.
func Body(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer func() { _ = r.Body.Close() }() // only reads precede it
	return io.ReadAll(r.Body)
}

// Serve lets a server answer a request completely, even if the caller gives up, and returns the
// answer with canonical header names, as a network would.
func Serve(server http.Handler, request *http.Request, body []byte) *http.Response {
	r := request.Clone(context.WithoutCancel(request.Context()))
	r.Body = io.NopCloser(bytes.NewReader(body))
	response, err := harness.Serve(server, r)
	if err != nil {
		panic(err) // happens only at the end of a request
	}
	response.Request = request
	return response
}

// Luck is the source of random numbers of a seed. The account has a source of its own, so its
// numbers do not depend on the order in which programs draw theirs.
type Luck struct {
	mu       sync.Mutex
	programs *rand.ChaCha8
	account  *rand.ChaCha8
	serving  atomic.Bool
}

// Seed makes the run time, the SDK and the account draw from a seed until end is called. It affects
// the whole process.
func Seed(seed uint64) (luck *Luck, end func()) {
	of := func(who byte) *rand.ChaCha8 {
		return rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), who})
	}
	luck = &Luck{programs: of(0), account: of(1)}
	calm := chance.Seed(seed)
	legacy.Seed(int64(seed)) //nolint:staticcheck // the SDKs draw from it
	before := crypto.Reader
	crypto.Reader = luck
	return luck, func() {
		crypto.Reader = before
		calm()
	}
}

// Read implements the reader of package crypto/rand.
func (l *Luck) Read(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.serving.Load() {
		return l.account.Read(b)
	}
	return l.programs.Read(b)
}

// RoundTrip answers at once, and records nothing. Tests use it to inspect stored data.
func (a *Account) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := Body(r)
	if err != nil {
		return nil, err
	}
	answer := a.serve(&Request{Request: r, Body: body, Region: a.Regions.of(r)})
	return answer.Response, answer.err
}

// Connection returns a connection string of the account.
func (a *Account) Connection() string {
	return harness.ConnectionString(strings.TrimSuffix(a.Program().endpoint, "/"), a.Server)
}
