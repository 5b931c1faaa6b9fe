package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/shop/byhand"
	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
)

// eachStore runs a test over the store of package orders, and over that of package byhand.
func eachStore(t *testing.T, test func(*testing.T, client, *emulator.Server)) {
	t.Run("generated", func(t *testing.T) {
		c, _, account := serve(t)
		test(t, c, account)
	})
	t.Run("by hand", func(t *testing.T) {
		c, s, account := serve(t)
		s.orders = byHand(t, account)
		test(t, c, account)
	})
}

// byHand returns the store of package byhand, in a container of its own.
func byHand(t *testing.T, account *emulator.Server) orderStore {
	t.Helper()
	client, err := azcosmos.NewClientFromConnectionString(account.ConnectionString(), nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	container, err := byhand.Ensure(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return &byhand.Store{Container: container, CursorKey: make([]byte, 32)}
}

func tea(quantity int) sentOrder {
	return sentOrder{Lines: []documents.Line{{SKU: "t-1", Name: "Tea", Quantity: quantity, Price: 450}}}
}

func TestOrder(t *testing.T) {
	eachStore(t, func(t *testing.T, c client, _ *emulator.Server) {
		var o documents.Order
		placed := c.must("POST", "/customers/eve/orders", "", tea(2), &o)
		path := "/customers/eve/orders/" + o.ID
		if placed.status != http.StatusCreated || placed.etag == "" || o.Total != 900 || o.Status != documents.Open || o.Version != 1 || o.TenantID != "contoso" {
			t.Fatalf("placed: %+v", placed)
		}
		if read := c.must("GET", path, "", nil, nil); read.etag != placed.etag || read.text != placed.text {
			t.Errorf("read %+v, placed %+v", read, placed)
		}

		bob := client{t, c.url, c.tenant, "bob"}
		paid := bob.must("PATCH", path, placed.etag, `{"status": "paid"}`, &o)
		if o.Status != documents.Paid || o.Version != 2 || o.Total != 900 || paid.etag == placed.etag {
			t.Errorf("paid: %+v", paid)
		}
		const changed = "somebody else has changed it: read it again"
		more := tea(3)
		more.Status = documents.Open
		c.refused("PATCH", path, placed.etag, `{"status": "shipped"}`, http.StatusPreconditionFailed, changed)
		c.refused("PUT", path, placed.etag, more, http.StatusPreconditionFailed, changed)
		c.refused("PUT", path, "", more, http.StatusPreconditionRequired, "say in If-Match which version you have seen: the ETag of its answer")

		more.Status = documents.Cancelled
		replaced := c.must("PUT", path, paid.etag, more, &o)
		if o.Total != 1350 || o.Version != 3 || o.Status != documents.Cancelled || o.Placed.IsZero() {
			t.Errorf("replaced: %+v", replaced)
		}
		if read := c.must("GET", path, "", nil, nil); read.etag != replaced.etag || read.text != replaced.text {
			t.Errorf("read %+v, replaced %+v", read, replaced)
		}
		c.refused("DELETE", path, paid.etag, nil, http.StatusPreconditionFailed, changed)
		c.must("DELETE", path, replaced.etag, nil, nil)
		c.refused("GET", path, "", nil, http.StatusNotFound, "there is none")
		c.refused("PATCH", path, replaced.etag, `{"status": "paid"}`, http.StatusNotFound, "there is none")
		c.refused("DELETE", path, replaced.etag, nil, http.StatusNotFound, "there is none")
		if ids, _ := c.list(""); len(ids) != 0 {
			t.Errorf("the list has %v, which is deleted", ids)
		}
		again := tea(1)
		again.ID = o.ID
		c.refused("POST", "/customers/eve/orders", "", again, http.StatusConflict, "it is there already")

		c.refused("POST", "/customers/eve/orders/o-none/restore", "", nil, http.StatusNotFound, "there is none")
		stranger := client{t, c.url, "fabrikam", "mallory"}
		stranger.refused("POST", path+"/restore", "", nil, http.StatusNotFound, "there is none")
		restored := bob.must("POST", path+"/restore", "", nil, &o)
		if o.Version != 5 || o.Total != 1350 || restored.etag == replaced.etag || strings.Contains(restored.text, "deleted") {
			t.Errorf("restored: %+v", restored)
		}
		if read := c.must("GET", path, "", nil, nil); read.etag != restored.etag || read.text != restored.text {
			t.Errorf("read %+v, restored %+v", read, restored)
		}
		if ids, _ := c.list(""); len(ids) != 1 {
			t.Errorf("the list has %v, one was restored", ids)
		}
		c.refused("POST", path+"/restore", "", nil, http.StatusPreconditionFailed, changed)

		var log struct{ Entries []documents.Entry }
		c.must("GET", path+"/log", "", nil, &log)
		var did []string
		for _, e := range log.Entries {
			did = append(did, e.By+" "+e.Did)
		}
		if diff := cmp.Diff([]string{"ada placed", "bob paid", "ada replaced", "ada deleted", "bob restored"}, did); diff != "" {
			t.Errorf("the log is another one (-want +got):\n%s", diff)
		}
	})
}

func TestMistakesWithOrders(t *testing.T) {
	eachStore(t, func(t *testing.T, c client, _ *emulator.Server) {
		const unpriced = "an order has lines, each of one article or more at a price"
		c.refused("POST", "/customers/eve/orders", "", `{}`, http.StatusBadRequest, unpriced)
		c.refused("POST", "/customers/eve/orders", "", tea(-1), http.StatusBadRequest, unpriced)
		for _, path := range []string{"/customers/eve/orders", "/users", "/devices/fridge-1/readings"} {
			c.refused("POST", path, "", `{"partitionKey": "fabrikam.1"}`, http.StatusBadRequest, `the body is not what it should be: json: unknown field "partitionKey"`)
		}
		c.refused("POST", "/customers/eve/orders", "", `[`, http.StatusBadRequest, "the body is not what it should be: unexpected EOF")
		c.refused("GET", "/orders?cursor=made-up", "", nil, http.StatusBadRequest, "this cursor is of another list: begin without one")

		var o documents.Order
		placed := c.must("POST", "/customers/eve/orders", "", tea(1), &o)
		path := "/customers/eve/orders/" + o.ID
		c.refused("PATCH", path, placed.etag, `{"status": "lost"}`, http.StatusBadRequest, "a status is open, paid, shipped or cancelled")
		again := tea(1)
		again.ID = o.ID
		c.refused("POST", "/customers/eve/orders", "", again, http.StatusConflict, "it is there already")

		stranger := client{t, c.url, "fabrikam", "mallory"}
		stranger.refused("GET", path, "", nil, http.StatusNotFound, "there is none")
		stranger.refused("PATCH", path, placed.etag, `{"status": "paid"}`, http.StatusNotFound, "there is none")
		if list := stranger.must("GET", "/orders", "", nil, nil); list.text != `{"cursor":"","orders":[]}`+"\n" {
			t.Errorf("another tenant lists %s", list.text)
		}
	})
}

func TestList(t *testing.T) {
	eachStore(t, func(t *testing.T, c client, account *emulator.Server) {
		var want []string
		for i := range 45 {
			var o documents.Order
			c.must("POST", fmt.Sprintf("/customers/c%d/orders", i), "", tea(1), &o)
			want = append(want, o.ID)
		}
		slices.Reverse(want)
		other := client{t, c.url, "fabrikam", "mallory"}
		other.must("POST", "/customers/c1/orders", "", tea(1), nil)

		account.ResetRequests()
		got, pages := c.list("open")
		if diff := cmp.Diff(want, got); diff != "" || pages != 3 {
			t.Errorf("%d pages of other orders (-want +got):\n%s", pages, diff)
		}
		if n := len(account.Requests()); n > 8*pages {
			t.Errorf("%d pages took %d requests", pages, n)
		}
		if paid, _ := c.list("paid"); len(paid) != 0 {
			t.Errorf("%d are paid", len(paid))
		}
	})
}

// list returns the ids of all orders of a status, and how many pages they are.
func (c client) list(status string) (ids []string, pages int) {
	c.t.Helper()
	for cursor, more := "", true; more; more = cursor != "" {
		var page struct {
			Orders []documents.Order
			Cursor string
		}
		c.must("GET", "/orders?status="+status+"&cursor="+url.QueryEscape(cursor), "", nil, &page)
		for _, o := range page.Orders {
			ids = append(ids, o.ID)
		}
		cursor = page.Cursor
		pages++
	}
	return ids, pages
}

// TestRace has many clients add a line to one order, each until it succeeds: none of the
// lines is lost.
func TestRace(t *testing.T) {
	eachStore(t, func(t *testing.T, c client, _ *emulator.Server) {
		var o documents.Order
		c.must("POST", "/customers/eve/orders", "", tea(1), &o)
		path := "/customers/eve/orders/" + o.ID
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for {
					var now documents.Order
					read := c.do("GET", path, "", nil)
					if err := decode(read.text, &now); err != nil {
						t.Error(err, read)
						return
					}
					more := sentOrder{Status: now.Status, Lines: append(now.Lines, documents.Line{SKU: fmt.Sprint(i), Quantity: 1, Price: 1})}
					if a := c.do("PUT", path, read.etag, more); a.status != http.StatusPreconditionFailed {
						if a.status != http.StatusOK {
							t.Error(a)
						}
						return
					}
				}
			})
		}
		group.Wait()
		c.must("GET", path, "", nil, &o)
		if len(o.Lines) != 9 || o.Version != 9 || o.Total != 458 {
			t.Errorf("%d lines, version %d, total %d", len(o.Lines), o.Version, o.Total)
		}
	})
}

func TestImport(t *testing.T) {
	eachStore(t, func(t *testing.T, c client, account *emulator.Server) {
		var text strings.Builder
		for i := range 250 {
			fmt.Fprintf(&text, `{"id": "o-%d", "customerId": "c%d", "placed": "2026-11-22T07:00:00Z", "status": "shipped", "lines": [{"sku": "t-1", "quantity": 1, "price": 100}]}`+"\n", i, i%20)
		}
		account.ResetRequests()
		if a := c.must("POST", "/orders/import", "", text.String(), nil); a.text != `{"stored":250}`+"\n" {
			t.Error(a)
		}
		if n := len(account.Requests()); n > 60 {
			t.Errorf("250 orders took %d requests", n)
		}
		if ids, _ := c.list("shipped"); len(ids) != 250 {
			t.Errorf("the list has %d orders", len(ids))
		}
		a := c.do("POST", "/orders/import", "", `{"id": "o-new", "customerId": "c1", "lines": [{"quantity": 1}]} {"id": "o-0", "customerId": "c0", "lines": [{"quantity": 1}]} {"lines": 1}`)
		if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.text, `"stored":1`) || !strings.Contains(a.text, "order 3: ") {
			t.Error(a)
		}
	})
}
