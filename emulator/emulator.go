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

// WellKnownKey is the account key that Microsoft publishes for its emulators, and the default
// here.
const WellKnownKey = server.WellKnownKey

// Options configure a Server: see [server.Options]. Start sets Endpoint and RegionEndpoints.
type Options = server.Options

// Region is a region of an account with several regions: see [server.Region].
type Region = server.Region

// Replication configures how writes reach a region: see [server.Replication].
type Replication = server.Replication

// Fault selects requests and makes them fail: see [server.Fault].
type Fault = server.Fault

// Request is one line of the journal: see [server.Request].
type Request = server.Request

// Operations, for [Fault] and [Request].
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
	OpDeleteKey        = server.OpDeleteKey
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

// Server is a running emulator. Its methods are safe for concurrent use. The embedded server
// has the methods that split and merge physical partitions, add faults, return the requests,
// and move the clock.
type Server struct {
	*server.Server
	servers  []*http.Server // of the account and of each region
	endpoint string
	served   sync.WaitGroup

	mu      sync.Mutex
	clients []*azcosmos.Client
	closed  bool
}

// New starts a server, and closes it when the test ends. If the server does not start, New
// fails the test at once.
func New(t TB, o Options) *Server {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server on a free port of 127.0.0.1, and each of Options.Regions on its own
// port. The caller closes it. Start fails if the options are wrong, or if no port is free.
func Start(o Options) (*Server, error) {
	names := append([]string{""}, o.Regions...) // the first is the account itself
	var listeners []net.Listener
	var endpoints []string
	o.RegionEndpoints = make(map[string]string, len(o.Regions))
	for _, name := range names {
		listener, err := listen()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("emulator: %w", err), closeAll(listeners))
		}
		listeners = append(listeners, listener)
		endpoints = append(endpoints, "http://"+listener.Addr().String()+"/")
		if name != "" {
			o.RegionEndpoints[name] = endpoints[len(endpoints)-1]
		}
	}
	o.Endpoint = endpoints[0]
	account, err := server.New(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("emulator: %w", err), closeAll(listeners))
	}
	s := &Server{Server: account, endpoint: o.Endpoint}
	for i, listener := range listeners {
		one := &http.Server{
			Handler:           account.Handler(server.Front{Endpoint: endpoints[i], Region: names[i]}),
			ReadHeaderTimeout: 10 * time.Second,
			Protocols:         server.Protocols(),
		}
		s.servers = append(s.servers, one)
		if names[i] != "" {
			listener = account.Gate(listener, names[i])
		}
		s.served.Go(func() { _ = one.Serve(listener) }) // until Close; it always returns an error
	}
	return s, nil
}

// closeAll closes listeners that are not served yet.
func closeAll(listeners []net.Listener) error {
	var errs []error
	for _, l := range listeners {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// ports are the ports of this process's servers, including closed ones.
var ports sync.Map

// listen listens on a port of 127.0.0.1 that no server of this process has used. Clients cache
// containers by address, and would confuse two servers with the same one.
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

// Close stops the server at once. It also closes the clients made by Client, so that the SDK
// drops its cache of the endpoint, which belongs to the process. It returns after all
// goroutines of the server have stopped accepting connections. Closing twice is safe.
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
	for _, one := range s.servers {
		_ = one.Close() // the only error is that a connection was closed already
	}
	s.served.Wait()
}

// Client returns a client of the account that authenticates with the account key. The options
// may be nil; Client does not change them. Close closes the client. Client panics if the SDK
// refuses the options.
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

// RegionEndpoint returns the base URL of a region, http://127.0.0.1 with a port. Only that
// region serves requests to it. It is empty if the account has no region with that name.
func (s *Server) RegionEndpoint(name string) string {
	for _, r := range s.Regions() {
		if r.Name == name {
			return r.Endpoint
		}
	}
	return ""
}

// ConnectionString returns the connection string of the account, for
// azcosmos.NewClientFromConnectionString.
func (s *Server) ConnectionString() string {
	return "AccountEndpoint=" + s.endpoint + ";AccountKey=" + s.Key() + ";"
}
