package documents

import "github.com/cosmos-pkgen/pkgen/repository"

// An Order is what a customer of a tenant has bought. The customers of a tenant are
// spread over eight logical partitions, so that the orders of a large tenant neither
// fill one nor keep one physical partition busy. The index ByStatus has those of a tenant
// together again, for totals. A deleted order can be restored for 30 days.
type Order struct {
	_          struct{}        `cosmos:"container=orders,type=order,leases=leases"`
	_          struct{}        `cosmos:"index=ByStatus,key={TenantID},{Status},select=total,container=orders-by-status"`
	ID         string          `json:"id" cosmos:"id,prefix=o-,note=hashedid"`
	TenantID   string          `json:"tenantId" cosmos:"pk,tenant,hashsuffix=CustomerID,buckets=8"`
	CustomerID string          `json:"customerId"`
	Placed     repository.Time `json:"placed"`
	Status     string          `json:"status"`
	Lines      []Line          `json:"lines"`
	Total      int             `json:"total"`                    // in cents
	Version    int             `json:"version" cosmos:"version"` // from 1, larger with every change
	Stored     string          `json:"partitionKey" cosmos:"synthetic"`
	Deleted    repository.Time `json:"deleted,omitzero" cosmos:"deleted,purge=720h"`
	ETag       string          `json:"_etag,omitempty"`
}

// A Line is one article of an order.
type Line struct {
	SKU      string `json:"sku"`
	Name     string `json:"name"`
	Quantity int    `json:"quantity"`
	Price    int    `json:"price"` // of one, in cents
}

// An Entry of the audit log says who did what to an order, and when. It has the key of
// its order, so that both are written in one transaction: no change is without its
// entry, and no entry without its change. Only that of a restoration is written after it.
type Entry struct {
	_          struct{}        `cosmos:"container=orders,type=entry"`
	ID         string          `json:"id" cosmos:"id,prefix=e-,note=hashedid"`
	TenantID   string          `json:"tenantId" cosmos:"pk,tenant,hashsuffix=CustomerID,buckets=8"`
	CustomerID string          `json:"customerId"`
	OrderID    string          `json:"orderId"`
	At         repository.Time `json:"at" cosmos:"created"`
	By         string          `json:"by"`
	Did        string          `json:"did"`
	Stored     string          `json:"partitionKey" cosmos:"synthetic"`
}

// What becomes of an order.
const (
	Open      = "open"
	Paid      = "paid"
	Shipped   = "shipped"
	Cancelled = "cancelled"
)

// Priced computes the total of an order, and says whether its lines have a price.
func (o *Order) Priced() bool {
	o.Total = 0
	for _, l := range o.Lines {
		if l.Quantity < 1 || l.Price < 0 {
			return false
		}
		o.Total += l.Quantity * l.Price
	}
	return len(o.Lines) > 0
}
