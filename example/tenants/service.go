package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// service answers the requests of tenants:
//
//	PUT    /orders/{id}  stores an order
//	GET    /orders/{id}  returns it
//	DELETE /orders/{id}  removes it
//	GET    /orders       returns how many orders there are
type service struct{ orders *OrderRepository }

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /orders/{id}", s.put)
	mux.HandleFunc("GET /orders/{id}", s.get)
	mux.HandleFunc("DELETE /orders/{id}", s.remove)
	mux.HandleFunc("GET /orders", s.count)
	return mux
}

// tenantHeader names who asks. A service on the internet would take the tenant from a
// token that it has checked.
const tenantHeader = "X-Tenant"

// of returns the orders of the tenant that asks, and of no other.
func (s *service) of(r *http.Request) *OrderTenant { return s.orders.For(r.Header.Get(tenantHeader)) }

func (s *service) put(w http.ResponseWriter, r *http.Request) {
	var order Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&order); err != nil {
		http.Error(w, "the body is not an order: "+err.Error(), http.StatusBadRequest)
		return
	}
	order.ID, order.TenantID = r.PathValue("id"), r.Header.Get(tenantHeader)
	answer(w, nil, s.of(r).Upsert(r.Context(), &order))
}

func (s *service) get(w http.ResponseWriter, r *http.Request) {
	mine := s.of(r)
	order, err := mine.Get(r.Context(), mine.Key(r.PathValue("id")))
	answer(w, order, err)
}

func (s *service) remove(w http.ResponseWriter, r *http.Request) {
	mine := s.of(r)
	answer(w, nil, mine.Delete(r.Context(), mine.Key(r.PathValue("id"))))
}

func (s *service) count(w http.ResponseWriter, r *http.Request) {
	n, err := s.of(r).Scan().Count(r.Context())
	answer(w, map[string]int{"orders": n}, err)
}

// answer writes a value as JSON, or the status of an error.
func answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the client may have gone
}

// statusOf returns the status of an error. After 503 the client repeats the request: all
// of them are safe to repeat.
func statusOf(err error) int {
	var key *partition.KeyError
	switch {
	case errors.As(err, &key):
		return http.StatusBadRequest
	case errors.Is(err, repository.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, repository.ErrUnclear), errors.Is(err, repository.ErrMoved), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
