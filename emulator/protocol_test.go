package emulator_test

import (
	"net/http"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// TestServerSpeaksHTTP2 sends a request by HTTP/2 without TLS, as the SDK for Rust does.
func TestServerSpeaksHTTP2(t *testing.T) {
	srv := emulator.New(t, emulator.Options{})
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &protocols}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(srv.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.ProtoMajor != 2 || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("%s by %s", answer.Status, answer.Proto)
	}
}
