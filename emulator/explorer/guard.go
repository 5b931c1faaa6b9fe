package explorer

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// tokenHeader is the header with the token of the page.
const tokenHeader = "X-Explorer-Token"

// newToken returns a text that cannot be guessed. Only a program that can read the page has
// it; scripts of other sites cannot read it.
func newToken() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// refuse returns the reason for which a request is refused, or "" if it is served. The request
// must come from this machine and be addressed to it by name: otherwise a site could give its
// own name the address 127.0.0.1. It must not come from a page of another site, except by a
// link to the page.
func refuse(r *http.Request) string {
	if !isLoopback(hostOf(r.RemoteAddr)) {
		return "the explorer is only for the machine on which the emulator runs: open it there, or forward a port with ssh -L"
	}
	if host := hostOf(r.Host); host != "localhost" && !isLoopback(host) {
		return "the explorer is only served as localhost, 127.0.0.1 or [::1]: use one of these in the address"
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != originOf(r) {
		return "the explorer does not answer pages of other sites"
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return ""
	}
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
		return ""
	}
	return "the explorer does not answer pages of other sites"
}

// hasToken reports whether a request has the token of the page.
func hasToken(r *http.Request, token string) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(token)) == 1
}

// originOf is the origin of the server as the browser sees it.
func originOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// hostOf is an address without its port, in lower case.
func hostOf(address string) string {
	host := address
	if h, _, err := net.SplitHostPort(address); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// isLoopback reports whether an address belongs to the loopback interface.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// protect sets the headers with which a browser isolates the page and its data from other
// sites.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
}
