package server

import (
	"net/http"
	"net/url"
	"strings"
)

// Front is a way in to the account: the service has several gateways, and they
// differ in what they make of a path.
type Front struct {
	// Endpoint is the base URL that the account names to clients which come this
	// way; empty means Options.Endpoint.
	Endpoint string
	// Routing treats paths as the service's routing gateway does, which listens at
	// the port of Microsoft's emulator: it decodes a path once too often before
	// it looks at the signature. A request for an item whose id ends in a blank or
	// holds a slash, a backslash, a number sign or a percent escape is refused with
	// 401, and one with control characters with 400, though the item could be
	// created: Microsoft's SDKs have tests of it (TestItemIdEncodingRoutingGW in
	// azcosmos). Otherwise every id is found, as by the service's compute gateway.
	Routing bool
}

// Handler returns a handler that serves the account through a front.
func (s *Server) Handler(f Front) http.Handler {
	if f.Endpoint == "" {
		f.Endpoint = s.options.Endpoint
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serveHTTP(w, r, f) })
}

// path returns the escaped path of a request as a front sees it. The error is
// about control characters.
func (f Front) path(escaped string) (string, error) {
	if !f.Routing {
		return escaped, nil
	}
	text := unescaped(escaped)
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return escaped, badRequest("The request path has control characters.")
	}
	text, _, _ = strings.Cut(text, "#")
	text = strings.TrimRight(unescaped(strings.ReplaceAll(text, `\`, "/")), " ")
	segments := strings.Split(text, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return strings.Join(segments, "/"), nil
}

// unescaped decodes the percent escapes of a path, which it leaves alone if one
// of them is none.
func unescaped(path string) string {
	if text, err := url.PathUnescape(path); err == nil {
		return text
	}
	return path
}
