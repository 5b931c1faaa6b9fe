package server

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestCertificate(t *testing.T) {
	certificate, pem, err := NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	account := newRig(t, Options{})
	srv := httptest.NewUnstartedServer(account)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes without a request
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	srv.StartTLS()
	defer srv.Close()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		t.Fatalf("no certificate in %s", pem)
	}
	for _, name := range []string{"localhost", "127.0.0.1", "::1"} {
		c, err := tls.Dial("tcp", strings.TrimPrefix(srv.URL, "https://"), &tls.Config{RootCAs: roots, ServerName: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
