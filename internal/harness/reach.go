package harness

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// reached are the accounts that http.DefaultTransport reaches without a network, by their
// hosts. A third of the CPU of tests was spent on connections.
var reached sync.Map

// accounts counts the accounts: azcosmos and the run time remember containers by the address of
// their account, so that no two have the same. Their ports are below those of listeners.
var accounts atomic.Int64

// register is called by the first account.
var register = sync.OnceFunc(func() {
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		standard.RegisterProtocol("http", direct{})
	}
})

// reach has http.DefaultTransport reach an account at the address that it returns.
func reach(account *server.Server) (endpoint string) {
	register()
	host := fmt.Sprintf("127.0.0.1:%d", accounts.Add(1))
	reached.Store(host, account)
	return "http://" + host + "/"
}

// part ends what reach began.
func part(endpoint string) {
	reached.Delete(strings.Trim(strings.TrimPrefix(endpoint, "http:"), "/"))
}

// direct is what http.DefaultTransport does with requests for accounts of this process.
type direct struct{}

// RoundTrip implements http.RoundTripper.
func (direct) RoundTrip(q *http.Request) (*http.Response, error) {
	account, has := reached.Load(q.URL.Host)
	if !has {
		return nil, http.ErrSkipAltProtocol // a network, which refuses the address of an account that has ended
	}
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	answer, err := Serve(account.(http.Handler), q)
	if ended := q.Context().Err(); ended != nil {
		return nil, ended
	}
	return answer, err
}
