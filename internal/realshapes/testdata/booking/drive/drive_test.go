// Package drive drives two releases of the service by HTTP, against a model.
package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"example.com/booking/second/service"
	first "example.com/booking/service"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// A world is an account with a process of each release.
type world struct {
	*testing.T
	account *emulator.Server
	second  *service.Service
	urls    [2]string
}

// start starts both releases, each with its projection.
func start(t *testing.T) *world {
	account := emulator.New(t, emulator.Options{Partitions: 3})
	times := []tenancy.DirectoryOption{tenancy.WithResidenceTTL(150 * time.Millisecond), tenancy.WithResidenceGrace(400 * time.Millisecond)}
	client := func() *azcosmos.Client { return account.Client(repository.Configure(nil)) }
	one, err := first.Open(t.Context(), client(), times...)
	if err != nil {
		t.Fatal(err)
	}
	two, err := service.Open(t.Context(), client(), times...)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, account: account, second: two}
	for i, handler := range []http.Handler{one.Handler(), two.Handler()} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		w.urls[i] = server.URL
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, p := range []*feed.Processor{one.Projection(feed.PollEvery(20 * time.Millisecond)), two.Projection(feed.PollEvery(20 * time.Millisecond))} {
		running.Go(func() {
			if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("the projection: %v", err)
			}
		})
	}
	t.Cleanup(func() { stop(); running.Wait() })
	return w
}

// An answer is what a client gets. Again says that the request was sent several times.
type answer struct {
	status int
	again  bool
	etag   string
	body   []byte
}

// into decodes the body.
func (a answer) into(w *world, value any) {
	w.Helper()
	if err := json.Unmarshal(a.body, value); err != nil {
		w.Errorf("%s: %v", a.body, err)
	}
}

// field is what an error says is wrong.
func (a answer) field() string {
	var p struct{ Field string }
	_ = json.Unmarshal(a.body, &p) // others have none
	return p.Field
}

// send sends a request to either release, until the answer is final.
func (w *world) send(tenant, method, path string, body any, etag string) answer {
	w.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.Fatal(err)
	}
	for attempt := range 400 {
		request, err := http.NewRequestWithContext(w.Context(), method, w.urls[rand.IntN(2)]+path, bytes.NewReader(text))
		if err != nil {
			w.Fatal(err)
		}
		request.Header.Set("X-Tenant", tenant)
		request.Header.Set("If-Match", etag)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			w.Errorf("%s %s: %v", method, path, err)
			return answer{}
		}
		got, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		switch {
		case err != nil:
			w.Errorf("%s %s: %v", method, path, err)
		case response.StatusCode == http.StatusServiceUnavailable, response.StatusCode == http.StatusTooManyRequests, response.StatusCode == http.StatusGatewayTimeout:
			time.Sleep(time.Duration(min(attempt+1, 20)) * time.Millisecond)
			continue
		case response.StatusCode == http.StatusInternalServerError:
			w.Errorf("%s %s: %s", method, path, got)
		}
		return answer{response.StatusCode, attempt > 0, response.Header.Get("ETag"), got}
	}
	w.Errorf("%s %s is never answered", method, path)
	return answer{}
}

// A booking is what clients know of one.
type booking struct {
	Reference string `json:"reference"`
	Guest     string `json:"guest"`
	Room      int    `json:"room"`
	Cents     int    `json:"cents"`
}

// A known is what has become of a booking.
type known struct {
	booking
	stored, cancelled bool
}

func (k known) live() bool { return k.stored && !k.cancelled }

const tenant = "contoso"

// A clerk has bookings of its own, and wants references that others want too.
type clerk struct {
	*world
	random *rand.Rand
	house  string
	knows  map[string]known // by id
}

func (c *clerk) path(id string) string { return "/houses/" + c.house + "/bookings/" + id }

// work does what clerks do, so many times.
func (c *clerk) work(steps int) {
	for range steps {
		id := fmt.Sprintf("b-%s-%d", c.house, c.random.IntN(8))
		do := []func(string){c.book, c.book, c.move, c.cancel, c.restore, c.purge, c.look}[c.random.IntN(7)]
		do(id)
	}
}

func (c *clerk) book(id string) {
	k := c.knows[id]
	wanted := booking{Reference: id, Guest: fmt.Sprint("guest ", c.random.IntN(100)), Room: 1 + c.random.IntN(4), Cents: 100 * c.random.IntN(900)}
	if c.random.IntN(2) == 0 {
		wanted.Reference = fmt.Sprint("wanted-", c.random.IntN(6))
	}
	switch a := c.send(tenant, "PUT", c.path(id), wanted, ""); {
	case a.status == http.StatusOK && !k.cancelled:
		c.knows[id] = known{booking: wanted, stored: true}
	case a.status == http.StatusConflict && (k.cancelled || a.field() == "reference"):
	default:
		c.Errorf("booking %s, %+v: %d %s", id, k, a.status, a.body)
	}
}

// move moves a booking to another room. If it was sent again, or somebody has taken over the
// former reference, its version is another one.
func (c *clerk) move(id string) {
	k := c.knows[id]
	found := c.look1(id)
	if !k.live() {
		return
	}
	room := 1 + c.random.IntN(4)
	switch a := c.send(tenant, "PATCH", c.path(id), map[string]int{"room": room}, found.etag); a.status {
	case http.StatusOK:
		k.Room = room
	case http.StatusPreconditionFailed:
		var now booking
		if c.send(tenant, "GET", c.path(id), nil, "").into(c.world, &now); now.Room == room {
			k.Room = room
		}
	default:
		c.Errorf("moving %s, %+v: %d %s", id, k, a.status, a.body)
	}
	c.knows[id] = k
	c.look(id)
}

// cancelled reports whether an answer to a deletion is right. A deletion whose answer was lost
// succeeds also if the document was deleted before.
func cancelled(a answer, isThere bool) bool {
	return a.status == http.StatusOK || a.status == http.StatusNotFound && (!isThere || a.again)
}

func (c *clerk) cancel(id string) {
	k := c.knows[id]
	a := c.send(tenant, "DELETE", c.path(id), nil, "")
	if !cancelled(a, k.live()) {
		c.Errorf("cancelling %s, %+v: %d %s", id, k, a.status, a.body)
	}
	k.cancelled = k.stored
	c.knows[id] = k
}

func (c *clerk) restore(id string) {
	k := c.knows[id]
	a := c.send(tenant, "POST", c.path(id)+"/restore", nil, "")
	if ok := a.status == http.StatusOK; ok != k.cancelled && !(a.again && a.status == http.StatusPreconditionFailed) {
		c.Errorf("restoring %s, %+v: %d %s", id, k, a.status, a.body)
	}
	k.cancelled = false
	c.knows[id] = k
}

func (c *clerk) purge(id string) {
	k := c.knows[id]
	if !k.cancelled {
		return
	}
	if a := c.send(tenant, "POST", c.path(id)+"/purge", nil, ""); a.status != http.StatusOK && !(a.again && a.status == http.StatusNotFound) {
		c.Errorf("purging %s: %d %s", id, a.status, a.body)
	}
	delete(c.knows, id)
}

func (c *clerk) look(id string) { c.look1(id) }

// look1 compares a booking with what is known.
func (c *clerk) look1(id string) answer {
	a, k := c.send(tenant, "GET", c.path(id), nil, ""), c.knows[id]
	switch {
	case a.status == http.StatusNotFound && !k.live():
	case a.status == http.StatusOK && k.live():
		var got booking
		if a.into(c.world, &got); got != k.booking {
			c.Errorf("%s is %+v, and should be %+v", id, got, k.booking)
		}
	default:
		c.Errorf("reading %s, %+v: %d %s", id, k, a.status, a.body)
	}
	return a
}

// pages reads a list, page by page, from either release.
func pages[T any](w *world, tenant, path string, add func(page T) (cursor string)) {
	for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
		a := w.send(tenant, "GET", path+"?cursor="+url.QueryEscape(cursor), nil, "")
		if a.status != http.StatusOK || n > 20 {
			w.Errorf("page %d of %s: %d %s", n, path, a.status, a.body)
			return
		}
		var page T
		a.into(w, &page)
		cursor = add(page)
	}
}

// A page is one of a list of bookings, and of messages.
type page struct {
	Bookings []struct {
		ID string
		booking
	}
	Messages map[string]message
	Cursor   string
}

// end compares all that is stored with what is known.
func (c *clerk) end() {
	c.Helper()
	found, rooms := map[string]booking{}, map[int]int{}
	pages(c.world, tenant, "/houses/"+c.house+"/bookings", func(p page) string {
		for _, b := range p.Bookings {
			found[b.ID] = b.booking
		}
		return p.Cursor
	})
	want := map[string]booking{}
	for id, k := range c.knows {
		if !k.live() {
			continue
		}
		want[id] = k.booking
		rooms[k.Room]++
		for asks, status := range map[string]int{tenant: http.StatusOK, "fabrikam": http.StatusNotFound} {
			if a := c.send(asks, "GET", "/bookings?reference="+k.Reference, nil, ""); a.status != status {
				c.Errorf("%s asks for %s: %d %s", asks, k.Reference, a.status, a.body)
			}
		}
	}
	if !maps.Equal(found, want) {
		c.Errorf("the list is %+v, and should be %+v", found, want)
	}
	var counted map[int]int
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		a := c.send(tenant, "GET", "/houses/"+c.house+"/rooms", nil, "")
		counted = nil
		if a.status == http.StatusOK {
			a.into(c.world, &counted)
		}
		if maps.Equal(counted, rooms) {
			return
		}
	}
	c.Errorf("%s: the projection has %v, and should have %v", c.house, counted, rooms)
}

// A message is one of a guest.
type message struct {
	Guest string `json:"guest"`
	Text  string `json:"text"`
}

// A guest writes messages to a tenant.
type guest struct {
	*world
	tenant  string
	random  *rand.Rand
	knows   map[string]message
	deleted map[string]message
}

// write writes, deletes, restores and reads messages until done is closed, and a few times
// at least.
func (g *guest) write(done <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-done:
			if n > 40 {
				return
			}
		default:
		}
		id := fmt.Sprint("m", g.random.IntN(12))
		path := "/messages/" + id
		m, isThere := g.knows[id]
		gone, isDeleted := g.deleted[id]
		switch g.random.IntN(5) {
		case 0, 1:
			wanted := message{fmt.Sprint("guest ", n), fmt.Sprint("text ", n)}
			if a := g.send(g.tenant, "PUT", path, wanted, ""); isDeleted != (a.status == http.StatusConflict) || !isDeleted && a.status != http.StatusOK {
				g.Errorf("writing %s: %d %s", id, a.status, a.body)
			}
			if !isDeleted {
				g.knows[id] = wanted
			}
		case 2:
			if a := g.send(g.tenant, "DELETE", path, nil, ""); !cancelled(a, isThere) {
				g.Errorf("deleting %s: %d %s", id, a.status, a.body)
			}
			if isThere {
				g.deleted[id] = m
				delete(g.knows, id)
			}
		case 3:
			if a := g.send(g.tenant, "POST", path+"/restore", nil, ""); isDeleted != (a.status == http.StatusOK) && !a.again {
				g.Errorf("restoring %s: %d %s", id, a.status, a.body)
			}
			if isDeleted {
				g.knows[id] = gone
				delete(g.deleted, id)
			}
		default:
			var got message
			a := g.send(g.tenant, "GET", path, nil, "")
			if a.status == http.StatusOK {
				a.into(g.world, &got)
			}
			if isThere != (a.status == http.StatusOK) || got != m {
				g.Errorf("%s of %s is %+v, and should be %+v: %d %s", id, g.tenant, got, m, a.status, a.body)
			}
		}
	}
}

func (g *guest) end() {
	g.Helper()
	found := map[string]message{}
	pages(g.world, g.tenant, "/messages", func(p page) string {
		maps.Copy(found, p.Messages)
		return p.Cursor
	})
	if !maps.Equal(found, g.knows) {
		g.Errorf("%s has %+v, and should have %+v", g.tenant, found, g.knows)
	}
}

// TestService has clerks and guests use both releases at once, while requests fail, physical
// partitions split, and the messages of a tenant move to a container of their own.
func TestService(t *testing.T) {
	w := start(t)
	operations := []string{emulator.OpCreateItem, emulator.OpReplaceItem, emulator.OpPatchItem, emulator.OpExecuteBatch, emulator.OpReadItem, emulator.OpQueryItems, emulator.OpReadChangeFeed, emulator.OpDeleteItem}
	for i, op := range operations {
		for j, f := range []emulator.Fault{
			{Status: 429, RetryAfter: time.Millisecond}, {Status: 449}, {Status: 503, After: true}, {Drop: true}, {Drop: true, After: true},
		} {
			f.Operation, f.Probability, f.Seed, f.Count = op, 0.01, uint64(10*i+j+1), -1
			w.account.Inject(f)
		}
	}
	var clerks []*clerk
	for i := range 4 {
		clerks = append(clerks, &clerk{w, rand.New(rand.NewPCG(1, uint64(i))), fmt.Sprint("house-", i), map[string]known{}})
	}
	var guests []*guest
	for i, tenant := range []string{"contoso", "fabrikam"} {
		guests = append(guests, &guest{w, tenant, rand.New(rand.NewPCG(2, uint64(i))), map[string]message{}, map[string]message{}})
	}
	var working sync.WaitGroup
	for _, c := range clerks {
		working.Go(func() { c.work(40) })
	}
	moved := make(chan struct{})
	for _, g := range guests {
		working.Go(func() { g.write(moved) })
	}
	time.Sleep(100 * time.Millisecond)
	for _, container := range []string{"bookings", "messages"} {
		if err := w.account.Split("booking", container, "0"); err != nil {
			t.Error(err)
		}
	}
	summary, err := w.second.MoveOut(t.Context(), "contoso")
	for n := 0; err != nil && n < 50; n++ { // an operator calls it again, and it goes on
		summary, err = w.second.MoveOut(t.Context(), "contoso")
	}
	if err != nil || summary.Step != "done" {
		t.Errorf("the tenant has not moved: %+v, %v", summary, err)
	}
	close(moved)
	working.Wait()
	w.account.ClearFaults()
	for _, c := range clerks {
		c.end()
	}
	for _, g := range guests {
		g.end()
	}
	if done, err := w.second.Upgrade(t.Context()); err != nil || !done.Done() {
		t.Errorf("the bookings are not upgraded: %+v, %v", done, err)
	}
	for _, c := range clerks {
		c.end()
	}
}

// TestReference books a reference again when the booking that had it is purged.
func TestReference(t *testing.T) {
	w := start(t)
	path := func(id string) string { return "/houses/h/bookings/" + id }
	one := booking{"r1", "Ann", 1, 100}
	for i, step := range []struct {
		method, path string
		body         any
		status       int
		field        string
	}{
		{"PUT", path("b-1"), one, 200, ""},
		{"PUT", path("b-2"), one, 409, "reference"},
		{"DELETE", path("b-1"), nil, 200, ""},
		{"PUT", path("b-2"), one, 409, "reference"},
		{"PUT", path("b-1"), one, 409, ""},
		{"POST", path("b-1") + "/purge", nil, 200, ""},
		{"PUT", path("b-2"), one, 200, ""},
		{"PUT", path("b-1"), map[string]string{"_etag": "x"}, 400, ""},
		{"PUT", path("1"), one, 400, "ID"},
	} {
		if a := w.send(tenant, step.method, step.path, step.body, ""); a.status != step.status || a.field() != step.field {
			t.Errorf("step %d, %s %s: %d %s", i, step.method, step.path, a.status, a.body)
		}
	}
}
