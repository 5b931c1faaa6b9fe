package kit

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Outcome is the sentinel of an error, or itself.
func Outcome(err error) error {
	for _, kind := range []error{repository.ErrNotFound, repository.ErrAlreadyExists, repository.ErrPreconditionFailed} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return err
}

// RandomFault drops the connection, or answers with an error, before or after a
// request has taken effect.
func RandomFault(random *rand.Rand) emulator.Fault {
	operations := []string{emulator.OpCreateItem, emulator.OpReplaceItem, emulator.OpDeleteItem, emulator.OpUpsertItem, emulator.OpReadItem}
	f := emulator.Fault{
		Operation: operations[random.IntN(len(operations))],
		Skip:      random.IntN(3),
		After:     random.IntN(2) == 0,
	}
	switch random.IntN(3) {
	case 0:
		f.Drop = true
	case 1:
		f.Status = http.StatusServiceUnavailable
	case 2:
		f.Status = 449
	}
	return f
}

// UnclearFaults are the failures with an unclear outcome, before a write takes effect
// and after.
func UnclearFaults(operation string) map[string]emulator.Fault {
	return map[string]emulator.Fault{
		"dropped before": {Operation: operation, Drop: true},
		"dropped after":  {Operation: operation, Drop: true, After: true},
		"500 before":     {Operation: operation, Status: http.StatusInternalServerError},
		"500 after":      {Operation: operation, Status: http.StatusInternalServerError, After: true},
		"503 after":      {Operation: operation, Status: http.StatusServiceUnavailable, After: true},
		"408 after":      {Operation: operation, Status: http.StatusRequestTimeout, After: true},
	}
}

// LostOnce is a transport that loses the answer to one request of a method, with
// an error that azcosmos does not know, so that the pipeline sends it again.
type LostOnce struct {
	http.RoundTripper
	Method string
	Lost   bool
}

func (l *LostOnce) Do(r *http.Request) (*http.Response, error) {
	// net/http may still read the body when the answer is here, and azcore rewinds
	// that body to send it again: each attempt sends a copy.
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	response, err := l.RoundTrip(r)
	if err == nil && r.Method == l.Method && !l.Lost {
		l.Lost = true
		response.Body.Close()
		return nil, &url.Error{Op: r.Method, URL: r.URL.String(), Err: errors.New("http2: server sent GOAWAY and closed the connection")}
	}
	return response, err
}
