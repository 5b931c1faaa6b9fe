package testcontainers_test

import (
	"io"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// docker reports whether there is a daemon of Docker, and says so if there is none.
func docker(t *testing.T) bool {
	t.Helper()
	if err := exec.CommandContext(t.Context(), "docker", "info").Run(); err != nil {
		t.Logf("NOT RUN: there is no Docker: %v", err)
		return false
	}
	return true
}

// TestAnotherPort does the same without Docker, over a port that leads to another one, as
// ports of containers do: the account names to clients the port that they asked for, and they
// send all requests there.
func TestAnotherPort(t *testing.T) {
	account, err := server.New(server.Options{Partitions: 5})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	hosts := map[string]bool{}
	handler := account.Handler(server.Front{}) // as that of pkgen-emulator -addr 0.0.0.0:8081
	inside := listen(t)
	serving := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		hosts[r.Host] = true
		mu.Unlock()
		handler.ServeHTTP(w, r)
	})}
	go func() { _ = serving.Serve(inside) }() // until it is closed
	t.Cleanup(func() { _ = serving.Close() })

	outside := listen(t)
	go forward(outside, inside.Addr().String())
	storesAndReads(t, "AccountEndpoint=http://"+outside.Addr().String()+"/;AccountKey="+server.WellKnownKey+";")

	mu.Lock()
	defer mu.Unlock()
	if len(hosts) != 1 || !hosts[outside.Addr().String()] {
		t.Errorf("requests were sent to %v, not to %s alone", hosts, outside.Addr())
	}
}

// listen returns a listener that is closed when the test ends.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// forward connects each connection of a listener with an address.
func forward(l net.Listener, address string) {
	for {
		from, err := l.Accept()
		if err != nil {
			return // it is closed
		}
		to, err := net.Dial("tcp", address)
		if err != nil {
			_ = from.Close()
			continue
		}
		go pipe(from, to)
		go pipe(to, from)
	}
}

// pipe copies what one connection sends to another one, until its end.
func pipe(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}
