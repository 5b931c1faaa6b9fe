package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// importOrders stores the orders of a body of any length, a JSON document each, while it
// reads them. The import ends at the first text that is not an order.
func (s *shop) importOrders(w http.ResponseWriter, r *http.Request) {
	tenant := actor(r).Tenant
	stored, err := s.orders.Import(r.Context(), tenant, ordersIn(r.Body, tenant))
	result := map[string]any{"stored": stored}
	status := http.StatusOK
	if err != nil {
		result["error"], status = err.Error(), http.StatusUnprocessableEntity
	}
	answer(w, r, status, result, nil)
}

// An importedOrder is a document of an import.
type importedOrder struct {
	sentOrder
	CustomerID string          `json:"customerId"`
	Placed     repository.Time `json:"placed"`
}

// ordersIn yields the orders of a text, as those of a tenant, and ends with what is wrong.
func ordersIn(text io.Reader, tenant string) iter.Seq2[*documents.Order, error] {
	return func(yield func(*documents.Order, error) bool) {
		decoder := json.NewDecoder(text)
		decoder.DisallowUnknownFields()
		for n := 1; ; n++ {
			var sent importedOrder
			err := decoder.Decode(&sent)
			o := documents.Order{ID: sent.ID, TenantID: tenant, CustomerID: sent.CustomerID, Placed: sent.Placed, Status: sent.Status, Lines: sent.Lines}
			switch {
			case errors.Is(err, io.EOF):
				return
			case err == nil && !o.Priced():
				err = errors.New("it has no lines with a price")
			}
			if err != nil {
				yield(nil, fmt.Errorf("order %d: %w", n, err))
				return
			}
			if !yield(&o, nil) {
				return
			}
		}
	}
}
