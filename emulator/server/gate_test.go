package server

import (
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
)

// TestGate takes a region offline whose clients have connections.
func TestGate(t *testing.T) {
	account, _, _ := newRegions(t, Options{})
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := account.Gate(inner, north)
	server := &http.Server{Handler: account.Handler(Front{Region: north})}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	transport := &http.Transport{}
	get := func() error {
		answer, err := (&http.Client{Transport: transport}).Get("http://" + listener.Addr().String() + "/")
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.Body.Close()
	}
	for range 3 {
		for range 2 { // the second time by the connection of the first
			if err := get(); err != nil {
				t.Fatal(err)
			}
		}
		account.must(account.SetRegionOnline(north, false))
		account.must(account.SetRegionOnline(north, false))
		if err := get(); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("an offline region: %v, want a refused connection", err)
		}
		account.must(account.SetRegionOnline(north, true))
	}
	if err := get(); err != nil {
		t.Errorf("a region that is back: %v", err)
	}

	account.must(account.SetRegionOnline(north, false))
	other, err := net.Listen("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := account.SetRegionOnline(north, true); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a region whose address is taken: %v", err)
	}
	_ = other.Close()
	account.must(account.SetRegionOnline(north, false))
	transport.CloseIdleConnections()
	_ = server.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("the server ended with %v", err)
	}
	if err := listener.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
}
