package fleet

import "time"

// A VehicleEvent is one signal of one vehicle. Whoever knows its date and VIN
// knows its partition key.
type VehicleEvent struct {
	ID     string    `json:"id" cosmos:"note=hashedid"`
	Date   string    `json:"date" cosmos:"pk,hashsuffix=VIN,buckets=400"`
	VIN    string    `json:"vin"`
	At     time.Time `json:"at"`
	Speed  int       `json:"speed"` // km/h
	Stored string    `json:"partitionKey" cosmos:"synthetic"`
	ETag   string    `json:"_etag,omitempty"`
}
