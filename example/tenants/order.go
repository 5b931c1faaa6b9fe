package main

// An Order is what a tenant has sold. All tenants share the container orders, but for
// those that a move has given one of their own, such as orders-contoso.
type Order struct {
	_        struct{} `cosmos:"container=orders,own=orders-{TenantID},directory=tenants"`
	ID       string   `json:"id"`
	TenantID string   `json:"tenantId" cosmos:"pk,tenant"`
	Article  string   `json:"article"`
	Total    int      `json:"total"` // in cents
}
