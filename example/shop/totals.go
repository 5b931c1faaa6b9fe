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

// totals answers with what the orders of a tenant come to. The index has them next to each
// other; in their own container they lie in eight buckets, and so in several physical
// partitions. An index is a moment late. That is no matter for totals, which change while
// somebody looks at them.
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
