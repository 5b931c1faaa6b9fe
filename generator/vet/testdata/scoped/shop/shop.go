// Package shop has documents of tenants, and others.
package shop

type Order struct { // want Order:"key of ID, TenantID"
	ID       string `json:"id"`
	TenantID string `json:"tenantId" cosmos:"pk,tenant"`
	Total    int    `json:"total"`
}

type Rate struct { // want Rate:"key of ID"
	ID string `json:"id" cosmos:"id,pk"`
}
