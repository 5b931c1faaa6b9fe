package serve

import (
	"net/http"
	"testing"
)

// TestEmulatorWithoutTLSSpeaksHTTP2 sends requests of both versions of HTTP without TLS:
// the SDK for Rust sends nothing but HTTP/2.
func TestEmulatorWithoutTLSSpeaksHTTP2(t *testing.T) {
	p := startEmulator(t)
	defer p.kill()
	for version, set := range map[int]func(*http.Protocols, bool){1: (*http.Protocols).SetHTTP1, 2: (*http.Protocols).SetUnencryptedHTTP2} {
		var protocols http.Protocols
		set(&protocols, true)
		transport := &http.Transport{Protocols: &protocols}
		answer, err := (&http.Client{Transport: transport}).Get(p.endpoint)
		if err != nil {
			t.Errorf("HTTP/%d: %v", version, err)
			continue
		}
		_ = answer.Body.Close()
		transport.CloseIdleConnections()
		if answer.ProtoMajor != version || answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("HTTP/%d: %s by %s", version, answer.Status, answer.Proto)
		}
	}
}
