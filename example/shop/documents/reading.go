package documents

import "github.com/cosmos-pkgen/pkgen/repository"

// A Reading is what a device of a tenant measured, such as a refrigerator in a shop.
// A month of a device is one logical partition; readings expire after 90 days.
type Reading struct {
	_        struct{}        `cosmos:"container=readings,escape,ttl=7776000"`
	ID       string          `json:"id"`
	TenantID string          `json:"tenantId" cosmos:"pk,concat,tenant"`
	Device   string          `json:"device" cosmos:"pk,concat"`
	At       repository.Time `json:"at" cosmos:"pk,concat,format=month"`
	Celsius  float64         `json:"celsius"`
	Stored   string          `json:"partitionKey" cosmos:"synthetic"`
}
