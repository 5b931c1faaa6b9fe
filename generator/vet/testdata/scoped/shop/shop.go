// Package shop has documents of tenants, and others.
package shop

type Order struct {
	ID       string `json:"id"`
	TenantID string `json:"tenantId" cosmos:"pk,tenant"`
	Total    int    `json:"total"`
}

type Rate struct {
	ID string `json:"id" cosmos:"id,pk"`
}
