package documents

// A Balance is what a customer owes for all orders, as the projection has seen them.
// It has each order with its version, so that a change that comes twice, or late,
// counts once.
type Balance struct {
	_        struct{}           `cosmos:"container=balances"`
	ID       string             `json:"id"` // of the customer
	TenantID string             `json:"tenantId" cosmos:"pk,tenant"`
	Cents    int                `json:"cents"`
	Orders   map[string]Counted `json:"orders"`
	ETag     string             `json:"_etag,omitempty"`
}

// Counted is what a balance has of an order.
type Counted struct {
	Cents   int `json:"cents"`
	Version int `json:"version"`
}

// Count counts an order, unless the balance has this version of it or a later one. One
// that is cancelled or deleted counts nothing.
func (b *Balance) Count(o *Order) {
	before := b.Orders[o.ID]
	if o.Version <= before.Version {
		return
	}
	if b.Orders == nil {
		b.Orders = map[string]Counted{}
	}
	now := Counted{Version: o.Version}
	if o.Status != Cancelled && o.Deleted.IsZero() {
		now.Cents = o.Total
	}
	b.Orders[o.ID] = now
	b.Cents += now.Cents - before.Cents
}
