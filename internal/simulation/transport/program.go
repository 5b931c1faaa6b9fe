package transport

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Program is a simulated process that sends requests to an account. It is a transport of azcore.
type Program struct {
	account  *Account
	number   int // its index in the account
	endpoint string
	died     chan struct{} // closed when it dies
	until    time.Time     // it is stopped until then
}

var programs atomic.Int64

// Program returns a new process. It has its own address of the account, by which the run time
// caches an account, so two programs share no cache.
func (a *Account) Program() *Program {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.programs++
	return &Program{account: a, number: a.programs, endpoint: fmt.Sprintf("http://127.0.0.1:%d/", programs.Add(1)), died: make(chan struct{})}
}

// Container returns a container of the database db, by a client of its own.
func (p *Program) Container(name string) (*azcosmos.ContainerClient, error) {
	db, err := p.Database()
	if err != nil {
		return nil, err
	}
	return db.NewContainer(name)
}

// Database returns the database db, by a client of its own.
func (p *Program) Database() (*azcosmos.DatabaseClient, error) {
	credential, err := azcosmos.NewKeyCredential(p.account.Server.Key())
	if err != nil {
		return nil, err
	}
	client, err := azcosmos.NewClientWithKey(p.endpoint, credential, repository.Configure(&azcosmos.ClientOptions{
		ClientOptions:    azcore.ClientOptions{Transport: p, Retry: policy.RetryOptions{}},
		PreferredRegions: p.account.Regions.preferred(p.number),
	}))
	if err != nil {
		return nil, err
	}
	return client.NewDatabase("db")
}

// Stop stops the program for a while: its requests do not act, and it receives no answers. Virtual
// time has one clock, so its timers still fire; the requests that they send wait until the end of
// the stop.
func (p *Program) Stop(d time.Duration) {
	p.account.mu.Lock()
	p.until = time.Now().Add(d)
	p.account.mu.Unlock()
	time.AfterFunc(d, p.account.arrived)
}

// Die ends the program: it sends no more requests, and receives no more answers. Its pending
// requests act when their turn comes.
func (p *Program) Die() { close(p.died) }

// Dead reports whether the program has died.
func (p *Program) Dead() bool {
	select {
	case <-p.died:
		return true
	default:
		return false
	}
}

// Do queues a request until its turn comes.
func (p *Program) Do(r *http.Request) (*http.Response, error) {
	q := &Request{Request: r, Index: -1, Program: p, Region: p.account.Regions.of(r), answer: make(chan answer, 1)}
	if p.Dead() {
		return nil, harness.ErrCrash
	}
	var err error
	if q.Body, err = Body(r); err != nil {
		return nil, err
	}
	if r.Method == http.MethodGet && (r.URL.Path == "/" || isContainer(r.URL.Path)) { // azcosmos holds a mutex while it reads a container or the account, and a wait would stop virtual time
		q = p.account.Regions.up(q) //nolint:contextcheck // for the same reason; the request has its context
		answer := p.account.serve(q)
		if answer.err == nil {
			answer.Request = r
		}
		return answer.Response, answer.err
	}
	if index, has := r.Context().Value(indexKey{}).(int); has {
		q.Index = index
	}
	h := r.Header
	q.order = fmt.Sprintf("%06d %03d %s %s %s %s %s %s %s %s", q.Index, p.number, q.Region, r.Method, r.URL.Path, h.Get("x-ms-documentdb-partitionkeyrangeid"), h.Get("x-ms-documentdb-partitionkey"), h.Get("x-ms-continuation"), h.Get("If-Match"), q.Body)
	p.account.mu.Lock()
	p.account.waiting = append(p.account.waiting, q)
	p.account.mu.Unlock()
	p.account.arrived()
	select {
	case answer := <-q.answer:
		return answer.Response, answer.err
	case <-p.died:
		return nil, harness.ErrCrash
	case <-r.Context().Done():
		q.gone.Store(true)
		return nil, lost(r, r.Context().Err())
	}
}
