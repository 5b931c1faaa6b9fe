// Package fleet has the struct of the README.
package fleet

import "time"

type VehicleEvent struct {
	ID     string    `json:"id" cosmos:"note=hashedid"`
	Date   string    `json:"date" cosmos:"pk,hashsuffix=VIN,buckets=400"`
	VIN    string    `json:"vin"`
	At     time.Time `json:"at"`
	Speed  int       `json:"speed"`
	Stored string    `json:"partitionKey" cosmos:"synthetic"`
}
