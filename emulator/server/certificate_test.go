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

// TestCertificateIsNoAuthority: rustls, and so the SDK for Rust, refuses a server whose own
// certificate may sign others.
func TestCertificateIsNoAuthority(t *testing.T) {
	certificate, pem, err := NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	own, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	if own.IsCA || own.KeyUsage&x509.KeyUsageCertSign != 0 {
		t.Error("the certificate of the server may sign others")
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		t.Fatalf("no certificate in %s", pem)
	}
	chains, err := own.Verify(x509.VerifyOptions{DNSName: "localhost", Roots: roots})
	if err != nil || len(chains) != 1 || len(chains[0]) != 2 {
		t.Errorf("chains %d, %v, want the certificate and its authority", len(chains), err)
	}
}
