package upgrade

import (
	"net/http"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// lagging is a connection whose point reads are answered by a replica that lags, and whose
// writes find that somebody else was faster.
type lagging struct{ server *server.Server }

func (l *lagging) RoundTrip(q *http.Request) (*http.Response, error) {
	switch q.Method {
	case http.MethodPut:
		return &http.Response{StatusCode: http.StatusPreconditionFailed, Header: http.Header{}, Body: http.NoBody}, nil
	case http.MethodGet:
		if q.URL.Path == "/dbs/db/colls/c/docs/1" {
			return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{"X-Ms-Substatus": {"1002"}, "X-Ms-Retry-After-Ms": {"1"}}, Body: http.NoBody}, nil
		}
	}
	return harness.Serve(l.server, q)
}

// TestLagging does not take a document for one that is gone when a replica lacks it.
func TestLagging(t *testing.T) {
	t.Parallel()
	s := serve(t, container, `{"id":"1","pk":"a","fullName":"Ada"}`)
	o := through(t, s, &harness.Link{}, lock.Entry{Type: "Person", Aliases: "fullName=name"})
	o.Account.Through(&lagging{s})
	report, err := Run(t.Context(), o)
	if !account.Is(err, http.StatusNotFound) || account.Absent(err) || report.Rewritten > 0 || report.Left() != 1 {
		t.Errorf("%+v, left %d, %v", report, report.Left(), err)
	}
}
