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

// totals answers with what the orders of a tenant come to, from the index: it has the
// orders of a tenant next to each other. They are spread over eight buckets in their own
// container, and so over its physical partitions. An index is a moment late. A sum that
// lacks the latest order is still a fair one, and soon has it.
func (s *shop) totals(w http.ResponseWriter, r *http.Request) {
	f := documents.OrderByStatusFields
	rows, err := repository.GroupBy[total](s.byStatus.ByTenantID(actor(r).Tenant), f.Status).
		Count("orders").Sum("cents", f.Total).
		Collect(r.Context())
	if rows == nil {
		rows = []total{} // a list in JSON
	}
	answer(w, r, http.StatusOK, map[string]any{"totals": rows}, err)
}
