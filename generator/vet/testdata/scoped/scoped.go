// Package scoped answers requests of tenants.
package scoped

//pkgen:scoped

import (
	"context"

	"example.com/m/scoped/shop"
)

type server struct {
	orders *shop.OrderRepository
	rates  *shop.RateRepository
}

func (s *server) answer(ctx context.Context, tenant string) error {
	own := s.orders.For(tenant)
	if _, err := own.Get(ctx, own.Key("1")); err != nil {
		return err
	}
	if _, err := own.Scan().Collect(ctx); err != nil {
		return err
	}
	if _, err := s.rates.Get(ctx, shop.RateKey{ID: "1"}); err != nil {
		return err
	}
	_, err := s.orders.Get(ctx, shop.OrderKey{ID: "1", TenantID: tenant}) // want `OrderRepository.Get reaches the documents of all tenants`
	return err
}

func (s *server) others(ctx context.Context, tenant string) {
	_, _ = s.orders.ByTenantID(tenant).Collect(ctx) // want `OrderRepository.ByTenantID reaches the documents of all tenants`
	_ = s.orders.Documents                          // want `OrderRepository.Documents reaches the documents`
	scan := s.orders.Scan                           // want `OrderRepository.Scan reaches the documents`
	_ = scan
	_ = (*shop.OrderRepository).Upsert // want `OrderRepository.Upsert reaches the documents`
	_, _ = s.orders.Scan().Count(ctx)  //nolint:pkgen // the page of the operator
	_ = func(r *shop.OrderRepository) { _ = r }
}
