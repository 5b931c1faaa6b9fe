package server

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Front is an entrance to the account. The service has several gateways, which parse paths
// differently.
type Front struct {
	// Endpoint is the base URL that the account returns to clients of this front; empty means
	// Options.Endpoint.
	Endpoint string
	// Region is the region that serves the requests of this front, one of Options.Regions.
	// Empty means the endpoint of the account, which the first write region serves.
	Region string
	// Routing parses paths like the service's routing gateway, which listens at the port of
	// Microsoft's emulator: it decodes a path once too often before it checks the signature. It
	// refuses a request with 401 if the id of the item ends in a blank or has a slash, a
	// backslash, a number sign or a percent escape, and with 400 if the id has a control
	// character, although such an item can be created. Microsoft's SDKs test this
	// (TestItemIdEncodingRoutingGW in azcosmos). Without Routing every id is found, as in the
	// service's compute gateway.
	Routing bool
}

// Handler returns a handler that serves the account through a front. It panics if the account
// has no region with that name.
func (s *Server) Handler(f Front) http.Handler {
	if err := s.hasRegion(f.Region); f.Region != "" && err != nil {
		panic("emulator: " + err.Error())
	}
	if f.Endpoint == "" {
		f.Endpoint = s.options.Endpoint
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serveHTTP(w, r, f) })
}

// Protocols are the protocols of an emulator: HTTP/1 and HTTP/2, each with and without TLS. By
// default an http.Server speaks HTTP/2 only with TLS, but the SDK for Rust requires it without
// TLS, too.
func Protocols() *http.Protocols {
	var p http.Protocols
	p.SetHTTP1(true)
	p.SetHTTP2(true)
	p.SetUnencryptedHTTP2(true)
	return &p
}

// path returns the escaped path of a request as seen by a front. It fails for control
// characters.
func (f Front) path(escaped string) (string, error) {
	if !f.Routing {
		return escaped, nil
	}
	text := unescaped(escaped)
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return escaped, status.BadRequest("The request path has control characters.")
	}
	text, _, _ = strings.Cut(text, "#")
	text = strings.TrimRight(unescaped(strings.ReplaceAll(text, `\`, "/")), " ")
	segments := strings.Split(text, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return strings.Join(segments, "/"), nil
}

// unescaped decodes the percent escapes of a path. Like .NET, it keeps a percent sign that
// begins no escape.
func unescaped(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			if text, err := url.PathUnescape(path[i : i+3]); err == nil {
				b.WriteString(text)
				i += 2
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}
