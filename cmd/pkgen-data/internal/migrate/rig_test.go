package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/system"
)

// rigLock has the layout of the destination.
const rigLock = `version 2

container daily
	path /partitionKey
	kind Hash
	version 2
	type Event {date}.{vin%4}
		component date text
		component vin text

end
`

// The containers. Documents of the source lie under their vehicle.
const (
	fromContainer  = `{"id":"events","partitionKey":{"paths":["/vin"],"kind":"Hash","version":2}}`
	toContainer    = `{"id":"daily","partitionKey":{"paths":["/partitionKey"],"kind":"Hash","version":2}}`
	stateContainer = `{"id":"state","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`
)

// rig is an account with a source, a destination and a container for the state.
type rig struct {
	testing.TB
	server *server.Server
	lock   string
}

func newRig(t testing.TB, o server.Options, containers ...string) *rig {
	t.Helper()
	if o.Partitions == 0 {
		o.Partitions = 2
	}
	r := &rig{t, harness.Bare(t, o), rigLock}
	if containers == nil {
		containers = []string{fromContainer, toContainer, stateContainer}
	}
	for _, c := range containers {
		r.load(c)
	}
	return r
}

// load makes a container with documents.
func (r *rig) load(container string, documents ...string) {
	r.Helper()
	harness.Load(r, r.server, "fleet", container, documents...)
}

// history is what was written to the destination, in this order.
type history struct {
	mu     sync.Mutex
	speeds map[string]int // of each document, the last one that was written
	back   []string       // documents that went back to an older version
}

// of returns an account whose writes are seen.
func (h *history) of(account http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !strings.Contains(q.URL.Path, "/colls/daily/docs") || q.Method == http.MethodGet {
			account.ServeHTTP(w, q)
			return
		}
		body, _ := io.ReadAll(q.Body)
		q.Body = io.NopCloser(bytes.NewReader(body))
		h.mu.Lock()
		defer h.mu.Unlock()
		answer := &status{ResponseWriter: w, code: http.StatusOK}
		account.ServeHTTP(answer, q)
		if answer.code/100 != 2 {
			return
		}
		if q.Method == http.MethodDelete {
			delete(h.speeds, path.Base(q.URL.Path)) // what comes now is older than nothing
		}
		var d struct {
			ID    string
			Speed int
		}
		if json.Unmarshal(body, &d) == nil {
			if d.Speed < h.speeds[d.ID] {
				h.back = append(h.back, d.ID)
			}
			h.speeds[d.ID] = d.Speed
		}
	})
}

// status keeps the status of an answer.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// connect returns the account, through a link.
func (r *rig) connect(l http.RoundTripper) *account.Account {
	r.Helper()
	a, err := account.Open("AccountEndpoint=http://emulator/;AccountKey=" + r.server.Key())
	if err != nil {
		r.Fatal(err)
	}
	a.Through(l)
	return a
}

// options returns those of a migration through an account.
func (r *rig) options(ctx context.Context, a *account.Account) (Options, error) {
	entries, problem := lock.Parse([]byte(r.lock))
	if problem != nil {
		r.Fatal(problem)
	}
	o := Options{Account: a, Types: entries, Workers: 4, pauses: pauses{rhythm: 3 * time.Millisecond, dead: 15 * time.Millisecond, poll: time.Millisecond, leaving: time.Second, trust: time.Minute}}
	for id, c := range map[string]**account.Container{"events": &o.From, "daily": &o.To, "state": &o.State} {
		var err error
		if *c, err = a.Container(ctx, "fleet", id); err != nil {
			return o, err
		}
	}
	return o, nil
}

// migrate runs a migration through a link, as a process of its own would.
func (r *rig) migrate(ctx context.Context, l http.RoundTripper) (*Migration, error) {
	r.Helper()
	o, err := r.options(ctx, r.connect(l))
	if err != nil {
		return nil, err
	}
	if l, ok := l.(*harness.Link); ok && l.At > 0 {
		o.leaving = time.Millisecond
	}
	m, err := New(ctx, o)
	if err != nil {
		return nil, err
	}
	return m, m.Run(ctx)
}

// finish reads the feed to its end, and compares.
func (m *Migration) finish(ctx context.Context) (v *Verdict, err error) {
	err = m.attend(ctx, func(ctx context.Context, _ *share) error {
		if err := m.drain(ctx); err != nil {
			return err
		}
		v, _, err = m.compare(ctx)
		return err
	})
	return v, err
}

// whole is a link that does not break.
func (r *rig) whole() *harness.Link { return &harness.Link{Account: r.server} }

// event returns a document.
func event(i int, speed int) string {
	return fmt.Sprintf(`{"id":"%d","vin":"vin-%d","date":"2018-08-0%d","speed":%d}`, i, i%7, i%3+1, speed)
}

// events returns documents.
func events(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = event(i, i)
	}
	return all
}

// documents returns the documents of a container, without system properties and the
// destination's key, sorted.
func (r *rig) documents(id string) []string {
	r.Helper()
	a := r.connect(r.whole())
	c, err := a.Container(r.Context(), "fleet", id)
	if err != nil {
		r.Fatal(err)
	}
	var all []string
	err = a.Query(r.Context(), c, "SELECT * FROM c", nil, func(row json.RawMessage) {
		var d map[string]any
		if err := json.Unmarshal(row, &d); err != nil {
			r.Fatal(err)
		}
		for _, name := range append(slices.Clone(system.Fed), "partitionKey") {
			delete(d, name)
		}
		all = append(all, string(encode(d)))
	})
	if err != nil {
		r.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// writer is a program that uses the source.
type writer struct {
	*rig
	account *account.Account
	to      *account.Container
}

func (r *rig) writer() *writer {
	r.Helper()
	a := r.connect(r.whole())
	c, err := a.Container(r.Context(), "fleet", "events")
	if err != nil {
		r.Fatal(err)
	}
	return &writer{r, a, c}
}

// keyOfEvent returns the key of an event in the source.
func keyOfEvent(i int) string { return fmt.Sprintf(`["vin-%d"]`, i%7) }

// replace replaces an event.
func (w *writer) replace(i, speed int) {
	w.Helper()
	if _, err := w.account.ReplaceItem(w.Context(), w.to, fmt.Sprint(i), keyOfEvent(i), []byte(event(i, speed)), ""); err != nil {
		w.Fatal(err)
	}
}

// create creates an event.
func (w *writer) create(i, speed int) {
	w.Helper()
	if _, err := w.account.CreateItem(w.Context(), w.to, keyOfEvent(i), []byte(event(i, speed))); err != nil {
		w.Fatal(err)
	}
}

// remove deletes an event.
func (w *writer) remove(i int) {
	w.Helper()
	if err := w.account.DeleteItem(w.Context(), w.to, fmt.Sprint(i), keyOfEvent(i), ""); err != nil {
		w.Fatal(err)
	}
}

// traffic is a program that writes at random to the source, and what it has stored.
type traffic struct {
	*writer
	mu     sync.Mutex
	random *rand.Rand
	speed  int
	stored map[int]bool
	most   int // writes
}

func (r *rig) traffic(seed uint64, documents, most int) *traffic {
	t := &traffic{most: most, writer: r.writer(), random: rand.New(rand.NewPCG(seed, 0)), speed: 1000, stored: map[int]bool{}}
	for i := range documents {
		t.stored[i] = true
	}
	return t
}

// write writes once.
func (t *traffic) write() {
	t.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.speed++; t.speed > 1000+t.most {
		return
	}
	i := t.random.IntN(len(t.stored) + 3)
	switch {
	case !t.stored[i]:
		t.create(i, t.speed)
		t.stored[i] = true
	case t.random.IntN(4) == 0:
		t.remove(i)
		delete(t.stored, i)
	default:
		t.replace(i, t.speed)
	}
}
