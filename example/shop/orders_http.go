package main

import (
	"context"
	"crypto/rand"
	"iter"
	"net/http"
	"slices"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
)

// An orderStore keeps orders: by generated code in package orders, and without it in
// package byhand.
type orderStore interface {
	Place(ctx context.Context, who documents.Actor, o *documents.Order) error
	Get(ctx context.Context, tenant, customer, id string) (*documents.Order, error)
	List(ctx context.Context, tenant, status, cursor string, size int) ([]*documents.Order, string, error)
	Replace(ctx context.Context, who documents.Actor, etag string, o *documents.Order) (*documents.Order, error)
	SetStatus(ctx context.Context, who documents.Actor, customer, id, etag, status string) (*documents.Order, error)
	Delete(ctx context.Context, who documents.Actor, customer, id, etag string) error
	Restore(ctx context.Context, who documents.Actor, customer, id string) (*documents.Order, error)
	Log(ctx context.Context, tenant, customer, id string) ([]*documents.Entry, error)
	Import(ctx context.Context, tenant string, orders iter.Seq2[*documents.Order, error]) (int, error)
}

// A sentOrder is what a client sends. All else in an order is the shop's: a partitionKey in the
// body is refused as any property that is not here.
type sentOrder struct {
	ID     string           `json:"id"`
	Status string           `json:"status"`
	Lines  []documents.Line `json:"lines"`
}

// pageSize is how many documents a page of a list has.
const pageSize = 20

func (s *shop) placeOrder(w http.ResponseWriter, r *http.Request) {
	var o documents.Order
	if !orderOf(w, r, &o) {
		return
	}
	if o.ID == "" { // a client that sends an id may send its request again
		o.ID = documents.OrderIDPrefix + rand.Text()
	}
	err := s.orders.Place(r.Context(), actor(r), &o)
	w.Header().Set("Location", "/customers/"+o.CustomerID+"/orders/"+o.ID)
	answerOrder(w, r, http.StatusCreated, &o, err)
}

func (s *shop) getOrder(w http.ResponseWriter, r *http.Request) {
	o, err := s.orders.Get(r.Context(), actor(r).Tenant, r.PathValue("customer"), r.PathValue("id"))
	answerOrder(w, r, http.StatusOK, o, err)
}

func (s *shop) listOrders(w http.ResponseWriter, r *http.Request) {
	found, cursor, err := s.orders.List(r.Context(), actor(r).Tenant, r.FormValue("status"), r.FormValue("cursor"), pageSize)
	if found == nil {
		found = []*documents.Order{} // a list in JSON
	}
	answer(w, r, http.StatusOK, map[string]any{"orders": found, "cursor": cursor}, err)
}

func (s *shop) replaceOrder(w http.ResponseWriter, r *http.Request) {
	var o documents.Order
	etag, ok := ifMatch(w, r)
	if !ok || !orderOf(w, r, &o) || !validStatus(w, o.Status) {
		return
	}
	o.ID = r.PathValue("id")
	replaced, err := s.orders.Replace(r.Context(), actor(r), etag, &o)
	answerOrder(w, r, http.StatusOK, replaced, err)
}

func (s *shop) patchOrder(w http.ResponseWriter, r *http.Request) {
	var change struct{ Status string }
	etag, ok := ifMatch(w, r)
	if !ok || !body(w, r, &change) || !validStatus(w, change.Status) {
		return
	}
	o, err := s.orders.SetStatus(r.Context(), actor(r), r.PathValue("customer"), r.PathValue("id"), etag, change.Status)
	answerOrder(w, r, http.StatusOK, o, err)
}

func (s *shop) deleteOrder(w http.ResponseWriter, r *http.Request) {
	etag, ok := ifMatch(w, r)
	if !ok {
		return
	}
	if err := s.orders.Delete(r.Context(), actor(r), r.PathValue("customer"), r.PathValue("id"), etag); err != nil {
		fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *shop) restoreOrder(w http.ResponseWriter, r *http.Request) {
	o, err := s.orders.Restore(r.Context(), actor(r), r.PathValue("customer"), r.PathValue("id"))
	answerOrder(w, r, http.StatusOK, o, err)
}

func (s *shop) orderLog(w http.ResponseWriter, r *http.Request) {
	entries, err := s.orders.Log(r.Context(), actor(r).Tenant, r.PathValue("customer"), r.PathValue("id"))
	if entries == nil {
		entries = []*documents.Entry{} // those of an imported order
	}
	answer(w, r, http.StatusOK, map[string]any{"entries": entries}, err)
}

// orderOf reads an order of the customer whom the path names. What it costs is computed,
// not believed.
func orderOf(w http.ResponseWriter, r *http.Request, o *documents.Order) bool {
	var sent sentOrder
	if !body(w, r, &sent) {
		return false
	}
	*o = documents.Order{ID: sent.ID, Status: sent.Status, Lines: sent.Lines}
	if !o.Priced() {
		http.Error(w, "an order has lines, each of one article or more at a price", http.StatusBadRequest)
		return false
	}
	o.CustomerID = r.PathValue("customer")
	return true
}

// ifMatch returns the ETag that a change depends on.
func ifMatch(w http.ResponseWriter, r *http.Request) (string, bool) {
	etag := r.Header.Get("If-Match")
	if etag == "" {
		http.Error(w, "say in If-Match which version you have seen: the ETag of its answer", http.StatusPreconditionRequired)
	}
	return etag, etag != ""
}

func validStatus(w http.ResponseWriter, status string) bool {
	ok := slices.Contains([]string{documents.Open, documents.Paid, documents.Shipped, documents.Cancelled}, status)
	if !ok {
		http.Error(w, "a status is open, paid, shipped or cancelled", http.StatusBadRequest)
	}
	return ok
}

// answerOrder writes an order with its ETag, or what an error means to a client.
func answerOrder(w http.ResponseWriter, r *http.Request, status int, o *documents.Order, err error) {
	if err == nil {
		w.Header().Set("ETag", o.ETag)
	}
	answer(w, r, status, o, err)
}
