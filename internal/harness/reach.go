package harness

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// reached maps hosts to the accounts that http.DefaultTransport reaches without a network.
// Connections took a third of the CPU of tests.
var reached sync.Map

// accounts counts the accounts. azcosmos and the run time cache containers by the address of their
// account, so each account has its own. Their ports are below the ones that listeners get.
var accounts atomic.Int64

// register is called by the first account.
var register = sync.OnceFunc(func() {
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		standard.RegisterProtocol("http", direct{})
	}
})

// address returns an unused address.
func address() (endpoint string) { return fmt.Sprintf("http://127.0.0.1:%d/", accounts.Add(1)) }

// gate is an account at the address of a region, or at its own if region is "".
type gate struct {
	account *server.Server
	region  string
}

// open reports whether the region is online.
func (g gate) open() bool {
	return !slices.ContainsFunc(g.account.Regions(), func(r server.Region) bool { return r.Name == g.region && !r.Online })
}

// reach makes http.DefaultTransport reach an account at an address.
func reach(account *server.Server, region, endpoint string) {
	register()
	reached.Store(hostOf(endpoint), gate{account, region})
}

// part undoes reach.
func part(endpoint string) { reached.Delete(hostOf(endpoint)) }

func hostOf(endpoint string) string { return strings.Trim(strings.TrimPrefix(endpoint, "http:"), "/") }

// direct is the transport of http.DefaultTransport for accounts in this process.
type direct struct{}

// RoundTrip implements http.RoundTripper.
func (direct) RoundTrip(q *http.Request) (*http.Response, error) {
	at, has := reached.Load(q.URL.Host)
	if !has {
		return nil, http.ErrSkipAltProtocol // use the network, which refuses the address of an ended account
	}
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	g := at.(gate)
	if !g.open() {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	answer, err := Serve(g.account, q)
	if ended := q.Context().Err(); ended != nil {
		return nil, ended
	}
	return answer, err
}
