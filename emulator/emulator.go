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

// Options configure a Server: see [server.Options]. Start sets their Endpoint.
type Options = server.Options

// Fault selects requests and makes them fail: see [server.Fault].
type Fault = server.Fault

// Request is one line of the journal: see [server.Request].
type Request = server.Request

// Operations, as [Fault] and [Request] name them.
const (
	OpReadAccount      = server.OpReadAccount
	OpCreateDatabase   = server.OpCreateDatabase
	OpReadDatabase     = server.OpReadDatabase
	OpDeleteDatabase   = server.OpDeleteDatabase
	OpReadDatabases    = server.OpReadDatabases
	OpQueryDatabases   = server.OpQueryDatabases
	OpCreateContainer  = server.OpCreateContainer
	OpReadContainer    = server.OpReadContainer
	OpReplaceContainer = server.OpReplaceContainer
	OpDeleteContainer  = server.OpDeleteContainer
	OpReadContainers   = server.OpReadContainers
	OpQueryContainers  = server.OpQueryContainers
	OpReadRanges       = server.OpReadRanges
	OpCreateItem       = server.OpCreateItem
	OpUpsertItem       = server.OpUpsertItem
	OpReadItem         = server.OpReadItem
	OpReplaceItem      = server.OpReplaceItem
	OpDeleteItem       = server.OpDeleteItem
	OpReadItems        = server.OpReadItems
	OpQueryItems       = server.OpQueryItems
	OpPatchItem        = server.OpPatchItem
	OpExecuteBatch     = server.OpExecuteBatch
	OpReadChangeFeed   = server.OpReadChangeFeed
	OpReadOffer        = server.OpReadOffer
	OpReplaceOffer     = server.OpReplaceOffer
	OpReadOffers       = server.OpReadOffers
	OpQueryOffers      = server.OpQueryOffers
)

// TB is the part of testing.TB that New needs.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Server is a running emulator. Its methods are safe for concurrent use. Those of the server
// that it embeds split and merge physical partitions, add faults, return the requests, and move
// the clock.
type Server struct {
	*server.Server
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
	o.Endpoint = endpoint
	account, err := server.New(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("emulator: %w", err), listener.Close())
	}
	s := &Server{
		Server:   account,
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
	s.StopExplorer()
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

// ConnectionString returns the connection string of the account, as
// azcosmos.NewClientFromConnectionString takes it.
func (s *Server) ConnectionString() string {
	return "AccountEndpoint=" + s.endpoint + ";AccountKey=" + s.Key() + ";"
}
