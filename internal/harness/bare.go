package harness

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// Bare is an account of this process, which no port serves.
func Bare(t testing.TB, o server.Options) *server.Server {
	t.Helper()
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Load creates a container of a database with documents, all of them as JSON.
func Load(t testing.TB, s *server.Server, database, container string, documents ...string) {
	t.Helper()
	head := fmt.Sprintf(`{"database":%q,"container":%s}`, database, container)
	if _, err := s.Load(strings.NewReader(head + "\n" + strings.Join(documents, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
}

// Listen serves an account on a port until the test ends, through a handler if around is not
// nil. The result is its connection string.
func Listen(t testing.TB, s *server.Server, around func(http.Handler) http.Handler) string {
	t.Helper()
	handler := http.Handler(s)
	if around != nil {
		handler = around(s)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	return ConnectionString(web.URL, s)
}

// ConnectionString is that of an account at an address.
func ConnectionString(url string, s *server.Server) string {
	return "AccountEndpoint=" + url + "/;AccountKey=" + s.Key() + ";"
}

var accounts atomic.Int64

// Endpoint is the address of another account each time, as azcosmos and the run time remember
// containers by their address. No port has it.
func Endpoint() string { return fmt.Sprintf("http://account-%d/", accounts.Add(1)) }

// Through is a client of an account by a transport, such as a Link.
func Through(t testing.TB, s *server.Server, endpoint string, transport policy.Transporter, options *azcosmos.ClientOptions) *azcosmos.Client {
	t.Helper()
	var o azcosmos.ClientOptions
	if options != nil {
		o = *options
	}
	o.Transport = transport
	credential, err := azcosmos.NewKeyCredential(s.Key())
	var client *azcosmos.Client
	if err == nil {
		client, err = azcosmos.NewClientWithKey(endpoint, credential, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}
