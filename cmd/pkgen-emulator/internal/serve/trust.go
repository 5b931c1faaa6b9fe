package serve

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"software.sslmate.com/src/go-pkcs12"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// trustPassword is the password of the trust store for Java, the same as of Java's own store. The
// store contains no secrets.
const trustPassword = "changeit"

// scheme changes an endpoint to plain HTTP, if the server uses it.
func (f *emulatorFlags) scheme(endpoint string) string {
	if rest, ok := strings.CutPrefix(endpoint, "https:"); ok && f.http {
		return "http:" + rest
	}
	return endpoint
}

// tls returns the configuration of the server, which is nil for plain HTTP, and the lines with
// which programs trust it. It writes the certificate.
func (f *emulatorFlags) tls() (*tls.Config, string, error) {
	if f.http {
		return nil, "", nil
	}
	certificate, text, err := server.NewCertificate()
	if err != nil {
		return nil, "", err
	}
	store, err := writeCertificate(f.cert, text)
	if err != nil {
		return nil, "", err
	}
	file := f.cert
	if absolute, err := filepath.Abs(file); err == nil {
		file = absolute
	}
	if absolute, err := filepath.Abs(store); err == nil {
		store = absolute
	}
	return &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}, trustLines(file, store), nil
}

// trustLines describes how programs trust a certificate.
func trustLines(file, store string) string {
	return "certificate " + file + "\n" +
		"Go:      SSL_CERT_FILE=" + file + "\n" +
		"Node.js: NODE_EXTRA_CA_CERTS=" + file + "\n" +
		"Python:  REQUESTS_CA_BUNDLE=" + file + "\n" +
		"Rust:    SSL_CERT_FILE=" + file + "\n" +
		"Java:    JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=" + store + " -Djavax.net.ssl.trustStoreType=PKCS12 -Djavax.net.ssl.trustStorePassword=" + trustPassword + "\n"
}

// writeCertificate writes a certificate for clients, in PEM and, with the extension .p12, as a
// trust store for Java. It returns the file of the store.
func writeCertificate(file string, text []byte) (store string, err error) {
	if file == "" {
		return "", errors.New("there is no folder for the certificate: name a file with -cert")
	}
	store = strings.TrimSuffix(file, filepath.Ext(file)) + ".p12"
	if store == file {
		return "", fmt.Errorf("-cert %s: the ending .p12 is for the trust store next to the certificate; name a file that ends in .pem", file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", fmt.Errorf("certificate: %w", err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return "", fmt.Errorf("certificate: %w", err)
	}
	block, _ := pem.Decode(text)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return "", fmt.Errorf("certificate: %w", err)
	}
	pfx, err := pkcs12.Modern2023.EncodeTrustStore([]*x509.Certificate{certificate}, trustPassword)
	if err != nil {
		return "", fmt.Errorf("trust store: %w", err)
	}
	if err := os.WriteFile(store, pfx, 0o644); err != nil {
		return "", fmt.Errorf("trust store: %w", err)
	}
	return store, nil
}
