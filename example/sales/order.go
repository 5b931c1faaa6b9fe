package sales

import "time"

// An Order is what a customer of a tenant has bought. Whoever knows both knows its
// partition key; whoever knows the tenant alone knows where its orders begin.
type Order struct {
	_          struct{}  `cosmos:"container=shop-orders"`
	ID         string    `json:"id"` // its number within the tenant
	TenantID   string    `json:"tenantId" cosmos:"pk,level=1"`
	CustomerID string    `json:"customerId" cosmos:"pk,level=2"`
	CreatedAt  time.Time `json:"createdAt"`
	Status     string    `json:"status"`
	Currency   string    `json:"currency"`
	Total      int       `json:"total"` // in hundredths of the currency
	Lines      []Line    `json:"lines" cosmos:"elements"`
}

// A Line is one article of an order.
type Line struct {
	SKU       string `json:"sku"`
	Name      string `json:"name"`
	Quantity  int    `json:"quantity"`
	UnitPrice int    `json:"unitPrice"` // in hundredths of the currency
}
