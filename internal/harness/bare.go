package harness

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// Bare returns an account in this process without a port.
func Bare(t testing.TB, o server.Options) *server.Server {
	t.Helper()
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Load creates a container of a database with documents in JSON.
func Load(t testing.TB, s *server.Server, database, container string, documents ...string) {
	t.Helper()
	head := fmt.Sprintf(`{"database":%q,"container":%s}`, database, container)
	if _, err := s.Load(strings.NewReader(head + "\n" + strings.Join(documents, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
}

// Listen serves an account on a port until the test ends, through around if it is not nil. It
// returns the connection string.
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

// ConnectionString returns the connection string of an account at an address.
func ConnectionString(url string, s *server.Server) string {
	return "AccountEndpoint=" + url + "/;AccountKey=" + s.Key() + ";"
}
