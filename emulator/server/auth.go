package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// WellKnownKey is the account key that all of Microsoft's emulators share. It is published
// ("Use the emulator for development and CI") and so not a secret.
const WellKnownKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="

// clockSkew is how far the date of a request may be from the server's clock.
const clockSkew = 15 * time.Minute

// authenticate checks the Authorization header as described on Microsoft's page "Access control
// on Cosmos DB resources". It accepts every token of Microsoft Entra ID (type=aad), because
// there is no directory.
func (s *Server) authenticate(r *http.Request, t target, now time.Time) error {
	header := r.Header.Get("Authorization")
	if header == "" {
		return status.New(status.Unauthorized, 0,
			"Required Header authorization is missing. Ensure a valid Authorization token is passed.")
	}
	text, err := url.QueryUnescape(header)
	if err != nil {
		return badToken()
	}
	switch field(text, "type") {
	case "aad":
		if field(text, "sig") == "" {
			return badToken()
		}
		return nil
	case "master":
	default:
		return badToken()
	}
	date := r.Header.Get("X-Ms-Date")
	if date == "" {
		date = r.Header.Get("Date")
	}
	if !s.signed(r.Method, t, date, field(text, "sig")) {
		return status.New(status.Unauthorized, 0,
			"The input authorization token can't serve the request. The wrong key is being used or the expected payload is not built as per the protocol.")
	}
	when, err := http.ParseTime(date)
	if err != nil {
		return status.BadRequest("the date header %q is not an HTTP date", date)
	}
	if skew := now.Sub(when); skew > clockSkew || skew < -clockSkew {
		return status.New(status.Forbidden, 0,
			"The authorization token is not valid at the current time. Please create another token and retry (token start time: %s).", date)
	}
	return nil
}

// signed reports whether a signature is valid. A client that uses resource ids signs the id
// alone, in lower case.
func (s *Server) signed(verb string, t target, date, signature string) bool {
	rid := strings.ToLower(t.link[strings.LastIndexByte(t.link, '/')+1:])
	types := []string{t.resourceType}
	if t.kind == keyDeletion {
		types = append(types, keyType)
	}
	for _, resourceType := range types {
		for _, link := range []string{t.link, rid} {
			if hmac.Equal([]byte(signature), []byte(s.sign(verb, resourceType, link, date))) {
				return true
			}
		}
	}
	return false
}

// keyType is the resource type that the SDKs for Python, Java and .NET sign to delete all items
// of a partition key. The SDK for JavaScript signs that of a container.
const keyType = "partitionkey"

// field returns the value of a field of a token. url.ParseQuery would decode the plus signs of
// a signature as blanks.
func field(token, name string) string {
	for f := range strings.SplitSeq(token, "&") {
		if n, value, _ := strings.Cut(f, "="); n == name {
			return value
		}
	}
	return ""
}

func badToken() *status.Error {
	return status.New(status.Unauthorized, 0,
		"Authorization header doesn't confirm to the required format. Please verify and try again.")
}

// sign computes the signature of a master key token: an HMAC-SHA256 over five lines,
// the verb, the resource type, the link, the date and an empty line. Verb, type and
// date are in lower case.
func (s *Server) sign(verb, resourceType, link, date string) string {
	mac := hmac.New(sha256.New, s.key)
	for _, line := range []string{strings.ToLower(verb), strings.ToLower(resourceType), link, strings.ToLower(date), ""} {
		mac.Write([]byte(line))
		mac.Write([]byte{'\n'})
	}
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
