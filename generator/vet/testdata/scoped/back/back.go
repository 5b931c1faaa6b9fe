// Package back works on the documents of all tenants, and does not ask for less.
package back

import (
	"context"

	"example.com/m/scoped/shop"
)

func count(ctx context.Context, orders *shop.OrderRepository) (int, error) {
	return orders.Scan().Count(ctx)
}
