package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// certificateLife is how long a certificate of NewCertificate is valid.
const certificateLife = 365 * 24 * time.Hour

// NewCertificate makes a certificate for localhost, 127.0.0.1 and ::1, valid for a year, and an
// authority that signed it. The second result is the authority in PEM, for clients that verify
// (in Go programs through the variable SSL_CERT_FILE). The private key of the server is only in
// the first result, and that of the authority is discarded: it signs nothing else. Most clients
// accept a server that is its own authority, but rustls does not.
func NewCertificate() (tls.Certificate, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("certificate key: %w", err)
	}
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("certificate key: %w", err)
	}
	authority, err := template("pkgen emulator")
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	authority.IsCA, authority.KeyUsage = true, x509.KeyUsageCertSign
	own, err := template("localhost")
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	own.KeyUsage, own.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	own.DNSNames = []string{"localhost"}
	own.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}

	root, err := x509.CreateCertificate(rand.Reader, authority, authority, &signer.PublicKey, signer)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("certificate: %w", err)
	}
	if authority, err = x509.ParseCertificate(root); err != nil { // it has a key identifier now
		return tls.Certificate{}, nil, fmt.Errorf("certificate: %w", err)
	}
	leaf, err := x509.CreateCertificate(rand.Reader, own, authority, &key.PublicKey, signer)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("certificate: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root})
	return tls.Certificate{Certificate: [][]byte{leaf, root}, PrivateKey: key}, text, nil
}

// template returns the parts that both certificates have.
func template(name string) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("certificate serial number: %w", err)
	}
	now := time.Now()
	return &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             now.Add(-time.Hour), // clocks differ
		NotAfter:              now.Add(certificateLife),
		BasicConstraintsValid: true,
	}, nil
}
