package migrate

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// stopping is a link of a process that is stopped before it writes its first page of the
// ledger, after which it creates documents.
type stopping struct {
	harness.Link
	once    sync.Once
	stopped chan struct{}
	goOn    chan struct{}
}

func (s *stopping) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Method == http.MethodPost && q.ContentLength > 0 {
		body, _ := io.ReadAll(q.Body)
		q.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"places"`)) {
			s.once.Do(func() { close(s.stopped) })
		}
	}
	select {
	case <-s.stopped: // nothing of the process goes on
		<-s.goOn
	default:
	}
	return s.Link.RoundTrip(q)
}

// TestStopped stops a run before its first writes. Another one finishes the migration,
// and programs delete in the destination: the first one goes on, and writes nothing.
func TestStopped(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.load(fromContainer, events(10)...)
	l := &stopping{Link: harness.Link{Account: r.server}, stopped: make(chan struct{}), goOn: make(chan struct{})}
	o, err := r.options(t.Context(), r.connect(l))
	if err != nil {
		t.Fatal(err)
	}
	o.trust = 30 * time.Millisecond
	first, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- first.Run(t.Context()) }()
	<-l.stopped
	o.Account = r.connect(r.whole())
	o.leaving = 10 * time.Millisecond
	second, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := second.Cutover(t.Context()); err != nil || !v.Equal || v.Destination != 10 {
		t.Fatalf("%+v, %v", v, err)
	}
	if err := o.Account.DeleteItem(t.Context(), o.To, "3", `["2018-08-01.`+bucketOf(t, r, "3")+`"]`, ""); err != nil {
		t.Fatal(err)
	}
	close(l.goOn)
	if err := <-ended; !errors.Is(err, errClosed) {
		t.Errorf("the first run: %v", err)
	}
	if n := len(r.documents("daily")); n != 9 {
		t.Errorf("%d documents, want 9", n)
	}
	if _, err := New(t.Context(), o); !errors.Is(err, errClosed) {
		t.Errorf("another run: %v", err)
	}
	o.NotSwitched = true
	if again, err := New(t.Context(), o); err != nil {
		t.Error(err)
	} else if v, err := again.Cutover(t.Context()); err != nil || !v.Equal || v.Written != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

// bucketOf returns the bucket of an event in the destination.
func bucketOf(t *testing.T, r *rig, id string) string {
	t.Helper()
	d, refusal := mustRekeyer(t, r).rekey([]byte(event(3, 3)), 0)
	if refusal != nil || d.id != id {
		t.Fatal(refusal)
	}
	_, bucket, _ := strings.Cut(strings.Trim(d.key, `[]"`), ".")
	return bucket
}
