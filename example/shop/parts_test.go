package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

func TestTelemetry(t *testing.T) {
	c, _, account := serve(t)
	for i := range 50 {
		for range 2 { // a device that repeats a request
			c.must("POST", "/devices/fridge-1/readings", "", fmt.Sprintf(`{"id": "r%d", "at": "2026-11-%02dT07:00:00Z", "celsius": %d}`, i, 1+i%30, i%10), nil)
		}
	}
	account.ResetRequests()
	var sizes []int
	for cursor, more := "", true; more; more = cursor != "" {
		var page struct {
			Readings []documents.Reading
			Cursor   string
		}
		c.must("GET", "/devices/fridge-1/readings?month=2026-11&cursor="+url.QueryEscape(cursor), "", nil, &page)
		sizes = append(sizes, len(page.Readings))
		cursor = page.Cursor
	}
	if fmt.Sprint(sizes) != "[20 20 10]" {
		t.Errorf("the pages have %v readings", sizes)
	}
	if n := len(account.Requests()); n != len(sizes) {
		t.Errorf("%d pages took %d requests", len(sizes), n)
	}
	if a := c.must("GET", "/devices/fridge-1/summary?month=2026-11", "", nil, nil); a.text != `{"highest":9,"lowest":0,"mean":4.5}`+"\n" {
		t.Error(a)
	}
	c.refused("GET", "/devices/fridge-1/summary?month=2026-10", "", nil, http.StatusNotFound, "there are no readings of this month")
	c.refused("GET", "/devices/fridge-1/readings?month=November", "", nil, http.StatusBadRequest, "ask for a month, such as ?month=2026-11")
	c.refused("GET", "/devices/fridge-1/readings?month=2026-11&cursor=made-up", "", nil, http.StatusBadRequest, "this cursor is of another list: begin without one")
}

// TestTotals has an index that is late, as that of an account is.
func TestTotals(t *testing.T) {
	account := emulator.New(t, emulator.Options{Partitions: 5, IndexLag: 100 * time.Millisecond})
	c, _ := serveOn(t, account, observer{}) // which waits for the index
	c.comesTo(`[]`)
	var deleted string
	for i := range 20 {
		var o documents.Order
		path := fmt.Sprintf("/customers/c%d/orders", i)
		placed := c.must("POST", path, "", tea(1+i), &o)
		deleted = path + "/" + o.ID
		if i%4 == 0 {
			c.must("PATCH", deleted, placed.etag, `{"status": "paid"}`, nil)
		}
	}
	stranger := client{t, c.url, "fabrikam", "mallory"}
	stranger.must("POST", "/customers/c1/orders", "", tea(1), nil)
	c.comesTo(`[{"status":"open","orders":15,"cents":74250},{"status":"paid","orders":5,"cents":20250}]`)
	stranger.comesTo(`[{"status":"open","orders":1,"cents":450}]`)

	last := c.must("GET", deleted, "", nil, nil)
	c.must("DELETE", deleted, last.etag, nil, nil)
	c.comesTo(`[{"status":"open","orders":14,"cents":65250},{"status":"paid","orders":5,"cents":20250}]`)
	c.must("POST", deleted+"/restore", "", nil, nil)
	c.comesTo(`[{"status":"open","orders":15,"cents":74250},{"status":"paid","orders":5,"cents":20250}]`)
}

// comesTo waits until the totals of a tenant are what they should be.
func (c client) comesTo(totals string) {
	c.t.Helper()
	want, got := `{"totals":`+totals+"}\n", ""
	for deadline := time.Now().Add(30 * time.Second); got != want && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		got = c.must("GET", "/orders/totals", "", nil, nil).text
	}
	if got != want {
		c.t.Errorf("the totals are %s want %s", got, want)
	}
}

// TestLateTotals places an order that the index does not have yet: the list has it.
func TestLateTotals(t *testing.T) {
	c, _, account := serve(t)
	account.PauseIndexes()
	c.must("POST", "/customers/eve/orders", "", tea(2), nil)
	c.comesTo(`[]`)
	if ids, _ := c.list("open"); len(ids) != 1 {
		t.Errorf("the list has %v, one was placed", ids)
	}
	account.ResumeIndexes()
	c.comesTo(`[{"status":"open","orders":1,"cents":900}]`)
}

// TestCostOfTotals asks for the totals of 250 orders: the container, as a shop without an
// index would, and the index.
func TestCostOfTotals(t *testing.T) {
	c, s, _ := serve(t)
	var text strings.Builder
	for i := range 250 {
		fmt.Fprintf(&text, `{"id": "o-%d", "customerId": "c%d", "placed": "2026-11-22T07:00:00Z", "status": "shipped", "lines": [{"sku": "t-1", "quantity": 1, "price": 100}]}`+"\n", i, i%20)
	}
	c.must("POST", "/orders/import", "", text.String(), nil)

	var scan, index repository.Meter
	f, g := documents.OrderFields, documents.OrderByStatusFields
	scanned, err := repository.GroupBy[total](s.feed.For(c.tenant).Scan(), f.Status).
		Count("orders").Sum("cents", f.Total).
		Collect(repository.WithMeter(t.Context(), &scan))
	if err != nil {
		t.Fatal(err)
	}
	indexed, err := repository.GroupBy[total](s.byStatus.ByTenantID(c.tenant), g.Status).
		Count("orders").Sum("cents", g.Total).
		Collect(repository.WithMeter(t.Context(), &index))
	if err != nil {
		t.Fatal(err)
	}
	want := []total{{documents.Shipped, 250, 25000}}
	if !cmp.Equal(scanned, want) || !cmp.Equal(indexed, want) {
		t.Errorf("the container has %v, the index has %v, want %v", scanned, indexed, want)
	}
	t.Logf("container: %d requests, %.1f RU; index: %d requests, %.1f RU", scan.Requests(), scan.RequestUnits(), index.Requests(), index.RequestUnits())
	if scan.Requests() != 5 || index.Requests() != 1 {
		t.Errorf("the container took %d requests, the index %d: want 5 and 1", scan.Requests(), index.Requests())
	}
}

func TestUsers(t *testing.T) {
	c, _, account := serve(t)
	var stored, found documents.User
	c.must("POST", "/users", "", `{"email": "Eve@example.com", "name": "Eve"}`, &stored)
	account.ResetRequests()
	c.must("GET", "/users?email=EVE@example.com", "", nil, &found)
	if n := len(account.Requests()); n != 2 {
		t.Errorf("it took %d requests", n)
	}
	if found != stored || found.Name != "Eve" || found.Email != "eve@example.com" || found.TenantID != "contoso" {
		t.Errorf("found %+v, stored %+v", found, stored)
	}
	c.refused("GET", "/users?email=nobody@example.com", "", nil, http.StatusNotFound, "there is none")
	c.refused("GET", "/users?email=", "", nil, http.StatusNotFound, "there is none")
	c.refused("POST", "/users", "", `{"name": "Nobody"}`, http.StatusBadRequest, "a user has an e-mail address")
	stranger := client{t, c.url, "fabrikam", "mallory"}
	for _, one := range []client{c, stranger} { // unique over all tenants
		one.refused("POST", "/users", "", `{"email": "eve@example.com", "name": "Mallory"}`, http.StatusConflict, "it is there already")
	}
	stranger.refused("GET", "/users?email=eve@example.com", "", nil, http.StatusNotFound, "there is none")
}

// TestUsersRace has many clients ask for one e-mail address: one of them gets it. A client
// that asks while another one's user is being stored is told to ask again, and does.
func TestUsersRace(t *testing.T) {
	c, _, _ := serve(t)
	var added atomic.Int32
	var group sync.WaitGroup
	for i := range 8 {
		one := client{t, c.url, fmt.Sprint("tenant-", i), "ada"}
		group.Go(func() {
			a := one.do("POST", "/users", "", `{"email": "eve@example.com"}`)
			for end := time.Now().Add(time.Minute); a.status == http.StatusServiceUnavailable && time.Now().Before(end); {
				a = one.do("POST", "/users", "", `{"email": "eve@example.com"}`)
			}
			switch a.status {
			case http.StatusCreated:
				added.Add(1)
			case http.StatusConflict:
			default:
				t.Error(a)
			}
		})
	}
	group.Wait()
	if n := added.Load(); n != 1 {
		t.Errorf("%d users have the address", n)
	}
}

// TestDebug looks at what the requests of a client have cost, which shows nobody's data.
func TestDebug(t *testing.T) {
	c, _, _ := serve(t)
	c.must("POST", "/customers/eve/orders", "", tea(1), nil)
	c.must("GET", "/orders", "", nil, nil)
	page := c.must("GET", "/debug/cosmos", "", nil, nil).text
	for _, part := range []string{"commit", "query", "orders"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	for _, part := range []string{"contoso", "eve"} {
		if strings.Contains(strings.ReplaceAll(page, "event", ""), part) {
			t.Errorf("the page shows %s", part)
		}
	}
}

// TestWithoutATenant has a client that does not say whose it is.
func TestWithoutATenant(t *testing.T) {
	c, _, account := serve(t)
	c.tenant = ""
	account.ResetRequests()
	for _, path := range []string{"/orders", "/orders/totals", "/customers/eve/orders/o-1", "/users?email=eve@example.com", "/customers/eve/balance"} {
		if a := c.do("GET", path, "", nil); a.status != http.StatusBadRequest {
			t.Errorf("%s: %+v", path, a)
		}
	}
	if n := len(account.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestBalances changes orders while processes that keep the balances come and go, and
// meet throttled and lost requests.
func TestBalances(t *testing.T) {
	c, s, account := serve(t)
	first, second := project(t, s), project(t, s)
	account.Inject(emulator.Fault{Operation: emulator.OpReplaceItem, Status: http.StatusTooManyRequests, Count: 5})
	account.Inject(emulator.Fault{Operation: emulator.OpReplaceItem, Drop: true, After: true, Count: 5})
	want := map[string]int{}
	for i := range 30 {
		customer := fmt.Sprint("c", i%4)
		var o documents.Order
		placed := c.must("POST", "/customers/"+customer+"/orders", "", tea(1+i), &o)
		path := "/customers/" + customer + "/orders/" + o.ID
		switch i % 5 {
		case 0:
			c.must("PATCH", path, placed.etag, `{"status": "cancelled"}`, nil)
		case 1:
			c.must("DELETE", path, placed.etag, nil, nil)
		case 2:
			c.must("DELETE", path, placed.etag, nil, nil)
			c.must("POST", path+"/restore", "", nil, nil)
			fallthrough
		default:
			want[customer] += 450 * (1 + i)
		}
		if i == 15 {
			first()
			first = project(t, s)
		}
	}
	for customer, cents := range want {
		c.owes(customer, cents)
	}

	var o documents.Order // which the balance has counted before it is deleted
	placed := c.must("POST", "/customers/eve/orders", "", tea(2), &o)
	c.owes("eve", 900)
	c.must("DELETE", "/customers/eve/orders/"+o.ID, placed.etag, nil, nil)
	c.owes("eve", 0)
	c.must("POST", "/customers/eve/orders/"+o.ID+"/restore", "", nil, nil)
	c.owes("eve", 900)
	first()
	second()
}

// project keeps the balances, by a processor that is quick to notice, until it is stopped.
func project(t *testing.T, s *shop) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- s.projection(
			feed.WithLeaseTimes(feed.LeaseTimes{Acquire: 50 * time.Millisecond, Renew: 75 * time.Millisecond, Expire: 400 * time.Millisecond}),
			feed.PollEvery(30*time.Millisecond),
			feed.PageSize(3),
		).Run(ctx)
	}()
	return func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// owes waits until the balance of a customer is what it should be.
func (c client) owes(customer string, cents int) {
	c.t.Helper()
	b := documents.Balance{Cents: -1}
	for deadline := time.Now().Add(30 * time.Second); b.Cents != cents && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		_ = decode(c.do("GET", "/customers/"+customer+"/balance", "", nil).text, &b) // there may be none yet
	}
	if b.Cents != cents {
		c.t.Errorf("%s owes %d, want %d", customer, b.Cents, cents)
	}
}
