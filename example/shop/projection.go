package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// projection returns the processor that keeps the balances. All processes of the service
// run the same: they share the physical partitions of the orders.
func (s *shop) projection(options ...feed.Option) *feed.Processor {
	return feed.NewProcessor(s.feed.Documents, "balances", s.leases, s.count, options...)
}

// count counts a page of changed orders, with a read and a write for each customer. If it
// fails half-way, or the process dies, the page comes again: a balance counts an order by
// its version, so that this changes nothing.
func (s *shop) count(ctx context.Context, changes []feed.Delivery[documents.Order]) error {
	changed := map[documents.BalanceKey][]*documents.Order{}
	for _, c := range changes {
		key := documents.BalanceKey{ID: c.Doc.CustomerID, TenantID: c.Doc.TenantID}
		changed[key] = append(changed[key], c.Doc)
	}
	for key, orders := range changed {
		if err := s.countOf(ctx, key, orders); err != nil {
			return err
		}
	}
	return nil
}

func (s *shop) countOf(ctx context.Context, key documents.BalanceKey, orders []*documents.Order) error {
	count := func(b *documents.Balance) error {
		for _, o := range orders {
			b.Count(o)
		}
		return nil
	}
	err := s.balances.Update(ctx, key, count) // on the ETag that it read
	if !errors.Is(err, repository.ErrNotFound) {
		return err
	}
	first := documents.Balance{ID: key.ID, TenantID: key.TenantID}
	_ = count(&first) // which never fails
	err = s.balances.Create(ctx, &first)
	if errors.Is(err, repository.ErrAlreadyExists) { // another process was first
		return s.balances.Update(ctx, key, count)
	}
	return err
}

// balance answers with what a customer owes, as far as the projection is.
func (s *shop) balance(w http.ResponseWriter, r *http.Request) {
	mine := s.balances.For(actor(r).Tenant)
	b, err := mine.Get(r.Context(), mine.Key(r.PathValue("customer")))
	answer(w, r, http.StatusOK, b, err)
}
