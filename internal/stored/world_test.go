package stored

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/folder"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

const database = "db"

// world is an account in this process. It is a transport of azcore and of net/http.
type world struct {
	server *server.Server

	serving sync.Mutex
	served  int
	acted   func(r *http.Request, body []byte, status int) // is told of each request after its effect
}

// open returns an account with what a folder holds. A new container has so many physical
// partitions.
func open(t testing.TB, records server.Records, partitions int) *world {
	t.Helper()
	s, err := server.New(server.Options{Partitions: partitions, Records: records})
	if err != nil {
		t.Fatal(err)
	}
	return &world{server: s}
}

// frozen are the records of a folder, which take no more changes: the account keeps them in
// memory.
type frozen struct{ *folder.Folder }

func (frozen) Settle() error { return nil }

// thaw returns an account that holds what was stored.
func thaw(t testing.TB, stored contents) *world {
	t.Helper()
	dir := t.TempDir()
	if err := stored.write(filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	f, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, frozen{f}, 2)
}

// programs counts them, since the run time remembers accounts by their addresses. The host
// is always the same: leases are named by it.
var programs atomic.Int64

// program is a process: it has a client, and remembers nothing of processes before it.
type program struct {
	testing.TB
	ctx       context.Context
	world     *world
	endpoint  string
	db        *azcosmos.DatabaseClient
	directory *tenancy.TenantDirectory
	texts     map[string]string // cursors and states that programs keep themselves
	handled   func(string)      // notes what a processor has handled

	ways     ways     // of reading
	stop     stop     // at which the processes before ended
	had, now []string // what they had handled, and what this one has
	saved    int      // how many of had were handled when a step ended, which saves the progress

	kept state // what was there before settle waited for its end

	noting sync.Mutex // of handled
}

func (w *world) program(t testing.TB) *program {
	t.Helper()
	p := &program{TB: t, ctx: t.Context(), world: w, texts: map[string]string{}, handled: func(string) {}, ways: study, endpoint: fmt.Sprintf("http://stored.invalid:%d/", programs.Add(1))}
	credential, err := azcosmos.NewKeyCredential(w.server.Key())
	p.need(err)
	client, err := azcosmos.NewClientWithKey(p.endpoint, credential, repository.Configure(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: w}}))
	p.need(err)
	p.db, err = client.NewDatabase(database)
	p.need(err)
	return p
}

// ways are in how many ways a scenario reads its documents.
type ways int

const (
	glance ways = iota // each by its key, which changes nothing
	look               // and by one query
	study              // in each way that programs have
)

// need ends the test if there is an error.
func (p *program) need(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *program) container(id string) *azcosmos.ContainerClient {
	p.Helper()
	c, err := p.db.NewContainer(id)
	p.need(err)
	return c
}

// create creates the database, if it is missing, and containers.
func (p *program) create(containers ...azcosmos.ContainerProperties) {
	p.Helper()
	for _, c := range containers {
		text, err := c.MarshalJSON()
		p.need(err)
		_, err = p.world.server.Load(strings.NewReader(fmt.Sprintf("{%q:%q,%q:%s}\n", "database", database, "container", text)))
		p.need(err)
	}
}

// mostRequests is many times what a scenario sends. An operation that goes round in circles
// has no other end, since virtual time costs nothing.
const mostRequests = 20_000

var errWithoutEnd = errors.New("requests are sent without end")

// Do serves one request after the other.
func (w *world) Do(r *http.Request) (*http.Response, error) {
	body, err := transport.Body(r)
	if err != nil {
		return nil, err
	}
	w.serving.Lock()
	defer w.serving.Unlock()
	if err := r.Context().Err(); err != nil {
		return nil, &url.Error{Op: r.Method, URL: r.URL.String(), Err: err}
	}
	if w.served++; w.served > mostRequests {
		return nil, &url.Error{Op: r.Method, URL: r.URL.String(), Err: errWithoutEnd}
	}
	response := transport.Serve(w.server, r, body)
	if w.acted != nil {
		w.acted(r, body, response.StatusCode)
	}
	return response, nil
}

// RoundTrip is Do.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) { return w.Do(r) }

// raw returns all that a container stores, by a query without pkgen.
func (p *program) raw(id string) []string {
	p.Helper()
	var list []string
	pager := p.container(id).NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(p.ctx)
		p.need(err)
		for _, item := range page.Items {
			list = append(list, string(item))
		}
	}
	return list
}

// patient calls f again after the time for which an unfinished write may block others.
func patient(f func() error) error {
	err := f()
	for range 3 {
		if !errors.Is(err, repository.ErrUnfinished) && !errors.Is(err, repository.ErrUnclear) {
			return err
		}
		time.Sleep(11 * time.Second)
		err = f()
	}
	return err
}
