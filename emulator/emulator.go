package emulator

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// WellKnownKey is the account key that Microsoft publishes for its emulators,
// and the default here.
const WellKnownKey = server.WellKnownKey

// Options configure a Server. The zero value is ready.
type Options struct {
	// Partitions is the number of physical partitions that a container has at
	// least; below 1 means 1. A container that is created with provisioned
	// throughput has one for each started 10,000 RU/s.
	Partitions int
	// Throughput, if positive, limits request units: each physical partition
	// provides an equal share of the container's provisioned throughput in every
	// second, and refuses requests with 429, substatus 3200 and a time to wait when
	// its share is spent. Throughput is also what a container gets, in RU/s, that is
	// created without throughput. 0 means that nothing is refused.
	Throughput int
	// Serverless makes the account a serverless one: its containers and databases
	// have no throughput, and refuse requests to set or read it. It excludes
	// Throughput.
	Serverless bool
	// Latency is how long every request takes at least.
	Latency time.Duration
	// Key is the account key in base64; empty means WellKnownKey.
	Key string
	// ScanLimit is the number of documents after which a query ends its page, as
	// the service does when a page takes too long: a page may be empty although
	// more pages follow, and an aggregate comes in parts. 0 means no limit.
	ScanLimit int
	// QueryTime is how long the emulator may work on one page of a query: after half of
	// it the page ends, full or not, and a query that cannot be divided, such as one for
	// the nearest vectors, gets 408. 0 means 5 seconds, as the service has. More is for
	// many documents on a slow machine.
	QueryTime time.Duration
	// MaxDocument is the size in bytes that a document may have; 0 means 2 MB.
	// MaxLogicalPartition is the size in bytes that all documents of one partition
	// key may have together; 0 means 20 GB. Small values show what a program does at
	// the limits of the service.
	MaxDocument         int
	MaxLogicalPartition int64
	// MaxResources is how many databases and containers the account may have together;
	// 0 means 500.
	MaxResources int
	// AllVersions is how long the account keeps all versions and deletions of items,
	// for the change feed of that mode; 0 means that it has no such feed. The service
	// keeps them for 7 or 30 days, the time of continuous backup.
	AllVersions time.Duration
	// Lenient accepts what the service accepts, though its documentation forbids it
	// or warns of it: item ids with / \ ? #, and containers whose partition key
	// definition is of version 1 or has no version. Tests go without it, since a
	// container of version 1 is a mistake in nearly all programs. Throughput can then
	// be changed more than 25 times in five minutes.
	Lenient bool
	// Explorer serves a page at Endpoint() + "_explorer/", on which a person at this
	// machine looks at the account while a test or a debugger waits.
	Explorer bool
	// Logf, if set, gets a line for each request; it is called concurrently.
	Logf func(format string, args ...any)
}

// TB is the part of testing.TB that New needs.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Server is a running emulator. Its methods are safe for concurrent use.
type Server struct {
	account  *server.Server
	http     *http.Server
	endpoint string
	served   chan error

	mu      sync.Mutex
	clients []*azcosmos.Client
	closed  bool
}

// New starts a server and closes it when the test ends. If the server does not
// start, New fails the test at once.
func New(t TB, o Options) *Server {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server on a free port of 127.0.0.1. The caller closes it. It fails
// if the options are wrong, or if no port is free.
func Start(o Options) (*Server, error) {
	listener, err := listen()
	if err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	endpoint := "http://" + listener.Addr().String() + "/"
	account, err := server.New(server.Options{
		Partitions:          o.Partitions,
		Throughput:          o.Throughput,
		Serverless:          o.Serverless,
		Latency:             o.Latency,
		Key:                 o.Key,
		ScanLimit:           o.ScanLimit,
		QueryTime:           o.QueryTime,
		MaxDocument:         o.MaxDocument,
		MaxLogicalPartition: o.MaxLogicalPartition,
		MaxResources:        o.MaxResources,
		AllVersions:         o.AllVersions,
		Lenient:             o.Lenient,
		Endpoint:            endpoint,
		Explorer:            o.Explorer,
		Logf:                o.Logf,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("emulator: %w", err), listener.Close())
	}
	s := &Server{
		account:  account,
		endpoint: endpoint,
		http:     &http.Server{Handler: account, ReadHeaderTimeout: 10 * time.Second, Protocols: server.Protocols()},
		served:   make(chan error, 1),
	}
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
}

// ports are those of this process's servers, closed ones included.
var ports sync.Map

// listen listens on a port of 127.0.0.1 that no server of this process has had.
// Clients cache containers by their address: they would mistake a server with the
// address of a closed one for that one.
func listen() (net.Listener, error) {
	for {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		if _, had := ports.LoadOrStore(listener.Addr().String(), true); !had {
			return listener, nil
		}
		defer func() { _ = listener.Close() }() // at the end, so that the next attempt gets another port
	}
}

// Close stops the server at once. It also closes the clients that Client made, so
// that the SDK drops what it caches by endpoint for the whole process. It returns
// when no goroutine of the server accepts connections any more. Closing twice is
// fine.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	s.account.StopExplorer()
	for _, c := range s.clients {
		c.Close()
	}
	// The only error is that a connection was closed already.
	_ = s.http.Close()
	<-s.served
}

// Client returns a client of the account that authenticates with the account
// key. The options may be nil; Client does not change them. Close closes the
// client. Client panics if the SDK refuses the options, which is a mistake in the
// calling program.
func (s *Server) Client(o *azcosmos.ClientOptions) *azcosmos.Client {
	credential, err := azcosmos.NewKeyCredential(s.Key())
	if err != nil { // Start decoded the key already
		panic("emulator: " + err.Error())
	}
	var options azcosmos.ClientOptions
	if o != nil {
		options = *o
	}
	client, err := azcosmos.NewClientWithKey(s.endpoint, credential, &options)
	if err != nil {
		panic("emulator: " + err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = append(s.clients, client)
	return client
}

// Endpoint returns the base URL of the account, http://127.0.0.1 with a port.
func (s *Server) Endpoint() string { return s.endpoint }

// Key returns the account key in base64.
func (s *Server) Key() string { return s.account.Key() }

// ConnectionString returns the connection string of the account, as
// azcosmos.NewClientFromConnectionString takes it.
func (s *Server) ConnectionString() string {
	return "AccountEndpoint=" + s.endpoint + ";AccountKey=" + s.Key() + ";"
}
