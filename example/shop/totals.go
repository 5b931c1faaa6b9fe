package main

import (
	"net/http"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// A total is what the orders of a status come to.
type total struct {
	Status string `json:"status"`
	Orders int    `json:"orders"`
	Cents  int    `json:"cents"`
}

// totals answers with what the orders of a tenant come to. Each physical partition adds
// up its own orders, and sends a row for each status.
func (s *shop) totals(w http.ResponseWriter, r *http.Request) {
	f := documents.OrderFields
	rows, err := repository.GroupBy[total](s.feed.For(actor(r).Tenant).Scan(), f.Status).
		Count("orders").Sum("cents", f.Total).
		Collect(r.Context())
	if rows == nil {
		rows = []total{} // a list in JSON
	}
	answer(w, r, http.StatusOK, map[string]any{"totals": rows}, err)
}
