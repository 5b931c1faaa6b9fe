package telemetry

// A Reading is what a device measured. Device abc-123 in 2018 has the partition
// key "abc-123-2018".
type Reading struct {
	ID       string  `json:"id"`
	DeviceID string  `json:"deviceId" cosmos:"pk,concat"`
	Date     uint16  `json:"date" cosmos:"pk,concat"` // the year
	Celsius  float64 `json:"celsius"`
	Stored   string  `json:"partitionKey" cosmos:"synthetic"`
}
