package analyze

import "time"

// Used is the usage of tenants, as the meters of programs counted it.
type Used struct {
	// Records is the number of meter results that were read.
	Records      int       `json:"records"`
	From         time.Time `json:"from"`
	To           time.Time `json:"to"`
	RequestUnits float64   `json:"requestUnits"`
	// Unscoped is the part of RequestUnits that belongs to no tenant.
	Unscoped float64 `json:"unscoped"`
	// Forgotten is the maximum usage of a tenant that is missing from the meters.
	Forgotten float64 `json:"forgotten,omitempty"`
	// Known is the number of known tenants. Tenants has the tenants that used most, in
	// descending order, and the ones with findings, with an element for each container.
	Known    int          `json:"known"`
	Tenants  []UsedTenant `json:"tenants"`
	Findings []Finding    `json:"findings"`
}

// UsedTenant is the usage of a tenant in a container.
type UsedTenant struct {
	Tenant    string `json:"tenant"`
	Container string `json:"container"`
	// Neighbors is the number of other tenants in the container.
	Neighbors    int     `json:"neighbors"`
	RequestUnits float64 `json:"requestUnits"`
	// Error is the maximum by which RequestUnits is too high.
	Error float64 `json:"error,omitempty"`
	// Share is the share of the request units of the container's tenants.
	Share     float64 `json:"share"`
	Requests  int64   `json:"requests"`
	Throttled int64   `json:"throttled"`
	// RUs is the average usage, in RU/s.
	RUs float64 `json:"requestUnitsPerSecond"`
	// PeakRUs is the maximum usage in a minute, in RU/s: the busiest minutes of several
	// programs count as if they were one minute.
	PeakRUs float64 `json:"peakRequestUnitsPerSecond"`
}
