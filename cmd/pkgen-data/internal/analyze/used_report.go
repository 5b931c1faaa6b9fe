package analyze

import "time"

// Used is what tenants used, as the meters of programs counted it.
type Used struct {
	// Records is how many results of meters were read.
	Records      int       `json:"records"`
	From         time.Time `json:"from"`
	To           time.Time `json:"to"`
	RequestUnits float64   `json:"requestUnits"`
	// Unscoped is the part of them of requests that were of no tenant.
	Unscoped float64 `json:"unscoped"`
	// Forgotten is the most that a tenant may have used that is not known.
	Forgotten float64 `json:"forgotten,omitempty"`
	// Known is how many tenants are known. Tenants has those that used most, in
	// descending order, and those with findings, an element for each container.
	Known    int          `json:"known"`
	Tenants  []UsedTenant `json:"tenants"`
	Findings []Finding    `json:"findings"`
}

// UsedTenant is what a tenant used of a container.
type UsedTenant struct {
	Tenant    string `json:"tenant"`
	Container string `json:"container"`
	// Neighbors is how many other tenants are in the container.
	Neighbors    int     `json:"neighbors"`
	RequestUnits float64 `json:"requestUnits"`
	// Error is by how much RequestUnits may be too high.
	Error float64 `json:"error,omitempty"`
	// Share is the share of the request units of the container's tenants.
	Share     float64 `json:"share"`
	Requests  int64   `json:"requests"`
	Throttled int64   `json:"throttled"`
	// RUs is what it used on average, in RU/s.
	RUs float64 `json:"requestUnitsPerSecond"`
	// PeakRUs is what it used in its busiest minute at most, in RU/s: the busiest minutes
	// of several programs at once count as one.
	PeakRUs float64 `json:"peakRequestUnitsPerSecond"`
}
