package migrate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// drop deletes a container.
func (r *rig) drop(id string) {
	r.Helper()
	key, err := base64.StdEncoding.DecodeString(r.server.Key())
	if err != nil {
		r.Fatal(err)
	}
	date := time.Now().UTC().Format(http.TimeFormat)
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "delete\ncolls\ndbs/fleet/colls/%s\n%s\n\n", id, strings.ToLower(date))
	q := httptest.NewRequest(http.MethodDelete, "/dbs/fleet/colls/"+id, nil)
	q.Header.Set("x-ms-date", date)
	q.Header.Set("x-ms-version", "2020-07-15")
	q.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+base64.StdEncoding.EncodeToString(mac.Sum(nil))))
	w := httptest.NewRecorder()
	if r.server.ServeHTTP(w, q); w.Code != http.StatusNoContent {
		r.Fatal(w.Code, w.Body)
	}
}

// TestContainerMadeAgain deletes a container between the copy and the cutover of one
// process, and makes it again, empty: the copy of a source that is no more is not
// emptied, and two empty containers are not called equal.
func TestContainerMadeAgain(t *testing.T) {
	for _, test := range []struct{ id, definition, want string }{
		{"events", fromContainer, `container "events" was deleted and created again`},
		{"daily", toContainer, `container "daily" was deleted and created again`},
		{"events", "", "404 Not Found"},
		{"daily", "", "404 Not Found"},
	} {
		r := newRig(t, server.Options{}, toContainer, stateContainer)
		r.load(fromContainer, events(10)...)
		m, err := r.migrate(t.Context(), r.whole())
		if err != nil {
			t.Fatal(err)
		}
		r.drop(test.id)
		if test.definition != "" {
			r.load(test.definition)
		}
		if v, err := m.Cutover(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v", test.id, v, err)
		}
		if test.id == "events" {
			if n := len(r.documents("daily")); n != 10 {
				t.Errorf("%d documents are left of the copy", n)
			}
		}
	}
}

// flaky answers some requests itself.
type flaky struct {
	harness.Link
	answer func(*http.Request) (status, sub int)
}

func (f *flaky) RoundTrip(q *http.Request) (*http.Response, error) {
	status, sub := f.answer(q)
	if status == 0 {
		return f.Link.RoundTrip(q)
	}
	header := http.Header{}
	header.Set("x-ms-substatus", fmt.Sprint(sub))
	header.Set("x-ms-retry-after-ms", "1")
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("{}")), Request: q}, nil
}

// TestReplicaLags has a replica of the source that lacks what a session token knows of,
// and a source whose container is gone: a document of which that is said has not been
// deleted, and its copy stays.
func TestReplicaLags(t *testing.T) {
	for _, sub := range []int{1002, 1003} {
		r := newRig(t, server.Options{}, toContainer, stateContainer)
		r.load(fromContainer, events(10)...)
		if _, err := r.migrate(t.Context(), r.whole()); err != nil {
			t.Fatal(err)
		}
		r.writer().replace(3, 3000)
		lags := 3
		_, err := r.migrate(t.Context(), &flaky{Link: harness.Link{Account: r.server}, answer: func(q *http.Request) (int, int) {
			if q.Method == http.MethodGet && strings.HasSuffix(q.URL.Path, "/colls/events/docs/3") && lags > 0 {
				if sub == 1002 {
					lags--
				}
				return http.StatusNotFound, sub
			}
			return 0, 0
		}})
		got := strings.Join(r.documents("daily"), "\n")
		switch {
		case strings.Count(got, "\n") != 9:
			t.Errorf("substatus %d: %s", sub, got)
		case sub == 1002 && (err != nil || !strings.Contains(got, "3000")):
			t.Errorf("%v, %s", err, got)
		case sub == 1003 && err == nil:
			t.Error("a container that is gone is no error")
		}
	}
}
